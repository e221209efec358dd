import ControlHarness
import ControlTools
import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// The emergency stop: it latches, nothing but a second of deliberate touch or key releases it, and nothing takes it away or covers it.
@MainActor @Suite(.serialized) struct EmergencyStopTests {
  private func stop(_ desk: DriveDesk) throws -> EmergencyStop { try #require(desk.scene.stop) }

  private func touchDown(_ finger: Int32, _ desk: DriveDesk) throws {
    let place = try stop(desk).windowFrame.center
    desk.stage.seat.touchDown(finger, place.x, place.y)
    desk.stage.seat.touchFrame()
    desk.settle()
  }

  /// A finger on the stop for so long.
  private func hold(_ duration: Duration, _ desk: DriveDesk) throws {
    try touchDown(9, desk)
    desk.pass(duration)
    desk.lift(9)
    desk.refresh()
  }

  private func expectStopped(_ desk: DriveDesk, _ what: Comment) {
    #expect(desk.line.state == .safe && desk.line.reason == .emergencyStop && desk.line.command == .neutral, what)
  }

  @Test(arguments: [true, false])
  func `a touch of it stops at once, and no touch drives before it was released`(isDeadMan: Bool) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    desk.takeLever(to: .forward(5))
    #expect(desk.line.command.gear == 5)
    desk.forgetLines()
    try touchDown(9, desk)
    expectStopped(desk, "at once")
    #expect(desk.lines.first?.reason == .emergencyStop, "the first line after the touch")
    #expect(try stop(desk).isPressed && desk.scene.gearbox.gear == .neutral)
    desk.lift(9)
    desk.lift(1)
    // Whatever comes: fingers, keys, a short touch of the stop itself.
    desk.takeLever(to: .forward(7))
    expectStopped(desk, "by a finger")
    #expect(desk.scene.gearbox.gear == .neutral, "the screen shows what is commanded")
    desk.takeWheel(degrees: 60)
    desk.stage.seat.keyboardEnter([])
    desk.stage.seat.key(StageKeymap.Code.up, true)
    desk.refresh()
    expectStopped(desk, "by a key")
    desk.stage.seat.key(StageKeymap.Code.up, false)
    try hold(.milliseconds(900), desk)
    expectStopped(desk, "after 900 ms")
    #expect(try stop(desk).isPressed)
    desk.lift(1)
    desk.lift(2)
    try hold(.milliseconds(1100), desk)
    #expect(try !stop(desk).isPressed)
    #expect(desk.line.state == .ready && desk.line.command == .neutral, "released, nothing drives without a new touch")
    desk.takeLever(to: .forward(2))
    #expect(desk.line.state == .driving && desk.line.command.gear == 2)
    desk.end()
  }

  @Test func `fingers that came down while it was pressed drive nothing when it is released`() throws {
    let desk = try DriveDesk()
    try touchDown(9, desk)
    desk.lift(9)
    let output = desk.output
    desk.takeLever(to: .forward(4))
    try hold(.milliseconds(1100), desk)
    #expect(try !stop(desk).isPressed)
    desk.move(1, to: desk.scene.lever(.forward(8)))
    #expect(output.stream.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
    desk.lift(1)
    desk.takeLever(to: .forward(4))
    #expect(output.stream.line.command.gear == 4)
    desk.end()
  }

