import Controls

/// The events, in order.
final class Log {
  var lines: [String] = []

  func add(_ line: String) { lines.append(line) }

  /// The lines since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A view that counts and colours.
class ProbeView: View {
  var layouts = 0
  var draws = 0
  var staticDraws = 0
  var color = Color(hex: 0x336699)
  var log: Log?
  var takesTouches = false
  var shape: ((Point) -> Bool)?
  var onLayout: (() -> Void)?

  override func layoutSubviews() {
    layouts += 1
    onLayout?()
  }

  override func draw(_ canvas: Canvas) {
    draws += 1
    canvas.fill(Path(ellipseIn: bounds), color)
  }

  override func point(inside point: Point) -> Bool { shape?(point) ?? super.point(inside: point) }

  override func touchesBegan(_ touches: [Touch]) { tell("began", touches) { super.touchesBegan(touches) } }
  override func touchesMoved(_ touches: [Touch]) { tell("moved", touches) { super.touchesMoved(touches) } }
  override func touchesEnded(_ touches: [Touch]) { tell("ended", touches) { super.touchesEnded(touches) } }
  override func touchesCancelled(_ touches: [Touch]) { tell("cancelled", touches) { super.touchesCancelled(touches) } }

  private func tell(_ what: String, _ touches: [Touch], pass: () -> Void) {
    log?.add("\(name) \(what) \(touches.count)")
    if !takesTouches { pass() }
  }
}

/// A view with a static drawing under its moving one.
final class StaticProbeView: ProbeView {
  var isOpaqueGround = false

  override var hasStaticDrawing: Bool { true }
  override var isStaticDrawingOpaque: Bool { isOpaqueGround }

  override func drawStatic(_ canvas: Canvas) {
    staticDraws += 1
    if isOpaqueGround { canvas.fill(Color(hex: 0x202830)) }
    canvas.stroke(Path(ellipseIn: bounds.insetBy(dx: 3, dy: 3)), .white, width: 2)
  }
}

/// A control that writes down tracking and events.
class ProbeControl: Control {
  let log: Log
  var begins = true
  var continues = true
  var pressable = false

  init(_ name: String, frame: Rect = Rect(x: 0, y: 0, width: 40, height: 40), log: Log) {
    self.log = log
    super.init(frame: frame)
    self.name = name
    addAction(for: .allEvents) { _ in }
  }

  override var hasPrimaryAction: Bool { pressable }

  override func beginTracking(_ touch: Touch) -> Bool {
    log.add("\(name) begin")
    return begins
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    log.add("\(name) continue")
    return continues
  }

  override func endTracking(_ touch: Touch) { log.add("\(name) end") }
  override func cancelTracking(_ touch: Touch?) { log.add("\(name) cancel") }

  override func draw(_ canvas: Canvas) {
    let color: Color = isHighlighted ? .white : isEnabled ? Color(hex: 0x445566) : Color(hex: 0x222222)
    canvas.fill(Path(roundedRect: bounds, cornerRadius: 6), color)
  }

  /// Writes the names of all events down.
  func logEvents() {
    let events: [(Control.Event, String)] = [
      (.touchDown, "touchDown"), (.touchDragInside, "dragInside"), (.touchDragOutside, "dragOutside"),
      (.touchDragEnter, "dragEnter"), (.touchDragExit, "dragExit"), (.touchUpInside, "upInside"),
      (.touchUpOutside, "upOutside"), (.touchCancel, "touchCancel"), (.primaryActionTriggered, "primary"),
    ]
    for (event, text) in events {
      addAction(for: event) { [log, name] _ in log.add("\(name) \(text)") }
    }
  }
}
