import DriveLink
import JSON
import UICore
import VideoLink

import enum Controls.AccessibilityCommand

/// An event that reached the scene. A session consists of these with their times only, so that replaying them produces the same
/// image and the same lines.
enum SessionEvent: Hashable, Sendable {
  case resize(Size, Scale, isFullscreen: Bool)
  case input(InputEvent)
  case life(LifecycleEvent)
  /// The time that the scene had requested was reached.
  case wake
  /// A frame was prepared, to be visible at this time.
  case frame(MonotonicTime)
  /// A valid line of telemetry.
  case telemetry(String)
  /// Lines of telemetry came, but none that can be read.
  case refused
  /// These values of telemetry were not received for too long.
  case stale(Telemetry.Fields)
  /// The way to the consumer and back is as good as this, by its answers.
  case quality(LinkFigures)
  /// What the driver is told of the battery and the Wi-Fi of this machine; nil for nothing.
  case machine(MachineNotice?)
  /// What is known of the camera's picture; nil while none is looked at.
  case video(VideoNotice?)
  /// A complete picture of the camera came. It changes nothing, and is kept for whoever reads the record.
  case videoFrame(VideoFrame)
  /// Tilting steers to this angle in degrees; nil if it steers no longer. The flag is true if the sensor was lost.
  case tilt(Double?, isLost: Bool)
  /// The desktop's or the user's preferences changed the look.
  case look(SceneLook)
  /// The watched layout file has this text now, or another file with it was dropped. Its pictures are in this directory; nil in older
  /// records.
  case scene(String, folder: String? = nil)
  /// Assistive technology requested an action of the view at this path in the tree.
  case assist(ViewPath, AccessibilityCommand)
  /// Input was lost for a reason that no window event reports.
  case loss(DriveReason)
  /// The sender took over the stream: the time of its first fail-safe message, the reason, the number of the newest line when
  /// the stream was taken back, and the identifier from then on; nil in records of earlier versions.
  case hang(MonotonicTime, DriveReason, sequence: UInt64, identifier: DriveIdentifier?)
  /// The consumer was connected or lost, or stopped reading; and what this machine lacks for a link.
  case link(DriveSender.Status, LinkFault? = nil)
  case end
}

extension SessionEvent {
  /// The event of a stream that the sender took over.
  static func hang(of stream: DriveStream) -> SessionEvent {
    .hang(
      stream.changeTime, stream.line.reason, sequence: stream.line.sequence, identifier: stream.followingIdentifier)
  }
}

/// The names of causes in records.
private let causes: KeyValuePairs<String, InputLoss.Cause> = [
  "touchCancelled": .touchCancelled, "touchLost": .deviceLost(.touch), "pointerLost": .deviceLost(.pointer),
  "keyboardLost": .deviceLost(.keyboard), "penLost": .deviceLost(.pen), "gamepadLost": .deviceLost(.gamepad),
  "keyboardLeft": .keyboardLeft,
  "screenTurned": .screenTurned, "hidden": .hidden, "compositorFrozen": .compositorFrozen,
  "disconnected": .disconnected, "closing": .closing, "terminating": .terminating,
]