  @Test(arguments: ["Pause", "Control+Space"])
  func `keys press it wherever the focus is, and release it only when they are held`(keys: String) throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    let (key, modifiers) = keys == "Pause" ? (Key.pause, KeyModifiers()) : (.space, .control)
    func press(_ phase: KeyEvent.Phase) {
      desk.relay.handle(
        .key(KeyEvent(seat: SeatID(0), phase: phase, key: key, modifiers: modifiers, time: desk.stage.clock.now)))
    }
    press(.down)
    expectStopped(desk, "\(keys)")
    for _ in 0..<60 { press(.repeated) }
    desk.pass(.seconds(2))
    #expect(try stop(desk).isPressed, "the key that pressed it does not release it")
    press(.up)
    desk.lift(1)
    press(.down)
    desk.pass(.milliseconds(500))
    #expect(try stop(desk).progress > 0.3, "the progress is seen")
    press(.up)
    desk.pass(.seconds(2))
    #expect(try stop(desk).isPressed && stop(desk).progress == 0)
    press(.down)
    desk.pass(.milliseconds(1100))
    #expect(try !stop(desk).isPressed)
    press(.up)
    desk.end()
  }

  @Test func `a loop that hung meanwhile does not lose it`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    let place = try stop(desk).windowFrame.center
    // The thread took over before the press was published.
    desk.sink.hang(desk.output.stream, at: desk.stage.clock.now)
    desk.stage.seat.touchDown(9, place.x, place.y)
    desk.stage.seat.touchFrame()
    desk.settle()
    expectStopped(desk, "after the hang")
    desk.lift(1)
    desk.lift(9)
    desk.takeLever(to: .forward(5))
    expectStopped(desk, "and later")
    desk.end()
  }

  /// An answer of the consumer's to the newest line.
  private func answer(_ desk: DriveDesk, _ rest: String) throws {
    let text = "{\"ack\":\(desk.line.sequence),\(rest)}"
    let said = try #require(Telemetry(line: Array(text.utf8)))
    desk.relay.record(.telemetry(text)) { desk.output.noteAnswer(said.answer) }
  }

  @Test func `what another cockpit has stopped is told, and released by a touch of a second without a press`() throws {
    let desk = try DriveDesk()
    try answer(desk, #""driver":"none","stop":"0badcafe""#)
    #expect(desk.scene.cluster.beacon.status == .stopped)
    let notice = try #require(desk.scene.lossDisplay?.banner.notice)
    #expect(notice.cause(in: .english) == "Stopped by 0badcafe")
    #expect(notice.remedy(in: .english) == "Hold STOP to release it")
    desk.forgetLines()
    try hold(.milliseconds(1100), desk)
    #expect(try !stop(desk).isPressed)
    #expect(desk.lines.first?.state == .ready && desk.lines.first?.reason == .released)
    #expect(!desk.lines.contains { $0.reason == .emergencyStop })
    // An answer that was under way knows nothing of it; the next one does.
    let text = #"{"ack":1,"driver":"none","stop":"0badcafe"}"#
    desk.output.noteAnswer(Telemetry(line: Array(text.utf8))?.answer)
    try answer(desk, #""driver":"none""#)
    #expect(try !stop(desk).isLatchedElsewhere && desk.scene.cluster.beacon.status == .ready)
    desk.takeLever(to: .forward(2))
    #expect(desk.line.state == .driving && desk.line.command.gear == 2)
    desk.end()
  }

  @Test func `a short touch of it stops as ever, whoever has stopped`() throws {
    let desk = try DriveDesk()
    try answer(desk, #""driver":"none","stop":"host""#)
    try hold(.milliseconds(500), desk)
    expectStopped(desk, "a touch that was too short to release")
    try hold(.milliseconds(1100), desk)
    #expect(try !stop(desk).isPressed && desk.line.reason == .released)
    // The other's stop is gone while the finger is down: the touch was meant as a stop at least.
    try answer(desk, #""driver":"none","stop":"host""#)
    try touchDown(9, desk)
    try answer(desk, #""driver":"none""#)
    desk.settle()
    expectStopped(desk, "after the other's release")
    desk.lift(9)
    desk.end()
  }

  @Test func `a vehicle that another cockpit drives is shown as taken`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(2))
    try answer(desk, #""driver":"other""#)
    #expect(desk.scene.cluster.beacon.status == .taken)
    desk.relay.record(.stale(.answer)) { desk.output.noteAnswer(nil) }
    #expect(desk.scene.cluster.beacon.status == .driving)
    desk.end()
  }

  @Test func `assistive technology may press it, and never release it`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    let stop = try stop(desk)
    try desk.relay.carryOut(.perform("press"), on: stop)
    expectStopped(desk, "by assistive technology")
    #expect(stop.accessibilityActions.isEmpty)
    #expect(throws: AccessibilityRefusal.self) { try desk.relay.carryOut(.perform("press"), on: stop) }
    desk.pass(.seconds(2))
    #expect(stop.isPressed)
    desk.end()
  }

  @Test func `a release that the background breaks off is none`() throws {
    let desk = try DriveDesk()
    try touchDown(9, desk)
    desk.lift(9)
    try touchDown(9, desk)
    desk.pass(.milliseconds(300))
    desk.scene.handle(.willResignActive)
    desk.scene.handle(.didEnterBackground)
    #expect(try stop(desk).isPressed)
    desk.end()
  }

  // MARK: Its place

  private func expectVisible(_ scene: CockpitScene, _ size: Size, _ what: Comment) throws {
    let stop = try #require(scene.stop)
    let frame = stop.windowFrame
    #expect(stop.root === scene && stop.isShown && stop.alpha == 1, what)
    #expect(frame.width >= 44 && frame.height >= 44, what)
    #expect(Rect(origin: .zero, size: size).union(frame) == Rect(origin: .zero, size: size), "\(frame) at \(size)")
    #expect(scene.subviews.last === stop, what)
    for (x, y) in [(0.5, 0.5), (0.1, 0.5), (0.9, 0.5), (0.5, 0.1), (0.5, 0.9)] {
      let place = Point(x: frame.minX + frame.width * x, y: frame.minY + frame.height * y)
      #expect(scene.hitTest(place) === stop, what)
    }
  }

  @Test(arguments: CockpitLayoutTests.sizes, [nil, "tilt", "telemetry"])
  func `it covers neither lever, dial, wheel nor lamps, at any size`(size: Size, more: String?) throws {
    let scene = CockpitScene()
    scene.drivesVehicle = true
    scene.cluster.beacon.status = .noLink
    scene.cluster.showsTilt = more == "tilt"
    if more == "telemetry" { scene.cluster.showTelemetry(TelemetryPanel.Content(nil, isStale: true)) }
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    scene.showLoss(LossNotice(reason: .linkLost), ignored: [.lever, .wheel])
    scene.prepareFrame(for: .zero)
    try expectVisible(scene, size, "\(size)")
    let frame = try #require(scene.stop).windowFrame
    for obstacle in scene.obstacles { #expect(!obstacle.isNear(frame, distance: 1), "\(obstacle) at \(size)") }
    let card = try #require(scene.lossDisplay).banner.windowFrame
    #expect(!card.intersects(frame), "\(card) at \(size)")
  }

  @Test(arguments: [
    #"{"type": "View", "subviews": []}"#,
    // A lever that fills the window.
    #"{"type": "View", "subviews": [{"type": "ThrottleGearbox", "name": "gearbox", "anchors": {"left": 0, "right": 0, "top": 0, "bottom": 0}}]}"#,
    // Pictures and words everywhere.
    #"{"type": "View", "subviews": [{"type": "Label", "text": "A", "anchors": {"left": 0, "right": 0, "top": 0, "bottom": 0}}]}"#,
  ])
  func `no scene's file takes it away, and none is covered by it where there is room`(text: String) throws {
    let scene = CockpitScene()
    scene.drivesVehicle = true
    let size = Size(width: 480, height: 320)
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    try scene.load(LayoutFile(text: text, name: "a scene"))
    for _ in 0..<3 { scene.prepareFrame(for: .zero) }
    try expectVisible(scene, size, "\(text)")
    let frame = try #require(scene.stop).windowFrame
    for obstacle in scene.obstacles where obstacle.isVital {
      #expect(!obstacle.frame.intersects(frame), "\(obstacle)")
    }
  }

  @Test func `neither inspector nor strip covers it or leaves it out`() throws {
    let scene = CockpitScene()
    scene.drivesVehicle = true
    let size = Size(width: 1920, height: 1080)
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    scene.inspector.open()
    for _ in 0..<2 { scene.prepareFrame(for: .zero) }
    let panel = try #require(scene.inspector.panel)
    try expectVisible(scene, size, "beside the inspector")
    let stop = try #require(scene.stop)
    #expect(!panel.windowFrame.intersects(stop.windowFrame))
    #expect(EmergencyStop.inspectables.isEmpty, "nothing of it can be edited")
    var options = Options()
    options.role = .strip(.bottom)
    scene.apply(options)
    scene.prepareFrame(for: .zero)
    #expect(scene.inputArea?.contains { $0.union(stop.windowFrame) == $0 } == true)
  }

  @Test func `there is none where nothing real is driven`() throws {
    let scene = CockpitScene()
    #expect(scene.stop == nil)
    _ = DriveOutput(scene: scene, isDeadMan: true, stream: DriveStream(rate: 30, at: .zero), sink: nil)
    #expect(scene.stop == nil)
  }
}
