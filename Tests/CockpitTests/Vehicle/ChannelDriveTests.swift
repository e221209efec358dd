import ControlHarness
import ControlTools
import Controls
import Gamepad
import Stage
import TestSupport
import Testing
import UICore

@testable import DriveLink
@testable import cockpit

/// Channels, arming and mode on the stage: only hands operate them, and losses end them.
@MainActor @Suite(.serialized) struct ChannelDriveTests {
  private static func vehicle(
    _ members: String = #""arm": {"hold": 1}, "mode": {"values": {"manual": 0, "hold": 4}, "start": "manual"}"#
  ) throws -> VehicleFile {
    let text = """
      {"version": 1, "name": "Car", "channels": {
        "lights": {"kind": "switch", "off": -1, "on": 1, "gamepad": "west"},
        "pan": {"kind": "axis", "safe": 0, "gamepad": "right-x"},
        "gears": {"kind": "choice", "values": {"low": -1, "mid": 0.5, "high": 1}, "start": "low", "safe": "mid"},
        "winch": {"kind": "momentary", "off": 0, "on": 1, "gamepad": "select"}}, \(members)}
      """
    return try VehicleFile(Array(text.utf8), path: "car.json")
  }

  private func desk(_ vehicle: VehicleFile? = nil, mailbox: Bool = false) throws -> DriveDesk {
    let vehicle = try vehicle ?? Self.vehicle()
    let size = Size(width: 1280, height: 720)
    guard mailbox else { return try DriveDesk(vehicle: vehicle, size: size) }
    return try DriveDesk(vehicle: vehicle, size: size, mailbox: { try MailboxSink($0, clock: $1) })
  }

