import ControlTools
import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of who may command the vehicle: hands, by the events of their devices, and nothing else.
@MainActor @Suite(.serialized) struct HandsTests {
  private func expectQuiet(_ desk: DriveDesk, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      desk.lines.allSatisfy { $0.state != .driving && $0.command == .neutral } && desk.line.state == .ready,
      sourceLocation: sourceLocation)
    #expect(desk.scene.gearbox.gear == .neutral && desk.scene.wheel.angle == 0, sourceLocation: sourceLocation)
  }

  @Test(arguments: [true, false]) func `a scripted drive commands nothing`(isDeadMan: Bool) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    let demo = DemoDrive(scene: desk.scene)
    desk.pass(.seconds(4))
    #expect(demo.fingers.count == 2, "its fingers are on lever and wheel")
    expectQuiet(desk)
    desk.end()
    withExtendedLifetime(demo) {}
  }

  @Test(arguments: [true, false]) func `events that no device made command nothing, beside a hand or alone`(
    isDeadMan: Bool
  ) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    let finger = TouchID(seat: SeatID(9), contact: .finger(9))
    func touch(_ phase: TouchPoint.Phase, _ place: Point) {
      desk.relay.handle(.touches([TouchPoint(id: finger, phase: phase, location: place, time: desk.relay.now)]))
      desk.refresh()
    }
    func press(_ key: Key, _ phase: KeyEvent.Phase) {
      desk.relay.handle(.key(KeyEvent(seat: SeatID(9), phase: phase, key: key, time: desk.relay.now)))
      desk.refresh()
    }
    touch(.began, desk.scene.lever(.forward(3)))
    touch(.moved, desk.scene.lever(.forward(5)))
    touch(.ended, desk.scene.lever(.forward(5)))
    touch(.began, desk.scene.rim(0))
    touch(.moved, desk.scene.rim(40))
    touch(.ended, desk.scene.rim(40))
    for key in [Key.up, .up, .left] { press(key, .down) }
    desk.pass(.seconds(1))
    expectQuiet(desk)
    for key in [Key.up, .left] { press(key, .up) }

    // A hand drives: they may end that, and nothing else.
    desk.takeLever(to: .forward(2))
    press(.up, .down)
    #expect(desk.line.command.gear == 2 && desk.scene.gearbox.gear == .forward(2))
    touch(.began, desk.scene.rim(0))
    touch(.moved, desk.scene.rim(40))
    #expect(desk.line.command.steering == 0 && desk.line.command.gear <= 2)
    desk.end()
  }

  @Test(arguments: [true, false]) func `code that steers as a held key does turns no vehicle`(isDeadMan: Bool) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    desk.takeLever(to: .forward(2))
    desk.forgetLines()
    desk.scene.wheel.steer(.left)
    desk.pass(.seconds(1))
    #expect(desk.lines.allSatisfy { $0.command.steering == 0 })
    #expect(desk.line.state == .safe && desk.line.reason == .sceneChanged && desk.scene.wheel.angle == 0)
    desk.end()
  }

  @Test func `code that changes what a place between the gears means ends the drive`() throws {
    let desk = try DriveDesk(isDeadMan: false, arrange: { $0.gearbox.followsFinger = true })
    desk.takeLever(to: .forward(5))
    let (low, high) = (desk.scene.lever(.forward(5)), desk.scene.lever(.forward(6)))
    desk.move(1, to: Point(x: low.x, y: low.y + (high.y - low.y) * 0.25))
    desk.lift(1)
    #expect(desk.line.command.throttle == 0.525)
    desk.scene.gearbox.followsFinger = false
    desk.pass(.milliseconds(300))
    #expect(
      desk.line.state == .safe && desk.line.reason == .sceneChanged && desk.line.command == .neutral,
      "\(desk.line) \(desk.lines.map(\.reason))")
    desk.end()
  }

  // MARK: What is no hand

  /// The cockpit's own scene with `text` in the part of that type.
  private func scene(_ type: String, _ text: String) throws -> String {
    let old = "\"type\": \"\(type)\","
    try #require(SceneTypes.text.contains(old))
    return SceneTypes.text.replacing(old, with: "\(old) \(text),")
  }

  private func save(_ text: String, _ desk: DriveDesk) {
    desk.relay.record(.scene(text)) { try? desk.scene.load(LayoutFile(text: text, name: "a scene")) }
    desk.refresh()
  }

  /// Everything as it was.
  private func restore(_ desk: DriveDesk) {
    save(SceneTypes.text, desk)
    let (lever, wheel) = (desk.scene.gearbox, desk.scene.wheel)
    (lever.gearCount, lever.bands, wheel.lock) = (10, .even, 450)
    for control in [lever, wheel] as [Control] { (control.isEnabled, control.isHidden) = (true, false) }
    desk.pass(.milliseconds(200))
  }

  nonisolated static let changes: [(type: String, text: String)] = [
    ("ThrottleGearbox", "\"gearCount\": 3"), ("ThrottleGearbox", "\"gear\": \"9\""),
    ("ThrottleGearbox", "\"isEnabled\": false"), ("ThrottleGearbox", "\"isHidden\": true"),
    ("ThrottleGearbox", "\"bands\": \"article\""), ("SteeringWheel", "\"lock\": 90"),
    ("SteeringWheel", "\"angle\": 200"), ("SteeringWheel", "\"isEnabled\": false"),
    ("SteeringWheel", "\"isHidden\": true"),
  ]

  @Test(arguments: changes, [true, false])
  func `a file that changes what lever and wheel command, while a finger rests on both, ends the drive`(
    change: (type: String, text: String), isDeadMan: Bool
  ) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    desk.takeLever(to: .forward(3))
    desk.takeWheel(degrees: 60)
    desk.forgetLines()
    let highest = desk.line.command.throttle
    save(try scene(change.type, change.text), desk)
    #expect(desk.line.state == .safe && desk.line.reason == .sceneChanged && desk.line.command == .neutral)
    #expect(desk.lines.allSatisfy { $0.command.throttle <= highest && abs($0.command.steering) < 0.2 })
    desk.pass(.seconds(2))
    desk.move(1, to: desk.scene.lever(.forward(4)))
    #expect(desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral && abs(desk.scene.wheel.angle) < 0.1)
    // Without the change again, a new touch drives.
    desk.lift(1)
    desk.lift(2)
    restore(desk)
    desk.takeLever(to: .forward(3))
    #expect(desk.line.state == .driving && desk.line.command.gear == 3)
    desk.end()
  }

  @Test(arguments: changes) func `the same before the first touch moves nothing, then or by the touch`(
    change: (type: String, text: String)
  ) throws {
    let desk = try DriveDesk(isDeadMan: false)
    save(try scene(change.type, change.text), desk)
    expectQuiet(desk)
    restore(desk)
    desk.takeLever(to: .forward(1))
    #expect(desk.line.command.gear == 1 && desk.line.command.steering == 0)
    desk.end()
  }

  @Test func `values that code or options set before the start are not those of a drive`() throws {
    let desk = try DriveDesk(
      isDeadMan: false,
      prepare: { desk, _ in
        #expect(desk.scene.wheel.angle == 0 && desk.scene.gearbox.gear == .neutral)
      },
      arrange: {
        $0.wheel.angle = 300
        $0.gearbox.gear = .forward(4)
      })
    desk.takeLever(to: .forward(1))
    #expect(desk.line.command.steering == 0 && desk.line.command.gear == 1)
    desk.end()
  }

  @Test(arguments: [true, false]) func `a latched lever and a held key are as well protected as a finger`(
    byKey: Bool
  ) throws {
    let desk = try DriveDesk(isDeadMan: byKey)
    if byKey {
      desk.stage.seat.keyboardEnter()
      desk.stage.seat.key(StageKeymap.Code.up, true)
      desk.settle()
    } else {
      desk.takeLever(to: .forward(3))
      desk.lift(1)
    }
    #expect(desk.line.state == .driving)
    desk.relay.record(.wake) { desk.scene.gearbox.gear = .forward(9) }
    #expect(desk.line.reason == .sceneChanged && desk.lines.allSatisfy { $0.command.gear < 9 })
    #expect(desk.scene.gearbox.gear == .neutral)
    desk.end()
  }

  @Test(arguments: [true, false]) func `a button of the scene shifts nothing that is real, and brakes`(
    isDeadMan: Bool
  ) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    desk.scene.mustStayInSight = true
    let actions = SceneTypes.actions { [scene = desk.scene] in scene }
    func press(_ name: String) {
      desk.relay.record(.wake) { actions[name]?(desk.scene.horn) }
    }
    press("shiftUp")
    expectQuiet(desk)
    desk.takeLever(to: .forward(3))
    press("shiftUp")
    #expect(desk.line.command.gear == 3 && desk.scene.gearbox.gear == .forward(3))
    press("brake")
    #expect(desk.line.command.gear == 0 && desk.line.reason == .none)
    desk.end()
  }

  // MARK: Places that can't be trusted

  @Test func `a finger that is suddenly more than half the gate away is no hand any more`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(1))
    desk.forgetLines()
    desk.move(1, to: desk.scene.lever(.forward(10)))
    #expect(desk.line.state == .safe && desk.line.reason == .touchCancelled)
    #expect(desk.lines.allSatisfy { $0.command.gear <= 1 } && desk.scene.gearbox.gear == .neutral)
    desk.end()
  }

  @Test func `a tap within one event, while a sensor steers, leaves nothing commanded`() throws {
    let desk = try DriveDesk()
    desk.relay.record(.tilt(90, isLost: false)) { desk.scene.wheel.steer(toward: 90) }
    desk.pass(.seconds(1))
    #expect(desk.line.command == .neutral)
    let place = desk.scene.lever(.neutral)
    desk.stage.seat.touchDown(1, place.x, place.y)
    desk.stage.seat.touchUp(1)
    desk.pass(.milliseconds(200))
    #expect(desk.line.state != .driving && desk.line.command == .neutral)
    #expect(desk.lines.allSatisfy { $0.command == .neutral })
    desk.end()
  }

  // MARK: Whose device

  @Test func `the device that set a latched lever stops it when it goes, whatever touched the wheel since`() throws {
    let desk = try DriveDesk(isDeadMan: false)
    desk.takeLever(to: .forward(3))
    desk.lift(1)
    desk.stage.seat.keyboardEnter()
    for isDown in [true, false] { desk.stage.seat.key(StageKeymap.Code.left, isDown) }
    desk.pass(.seconds(2))
    #expect(desk.line.state == .driving)
    desk.stage.seat.capabilities.remove(.touch)
    desk.settle()
    #expect(desk.line.state == .safe && desk.line.reason == .deviceLost)
    desk.end()
  }
}
