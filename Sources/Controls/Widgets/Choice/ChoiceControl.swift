/// One of a few names, all visible: segments in one row, or in several rows if the names need it.
///
/// A tap on a segment chooses it when the finger is lifted; arrows, Home and End choose at once. Only a changed choice by the
/// user sends `valueChanged`.
@ListsProperties
public final class ChoiceControl: SelectionControl {
  private static let padding = 12.0
  private static let pillKey = "pill"

  private var pressedIndex: Int?
  /// The start frame of the moving selection mark, and its progress.
  private var pillStart: Rect?
  private var pillFraction = 1.0

  override func willChoose() {
    guard selectedTitle != nil, let root, !root.prefersReducedMotion else { return }
    pillStart = pill
    addAnimation(Animation(duration: .milliseconds(180), curve: .easeInOut), forKey: Self.pillKey) { [weak self] in
      self?.pillFraction = $0
      self?.setNeedsDisplay()
    } completion: { [weak self] _ in
      if self?.hasAnimation(forKey: Self.pillKey) == false { self?.pillStart = nil }
    }
  }

  // MARK: Geometry

  private var font: Font { theme.font(.caption, weight: .medium) }

  private func layout(_ title: String) -> TextLayout { FontLibrary.shared.layout(title, font: font) }

  private var widths: [Double] { titles.map { layout($0).size.width.rounded(.up) + 2 * Self.padding } }

  private var geometry: ChoiceGeometry {
    ChoiceGeometry(widths: widths, size: bounds.size, direction: effectiveLayoutDirection)
  }

  /// As wide as the names need, but no wider than `size`, with as many rows as that takes.
  public override func sizeThatFits(_ size: Size) -> Size {
    let widths = widths
    let wanted = max(widths.reduce(0, +), 44)
    let width = size.width.isFinite && size.width > 0 ? min(size.width, wanted) : wanted
    let rows = ChoiceGeometry.rows(widths, in: width).rows
    return Size(width: width, height: rows <= 1 ? 36 : Double(rows) * ChoiceGeometry.rowHeight)
  }

  // MARK: Fingers and keys

  /// A choice is tapped, not dragged.
  public override var dragAxes: Axes { [] }

  public override func beginTracking(_ touch: Touch) -> Bool { continueTracking(touch) }

  public override func continueTracking(_ touch: Touch) -> Bool {
    press(touch)
    return true
  }

  public override func endTracking(_ touch: Touch) {
    press(touch)
    let index = pressedIndex
    pressedIndex = nil
    setNeedsDisplay()
    if let index { choose(index) }
  }

  public override func cancelTracking(_ touch: Touch?) {
    pressedIndex = nil
    setNeedsDisplay()
  }

  private func press(_ touch: Touch) {
    let point = touch.location(in: self)
    let index = self.point(inside: point) ? geometry.index(at: point) : nil
    if index != pressedIndex { setNeedsDisplay() }
    pressedIndex = index
  }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard takesKey(event) else { return false }
    switch event.key {
    case .left, .right, .home, .end: break
    case .up, .down: if geometry.rowCount < 2 { return false }
    default: return false
    }
    if event.phase == .down || event.phase == .repeated {
      let current = selectedTitle == nil ? nil : selectedIndex
      if let index = geometry.index(after: current, key: event.key, direction: effectiveLayoutDirection) {
        choose(index)
      }
    }
    return true
  }

  // MARK: Drawing

  /// The frame of the selection mark.
  private var pill: Rect? {
    let frames = geometry.frames
    guard frames.indices.contains(selectedIndex) else { return nil }
    let goal = frames[selectedIndex].insetBy(dx: 3, dy: 3)
    return pillStart.map { $0.mixed(with: goal, pillFraction) } ?? goal
  }

  public override func draw(_ canvas: Canvas) {
    let titles = titles
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    canvas.fill(Path(roundedRect: bounds, cornerRadius: 9), theme.fill)
    let frames = geometry.frames
    if let pill { canvas.fill(Path(roundedRect: pill, cornerRadius: 6), theme.accent) }
    if let pressedIndex, frames.indices.contains(pressedIndex) {
      let place = frames[pressedIndex].insetBy(dx: 3, dy: 3)
      canvas.fill(Path(roundedRect: place, cornerRadius: 6), theme.pressed)
      canvas.stroke(Path(roundedRect: place.insetBy(dx: 0.5, dy: 0.5), cornerRadius: 5.5), theme.accent, width: 1)
    }
    for (title, frame) in zip(titles, frames) {
      let isChosen = titles.indices.contains(selectedIndex) && frames[selectedIndex] == frame
      let text = layout(title)
      canvas.saved {
        if text.size.width > frame.width { canvas.clip(to: frame) }
        canvas.draw(text, at: frame.center, isChosen ? theme.onAccent : theme.label, anchor: .center)
      }
    }
  }
}