  private func control(_ name: String, _ desk: DriveDesk) throws -> Control {
    let strip = try #require(desk.scene.channelStrip)
    return try #require(
      strip.subviews.compactMap { $0 as? Control }.first { $0.name == name && !$0.isHidden }, "\(name)")
  }

  private func touch(_ finger: Int32, _ place: Point, _ desk: DriveDesk) {
    desk.stage.seat.touchDown(finger, place.x, place.y)
    desk.stage.seat.touchFrame()
    desk.settle()
  }

  private func touch(_ finger: Int32, _ name: String, _ desk: DriveDesk) throws {
    touch(finger, try control(name, desk).windowFrame.center, desk)
  }

  private func tap(_ name: String, _ desk: DriveDesk) throws {
    try touch(7, name, desk)
    desk.lift(7)
    desk.refresh()
  }

  private func arm(_ desk: DriveDesk) throws {
    try touch(8, "arm", desk)
    desk.pass(.milliseconds(1100))
    desk.lift(8)
    desk.refresh()
  }

  private func model(_ desk: DriveDesk) throws -> ChannelModel { try #require(desk.line.channels) }

  // MARK: Hands

  @Test func `each control of the strip commands its channel, in one line`() throws {
    let desk = try desk()
    desk.forgetLines()
    try tap("lights", desk)
    #expect(try model(desk).value(0) == 1 && desk.lines.count == 1 && desk.line.state == .ready)
    try tap("lights", desk)
    #expect(try model(desk).value(0) == -1)
    let pan = try control("pan", desk).windowFrame
    touch(1, pan.center, desk)
    desk.move(1, to: Point(x: pan.maxX - 1, y: pan.midY))
    #expect(try model(desk).value(1) == 1)
    desk.lift(1)
    desk.pass(.seconds(1))
    #expect(try model(desk).value(1) == 1, "an axis stays where it was left")
    let gears = try control("gears", desk).windowFrame
    touch(1, Point(x: gears.maxX - 10, y: gears.midY), desk)
    desk.lift(1)
    #expect(try model(desk).value(2) == 1)
    let modes = try control("mode", desk).windowFrame
    touch(1, Point(x: modes.maxX - 10, y: modes.midY), desk)
    desk.lift(1)
    #expect(try model(desk).mode == 1)
    desk.end()
  }

  @Test func `a momentary channel is on exactly as long as it is held`() throws {
    let desk = try desk()
    try touch(1, "winch", desk)
    #expect(try model(desk).isHeld && desk.output.isCommanding)
    desk.pass(.seconds(1))
    #expect(try model(desk).isHeld)
    // Beside its control too, as long as the finger is down: it is the hand that counts.
    desk.lift(1)
    #expect(try !model(desk).isHeld)
    try touch(1, "winch", desk)
    desk.stage.seat.touchCancel()
    desk.settle()
    #expect(try !model(desk).isHeld)
    desk.end()
  }

  @Test func `the lever drives and channels obey at the same time`() throws {
    let desk = try desk()
    desk.takeLever(to: .forward(4))
    try tap("lights", desk)
    #expect(try desk.line.state == .driving && desk.line.command.gear == 4 && model(desk).value(0) == 1)
    desk.end()
  }

  // MARK: Losses

  @Test func `a lift is a loss like any other, and what was held comes back only with a new touch`() throws {
    let desk = try desk()
    try touch(3, "winch", desk)
    let pan = try control("pan", desk).windowFrame
    touch(4, pan.center, desk)
    desk.move(4, to: Point(x: pan.maxX - 1, y: pan.midY))
    try tap("lights", desk)
    desk.takeLever(to: .forward(4))
    #expect(try model(desk).isHeld && model(desk).value(1) == 1)
    desk.lift(1)
    #expect(desk.line.reason == .lift)
    #expect(
      try !model(desk).isHeld && model(desk).value(1) == 0 && model(desk).value(2) == 0.5 && model(desk).value(0) == 1)
    desk.pass(.seconds(1))
    desk.move(4, to: Point(x: pan.minX + 1, y: pan.midY))
    #expect(try !model(desk).isHeld && model(desk).value(1) == 0, "fingers that stayed down count no more")
    desk.lift(4)
    #expect(try model(desk).value(1) == 0)
    #expect((try control("pan", desk) as? Slider)?.value == 0.5, "the controls show what is sent")
    try touch(6, "winch", desk)
    desk.lift(6)
    #expect(try !model(desk).isHeld, "the finger from before the loss keeps nothing on")
    desk.lift(3)
    try touch(3, "winch", desk)
    #expect(try model(desk).isHeld && desk.line.state == .safe, "also while nothing drives")
    desk.end()
  }

  @Test func `STOP ends everything, and nothing changes before it was released`() throws {
    let desk = try desk()
    try arm(desk)
    let modes = try control("mode", desk).windowFrame
    touch(1, Point(x: modes.maxX - 10, y: modes.midY), desk)
    desk.lift(1)
    #expect(try model(desk).isArmed && model(desk).mode == 1)
    try touch(3, "winch", desk)
    let stop = try #require(desk.scene.stop)
    touch(9, stop.windowFrame.center, desk)
    desk.lift(9)
    #expect(try !model(desk).isArmed && !model(desk).isHeld && model(desk).mode == 0)
    desk.lift(3)
    try tap("lights", desk)
    try touch(3, "winch", desk)
    try arm(desk)
    #expect(try model(desk).value(0) == -1 && !model(desk).isHeld && !model(desk).isArmed)
    #expect((try control("lights", desk) as? Button)?.isSelected == false, "the screen shows what is sent")
    desk.end()
  }

  @Test func `a lost link disarms, and no channel changes before it is back`() throws {
    let desk = try desk(mailbox: true)
    try arm(desk)
    #expect(try model(desk).isArmed)
    let sink = try #require(desk.mailbox)
    sink.mailbox.note(.waiting, errno: 111, now: desk.stage.clock.now)
    desk.output.wake(at: desk.stage.clock.now)
    desk.relay.record(.link(.waiting)) { desk.output.noteLink(.waiting) }
    #expect(try desk.line.reason == .linkLost && !model(desk).isArmed)
    try tap("lights", desk)
    #expect(try model(desk).value(0) == -1)
    try arm(desk)
    #expect(try !model(desk).isArmed)
    sink.mailbox.note(.open, errno: 0, now: desk.stage.clock.now)
    desk.relay.record(.link(.open)) { desk.output.noteLink(.open) }
    try arm(desk)
    #expect(try model(desk).isArmed)
    desk.end()
  }

  @Test func `a compositor that freezes while a winch is held, or while the arm button is, ends that`() throws {
    for name in ["winch", "arm"] {
      let desk = try desk()
      try touch(1, name, desk)
      desk.stage.freeze()
      for _ in 0..<150 {
        desk.stage.clock.advance(by: .milliseconds(10))
        try? desk.application.step()
      }
      #expect(try !model(desk).isHeld && !model(desk).isArmed, "\(name)")
      desk.stage.thaw()
      desk.toleratesEnd = true
      desk.end()
    }
  }

  @Test func `the end of the program disarms`() throws {
    let desk = try desk()
    try arm(desk)
    desk.relay.handle(.lost(InputLoss(.terminating)))
    #expect(try desk.line.reason == .terminated && !model(desk).isArmed)
    desk.end()
  }

  // MARK: Arming

  @Test func `arming needs a hold that is long enough, and a touch disarms`() throws {
    let desk = try desk()
    try touch(8, "arm", desk)
    desk.pass(.milliseconds(900))
    #expect(try !model(desk).isArmed)
    desk.lift(8)
    desk.pass(.milliseconds(300))
    #expect(try !model(desk).isArmed)
    try arm(desk)
    #expect(try model(desk).isArmed)
    #expect((try control("arm", desk) as? ArmButton)?.isArmed == true)
    try touch(8, "arm", desk)
    #expect(try !model(desk).isArmed, "at once")
    desk.pass(.milliseconds(1500))
    #expect(try !model(desk).isArmed, "the touch that disarmed does not arm")
    desk.end()
  }

  @Test func `a finger that slides off the button arms nothing`() throws {
    let desk = try desk()
    let button = try control("arm", desk).windowFrame
    touch(8, button.center, desk)
    desk.pass(.milliseconds(500))
    desk.move(8, to: Point(x: button.midX, y: button.minY - 100))
    desk.move(8, to: button.center)
    desk.pass(.milliseconds(800))
    #expect(try !model(desk).isArmed)
    desk.end()
  }

  @Test func `nothing can be armed while it drives, and driving begins after it`() throws {
    let desk = try desk()
    desk.takeLever(to: .forward(3))
    try arm(desk)
    #expect(try !model(desk).isArmed)
    desk.lift(1)
    try arm(desk)
    #expect(try model(desk).isArmed && desk.line.state == .safe && desk.line.command.throttle == 0)
    // A lever that is taken during the hold ends it.
    try tap("arm", desk)
    try touch(8, "arm", desk)
    desk.pass(.milliseconds(500))
    desk.takeLever(to: .forward(1))
    desk.pass(.milliseconds(800))
    #expect(try !model(desk).isArmed)
    desk.end()
  }

  @Test func `letting go of the lever keeps it armed, unless the file says otherwise`() throws {
    for safe in ["keep", "disarm"] {
      let desk = try desk(try Self.vehicle("\"arm\": {\"hold\": 1, \"safe\": \"\(safe)\"}"))
      try arm(desk)
      desk.takeLever(to: .forward(3))
      #expect(try model(desk).isArmed)
      desk.lift(1)
      #expect(try desk.line.reason == .lift && model(desk).isArmed == (safe == "keep"))
      desk.end()
    }
  }

  // MARK: Not hands

  @Test func `files, the inspector and code change no channel, and assistive technology only at rest`() throws {
    let desk = try desk()
    let lights = try #require(try control("lights", desk) as? Button)
    desk.relay.record(.wake) { lights.isSelected = true }
    #expect(try model(desk).value(0) == -1 && !lights.isSelected, "shown back")
    desk.relay.record(.wake) {
      lights.isSelected = true
      lights.sendActions(for: .valueChanged)
    }
    #expect(try model(desk).value(0) == -1 && !lights.isSelected)
    try desk.relay.carryOut(.perform("press"), on: lights)
    #expect(try model(desk).value(0) == 1)
    let pan = try control("pan", desk)
    try desk.relay.carryOut(.setValue(0.75), on: pan)
    #expect(try model(desk).value(1) == 0.5)
    let arm = try control("arm", desk)
    #expect(arm.accessibilityActions.isEmpty)
    #expect(throws: AccessibilityRefusal.self) { try desk.relay.carryOut(.perform("press"), on: arm) }
    try? desk.relay.carryOut(.perform("press"), on: control("winch", desk))
    #expect(try !model(desk).isHeld && !model(desk).isArmed)
    try self.arm(desk)
    desk.takeLever(to: .forward(2))
    #expect(throws: AccessibilityRefusal.self) { try desk.relay.carryOut(.perform("press"), on: lights) }
    #expect(try model(desk).value(0) == 1 && model(desk).isArmed)
    try desk.relay.carryOut(.perform("disarm"), on: arm)
    #expect(try !model(desk).isArmed, "disarming is always allowed")
    desk.end()
  }

  // MARK: Gamepads

  @Test func `a pad's further buttons and right stick command channels, after a loss only anew`() throws {
    let desk = try PadDesk(vehicle: try Self.vehicle())
    func model() throws -> ChannelModel { try #require(desk.line.channels) }
    desk.press(InputCode.west)
    #expect(try model().value(0) == 1)
    desk.press(InputCode.west)
    #expect(try model().value(0) == -1)
    desk.report(keys: [InputCode.select: true])
    #expect(try model().isHeld)
    desk.report([InputCode.rx: 32767])
    #expect(try model().value(1) == 1)
    desk.drive(gear: 2)
    #expect(try desk.line.state == .driving && model().isHeld && model().value(1) == 1)
    desk.report([InputCode.rz: 0])
    #expect(try desk.line.reason == .lift && !model().isHeld && model().value(1) == 0)
    desk.report([InputCode.rx: 30000])
    #expect(try model().value(1) == 0, "the stick was not let go")
    desk.report([InputCode.rx: 0], keys: [InputCode.select: false])
    desk.report([InputCode.rx: -32768], keys: [InputCode.select: true])
    #expect(try model().value(1) == -1 && model().isHeld)
    desk.pad.unplug()
    desk.desk.settle()
    #expect(try !model().isHeld)
    desk.desk.end()
  }

  @Test func `without a vehicle's file a pad's further buttons say nothing`() throws {
    let desk = try PadDesk()
    let count = desk.desk.lines.count
    for code in [InputCode.west, InputCode.select, InputCode.start, InputCode.rightStick] { desk.press(code) }
    desk.report([InputCode.rx: 32767, InputCode.hat0X: 1])
    #expect(desk.desk.lines.count == count && desk.line.channels == nil)
    desk.desk.end()
  }

  // MARK: Scenes

  @Test func `a scene's own controls are bound by their channel, and the strip has the others`() throws {
    let desk = try desk()
    let text = """
      {"type": "CockpitPanel", "subviews": [{"type": "InstrumentCluster", "name": "cluster"}, {"type": "ThrottleGearbox", "name": "gearbox"},
       {"type": "SteeringWheel", "name": "wheel"}, {"type": "Switch", "name": "lamp", "channel": "lights", "frame": [600, 20, 60, 40]},
       {"type": "Slider", "name": "both", "channel": "gears", "frame": [600, 80, 200, 44]}, {"type": "Button", "channel": "horns"}]}
      """
    let file = try LayoutFile(text: text, name: "a scene")
    desk.relay.record(.scene(file.source)) { try? desk.scene.load(file) }
    desk.refresh()
    let lamp = try #require(desk.scene.view(named: "lamp") as? Switch)
    let both = try #require(desk.scene.view(named: "both") as? Slider)
    #expect(try #require(desk.scene.channelStrip).subviews.contains { $0.name == "pan" })
    #expect(try !#require(desk.scene.channelStrip).subviews.contains { $0.name == "lights" || $0.name == "gears" })
    #expect(!lamp.isOn && both.value == both.minimumValue)
    touch(1, lamp.windowFrame.center, desk)
    desk.lift(1)
    #expect(try model(desk).value(0) == 1 && lamp.isOn)
    touch(1, Point(x: both.windowFrame.maxX - 2, y: both.windowFrame.midY), desk)
    desk.lift(1)
    #expect(try model(desk).value(2) == 1)
    // The same scene again: what is set stays.
    desk.relay.record(.scene(file.source)) { try? desk.scene.load(file) }
    desk.refresh()
    #expect(try model(desk).value(0) == 1 && lamp.isOn)
    #expect(throws: LayoutFileError.self) {
      try desk.scene.load(LayoutFile(text: #"{"type": "Backdrop", "channel": "lights"}"#, name: "a scene"))
    }
    desk.end()
  }

  @Test func `every kind of control gives every kind of channel a value in its range, and shows it`() throws {
    let vehicle = try Self.vehicle()
    let readings: [ChannelReading] = [
      .isOn(false), .isOn(true), .position(0), .position(0.4), .position(1), .index(0), .index(1), .index(2), .next,
    ]
    for channel in vehicle.channels {
      for reading in readings {
        guard let value = channel.value(reading, present: channel.start) else { continue }
        #expect(-1...1 ~= value)
        guard let shown = channel.reading(of: value, like: reading) else { continue }
        #expect(channel.value(shown, present: 0) == value, "\(channel.name) \(reading)")
      }
    }
    let gears = vehicle.channels[2]
    #expect(
      gears.value(.next, present: -1) == 0.5 && gears.value(.next, present: 1) == -1
        && gears.value(.index(7), present: 0) == nil)
    #expect(!vehicle.channels[1].accepts(.next) && vehicle.channels[0].accepts(.next))
  }

  // MARK: Records

  @Test(arguments: 0..<4) func `a replay prints the lines of a session with channels`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/record.jsonl"
    let vehicle = try Self.vehicle()
    var recorder: Recorder?
    let pads = try PadDesk(
      vehicle: vehicle,
      prepare: { desk, start in
        var header = RecordedSession.Header()
        header.start = start
        (header.options.receiver, header.options.deadMan, header.options.driveRate) = (.standard, true, 50)
        (header.options.gamepad, header.options.showsBeacon, header.options.vehicleFile) = (.auto, false, vehicle)
        let made = try Recorder(path: path, header: header)
        recorder = made
        desk.relay.parts.append(made)
        desk.output.onHang = { [unowned desk] in made.note(.hang(of: $0), at: desk.relay.now) }
      })
    let desk = pads.desk
    let strip = try #require(desk.scene.channelStrip)
    var dice = Dice(seed: seed)
    // A small window has arming on its first page.
    touch(8, try control("arm", desk).windowFrame.center, desk)
    desk.pass(.milliseconds(1100))
    desk.lift(8)
    for _ in 0..<150 {
      let frame = strip.windowFrame
      let place = Point(x: frame.minX + Double(dice.roll(Int(frame.width))), y: frame.midY + 8)
      switch dice.roll(12) {
      case 0...3: touch(Int32(dice.roll(2)) + 5, place, desk)
      case 4, 5: desk.lift(Int32(dice.roll(2)) + 5)
      case 6: desk.move(Int32(dice.roll(2)) + 5, to: place)
      case 7: pads.report([InputCode.rx: Int32(dice.roll(65536)) - 32768], keys: [InputCode.west: dice.roll(2) == 0])
      case 8: pads.report(keys: [InputCode.select: dice.roll(2) == 0])
      case 9: desk.takeLever(1, to: .forward(dice.roll(9) + 1))
      case 10: desk.lift(1)
      default:
        if dice.roll(3) == 0 {
          try? desk.relay.carryOut(.perform("press"), on: strip.subviews[dice.roll(strip.subviews.count)])
        }
      }
      desk.pass(.milliseconds(Int64([0, 30, 60, 1200][dice.roll(4)])))
    }
    try #require(recorder).note(.end, at: desk.application.now)
    let session = try RecordedSession(contentsOf: path)
    #expect(
      session.header.options.vehicleFile == vehicle || session.header.options.vehicleFile?.source == vehicle.source)
    let replayer = try Replayer(session, name: "record")
    var lines: [DriveStream.Line] = []
    replayer.onLine = { lines.append($0) }
    replayer.playAll()
    #expect(Array(lines.dropFirst()) == desk.lines)
    #expect(
      Set(desk.lines.compactMap { $0.channels?.value(0) }).count == 2
        && desk.lines.contains { $0.channels?.isArmed == true })
    desk.end()
  }

  @Test func `behind a dialog a gamepad operates no channel, and what it held is let go`() throws {
    let desk = try PadDesk(vehicle: Self.vehicle())
    desk.report([InputCode.rx: 32767], keys: [InputCode.select: true])
    #expect(try model(desk.desk).isHeld && model(desk.desk).value(1) > 0)
    let dialog = Dialog("Sure?", answers: ["No", "Yes"])
    dialog.present(over: desk.desk.scene)
    desk.desk.refresh()
    #expect(try !model(desk.desk).isHeld && model(desk.desk).value(1) == 0 && desk.line.reason == .sceneChanged)
    desk.report(keys: [InputCode.select: false])
    desk.report([InputCode.rx: -32768], keys: [InputCode.select: true])
    desk.press(InputCode.west)
    #expect(try !model(desk.desk).isHeld && model(desk.desk).value(0) == -1 && model(desk.desk).value(1) == 0)
    dialog.isOpen = false
    desk.desk.pass(.milliseconds(400))
    desk.report([InputCode.rx: 30000])
    #expect(try !model(desk.desk).isHeld && model(desk.desk).value(1) == 0, "a stick must be in its middle first")
    desk.report([InputCode.rx: 0], keys: [InputCode.select: false])
    desk.report([InputCode.rx: 32767], keys: [InputCode.select: true])
    #expect(try model(desk.desk).isHeld && model(desk.desk).value(1) > 0)
    desk.desk.end()
  }
}