extension SessionEvent {
  /// The fields of the event's line, except its time; times count from `start`.
  func fields(since start: MonotonicTime) -> String {
    switch self {
    case .resize(let size, let scale, let isFullscreen):
      "\"resize\":[\(size.width),\(size.height),\(scale.in120ths)],\"fullscreen\":\(isFullscreen)"
    case .input(let event): event.fields
    case .life(let event): "\"life\":\"\(event.rawValue)\""
    case .wake: "\"wake\":true"
    case .frame(let time): "\"frame\":\((time - start).inNanoseconds)"
    case .telemetry(let line): "\"telemetry\":\(JSONValue.string(line).jsonText)"
    case .refused: "\"refused\":true"
    case .stale(let fields): "\"stale\":\(fields == .all ? "true" : "\(fields.rawValue)")"
    case .quality(let figures): "\"quality\":[\(figures.milliseconds),\(figures.loss)]"
    case .machine(let notice): "\"machine\":\(notice?.field ?? "null")"
    case .video(let notice): "\"video\":\(notice?.field ?? "null")"
    case .videoFrame(let frame): "\"videoFrame\":\(frame.field(since: start))"
    case .tilt(let degrees, let isLost): "\"tilt\":\(degrees.map { "\($0)" } ?? "null"),\"lost\":\(isLost)"
    case .look(let look): "\"look\":\(look.field)"
    case .scene(let text, let folder):
      "\"scene\":\(JSONValue.string(text).jsonText)"
        + "\(folder.map { ",\"folder\":\(JSONValue.string($0).jsonText)" } ?? "")"
    case .assist(let place, let command):
      "\"assist\":[\(place.indices.map(String.init).joined(separator: ","))],\(command.field)"
    case .loss(let reason): "\"lose\":\"\(reason.rawValue)\""
    case .hang(let time, let reason, let sequence, let identifier):
      "\"hang\":[\((time - start).inNanoseconds),\(sequence),\"\(reason.rawValue)\""
        + "\(identifier.map { ",\"\($0)\"" } ?? "")]"
    case .link(let status, let fault):
      "\"link\":\"\(status.rawValue)\"\(fault.map { ",\"fault\":\"\($0.rawValue)\"" } ?? "")"
    case .end: "\"end\":true"
    }
  }

  /// The event of a line; nil if it has none. Times count from `start`.
  static func read(_ line: JSONValue, since start: MonotonicTime) -> SessionEvent? {
    func time(_ value: JSONValue?) -> MonotonicTime? {
      value?.whole.flatMap { abs($0) <= RecordedSession.longest ? start + .nanoseconds(Int64($0)) : nil }
    }
    func loss(_ name: String) -> DriveReason? {
      DriveReason(rawValue: name).flatMap { DriveReason.losses.contains($0) ? $0 : nil }
    }
    if let size = line["resize"]?.items { return readResize(size, isFullscreen: line["fullscreen"]?.bool ?? false) }
    if let place = line["assist"]?.items {
      let indices = place.compactMap(\.whole)
      guard indices.count == place.count, let command = AccessibilityCommand.read(line) else { return nil }
      return .assist(ViewPath(indices: indices), command)
    }
    if let name = line["life"]?.text { return LifecycleEvent(rawValue: name).map(SessionEvent.life) }
    if line["wake"] == .bool(true) { return .wake }
    if let frame = time(line["frame"]) { return .frame(frame) }
    if let text = line["telemetry"]?.text { return .telemetry(text) }
    if line["refused"] == .bool(true) { return .refused }
    if line["stale"] == .bool(true) { return .stale(.all) }
    if let stale = line["stale"] {
      guard let fields = stale.whole.map(Telemetry.Fields.init),
        fields == .answer || (1..<Telemetry.Fields.all.rawValue).contains(fields.rawValue)
      else { return nil }
      return .stale(fields)
    }
    if let figures = line["quality"]?.items {
      let numbers = figures.compactMap(\.whole)
      guard numbers.count == 2, figures.count == 2, 0...LinkFigures.longest ~= numbers[0], 0...100 ~= numbers[1] else {
        return nil
      }
      return .quality(LinkFigures(milliseconds: numbers[0], loss: numbers[1]))
    }
    if line["machine"] == .null { return .machine(nil) }
    if let items = line["machine"]?.items { return MachineNotice(items).map(SessionEvent.machine) }
    if line["video"] == .null { return .video(nil) }
    if let items = line["video"]?.items { return VideoNotice(items).map(SessionEvent.video) }
    if let items = line["videoFrame"]?.items { return VideoFrame(items, since: start).map(SessionEvent.videoFrame) }
    if let tilt = line["tilt"] {
      let degrees = tilt.finiteNumber
      guard degrees.map({ abs($0) <= 3600 }) ?? (tilt == .null), let isLost = line["lost"]?.bool else { return nil }
      return .tilt(degrees, isLost: isLost)
    }
    if let look = line["look"] { return SceneLook(look).map(SessionEvent.look) }
    if let text = line["scene"]?.text { return .scene(text, folder: line["folder"]?.text) }
    if let name = line["lose"]?.text { return loss(name).map(SessionEvent.loss) }
    if let hang = line["hang"]?.items {
      // Older records have no reason; it was always this one.
      let reason = hang.count == 2 ? .loopHung : hang.dropFirst(2).first?.text.flatMap(loss)
      guard 2...4 ~= hang.count, let since = time(hang[0]), let sequence = hang[1].whole, sequence > 0, let reason
      else { return nil }
      let identifier = hang.count == 4 ? hang[3].text.flatMap { DriveIdentifier($0) } : nil
      guard hang.count < 4 || identifier != nil else { return nil }
      return .hang(since, reason, sequence: UInt64(sequence), identifier: identifier)
    }
    if let name = line["link"]?.text {
      let fault = line["fault"]?.text.flatMap(LinkFault.init(rawValue:))
      guard let status = DriveSender.Status(rawValue: name), fault != nil || line["fault"] == nil else { return nil }
      return .link(status, fault)
    }
    if line["end"] == .bool(true) { return .end }
    return InputEvent.read(line).map(SessionEvent.input)
  }

  private static func readResize(_ values: [JSONValue], isFullscreen: Bool) -> SessionEvent? {
    let sides = 1...Double(Options.greatestSide)
    guard values.count == 3, let width = values[0].finiteNumber, let height = values[1].finiteNumber,
      let scale = values[2].whole, sides.contains(width), sides.contains(height), (30...1200).contains(scale),
      width * height * Double(scale * scale) / 14_400 <= Double(SceneRenderer.maximumArea)
    else { return nil }
    let size = Size(width: width.rounded(), height: height.rounded())
    return .resize(size, Scale(in120ths: scale), isFullscreen: isFullscreen)
  }
}

