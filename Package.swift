// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where the project itself is built (`./dev` and CI set this), never for packages that depend on it.
let strict: [SwiftSetting] =
  Context.environment["COCKPIT_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : []
let nonisolated: [SwiftSetting] = strict + [.swiftLanguageMode(.v6)]
let mainActor: [SwiftSetting] = nonisolated + [.defaultIsolation(MainActor.self)]

let package = Package(
  name: "cockpit",
  products: [
    .executable(name: "cockpit", targets: ["cockpit"]),
    .library(name: "Controls", targets: ["Controls"]),
  ],
  targets: [
    // System libraries.
    .systemLibrary(
      name: "CCairo", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),

    // The libraries.
    .target(name: "Interface", swiftSettings: nonisolated),
    .target(name: "Controls", dependencies: ["CCairo", "Interface"], swiftSettings: mainActor),
    .target(name: "ControlHarness", dependencies: ["Controls"], swiftSettings: mainActor),

    // The demo application.
    .executableTarget(name: "cockpit", dependencies: ["Controls", "Interface"], swiftSettings: mainActor),

    // Tests.
    .testTarget(name: "InterfaceTests", dependencies: ["Interface"], swiftSettings: nonisolated),
    .testTarget(
      name: "ControlsTests", dependencies: ["Controls", "ControlHarness"], exclude: ["Goldens"],
      swiftSettings: mainActor),
    .testTarget(name: "CockpitTests", dependencies: ["cockpit", "Controls", "Interface"], swiftSettings: mainActor),
  ]
)
