// The control of docs/write-your-own-control.md. The page quotes this file; a test compares them.

import Controls
import Glibc

/// A dial that turns a value from 0 to 1 over three quarters of a circle.
///
/// A person's change sends `valueChanged`; a drag or a held key begins with `editingDidBegin` and ends with
/// `editingDidEnd`, or `editingDidCancel` when the finger was taken away. Setting `value` in code sends nothing.
@ListsProperties
final class Dial: Control {
  /// The value, 0...1; 0 by default.
  @Inspectable(.display, limits: 0...1) var value = 0.0
  /// The colour of the part of the scale below the value; nil for the theme's.
  @Inspectable(.display) var scaleTintColor: Color?

  private var drag: DialDrag?
  private var heldKeys: Set<Key> = []

  // MARK: Fingers

  override func beginTracking(_ touch: Touch) -> Bool {
    drag = DialDrag(value: value, angle: angle(of: touch))
    return true
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    if let new = drag?.move(to: angle(of: touch)) { change(to: new) }
    return true
  }

  override func endTracking(_ touch: Touch) { drag = nil }

  override func cancelTracking(_ touch: Touch?) { drag = nil }

  /// A finger or a key changes the value: `Control` tells when that begins and ends.
  override var isBeingEdited: Bool { isTracking || !heldKeys.isEmpty }

  /// The finger may leave the dial and still turns it.
  override var staysHighlightedOutside: Bool { true }

  private func angle(of touch: Touch) -> Double {
    let place = touch.location(in: self)
    return atan2(place.x - bounds.midX, bounds.midY - place.y) * 180 / .pi
  }

  private func change(to new: Double) {
    let old = value
    value = new
    if value != old { sendActions(for: .valueChanged) }
  }

  // MARK: Keys

  override func handleKey(_ event: KeyEvent) -> Bool {
    let step: Double
    switch event.key {
    case .up, .right: step = 0.05
    case .down, .left: step = -0.05
    default: return super.handleKey(event)
    }
    switch event.phase {
    case .down, .repeated:
      heldKeys.insert(event.key)
      noteEditing()
      // Whoever heard of that may have disabled the dial, which takes the key away.
      if heldKeys.contains(event.key) { change(to: value + step) }
    case .up, .cancelled:
      heldKeys.remove(event.key)
      noteEditing(isCancelled: event.phase == .cancelled)
    }
    return true
  }

  // MARK: Shape

  /// Only the round part takes fingers; a small dial takes them in 44 points.
  override func point(inside point: Point) -> Bool {
    point.distance(to: bounds.center) < max(radius, 22)
  }

  override func sizeThatFits(_ size: Size) -> Size {
    let side = min(size.width, size.height, 120)
    return Size(width: side, height: side)
  }

  private var radius: Double { min(bounds.width, bounds.height) / 2 }

  // MARK: Drawing

  override func draw(_ canvas: Canvas) {
    canvas.multiplyAlpha(isEnabled ? 1 : theme.disabledAlpha)
    let width = radius * 0.14
    let style = StrokeStyle(width: width, cap: .round)
    canvas.stroke(scale(to: 1, radius - width), theme.track, style)
    if value > 0 { canvas.stroke(scale(to: value, radius - width), scaleTintColor ?? theme.trackHighlight, style) }
    let knob = Path(circleAt: bounds.center, radius: radius - 2.4 * width)
    canvas.fill(knob, theme.fill)
    if isHighlighted { canvas.fill(knob, theme.pressed) }
    canvas.stroke(knob, theme.thumbOutline, width: 1)
    canvas.saved {
      canvas.rotate(radians(of: value) + .pi / 2, around: bounds.center)
      let mark = Rect(
        x: bounds.midX - width / 4, y: bounds.midY - radius + 3 * width, width: width / 2, height: 1.6 * width)
      canvas.fill(Path(roundedRect: mark, cornerRadius: width / 4), theme.label)
    }
  }

  private func scale(to value: Double, _ radius: Double) -> Path {
    var path = Path()
    path.addArc(center: bounds.center, radius: radius, from: radians(of: 0), to: radians(of: value))
    return path
  }

  /// Where a value lies, in radians clockwise from the right, as paths count.
  private func radians(of value: Double) -> Double {
    (DialDrag.sweep * (value - 0.5) - 90) * .pi / 180
  }

  // MARK: For tools and people who do not see

  override var inspection: Inspection {
    var inspection = super.inspection
    inspection.values["value"] = .number(value)
    return inspection
  }
}