extension MonotonicTime {
  /// The largest number of nanoseconds that `JSONValue.whole` reads, because larger ones are not exact: 104 days.
  private static let mostExact: Int64 = 9_000_000_000_000_000

  /// The device time of an input event as JSON: a number, or a text if a number would not be exact.
  fileprivate var field: String {
    nanoseconds.magnitude <= Self.mostExact.magnitude ? "\(nanoseconds)" : "\"\(nanoseconds)\""
  }

  /// The value that `field` wrote; nil for anything else.
  fileprivate init?(_ value: JSONValue) {
    guard let nanoseconds = value.whole.map({ Int64($0) }) ?? value.text.flatMap({ Int64($0) }),
      nanoseconds.magnitude <= Int64.max.magnitude / 2
    else { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}

extension SceneLook {
  /// Three Booleans: light, high contrast, reduced motion.
  var field: String { "[\(isLight),\(hasHighContrast),\(reducesMotion)]" }

  /// The value that `field` wrote; nil for anything else.
  init?(_ value: JSONValue) {
    guard let truths = value.items?.compactMap(\.bool), truths.count == 3, value.items?.count == 3 else { return nil }
    self.init(isLight: truths[0], hasHighContrast: truths[1], reducesMotion: truths[2])
  }
}

extension InputEvent {
  fileprivate var fields: String {
    switch self {
    case .touches(let points): "\"touches\":[\(points.map(\.fields).joined(separator: ","))]"
    case .hover(let seat, let place?): "\"hover\":[\(seat.value),\(place.x),\(place.y)]"
    case .hover(let seat, nil): "\"hover\":[\(seat.value)]"
    case .scroll(let scroll): scroll.fields
    case .key(let key):
      "\"key\":[\(key.seat.value),\"\(key.phase.rawValue)\",\(key.key.rawValue),\(JSONValue.string(key.text).jsonText),"
        + "\(key.modifiers.rawValue),\(key.time.field)]"
    case .keyboardFocus(let seat, let isFocused): "\"focus\":[\(seat.value),\(isFocused)]"
    case .text(let edit): edit.fields
    case .textService(let seat, let service): "\"textService\":[\(seat.value),\"\(service.rawValue)\"]"
    case .gamepad(let event): event.fields
    case .lost(let loss):
      "\"lost\":[\"\(causes.first { $0.value == loss.cause }?.key ?? "")\",\(loss.seat.map { "\($0.value)" } ?? "null")]"
    }
  }

  /// The input of a line; nil if it has none.
  fileprivate static func read(_ line: JSONValue) -> InputEvent? {
    if let touches = line["touches"]?.items {
      let points = touches.compactMap { TouchPoint($0) }
      return points.count == touches.count && !points.isEmpty ? .touches(points) : nil
    }
    if let hover = line["hover"]?.items {
      return SeatID(hover.first).map { .hover($0, Point(hover.dropFirst())) }
    }
    if let scroll = line["scroll"]?.items { return ScrollEvent(scroll).map(InputEvent.scroll) }
    if let key = line["key"]?.items { return KeyEvent(key).map(InputEvent.key) }
    if let focus = line["focus"]?.items {
      guard focus.count == 2, let seat = SeatID(focus[0]), let isFocused = focus[1].bool else { return nil }
      return .keyboardFocus(seat, isFocused)
    }
    if let gamepad = line["gamepad"]?.items { return GamepadEvent(gamepad).map(InputEvent.gamepad) }
    if let text = line["text"]?.items { return TextEdit(text).map(InputEvent.text) }
    if let parts = line["textService"]?.items {
      guard parts.count == 2, let seat = SeatID(parts[0]), let service = parts[1].text.flatMap(TextService.init)
      else { return nil }
      return .textService(seat, service)
    }
    guard let lost = line["lost"]?.items, lost.count == 2,
      let cause = causes.first(where: { $0.key == lost[0].text })?.value
    else { return nil }
    return .lost(InputLoss(cause, seat: SeatID(lost[1])))
  }
}

extension KeyEvent {
  fileprivate init?(_ parts: [JSONValue]) {
    guard parts.count == 6, let seat = SeatID(parts[0]), let phase = parts[1].text.flatMap(Phase.init),
      let symbol = parts[2].whole.flatMap({ UInt32(exactly: $0) }), let text = parts[3].text,
      let modifiers = parts[4].whole.flatMap({ UInt8(exactly: $0) }), let time = MonotonicTime(parts[5])
    else { return nil }
    self.init(
      seat: seat, phase: phase, key: Key(rawValue: symbol), text: text, modifiers: KeyModifiers(rawValue: modifiers),
      time: time)
  }
}

extension SeatID {
  fileprivate init?(_ value: JSONValue?) {
    guard let number = value?.whole.flatMap({ UInt32(exactly: $0) }) else { return nil }
    self.init(number)
  }
}

extension Point {
  /// Reads two numbers; nil if one is beyond 10 million, far more than any screen has.
  fileprivate init?(_ values: some Collection<JSONValue>) {
    let numbers = values.compactMap(\.finiteNumber)
    guard values.count == 2, numbers.count == 2, numbers.allSatisfy({ abs($0) <= 1e7 }) else { return nil }
    self.init(x: numbers[0], y: numbers[1])
  }
}

extension TouchPoint {
  fileprivate var fields: String {
    let contact =
      switch id.contact {
      case .finger(let number): "\"finger\",\(number)"
      case .pointer: "\"pointer\",0"
      case .pen(let number): "\"pen\",\(number)"
      }
    return "[\(id.seat.value),\(contact),\"\(phase.rawValue)\",\(location.x),\(location.y),"
      + "\(pressure.map { "\($0)" } ?? "null"),\(time.field)]"
  }

  fileprivate init?(_ value: JSONValue) {
    guard let parts = value.items, parts.count == 8, let seat = SeatID(parts[0]), let number = parts[2].whole,
      let phase = parts[3].text.flatMap(TouchPoint.Phase.init), let place = Point(parts[4...5]),
      let time = MonotonicTime(parts[7])
    else { return nil }
    let contact: TouchID.Contact
    switch parts[1].text {
    case "finger": contact = .finger(Int32(truncatingIfNeeded: number))
    case "pointer": contact = .pointer
    case "pen": contact = .pen(UInt32(truncatingIfNeeded: number))
    default: return nil
    }
    let pressure = parts[6].finiteNumber.map { $0.clamped(to: 0...1) }
    self.init(
      id: TouchID(seat: seat, contact: contact), phase: phase, location: place, pressure: pressure,
      time: time)
  }
}

extension ScrollEvent {
  fileprivate var fields: String {
    "\"scroll\":[\(seat.value),\"\(phase.rawValue)\",\(location.x),\(location.y),\(dx),\(dy),\(clicksX),"
      + "\(clicksY),\"\(source.rawValue)\",\(isInverted),\(time.field)]"
  }

  fileprivate init?(_ parts: [JSONValue]) {
    guard parts.count == 11, let seat = SeatID(parts[0]), let phase = parts[1].text.flatMap(Phase.init),
      let place = Point(parts[2...3]), let distance = Point(parts[4...5]), let clicks = Point(parts[6...7]),
      let source = parts[8].text.flatMap(Source.init), let isInverted = parts[9].bool,
      let time = MonotonicTime(parts[10])
    else { return nil }
    self.init(
      seat: seat, phase: phase, location: place, dx: distance.x, dy: distance.y, clicksX: clicks.x, clicksY: clicks.y,
      source: source, isInverted: isInverted, time: time)
  }
}

extension GamepadEvent {
  /// The further buttons and the right stick; most gamepads tell none of them.
  private var extras: String {
    let hasExtras = !state.extras.isEmpty || state.rightX != 0 || state.rightY != 0
    return hasExtras ? ",\(state.extras.rawValue),\(state.rightX),\(state.rightY)" : ""
  }

  fileprivate var fields: String {
    "\"gamepad\":[\(seat.value),\"\(phase.rawValue)\",\(state.steering),\(state.throttle),\(state.brake),\(state.handbrake),"
      + "\(state.buttons.rawValue),\(time.field)\(extras)]"
  }

  fileprivate init?(_ parts: [JSONValue]) {
    guard parts.count == 8 || parts.count == 11, let seat = SeatID(parts[0]),
      let phase = parts[1].text.flatMap(Phase.init),
      let steering = parts[2].finiteNumber, -1...1 ~= steering, let time = MonotonicTime(parts[7]),
      let buttons = parts[6].whole.flatMap({ UInt8(exactly: $0) }), buttons & ~GamepadState.Buttons.all.rawValue == 0
    else { return nil }
    let pedals = parts[3...5].compactMap(\.finiteNumber)
    guard pedals.count == 3, pedals.allSatisfy({ 0...1 ~= $0 }) else { return nil }
    var state = GamepadState(
      steering: steering, throttle: pedals[0], brake: pedals[1], handbrake: pedals[2],
      buttons: GamepadState.Buttons(rawValue: buttons))
    if parts.count == 11 {
      let stick = parts[9...10].compactMap(\.finiteNumber)
      guard let extras = parts[8].whole.flatMap({ UInt16(exactly: $0) }),
        extras & ~GamepadState.Extras.all.rawValue == 0, stick.count == 2, stick.allSatisfy({ -1...1 ~= $0 })
      else { return nil }
      (state.extras, state.rightX, state.rightY) = (GamepadState.Extras(rawValue: extras), stick[0], stick[1])
    }
    self.init(seat: seat, phase: phase, state: state, time: time)
  }
}

extension TextEdit {
  fileprivate var fields: String {
    "\"text\":[\(seat.value),\"\(source.rawValue)\",\(deletedBefore),\(deletedAfter),"
      + "\(JSONValue.string(inserted).jsonText),\(JSONValue.string(preedit).jsonText),"
      + "\(preeditSelection.map { "\($0.lowerBound),\($0.upperBound)" } ?? "null,null")"
      + "\(place.map { ",\($0.x),\($0.y)" } ?? "")]"
  }

  fileprivate init?(_ parts: [JSONValue]) {
    guard parts.count == 8 || parts.count == 10, let seat = SeatID(parts[0]),
      let source = parts[1].text.flatMap(Source.init),
      let before = parts[2].whole, let after = parts[3].whole, before >= 0, after >= 0, let inserted = parts[4].text,
      let preedit = parts[5].text
    else { return nil }
    var selection: Range<Int>?
    if let start = parts[6].whole, let end = parts[7].whole {
      guard 0 <= start, start <= end else { return nil }
      selection = start..<end
    }
    var place: Point?
    if parts.count == 10 {
      guard let known = Point(parts[8...9]) else { return nil }
      place = known
    }
    self.init(
      seat: seat, source: source, deletedBefore: before, deletedAfter: after, inserted: inserted, preedit: preedit,
      preeditSelection: selection, place: place)
  }
}
