// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PrinterPanel",
  dependencies: [.package(name: "cockpit", path: "../..")],
  targets: [
    .executableTarget(
      name: "PrinterPanel",
      dependencies: [
        .product(name: "Accessibility", package: "cockpit"), .product(name: "Controls", package: "cockpit"),
        .product(name: "ControlsUI", package: "cockpit"), .product(name: "Desktop", package: "cockpit"),
        .product(name: "Shell", package: "cockpit"), .product(name: "WindowDecoration", package: "cockpit"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)])
  ]
)
