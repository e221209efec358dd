/// The rows of a menu, shown by a `Presentation`. A finger that slides over them highlights rows and picks the one on which it
/// is lifted. A hovering pointer highlights rows too, and keys work as `MenuModel` says.
final class Menu: Control {
  var onPick: ((Int) -> Void)?
  /// Called when it is to close without a choice.
  var onClose: (() -> Void)?

  private(set) var model: MenuModel
  private let list = ScrollView()
  private let rows: [MenuRow]

  /// The padding above the first row and below the last, in points.
  private static let padding = 4.0

  /// Creates a menu of `titles` with the index of the current choice; nil for a menu of commands, which has none.
  init(_ titles: [String], chosen: Int?) {
    model = MenuModel(titles, chosen: chosen ?? -1)
    rows = titles.map { MenuRow($0, hasRoomForMark: chosen != nil) }
    super.init(frame: .zero)
    name = "menu"
    addSubview(list)
    for (index, row) in rows.enumerated() {
      row.isChosen = index == chosen
      row.onHover = { [unowned self] in light(index) }
      row.onPress = { [unowned self] in onPick?(index) }
      list.contentView.addSubview(row)
    }
    showLit()
  }

  func size(in theme: Theme, atLeast width: Double) -> Size {
    Size(
      width: max(width, rows.map { $0.width(in: theme) }.max() ?? 0),
      height: Double(rows.count) * Control.minimumTouchSide + 2 * Self.padding)
  }

  override func layoutSubviews() {
    list.frame = bounds.insetBy(dx: 0, dy: Self.padding)
    let height = Control.minimumTouchSide
    for (index, row) in rows.enumerated() {
      row.frame = Rect(x: 0, y: Double(index) * height, width: bounds.width, height: height)
    }
    list.contentSize = Size(width: bounds.width, height: Double(rows.count) * height)
    list.layoutIfNeeded()
    showLit()
  }

  /// Tab does not stop at it: keys go to what opened it.
  override var canBecomeFirstResponder: Bool { false }
  override var dragAxes: Axes { [] }
  override var cursor: CursorShape { .arrow }

  override func draw(_ canvas: Canvas) {
    canvas.fill(roundedRect: bounds, cornerRadius: 10, theme.panel)
    canvas.stroke(roundedRect: bounds.insetBy(dx: 0.5, dy: 0.5), cornerRadius: 9.5, theme.hairline)
  }

  // MARK: Rows

  private func row(at point: Point) -> Int? {
    guard bounds.contains(point) else { return nil }
    let place = list.contentView.convert(point, from: self)
    return rows.firstIndex { $0.frame.contains(place) }
  }

  private func light(_ row: Int?) {
    model.lit = row
    showLit()
  }

  private func showLit() {
    for (index, row) in rows.enumerated() { row.isLit = index == model.lit }
    if root != nil, let lit = model.lit { rows[lit].scrollIntoView() }
  }

  // MARK: Fingers and keys

  override func beginTracking(_ touch: Touch) -> Bool { continueTracking(touch) }

  override func continueTracking(_ touch: Touch) -> Bool {
    slide(to: touch.location(in: self))
    return true
  }

  override func endTracking(_ touch: Touch) { lift(at: touch.location(in: self)) }

  override func cancelTracking(_ touch: Touch?) { light(nil) }

  func slide(to point: Point) { light(row(at: point)) }

  func lift(at point: Point) {
    if let row = row(at: point) { onPick?(row) }
  }

  override func handleKey(_ event: KeyEvent) -> Bool {
    guard event.phase == .down || event.phase == .repeated, takesKey(event) else { return false }
    switch model.press(event.key, text: event.text, at: root?.now ?? event.time) {
    case .pick(let row): onPick?(row)
    case .close: onClose?()
    case .stay: showLit()
    case nil: return false
    }
    return true
  }
}

/// A row of a menu: a name, with a mark where it is the present choice. Its fingers are the menu's.
private final class MenuRow: View {
  private static let trailing = 20.0

  let title: String
  private let leading: Double
  var isChosen = false
  var isLit = false {
    didSet {
      guard isLit != oldValue else { return }
      setNeedsDisplay()
      // In a popup it is no part of the tree that assistive technology watches.
      accessibilityRoot?.note(.tree(self))
    }
  }
  /// Called when assistive technology chooses the row.
  var onPress: (() -> Void)?
  var onHover: (() -> Void)?

  init(_ title: String, hasRoomForMark: Bool) {
    self.title = title
    leading = hasRoomForMark ? 36 : Self.trailing
    super.init(frame: .zero)
  }

  func width(in theme: Theme) -> Double {
    (leading + FontLibrary.shared.layout(title, font: theme.font(.body)).size.width + Self.trailing).rounded(.up)
  }

  override func hoverDidChange() { if isHovered { onHover?() } }

  override var accessibilityRole: AccessibilityRole { .menuItem }
  override var accessibilityTitle: String { title }
  override var accessibilityActions: [AccessibilityAction] {
    [AccessibilityAction("press", title: AccessibilityWords.current.press) { [unowned self] in onPress?() }]
  }
  override var isAccessibilitySelected: Bool { isLit }
  override var isAccessibilityFocused: Bool { isLit && accessibilityParent?.isFirstResponder ?? false }

  override func draw(_ canvas: Canvas) {
    if isLit { canvas.fill(roundedRect: bounds.insetBy(dx: 4, dy: 1), cornerRadius: 7, theme.accent) }
    let color = isLit ? theme.onAccent : theme.label
    let text = FontLibrary.shared.layout(title, font: theme.font(.body))
    draw(text, leading: leading, y: (bounds.height - text.size.height) / 2, color, on: canvas)
    guard isChosen else { return }
    let mark = [Point(x: 13, y: 0), Point(x: 17.5, y: 4.5), Point(x: 26, y: -5)].map { point in
      effectiveLayoutDirection.point(Point(x: point.x, y: bounds.midY + point.y), in: bounds.width)
    }
    canvas.stroke(Path(line: mark), color, width: 2)
  }
}
