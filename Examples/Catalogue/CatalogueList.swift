import Controls
import UICore

/// Names in sections, one of them selected by a tap, or by arrows, Home and End. It is as high as its rows (`sizeThatFits`).
final class CatalogueList: Control {
  static let rowHeight = 44.0
  private static let headingHeight = 40.0
  private static let margin = 8.0

  private var headings: [(title: String, y: Double)] = []
  private var rows: [(name: String, y: Double)] = []
  private var height = 0.0
  /// All names, from the top.
  var names: [String] { rows.map(\.name) }
  @Redraws private var pressed: String?

  /// The selected name. Setting it sends no event.
  @Redraws var selection: String?

  /// A list of names under headings.
  init(_ sections: KeyValuePairs<String, [String]>) {
    super.init(frame: .zero)
    for (title, names) in sections where !names.isEmpty {
      headings.append((title, height))
      height += Self.headingHeight
      for name in names {
        rows.append((name, height))
        height += Self.rowHeight
      }
    }
  }

  override func sizeThatFits(_ size: Size) -> Size { Size(width: size.width, height: height + Self.margin) }

  /// The row of `name`; nil if it is not listed.
  func rect(of name: String) -> Rect? {
    rows.first { $0.name == name }.map { Rect(x: 0, y: $0.y, width: bounds.width, height: Self.rowHeight) }
  }

  private func name(at point: Point) -> String? { names.first { rect(of: $0)?.contains(point) ?? false } }

  private func choose(_ name: String) {
    guard name != selection else { return }
    selection = name
    sendActions(for: .valueChanged)
  }

  // MARK: Accessibility

  override var accessibilityRole: AccessibilityRole { .list }
  /// Each name chooses itself.
  override var accessibilityActions: [AccessibilityAction] {
    names.map { name in AccessibilityAction(name, title: name) { [unowned self] in choose(name) } }
  }
  override var accessibilityTitle: String { selection ?? name }

  // MARK: Fingers and keys

  /// A row is tapped; a drag belongs to the scroll view.
  override var dragAxes: Axes { [] }

  override func beginTracking(_ touch: Touch) -> Bool {
    pressed = name(at: touch.location(in: self))
    return pressed != nil
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    pressed = name(at: touch.location(in: self))
    return true
  }

  override func endTracking(_ touch: Touch) {
    let name = pressed
    pressed = nil
    if let name { choose(name) }
  }

  override func cancelTracking(_ touch: Touch?) { pressed = nil }

  override func handleKey(_ event: KeyEvent) -> Bool {
    guard event.modifiers.isDisjoint(with: [.control, .alt, .logo]), !names.isEmpty else { return false }
    let current = selection.flatMap { names.firstIndex(of: $0) } ?? 0
    let wanted: Int
    switch event.key {
    case .up: wanted = current - 1
    case .down: wanted = current + 1
    case .home: wanted = 0
    case .end: wanted = names.count - 1
    default: return false
    }
    if event.phase == .down || event.phase == .repeated { choose(names[min(max(wanted, 0), names.count - 1)]) }
    return true
  }

  /// The row has the ring, not the whole list.
  override var showsFocusItself: Bool { true }

  // MARK: Drawing

  override func draw(_ canvas: Canvas) {
    for (title, y) in headings {
      let text = FontLibrary.shared.layout(title, font: theme.font(.caption, weight: .semibold))
      let end = y + Self.headingHeight - 8
      draw(text, leading: 16, y: end - text.size.height, theme.accent, on: canvas)
    }
    for (name, _) in rows { if let row = rect(of: name) { drawRow(canvas, name, row) } }
  }

  private func drawRow(_ canvas: Canvas, _ name: String, _ row: Rect) {
    let ground = row.insetBy(dx: Self.margin, dy: 2)
    let shape = Path(roundedRect: ground, cornerRadius: 8)
    let isSelected = name == selection
    if isSelected {
      canvas.fill(shape, theme.fill)
      let bar = Rect(x: Self.margin, y: ground.minY + 10, width: 3, height: ground.height - 20)
      canvas.fill(
        Path(roundedRect: mirrored(bar), cornerRadius: 1.5), theme.accent)
    }
    if name == pressed { canvas.fill(shape, isSelected ? theme.pressed : theme.fill.withAlpha(0.6)) }
    if isSelected, isFocused {
      canvas.stroke(Path(roundedRect: ground.insetBy(dx: 1, dy: 1), cornerRadius: 7), theme.accent, width: 2)
    }
    let font = Font(size: 14, weight: isSelected ? .semibold : .regular)
    let text = TextLayout(name, font: font, limits: TextLimits(width: max(ground.width - 14, 0), lineCount: 1))
    draw(
      text, leading: 18, y: (row.minY + (row.height - text.size.height) / 2).rounded(),
      isSelected ? theme.label : theme.secondaryLabel, on: canvas)
  }

  override var inspection: Inspection {
    super.inspection.adding(["selection": .string(selection ?? ""), "names": .string(names.joined(separator: ", "))])
  }
}
