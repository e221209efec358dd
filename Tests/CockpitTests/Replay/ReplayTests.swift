import ControlTools
import Controls
import DriveLink
import Glibc
import JSON
import Linux
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of records: a session on the stage, written down and played again, gives the same picture and the same lines.
@MainActor @Suite(.serialized) struct ReplayTests {
  @Test func `a record of earlier versions, whose first times are negative, is read`() throws {
    let header = RecordedSession.Header().line
    let text = "\(header)\n{\"t\":-2578081170319,\"link\":\"waiting\"}\n{\"t\":5,\"wake\":true}\n"
    let session = try RecordedSession(Array(text.utf8), name: "old")
    #expect(session.events.map(\.time) == [.zero, .zero + .nanoseconds(5)])
    #expect(throws: RecordError.self) {
      try RecordedSession(Array("\(text){\"t\":-1,\"wake\":true}\n".utf8), name: "odd")
    }
  }

  /// A desk whose session is written to a file.
  private struct Taped {
    let desk: DriveDesk
    let display: TelemetryDisplay
    let path: String
    let recorder: Recorder

    @MainActor init(
      isDeadMan: Bool, begin: (inout RecordedSession.Header, CockpitScene) -> Void = { _, _ in }
    ) throws {
      path = "/tmp/cockpit-record-\(getpid())-\(UInt32.random(in: 0...(.max)))"
      var tape: (Recorder, TelemetryDisplay)?
      let path = path
      desk = try DriveDesk(
        isDeadMan: isDeadMan, shaping: DriveShaping(limit: 0.8, ramp: 0.7, trim: 0.1, expo: 0.5),
        prepare: { desk, start in
          var header = RecordedSession.Header()
          header.start = start
          (header.options.receiver, header.options.deadMan, header.options.driveRate) = (.standard, isDeadMan, 50)
          (header.options.telemetry, header.options.showsBeacon) = (.standard, false)
          (header.options.ramp, header.options.expo, header.options.trim) = (0.7, 0.5, 0.1)
          (header.options.limit, header.options.throttle) = (0.8, isDeadMan ? .lever : .gears)
          desk.scene.gearbox.followsFinger = isDeadMan
          begin(&header, desk.scene)
          let recorder = try Recorder(path: path, header: header)
          tape = (recorder, TelemetryDisplay(scene: desk.scene))
          desk.relay.parts.append(recorder)
        })
      (recorder, display) = try #require(tape)
      desk.output.onHang = { [unowned desk, recorder] in recorder.note(.hang(of: $0), at: desk.relay.now) }
    }

    @MainActor func tell(_ line: String) throws {
      let telemetry = try #require(Telemetry(line: Array(line.utf8)))
      desk.relay.record(.telemetry(line)) { display.show(telemetry) }
    }

    /// Plays all events, or those before the first for which `isEnd` is true.
    @MainActor func playAgain(
      until isEnd: (SessionEvent) -> Bool = { _ in false }
    ) throws -> (lines: [DriveStream.Line], pixels: [UInt32]) {
      recorder.note(.end, at: desk.application.now)
      var session = try RecordedSession(contentsOf: path)
      if let end = session.events.firstIndex(where: { isEnd($0.event) }) { session.events.removeSubrange(end...) }
      let replayer = try Replayer(session, name: "record")
      var lines: [DriveStream.Line] = []
      replayer.onLine = { lines.append($0) }
      replayer.drawsEveryFrame = true
      replayer.playAll()
      return (lines, Taped.pixels(of: replayer.scene, replayer.pixels))
    }

    /// Ends the session and takes its file away.
    @MainActor func end() {
      desk.end()
      unlink(path)
    }

    /// A scene's image, drawn into memory of its own.
    @MainActor static func pixels(of scene: CockpitScene, _ size: PixelSize) -> [UInt32] {
      guard let memory = PixelMemory(size) else {
        Issue.record("no memory for \(size)")
        return []
      }
      return memory.withBuffer { buffer in
        scene.draw(Region(PixelRect(size)), into: buffer)
        return buffer.pixels.map { $0 & 0xff_ffff }
      }
    }
  }

  private func text(_ lines: [DriveStream.Line]) -> [String] {
    let writer = DriveLineWriter()
    return lines.map {
      writer.write($0)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  /// The loop hangs from now on, until it next does anything.
  private func hang(_ desk: DriveDesk) {
    desk.output.wake(at: desk.application.now)
    // A loop that commands nothing is not watched.
    guard desk.output.stream.isCommanding else { return }
    desk.sink.hang(desk.output.stream, at: desk.application.now)
  }

  @Test func `a record tells how long a password is, and none of its letters`() throws {
    let taped = try Taped(isDeadMan: false)
    defer { taped.end() }
    let (scene, relay, seat) = (taped.desk.scene, taped.desk.relay, SeatID(1))
    taped.recorder.scene = scene
    let (field, other) = (PasswordField(frame: Rect(x: 0, y: 0, width: 200, height: 44)), TextField())
    other.frame = Rect(x: 0, y: 60, width: 200, height: 44)
    scene.addSubview(field)
    scene.addSubview(other)
    field.becomeFirstResponder()
    func key(_ phase: KeyEvent.Phase, _ letter: Unicode.Scalar) {
      relay.handle(.key(KeyEvent(seat: seat, phase: phase, key: .character(letter), text: String(letter), time: .zero)))
    }
    for letter in "qz".unicodeScalars {
      key(.down, letter)
      key(.repeated, letter)
    }
    key(.up, "q")
    relay.handle(.text(TextEdit(seat: seat, inserted: "jü", preedit: "vé", preeditSelection: 1..<3)))
    relay.handle(.text(TextEdit(seat: seat, inserted: "pasted-x", place: Point(x: 20, y: 20))))
    let written = field.draft
    other.becomeFirstResponder()
    // Released where it tells the letter of the other field.
    key(.up, "z")
    key(.down, "k")
    key(.up, "k")
    try relay.carryOut(.setText("wordy"), on: field)
    let text = String(decoding: try FileReader.bytes(of: taped.path, atMost: 1 << 20), as: UTF8.self)
    for secret in ["\"q\"", "\"z\"", ",113,", ",122,", "jü", "vé", "pasted-x", "wordy"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains(",107,\"k\""), "what goes to others is kept")
    #expect(text.contains(#"[1,"down",42,"*",0,"#) && text.contains(#""*****""#))
    #expect(text.contains("\"**\",\"**\",1,2") && written.contains("qz"))
  }

  @Test func `a record of the scene's keyboard has one key for all of a password`() throws {
    let taped = try Taped(isDeadMan: false) { header, scene in
      // Nothing is driven, so that the keyboard may lie anywhere.
      (header.options.receiver, header.keyboard) = (nil, .german)
      header.scene = #"{"type": "View", "subviews": [{"type": "PasswordField", "frame": [20, 20, 300, 44]}]}"#
      scene.keyboard.language = .german
      if let text = header.scene { try? scene.load(LayoutFile(text: text, name: "scene")) }
    }
    defer { taped.end() }
    let (scene, seat) = (taped.desk.scene, taped.desk.stage.seat)
    taped.recorder.scene = scene
    (scene.mustStayInSight, scene.keptInSight) = (false, { [] })
    func tap(_ place: Point) {
      seat.touchDown(3, place.x, place.y)
      seat.touchFrame()
      taped.desk.refresh()
      seat.touchUp(3)
      seat.touchFrame()
      taped.desk.refresh()
    }
    tap(Point(x: 60, y: 42))
    let keyboard = try #require(scene.keyboard.keyboard)
    var secret: [Point] = []
    for title in ["m", "ö", "7"] {
      let key = try #require(
        keyboard.accessibilityElements.first { $0.accessibilityLabel?.lowercased() == title }, "\(title)")
      secret.append(key.windowFrame.center)
      tap(key.windowFrame.center)
    }
    #expect((scene.firstResponder as? PasswordField)?.draft == "mö7")
    let text = String(decoding: try FileReader.bytes(of: taped.path, atMost: 1 << 20), as: UTF8.self)
    for place in secret {
      let (x, y) = ((place.x * 256).rounded(.down) / 256, (place.y * 256).rounded(.down) / 256)
      #expect(!text.contains("\(x),\(y),"), "\(place)")
    }
    taped.recorder.note(.end, at: taped.desk.application.now)
    let replayer = try Replayer(try RecordedSession(contentsOf: taped.path), name: "record")
    replayer.playAll()
    let again = try #require(replayer.scene.firstResponder as? PasswordField)
    #expect(again.draft.count == 3 && again.draft != "mö7", "as long, and another")
  }

  /// Plays ten seconds of random acts of a driver, a vehicle and a compositor, by a seed.
  private func live(on taped: Taped, seed: UInt64) throws {
    let (desk, seat) = (taped.desk, taped.desk.stage.seat)
    var random = Dice(seed: seed)
    seat.keyboardEnter()
    for step in 0..<160 {
      switch random.roll(16) {
      case 0: desk.takeLever(Int32(random.roll(2)), to: .forward(random.roll(10) + 1))
      case 1: desk.takeWheel(Int32(random.roll(2)) + 2, degrees: Double(random.roll(200)) - 100)
      case 2...5:
        seat.touchMotion(Int32(random.roll(4)), Double(random.roll(480)), Double(random.roll(320)))
        seat.touchFrame()
      case 6:
        seat.touchUp(Int32(random.roll(4)))
        seat.touchFrame()
      case 7: if random.roll(4) == 0 { seat.touchCancel() }
      case 8:
        seat.key(
          [StageKeymap.Code.up, StageKeymap.Code.left, StageKeymap.Code.space][random.roll(3)], random.roll(2) == 0)
      case 9:
        try taped.tell("{\"speed\":\(random.roll(150)),\"battery\":0.\(random.roll(10)),\"warnings\":[\"W\(step)\"]}")
      case 10: desk.relay.record(.stale(.all)) { taped.display.showStale(.all) }
      case 11: seat.pointerEnter(Double(random.roll(480)), Double(random.roll(320)))
      case 12:
        if random.roll(6) == 0 { desk.stage.toplevels.first?.suspend() } else { desk.stage.toplevels.first?.resume() }
      case 13: if random.roll(6) == 0 { desk.stage.clients.last?.hangUp() }
      case 14: if random.roll(4) == 0 { hang(desk) }
      default: desk.stage.toplevels.first?.configure(480 + random.roll(3) * 100, 320 + random.roll(3) * 50)
      }
      desk.refresh()
    }
    desk.stage.toplevels.first?.resume()
    desk.pass(.seconds(3))
  }

  @Test(arguments: 1...6) func `a session played again gives the same lines and the same picture, byte for byte`(
    seed: UInt64
  ) throws {
    let taped = try Taped(isDeadMan: seed % 2 == 0)
    try live(on: taped, seed: seed &* 0x9e37_79b9)
    let shown = try #require(taped.desk.pixels)
    let (lines, pixels) = try taped.playAgain()
    let (first, rest) = (lines.first, Array(lines.dropFirst()))
    #expect(first?.reason == .start && rest.count > 100)
    let (said, live) = (text(rest), text(taped.desk.lines))
    let apart = zip(said, live).enumerated().first { $0.element.0 != $0.element.1 }
    let place = apart.map { "\($0)" } ?? ""
    #expect(apart == nil && said.count == live.count, "line \(place)")
    let wrong = zip(pixels, shown).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
    #expect(wrong.isEmpty && pixels.count == shown.count, "\(wrong.count) pixels")
    taped.end()
  }

  @Test func `a record brings its looks along: those of its start, and what the desktop said later`() throws {
    let taped = try Taped(isDeadMan: false) { header, scene in
      header.look = SceneLook(isLight: true, hasHighContrast: true, reducesMotion: true)
      scene.adopt(header.look)
    }
    let light = try #require(taped.desk.pixels)
    let dark = SceneLook()
    taped.desk.relay.record(.look(dark)) { taped.desk.scene.adopt(dark) }
    taped.desk.refresh()
    let shown = try #require(taped.desk.pixels)
    #expect(light != shown)
    let half = try taped.playAgain(until: { if case .look = $0 { true } else { false } })
    #expect(half.pixels == light)
    #expect(try taped.playAgain().pixels == shown)
    taped.end()
  }

  @Test func `a layout file that changed meanwhile is played again`() throws {
    let taped = try Taped(isDeadMan: false)
    let desk = taped.desk
    desk.takeLever(to: .forward(6))
    desk.takeWheel(degrees: 80)
    desk.pass(.seconds(1))
    let file = SceneTypes.text.replacing(
      "{\"type\": \"SteeringWheel\",", with: "{\"type\": \"SteeringWheel\", \"alpha\": 0.5,")
    #expect(try LayoutFile(text: file, name: "test").source == file)
    for said in [file, "{"] {
      desk.relay.record(.scene(said)) { try? desk.scene.load(LayoutFile(text: said, name: "test")) }
    }
    desk.pass(.seconds(1))
    #expect(desk.scene.wheel.alpha == 0.5 && desk.line.state == .driving)
    let locked = file.replacing("\"alpha\": 0.5,", with: "\"alpha\": 0.5, \"lock\": 90,")
    desk.relay.record(.scene(locked)) { try? desk.scene.load(LayoutFile(text: locked, name: "test")) }
    desk.pass(.seconds(1))
    #expect(desk.line.reason == .sceneChanged)
    let shown = try #require(desk.pixels)
    let (lines, pixels) = try taped.playAgain()
    #expect(text(Array(lines.dropFirst())) == text(desk.lines) && lines.count > 50)
    #expect(pixels == shown)
    taped.end()
  }

  @Test func `a scripted drive is played again`() throws {
    var header = RecordedSession.Header()
    (header.options.playsDemo, header.options.deadMan) = (true, false)
    let events = ["\"resize\":[480,320,120]", "\"life\":\"willEnterForeground\"", "\"life\":\"didBecomeActive\""]
    var text = header.line + "\n" + events.map { "{\"t\":0,\($0)}\n" }.joined()
    for frame in 1...180 { text += "{\"t\":\(frame * 16_000_000),\"frame\":\(frame * 16_000_000)}\n" }
    let replayer = try Replayer(RecordedSession(Array(text.utf8), name: "r"), name: "r")
    replayer.playAll()
    #expect(replayer.scene.gearbox.gear > .forward(2) && replayer.demo?.fingers.count == 2)
  }

  @Test func `a first line is written and read the same`() throws {
    var header = RecordedSession.Header()
    header.start = MonotonicTime(nanoseconds: 5)
    (header.options.gear, header.options.steeringDegrees, header.options.showsBeacon) = (.forward(3), -7.5, false)
    (header.options.tilt, header.options.playsDemo, header.options.deadMan) = (.on, true, false)
    (header.options.receiver, header.options.telemetry, header.options.driveRate) = (.standard, .standard, 60)
    (header.options.limit, header.options.reverseLimit, header.options.ramp) = (0.3, 0.1, 1.5)
    (header.options.trim, header.options.expo, header.options.throttle) = (-0.05, 0.4, .lever)
    header.look = SceneLook(isLight: true, hasHighContrast: false, reducesMotion: true)
    (header.language, header.direction, header.scene) = (.chinese, .rightToLeft, "{\"a\": 1}\n")
    header.sceneFolder = "/a \"folder\""
    #expect(try RecordedSession(Array((header.line + "\n").utf8), name: "r").header == header)
    // A value that a number's shortest text has with an exponent, and a strip.
    (header.options.trim, header.options.role, header.scene) = (-1.5e-7, .strip(.left), nil)
    #expect(try RecordedSession(Array((header.line + "\n").utf8), name: "r").header == header)
    #expect(try Replayer(RecordedSession(Array((header.line + "\n").utf8), name: "r"), name: "r").scene.isStrip)
    for bad in ["\"gear\":\"11\"", "\"limit\":\"2\"", "\"limit\":0.5", "\"scene\":\"a.json\"", "\"wings\":\"on\""] {
      let line = "{\"cockpit\":1,\"start\":\"0\",\"options\":{\(bad)}}\n"
      #expect(throws: RecordError.self, "\(bad)") { try RecordedSession(Array(line.utf8), name: "r") }
    }
    // Older records: dark, in the language of the player.
    let old = try RecordedSession(Array(ReplayTests.header.utf8), name: "r").header
    #expect(old.look == SceneLook() && old.language == nil && old.direction == nil && !old.options.playsDemo)
  }

  @Test func `the options in a first line of earlier versions are read`() throws {
    let line = """
      {"cockpit":1,"start":"7","drive":true,"deadMan":false,"rate":1000000,"telemetry":true,"gear":"4","steer":-900,"beacon":false,\
      "shaping":[0.5,0.25,1.5,-0.03,0.4],"throttle":"lever","tilt":true,"demo":true}

      """
    let options = try RecordedSession(Array(line.utf8), name: "r").header.options
    var expected = Options()
    (expected.receiver, expected.deadMan, expected.telemetry) = (.standard, false, .standard)
    (expected.driveRate, expected.gear, expected.steeringDegrees) = (DriveStream.rates.upperBound, .forward(4), -450)
    (expected.showsBeacon, expected.throttle, expected.tilt, expected.playsDemo) = (false, .lever, .on, true)
    (expected.limit, expected.reverseLimit, expected.ramp, expected.trim, expected.expo) = (0.5, 0.25, 1.5, -0.03, 0.4)
    #expect(options == expected)
  }

  @Test func `the times of a computer that has run for a year are written and read the same`() throws {
    let seat = SeatID(0)
    for nanoseconds: Int64 in [5, 9_000_000_000_000_000, 9_000_000_000_000_001, 31_536_000_123_456_789] {
      let time = MonotonicTime(nanoseconds: nanoseconds)
      let touch = TouchPoint(
        id: TouchID(seat: seat, contact: .finger(1)), phase: .began, location: Point(x: 1, y: 2), time: time)
      let inputs: [InputEvent] = [
        .touches([touch]),
        .key(KeyEvent(seat: seat, phase: .down, key: .up, time: time)),
        .scroll(
          ScrollEvent(seat: seat, phase: .ended, location: Point(x: 1, y: 2), dx: 0, dy: 1, source: .wheel, time: time)),
      ]
      for event in inputs.map(SessionEvent.input) {
        let line = try JSONValue(Array("{\(event.fields(since: time))}".utf8), .line)
        #expect(SessionEvent.read(line, since: time) == event)
      }
    }
  }

  @Test func `what was said while the loop hung is said again`() throws {
    let taped = try Taped(isDeadMan: true)
    taped.desk.takeLever(to: .forward(5))
    hang(taped.desk)
    taped.desk.stage.clock.advance(by: .milliseconds(300))
    taped.desk.move(1, to: taped.desk.scene.lever(.forward(8)))
    taped.desk.lift(1)
    taped.desk.takeLever(to: .forward(2))
    taped.desk.refresh()
    let (lines, _) = try taped.playAgain()
    #expect(text(Array(lines.dropFirst())) == text(taped.desk.lines))
    #expect(lines.contains { $0.reason == .loopHung } && lines.last?.command.gear == 2)
    taped.end()
  }

  @Test func `a lost link and an emergency stop are said and shown again`() throws {
    let taped = try Taped(isDeadMan: true)
    let desk = taped.desk
    func link(_ status: DriveSender.Status, _ fault: LinkFault? = nil) {
      desk.relay.record(.link(status, fault)) { desk.output.noteLink(status, fault) }
    }
    desk.takeLever(to: .forward(5))
    // The sender's thread was first.
    desk.sink.hang(desk.output.stream, at: desk.application.now, for: .linkLost)
    desk.settle()
    link(.waiting)
    desk.lift(1)
    desk.pass(.milliseconds(300))
    link(.open)
    desk.takeLever(to: .forward(3))
    let stop = try #require(desk.scene.stop)
    let place = stop.windowFrame.center
    for duration in [Duration.milliseconds(100), .milliseconds(1200)] {
      desk.stage.seat.touchDown(9, place.x, place.y)
      desk.stage.seat.touchFrame()
      desk.pass(duration)
      desk.lift(9)
    }
    desk.lift(1)
    #expect(!stop.isPressed)
    desk.takeLever(to: .forward(2))
    link(.waiting, .noBridge)
    desk.refresh()
    let (lines, pixels) = try taped.playAgain()
    #expect(text(Array(lines.dropFirst())) == text(desk.lines))
    let reasons = Set(lines.map(\.reason))
    #expect(reasons.isSuperset(of: [.linkLost, .emergencyStop, .none]) && lines.last?.reason == .linkLost)
    #expect(pixels == Taped.pixels(of: desk.scene, PixelSize(width: 480, height: 320)))
    taped.end()
  }

  @Test func `a record goes beside one that is there already, and into a file without content`() throws {
    let path = "/tmp/cockpit-record-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    defer { for name in [path, "\(path).1"] { unlink(name) } }
    var header = RecordedSession.Header()
    header.start = .zero
    for _ in 0..<2 { _ = try Recorder(path: path, header: header) }
    for name in [path, "\(path).1"] { #expect(try RecordedSession(contentsOf: name).events.isEmpty, "\(name)") }
    unlink("\(path).1")
    truncate(path, 0)
    _ = try Recorder(path: path, header: header)
    #expect(access("\(path).1", F_OK) != 0)
    #expect(try RecordedSession(contentsOf: path).events.isEmpty)
  }

  @Test func `only the user can read a record, also in a file that others could read`() throws {
    let path = "/tmp/cockpit-record-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    let pipe = path + ".pipe"
    defer { for name in [path, "\(path).1", pipe] { unlink(name) } }
    var header = RecordedSession.Header()
    header.start = .zero
    func mode(of name: String) -> mode_t {
      var found = stat()
      return stat(name, &found) == 0 ? found.st_mode & 0o777 : 0
    }
    for name in [path, "\(path).1"] {
      _ = try Recorder(path: path, header: header)
      #expect(mode(of: name) == 0o600)
    }
    // A file that is there already, without content.
    truncate(path, 0)
    chmod(path, 0o666)
    _ = try Recorder(path: path, header: header)
    #expect(mode(of: path) == 0o600)
    // The rights of a pipe are those that its maker gave it.
    #expect(mkfifo(pipe, 0o600) == 0 && chmod(pipe, 0o660) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    _ = try Recorder(path: pipe, header: header)
    #expect(mode(of: pipe) == 0o660)
  }

  @Test(.timeLimit(.minutes(1))) func `a pipe that nobody reads holds up neither the start nor the drive`() throws {
    let path = "/tmp/cockpit-record-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    var header = RecordedSession.Header()
    header.start = .zero
    #expect(throws: SessionError.self) { try Recorder(path: path, header: header) }
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let recorder = try Recorder(path: path, header: header)
    for number in 0..<100_000 { recorder.note(.wake, at: MonotonicTime.zero + .milliseconds(number)) }
  }

  @Test func `in a window of another size the picture lies at the top left, and the rest is clear`() throws {
    let events = [
      "\"resize\":[480,320,120]", "\"life\":\"willEnterForeground\"", "\"life\":\"didBecomeActive\"",
      "\"frame\":16000000",
    ]
    let text = ReplayTests.header + events.map { "{\"t\":0,\($0)}\n" }.joined()
    let replayer = try Replayer(RecordedSession(Array(text.utf8), name: "r"), name: "r")
    replayer.playAll()
    let content = ReplayContent(replayer)
    func shown(_ width: Int, _ height: Int) throws -> [[UInt32]] {
      let pixels = try #require(PixelMemory(PixelSize(width: width, height: height)))
      content.resize(to: Size(width: Double(width), height: Double(height)), scale: .one)
      return pixels.withBuffer { buffer in
        buffer.fill(PixelRect(buffer.size), 0x5555_5555)
        content.draw(content.takeDamage(), into: buffer)
        let all = buffer.pixels
        return (0..<height).map { Array(all[($0 * width)..<(($0 + 1) * width)]) }
      }
    }
    let own = try shown(480, 320)
    #expect(own.allSatisfy { $0.allSatisfy { $0 >> 24 == 0xff } })
    for (width, height) in [(600, 400), (300, 200), (600, 200), (300, 400)] {
      let other = try shown(width, height)
      for y in 0..<height {
        let row = y < 320 ? Array(own[y].prefix(width)) : []
        #expect(other[y] == row + Array(repeating: 0, count: width - row.count), "row \(y) of \(width) x \(height)")
      }
    }
  }

  nonisolated static let bad: [(String, Int)] = [
    ("", 1), ("{}\n", 1), ("nonsense\n", 1), ("{\"cockpit\":2,\"start\":\"0\"}\n", 1), (header + "{\"t\":1}\n", 2),
    (header + "{\"t\":\"-1\",\"end\":true}\n", 2), (header + "{\"t\":5,\"end\":true}\n{\"t\":4,\"end\":true}\n", 3),
    (header + "{\"t\":86400000000001,\"end\":true}\n", 2), (header + "{\"t\":1,\"resize\":[0,5,120]}\n", 2),
    (header + "{\"t\":1,\"resize\":[32767,32767,1200]}\n", 2), (header + "{\"t\":1,\"life\":\"lived\"}\n", 2),
    (header + "{\"t\":1,\"touches\":[]}\n", 2),
    (header + "{\"t\":1,\"touches\":[[0,\"toe\",0,\"began\",1,1,null,0]]}\n", 2),
    (header + "{\"t\":1,\"lose\":\"none\"}\n", 2), (header + "{\"t\":1,\"stale\":17}\n", 2),
    (header + "{\"t\":1,\"stale\":false}\n", 2),
    (header.replacing("\"drive\"", with: "\"shaping\":[9,1,0,0,0],\"drive\""), 1),
    (header.replacing("\"drive\"", with: "\"shaping\":[1,1],\"drive\""), 1),
    (header.replacing("\"drive\"", with: "\"throttle\":\"foot\",\"drive\""), 1),
    (header + "{\"t\":1,\"link\":\"lost\"}\n", 2),
    (header + "{\"t\":1,\"hang\":[1,2,\"start\"]}\n", 2),
    (header + "{\"t\":1,\"look\":[true,1,false]}\n", 2), (header + "{\"t\":1,\"look\":[true]}\n", 2),
    (header.replacing("\"drive\"", with: "\"look\":7,\"drive\""), 1),
    (header.replacing("\"drive\"", with: "\"language\":\"xx\",\"drive\""), 1),
  ]
  nonisolated static let header =
    "{\"cockpit\":1,\"start\":\"0\",\"drive\":true,\"deadMan\":true,\"rate\":30,\"telemetry\":false}\n"

  @Test(arguments: bad) func `a record that is none is told with its line`(text: String, line: Int) {
    #expect { try RecordedSession(Array(text.utf8), name: "r") } throws: { ($0 as? RecordError)?.line == line }
  }

  @Test func `a last line without its end is left out`() throws {
    let session = try RecordedSession(
      Array((ReplayTests.header + "{\"t\":1,\"wake\":true}\n{\"t\":2,\"wa").utf8), name: "r")
    #expect(session.events.count == 1)
  }

  @Test func `a replay tells each loss with the same frame, and its tree has the words`() throws {
    let taped = try Taped(isDeadMan: true)
    let desk = taped.desk
    var notices: [LossNotice?] = []
    desk.relay.parts.append(
      SessionProbe(didHandle: { event, _ in
        if case .frame = event { notices.append(desk.scene.lossDisplay?.banner.notice) }
      }))
    for loss in [DriveReason.sensorLost, .displayFault] {
      desk.takeLever(to: .forward(5))
      desk.session.reportLoss(loss)
      desk.pass(.milliseconds(300))
      desk.lift(1)
      desk.pass(.milliseconds(300))
    }
    desk.takeLever(to: .forward(3))
    desk.lift(1)
    desk.pass(.milliseconds(100))
    hang(desk)
    desk.takeLever(to: .forward(3))
    hang(desk)
    desk.pass(.milliseconds(300))
    let reasons = Set(notices.compactMap(\.self).map(\.reason))
    #expect(reasons.isSuperset(of: [.sensorLost, .displayFault, .lift, .loopHung]))
    taped.recorder.note(.end, at: desk.application.now)
    let session = try RecordedSession(contentsOf: taped.path)
    let frames = session.events.filter { if case .frame = $0.event { true } else { false } }.count
    let replayer = try Replayer(session, name: "record")
    var again: [LossNotice?] = []
    replayer.begin()
    for (_, event) in session.events {
      replayer.playNext()
      if case .frame = event { again.append(replayer.scene.lossDisplay?.banner.notice) }
    }
    // The desk's first frames are of before this test listened.
    #expect(again.count == frames && Array(again.suffix(notices.count)) == notices)
    let tree = replayer.scene.inspect().jsonText
    #expect(tree.contains(try #require(notices.last ?? nil).cause(in: .current)))
    taped.end()
  }
}

/// Numbers that a seed decides (SplitMix64).
struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number from 0 to below `sides`.
  mutating func roll(_ sides: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(sides))
  }
}

extension Replayer {
  /// Plays every event.
  func playAll() {
    begin()
    while nextTime != nil { playNext() }
  }
}
