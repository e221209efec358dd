// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Plasma",
  dependencies: [.package(name: "cockpit", path: "../..")],
  targets: [
    .executableTarget(
      name: "Plasma", dependencies: [.product(name: "Shell", package: "cockpit")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "PlasmaTests", dependencies: ["Plasma", .product(name: "Stage", package: "cockpit")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ]
)
