// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where the project itself is built (`./dev` and CI set this), never for packages that depend on it.
let strict: [SwiftSetting] =
  Context.environment["COCKPIT_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : []
let nonisolated: [SwiftSetting] = strict + [.swiftLanguageMode(.v6)]
let mainActor: [SwiftSetting] = nonisolated + [.defaultIsolation(MainActor.self)]
// Tests of pictures take 9 to 16 times as long with loops over pixels that are not optimised. All checks at run time stay. For a debugger:
// `swift build` without the variable.
let optimized: [SwiftSetting] =
  Context.environment["COCKPIT_STRICT"] == "1" ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []

let package = Package(
  name: "cockpit",
  products: [
    .library(name: "Drawing", targets: ["Drawing"]),
    .library(name: "Controls", targets: ["Controls"]),
    .library(name: "WindowDecoration", targets: ["WindowDecoration"]),
    .library(name: "CockpitControls", targets: ["CockpitControls"]),
    .library(name: "ControlExercises", targets: ["ControlExercises"]),
    .library(name: "ControlTools", targets: ["ControlTools"]),
    .library(name: "Shell", targets: ["Shell"]),
    .library(name: "Desktop", targets: ["Desktop"]),
    .library(name: "Accessibility", targets: ["Accessibility"]),
    .library(name: "ScreenshotTesting", targets: ["ScreenshotTesting"]),
    .library(name: "UICore", targets: ["UICore"]),
    .executable(name: "cockpit", targets: ["cockpit"]),
    .executable(name: "cockpit-catalogue", targets: ["cockpit-catalogue"]),
    .executable(name: "stage", targets: ["StageTool"]),
  ],
  targets: [
    // System libraries.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CWayland", pkgConfig: "wayland-cursor",
      providers: [.apt(["libwayland-dev", "wayland-protocols"])]),
    .systemLibrary(
      name: "CWaylandUtil", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),
    .systemLibrary(
      name: "CWaylandServer", pkgConfig: "wayland-server", providers: [.apt(["libwayland-dev"])]),
    .systemLibrary(
      name: "CXkbcommon", pkgConfig: "xkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
    // The header of sd-bus alone: nothing is linked with libsystemd.
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(
      name: "CCairo", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),

    // Bindings, generated from protocol XML at build time.
    .executableTarget(name: "WaylandScanner", swiftSettings: nonisolated),
    .plugin(name: "WaylandBindings", capability: .buildTool(), dependencies: ["WaylandScanner"]),
    .target(name: "WaylandWire", dependencies: ["CWaylandUtil", "Linux"], swiftSettings: nonisolated),
    .target(
      name: "Wayland", dependencies: ["CWayland", "WaylandWire"], swiftSettings: mainActor,
      plugins: ["WaylandBindings"]),
    .target(
      name: "WaylandServer", dependencies: ["CWaylandServer", "WaylandWire"], swiftSettings: mainActor,
      plugins: ["WaylandBindings"]),

    // The libraries.
    .target(name: "UICore", swiftSettings: nonisolated + optimized),
    .target(name: "JSON", swiftSettings: nonisolated),
    .target(name: "Linux", dependencies: ["CLinux", "UICore"], swiftSettings: nonisolated),
    .target(
      name: "Shell", dependencies: ["Wayland", "CWayland", "CXkbcommon", "CLinux", "UICore", "Linux"],
      swiftSettings: mainActor),
    .target(name: "DBus", dependencies: ["CSystemd", "Shell"], swiftSettings: mainActor),
    .target(name: "Desktop", dependencies: ["DBus", "Shell"], swiftSettings: mainActor),
    .target(
      name: "Accessibility", dependencies: ["Controls", "DBus", "Desktop", "Shell", "UICore"],
      swiftSettings: mainActor),
    // Pango, loaded when a text needs it.
    .target(name: "PangoLoader", dependencies: ["CCairo"]),
    .target(
      name: "Drawing", dependencies: ["CCairo", "PangoLoader", "UICore", "Linux"], swiftSettings: mainActor + optimized),
    .target(
      name: "Controls", dependencies: ["Drawing", "UICore", "JSON", "Linux"], swiftSettings: mainActor + optimized),
    .target(name: "WindowDecoration", dependencies: ["Controls"], swiftSettings: mainActor),
    .target(name: "CockpitControls", dependencies: ["Controls"], swiftSettings: mainActor + optimized),
    .target(name: "ControlExercises", dependencies: ["Controls"], swiftSettings: mainActor + optimized),
    .target(name: "ControlTools", dependencies: ["Controls", "JSON", "Linux", "UICore"], swiftSettings: mainActor),
    .target(name: "DriveLink", dependencies: ["CLinux", "UICore", "JSON", "Linux"], swiftSettings: nonisolated),
    .target(name: "ScreenshotTesting", dependencies: ["Controls"], swiftSettings: mainActor + optimized),

    // What tests and measurements play against.
    .target(
      name: "Stage", dependencies: ["CLinux", "UICore", "Linux", "WaylandServer", "WaylandWire"],
      swiftSettings: mainActor),

    // The same as a program.
    .executableTarget(
      name: "StageTool", dependencies: ["CLinux", "Stage"], swiftSettings: mainActor),

    // The measuring compositor of `./dev bench`.
    .executableTarget(
      name: "cockpit-bench",
      dependencies: [
        "CLinux", "CockpitControls", "Controls", "ControlTools", "DriveLink", "UICore", "Linux", "Stage",
        "WindowDecoration",
      ],
      path: "Benchmarks/CockpitBench",
      swiftSettings: mainActor),

    // Steering by tilting the device.
    .target(name: "Tilt", dependencies: ["UICore", "Linux"], swiftSettings: nonisolated),

    // The demo application.
    .executableTarget(
      name: "cockpit",
      dependencies: [
        "Accessibility", "CockpitControls", "ControlExercises", "Controls", "ControlTools", "Desktop", "DriveLink",
        "JSON", "Linux", "Shell", "Tilt", "UICore", "WindowDecoration",
      ],
      // A link to docs/cockpit.json: the scene that people copy is the one that the program shows.
      resources: [.embedInCode("Scene/cockpit.json")],
      swiftSettings: mainActor),

    // The catalogue of controls, for their authors.
    .executableTarget(
      name: "cockpit-catalogue",
      dependencies: [
        "Accessibility", "CockpitControls", "ControlExercises", "Controls", "ControlTools", "Desktop", "Shell",
        "UICore", "WindowDecoration",
      ],
      path: "Examples/Catalogue",
      swiftSettings: mainActor),

    // The laboratory of real compositors, for tests only. gio comes with pango.
    .systemLibrary(
      name: "CLaboratory", path: "Tests/CLaboratory", pkgConfig: "gio-unix-2.0", providers: [.apt(["libpango1.0-dev"])]),
    .executableTarget(
      name: "CompositorInput",
      dependencies: ["CLinux", "CWayland", "CXkbcommon", "UICore", "Linux", "Wayland", "WaylandWire"],
      path: "Tests/CompositorInput", swiftSettings: mainActor, plugins: ["WaylandBindings"]),
    .target(
      name: "CompositorLab", dependencies: ["CCairo", "CLaboratory"], path: "Tests/CompositorLab",
      swiftSettings: nonisolated),

    // Taps, drags and goldens on a manual clock, for tests only.
    .target(
      name: "ControlHarness", dependencies: ["CCairo", "Controls", "ScreenshotTesting"], path: "Tests/ControlHarness",
      swiftSettings: mainActor + optimized),

    // Counts allocations, for tests only.
    .target(name: "CAllocations", path: "Tests/CAllocations"),

    // Tests.
    .testTarget(
      name: "WaylandTests", dependencies: ["Wayland", "WaylandServer", "WaylandWire"], swiftSettings: nonisolated),
    .testTarget(
      name: "StageTests", dependencies: ["CXkbcommon", "UICore", "Stage", "Wayland", "WaylandServer"],
      swiftSettings: nonisolated),
    .testTarget(
      name: "ShellTests",
      dependencies: [
        "CLinux", "CompositorLab", "CWayland", "CWaylandServer", "Desktop", "UICore", "Shell", "Stage", "Wayland",
        "WaylandServer", "WaylandWire", "Linux",
      ],
      swiftSettings: nonisolated),
    .testTarget(name: "BenchTests", dependencies: ["cockpit-bench", "UICore", "Stage"], swiftSettings: mainActor),
    .testTarget(
      name: "CompositorTests", dependencies: ["CompositorInput", "CompositorLab", "cockpit"],
      swiftSettings: nonisolated),
    .testTarget(
      name: "DriveLinkTests", dependencies: ["CAllocations", "CLinux", "DriveLink", "UICore", "Linux"],
      swiftSettings: nonisolated),
    .testTarget(name: "TiltTests", dependencies: ["UICore", "Tilt"], swiftSettings: nonisolated),
    .testTarget(name: "LinuxTests", dependencies: ["CLinux", "UICore", "Linux"], swiftSettings: nonisolated),
    .testTarget(name: "DBusTests", dependencies: ["CompositorLab", "DBus", "Shell"], swiftSettings: nonisolated),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: nonisolated),
    .testTarget(name: "UICoreTests", dependencies: ["UICore"], swiftSettings: nonisolated),
    .testTarget(
      name: "ScreenshotTestingTests", dependencies: ["CockpitControls", "Controls", "ScreenshotTesting"],
      exclude: ["Screenshots"],
      swiftSettings: mainActor),
    .testTarget(
      name: "ControlsTests",
      dependencies: [
        "CockpitControls", "ControlExercises", "Controls", "ControlTools", "ControlHarness", "Drawing",
        "WindowDecoration",
      ],
      exclude: ["Goldens"],
      swiftSettings: mainActor),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["ControlHarness", "Controls", "ControlTools", "ScreenshotTesting", "Shell"],
      exclude: ["WriteYourOwnControl/Screenshots"], swiftSettings: mainActor),
    .testTarget(
      name: "CockpitTests",
      dependencies: [
        "Accessibility", "CAllocations", "CLinux", "cockpit", "CockpitControls", "CompositorLab", "ControlExercises",
        "ControlHarness", "Controls", "ControlTools", "DBus", "Desktop", "DriveLink", "JSON", "Linux", "Shell", "Stage",
        "Tilt", "UICore", "WaylandServer",
      ],
      exclude: ["Inspector/Goldens", "Overlay/Goldens", "Scene/Goldens"],
      swiftSettings: mainActor),
    .testTarget(
      name: "CatalogueTests",
      dependencies: ["cockpit-catalogue", "CockpitControls", "ControlHarness", "Controls", "ControlTools", "UICore"],
      exclude: ["Goldens"], swiftSettings: mainActor),
  ]
)

// COCKPIT_TESTS names the test targets to build, separated by commas: all of them take minutes after a change at the bottom.
if let names = Context.environment["COCKPIT_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
