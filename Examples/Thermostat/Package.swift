// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Thermostat",
  dependencies: [.package(name: "cockpit", path: "../..")],
  targets: [
    .executableTarget(
      name: "Thermostat",
      dependencies: [
        .product(name: "Controls", package: "cockpit"), .product(name: "Shell", package: "cockpit"),
        .product(name: "WindowDecoration", package: "cockpit"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)])
  ]
)
