// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Warnings are errors where the project itself is built (`./dev` and CI set this), never for packages that depend on it.
let strict: [SwiftSetting] =
  Context.environment["COCKPIT_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : []
let nonisolated: [SwiftSetting] = strict + [.swiftLanguageMode(.v6)]
let mainActor: [SwiftSetting] = nonisolated + [.defaultIsolation(MainActor.self)]
// Each use of a pointer is marked `unsafe`, wherever memory is touched.
let safe: [SwiftSetting] = [.strictMemorySafety()]
// Tests of pictures take 9 to 16 times as long with loops over pixels that are not optimised. All checks at run time stay. For a debugger:
// `swift build` without the variable.
let optimized: [SwiftSetting] =
  Context.environment["COCKPIT_STRICT"] == "1"
  ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

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
    .library(name: "Stage", targets: ["Stage"]),
    .library(name: "UICore", targets: ["UICore"]),
    .executable(name: "cockpit", targets: ["cockpit-program"]),
    .executable(name: "cockpit-catalogue", targets: ["cockpit-catalogue"]),
    .executable(name: "cockpit-viewing", targets: ["cockpit-viewing"]),
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
    .target(name: "WaylandWire", dependencies: ["CWaylandUtil", "Linux"], swiftSettings: nonisolated + safe),
    .target(
      name: "Wayland", dependencies: ["CLinux", "CWayland", "WaylandWire"], swiftSettings: mainActor + safe,
      plugins: ["WaylandBindings"]),
    .target(
      name: "WaylandServer", dependencies: ["CWaylandServer", "WaylandWire"], swiftSettings: mainActor + safe,
      plugins: ["WaylandBindings"]),

    // The libraries.
    .target(
      name: "UICore", swiftSettings: nonisolated + safe + optimized + [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "JSON", swiftSettings: nonisolated),
    .target(name: "Linux", dependencies: ["CLinux", "UICore"], swiftSettings: nonisolated + safe),
    // Marks over a window's content, for developers.
    .target(name: "DebugOverlay", dependencies: ["UICore"], swiftSettings: mainActor),
    .target(
      name: "Shell", dependencies: ["DebugOverlay", "Wayland", "CXkbcommon", "CLinux", "UICore", "Linux"],
      swiftSettings: mainActor + safe),
    .target(name: "DBus", dependencies: ["CSystemd", "Shell"], swiftSettings: mainActor + safe),
    .target(name: "Desktop", dependencies: ["DBus", "Shell"], swiftSettings: mainActor),
    .target(
      name: "Accessibility", dependencies: ["Controls", "DBus", "Desktop", "Shell", "UICore"],
      swiftSettings: mainActor),
    // Pango, loaded when a text needs it.
    .target(name: "PangoLoader", dependencies: ["CCairo"]),
    .target(
      name: "Drawing", dependencies: ["CCairo", "PangoLoader", "UICore", "Linux"],
      swiftSettings: mainActor + safe + optimized),
    // `@Inspectable` and `@ListsProperties` of Controls: the program that the compiler runs, and what it says.
    .macro(name: "PropertyMacros", dependencies: ["PropertyExpansion"], swiftSettings: nonisolated),
    .target(name: "PropertyExpansion", dependencies: ["JSON"], swiftSettings: nonisolated),
    .target(
      name: "Controls", dependencies: ["Drawing", "PropertyMacros", "UICore", "JSON", "Linux"],
      swiftSettings: mainActor + safe + optimized),
    .target(name: "WindowDecoration", dependencies: ["Controls"], swiftSettings: mainActor),
    .target(name: "CockpitControls", dependencies: ["Controls"], swiftSettings: mainActor + safe + optimized),
    .target(name: "ControlTools", dependencies: ["Controls", "JSON", "Linux", "UICore"], swiftSettings: mainActor),
    .target(
      name: "DriveLink", dependencies: ["CLinux", "UICore", "JSON", "Linux"], swiftSettings: nonisolated + safe),
    .target(name: "ScreenshotTesting", dependencies: ["Controls"], swiftSettings: mainActor + safe + optimized),

    // What tests and measurements play against.
    .target(
      name: "Stage", dependencies: ["CLinux", "CWaylandServer", "UICore", "Linux", "WaylandServer", "WaylandWire"],
      // A link to docs/rules.md: the page that users read is the table of the rules.
      resources: [.embedInCode("rules.txt")],
      swiftSettings: mainActor + safe),

    // The same for clients in other processes, by scripts, and as a program.
    .target(
      name: "StageScript",
      dependencies: ["CLinux", "Drawing", "JSON", "Linux", "Stage", "UICore", "WaylandServer", "WaylandWire"],
      resources: [.embedInCode("check.json")],
      swiftSettings: mainActor + safe),
    .executableTarget(
      name: "StageTool", dependencies: ["CLinux", "Linux", "Stage", "StageScript"], swiftSettings: mainActor),

    // The measuring compositor of `./dev bench`.
    .executableTarget(
      name: "cockpit-bench",
      dependencies: [
        "CLinux", "CockpitControls", "CompositorLab", "Controls", "ControlTools", "DriveLink", "UICore", "Linux",
        "Stage",
        "TestSupport", "WindowDecoration",
      ],
      path: "Benchmarks/CockpitBench",
      swiftSettings: mainActor),

    // The panel that `./dev bench --rivals` measures beside those in other toolkits.
    .executableTarget(
      name: "rival-panel", dependencies: ["Accessibility", "Controls", "Desktop", "Shell"],
      path: "Benchmarks/rivals/cockpit", swiftSettings: mainActor),

    // Steering by tilting the device.
    .target(name: "Tilt", dependencies: ["UICore", "Linux"], swiftSettings: nonisolated + safe),

    // The demo application, as a library whose views other programs of this package can use, and the program itself.
    .target(
      name: "cockpit",
      dependencies: [
        "Accessibility", "CockpitControls", "ControlExercises", "Controls", "ControlTools", "Desktop", "DriveLink",
        "JSON", "Linux", "Shell", "Tilt", "UICore", "WindowDecoration",
      ],
      exclude: ["Program"],
      // A link to docs/cockpit.json: users copy the scene that the program shows.
      resources: [.embedInCode("Scene/cockpit.json")],
      swiftSettings: mainActor),
    .executableTarget(
      name: "cockpit-program", dependencies: ["cockpit"], path: "Sources/cockpit/Program", swiftSettings: mainActor),

    // Which texts of a scene a viewer can't read, for authors of scenes.
    .executableTarget(
      name: "cockpit-viewing", dependencies: ["cockpit", "Controls", "ControlTools", "Shell", "UICore"],
      path: "Examples/Viewing", swiftSettings: mainActor),

    // The source articles' exercises.
    .target(
      name: "ControlExercises", dependencies: ["Controls"], path: "Examples/Exercises",
      swiftSettings: mainActor + optimized),

    // The catalogue of controls, for their authors.
    .executableTarget(
      name: "cockpit-catalogue",
      dependencies: [
        "Accessibility", "CockpitControls", "ControlExercises", "Controls", "ControlTools", "Desktop", "Linux", "Shell",
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
      name: "CompositorLab", dependencies: ["CCairo", "CLaboratory", "Linux"], path: "Tests/CompositorLab",
      swiftSettings: nonisolated + optimized),

    // Taps, drags and goldens on a manual clock, for tests only.
    .target(
      name: "ControlHarness", dependencies: ["Controls", "ScreenshotTesting"], path: "Tests/ControlHarness",
      swiftSettings: mainActor + optimized),

    // Whether users can read and hit what a screen shows, measured on its pixels, for tests only.
    .target(
      name: "ScreenJudging", dependencies: ["Controls", "ScreenshotTesting"], path: "Tests/ScreenJudging",
      swiftSettings: mainActor + optimized),
    // Temporary folders, random numbers and the package's own programs, for tests and measurements only.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: nonisolated),

    // Counts allocations, for tests only.
    .target(name: "CAllocations", path: "Tests/CAllocations"),

    // Tests.
    .testTarget(
      name: "WaylandTests", dependencies: ["Wayland", "WaylandServer", "WaylandWire"], swiftSettings: nonisolated),
    .testTarget(
      name: "StageTests", dependencies: ["CXkbcommon", "UICore", "Stage", "Wayland", "WaylandServer"],
      swiftSettings: nonisolated),
    .testTarget(
      name: "StageToolTests",
      dependencies: ["JSON", "Linux", "Stage", "StageScript", "StageTool", "TestSupport", "UICore"],
      exclude: ["raw_client.py", "two_fingers.py"], swiftSettings: mainActor),
    .testTarget(
      name: "ShellTests",
      dependencies: [
        "CLinux", "CompositorLab", "CWayland", "Desktop", "UICore", "Shell", "Stage", "TestSupport", "Wayland",
        "WaylandWire",
        "Linux",
      ],
      swiftSettings: nonisolated),
    .testTarget(name: "BenchTests", dependencies: ["cockpit-bench", "UICore", "Stage"], swiftSettings: mainActor),
    .testTarget(
      name: "CompositorTests",
      dependencies: ["CompositorInput", "CompositorLab", "TestSupport", "cockpit", "cockpit-program"],
      swiftSettings: nonisolated),
    .testTarget(
      name: "DriveLinkTests", dependencies: ["CAllocations", "CLinux", "DriveLink", "TestSupport", "UICore", "Linux"],
      swiftSettings: nonisolated),
    .testTarget(name: "TiltTests", dependencies: ["TestSupport", "UICore", "Tilt"], swiftSettings: nonisolated),
    .testTarget(name: "LinuxTests", dependencies: ["CLinux", "UICore", "Linux"], swiftSettings: nonisolated),
    .testTarget(name: "DBusTests", dependencies: ["CompositorLab", "DBus", "Shell"], swiftSettings: nonisolated),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: nonisolated),
    // Not the macro itself: SwiftPM would build whatever a test of it touches for the compiler's own machine.
    .testTarget(name: "PropertyExpansionTests", dependencies: ["PropertyExpansion"], swiftSettings: nonisolated),
    .testTarget(name: "UICoreTests", dependencies: ["UICore"], swiftSettings: nonisolated),
    .testTarget(
      name: "ScreenshotTestingTests",
      dependencies: ["CockpitControls", "Controls", "ScreenJudging", "ScreenshotTesting", "TestSupport"],
      exclude: ["Screenshots"],
      swiftSettings: mainActor),
    .testTarget(
      name: "ControlsTests",
      dependencies: [
        "CockpitControls", "ControlExercises", "Controls", "ControlTools", "ControlHarness", "DebugOverlay", "Drawing",
        "ScreenJudging", "TestSupport", "WindowDecoration",
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
        "Accessibility", "CAllocations", "CLinux", "cockpit", "cockpit-program", "CockpitControls", "CompositorLab",
        "ControlExercises", "ControlHarness", "Controls", "ControlTools", "DBus", "DebugOverlay", "Desktop",
        "DriveLink",
        "JSON", "Linux", "ScreenJudging", "Shell", "Stage", "TestSupport", "Tilt", "UICore", "WaylandServer",
      ],
      exclude: ["Inspector/Goldens", "Overlay/Goldens", "Scene/Goldens"],
      swiftSettings: mainActor),
    .testTarget(
      name: "CatalogueTests",
      dependencies: [
        "cockpit-catalogue", "CockpitControls", "ControlHarness", "Controls", "ControlTools", "TestSupport", "UICore",
      ],
      exclude: ["Goldens"], swiftSettings: mainActor),
    .testTarget(
      name: "ViewingTests", dependencies: ["cockpit-viewing", "ControlHarness", "Controls", "ControlTools", "UICore"],
      swiftSettings: mainActor),
  ]
)

// COCKPIT_TESTS names the test targets to build, separated by commas: all of them take minutes after a change at the bottom.
if let names = Context.environment["COCKPIT_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
