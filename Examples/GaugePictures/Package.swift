// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GaugePictures",
  dependencies: [.package(name: "cockpit", path: "../..")],
  targets: [
    .target(
      name: "Gauge", dependencies: [.product(name: "Controls", package: "cockpit")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "GaugeTests", dependencies: ["Gauge", .product(name: "ScreenshotTesting", package: "cockpit")],
      exclude: ["Screenshots"], swiftSettings: [.defaultIsolation(MainActor.self)]),
  ]
)
