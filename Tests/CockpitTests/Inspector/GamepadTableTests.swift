import ControlHarness
import ControlTools
import Controls
import Gamepad
import PlayedGamepads
import Testing
import UICore

@testable import cockpit

/// Gamepads that a test plays, for whoever looks at them.
@MainActor private final class WatchedPads: GamepadWatching {
  let pads: [PlayedPad]
  private let readers: [GamepadReader]
  private(set) var looks = 0
  var onReadings: (() -> Void)? { didSet { for reader in readers { reader.onReading = onReadings } } }
  var readings: [GamepadReading] {
    looks += 1
    return readers.compactMap(\.reading)
  }

  init(_ devices: [DeviceDescription]) {
    pads = devices.map { PlayedPad($0) }
    readers = pads.enumerated().compactMap { GamepadReader(playing: $1, seat: SeatID(UInt32($0))) }
  }

  func report(_ axes: [UInt16: Int32] = [:], keys: [UInt16: Bool] = [:], of number: Int = 0, at time: MonotonicTime) {
    pads[number].report(axes, keys: keys, at: time)
    readers[number].read(now: { time }, counts: { true }) { _ in }
  }
}

/// The inspector's page of gamepads.
@MainActor @Suite(.serialized) struct GamepadTableTests {
  private final class Keeper { var commands: GamepadCommands? }
  private let keeper = Keeper()

  private func open(
    _ watched: WatchedPads?, _ size: Size = Size(width: 1280, height: 720), _ look: SceneLook = SceneLook()
  ) throws -> (ControlHarness, InspectorPanel) {
    let scene = CockpitScene()
    scene.adopt(look)
    let commands = GamepadCommands(scene: scene)
    scene.cluster.beacon.isEnabled = false
    let harness = ControlHarness(size: size, root: scene, fonts: ControlHarness.screenFonts)
    // The scene does not keep it.
    keeper.commands = commands
    scene.inspector.gamepads = watched
    scene.inspector.open()
    let panel = try #require(scene.inspector.panel)
    harness.settle()
    let pages = try #require(panel.view(named: "pages") as? ChoiceControl)
    pages.selectedIndex = try #require(pages.titles.firstIndex { $0 == "Gamepads" || $0 == "Pads" })
    pages.sendActions(for: .valueChanged)
    harness.settle()
    return (harness, panel)
  }

  @Test func `gamepads tell of all their controls only while the inspector is open`() throws {
    let watched = WatchedPads([.pad])
    #expect(!watched.pads[0].isAskedForAll)
    let (harness, _) = try open(watched)
    #expect(watched.pads[0].isAskedForAll)
    let scene = try #require(harness.root as? CockpitScene)
    scene.inspector.close()
    harness.settle()
    #expect(!watched.pads[0].isAskedForAll && watched.onReadings == nil)
    let looks = watched.looks
    watched.report([0: 5000], at: harness.host.now)
    #expect(watched.looks == looks)
  }

  @Test func `it is updated at most ten times a second, and shows the last report`() throws {
    let watched = WatchedPads([.pad])
    let (harness, panel) = try open(watched)
    let table = try #require(panel.view(named: "gamepads") as? GamepadTable)
    harness.advance(by: .seconds(1))
    let looks = watched.looks
    for step: Int32 in 1...100 {
      harness.host.now = harness.host.now + .milliseconds(10)
      watched.report([1: step], at: harness.host.now)
      harness.root.handleWake(at: harness.host.now)
    }
    #expect(watched.looks - looks <= 11)
    harness.advance(by: .milliseconds(200))
    #expect(table.readings.first?.axes[1].value == 100)
  }

  @Test func `a scene without gamepads has no such page`() throws {
    let scene = CockpitScene()
    let harness = ControlHarness(size: Size(width: 1280, height: 720), root: scene)
    scene.inspector.open()
    harness.settle()
    let pages = try #require(scene.inspector.panel?.view(named: "pages") as? ChoiceControl)
    #expect(pages.titles == ["Properties", "State", "Events"])
  }

  @Test func `a gamepad asks in words`() throws {
    let watched = WatchedPads([.pad, .wheel])
    watched.onReadings = {}
    #expect(watched.readings.map(GamepadTable.summary) == ["Pad: asks for nothing", "Wheel: let both pedals go once"])
    let time = MonotonicTime(nanoseconds: 1_000_000_000)
    watched.report([5: 255, 0: -32768], at: time)
    #expect(GamepadTable.summary(of: watched.readings[0]) == "Pad: steering -100 %, throttle 100 %")
  }

  @Test(arguments: [
    ("1280x720", Size(width: 1280, height: 720), SceneLook()),
    ("480x320", Size(width: 480, height: 320), SceneLook()),
    ("500x900-light", Size(width: 500, height: 900), SceneLook(isLight: true)),
    ("1280x1100-light-contrast", Size(width: 1280, height: 1100), SceneLook(isLight: true, hasHighContrast: true)),
  ]) func `a pad and a wheel`(name: String, size: Size, look: SceneLook) throws {
    let watched = WatchedPads([.pad, .wheel])
    let (harness, _) = try open(watched, size, look)
    watched.report([0: 2600], at: harness.host.now)
    harness.advance(by: .seconds(4))
    watched.report([0: 2650, 1: -8000], at: harness.host.now)
    watched.report([0: 32768, 2: 255], of: 1, at: harness.host.now)
    harness.advance(by: .milliseconds(200))
    watched.report([0: 14000, 5: 190, 2: 20], keys: [InputCode.south: true, 0x13b: true], at: harness.host.now)
    harness.advance(by: .milliseconds(300))
    harness.expectGolden("gamepads-\(name)@1.0", tolerance: 2)
  }
}
