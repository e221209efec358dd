/// A tree as a scrolling list: branches open and close, one item may be selected.
///
/// A tap on a row selects it; a tap on its triangle opens or closes it. With the focus, which a tap moves there, Up, Down, Page
/// Up, Page Down, Home and End move the selection, Left and Right close and open (reversed in right-to-left layout). Only a
/// selection by the user sends `valueChanged`. Only the visible rows exist as views, so that a tree may have tens of thousands
/// of items. Items are set in code: layout files cannot contain them.
@ListsProperties
public final class OutlineList: Control {
  /// The height of a row, in points; at least 44, for fingers.
  @Inspectable(.layout, normalise: { max($0, Control.minimumTouchSide) }) public var rowHeight = 44.0
  /// The indentation of each level, in points.
  @Inspectable(.layout, limits: 0...100) public var indentation = 16.0

  private var model = OutlineModel() {
    didSet { setNeedsLayout() }
  }
  let scrollView = ScrollView()
  private lazy var window = RowWindow { [unowned self] in makeRow() }
  private var observation: ObservationToken?
  /// Whether the next layout scrolls to the selection.
  private var showsSelection = false

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    scrollView.scrollsHorizontally = false
    addSubview(scrollView)
    observation = scrollView.observe(\ScrollView.contentOffset) { [weak self] _ in self?.placeRows() }
  }

  // MARK: The tree

  /// The outermost items. After a change, items that still exist stay open or selected.
  public var items: [OutlineItem] {
    get { model.items }
    set { model.items = newValue }
  }

  /// The rows as they are open now, from the top.
  public var rows: [OutlineModel.Row] { model.rows }

  /// The number of the selected item; nil if none is selected. Setting it opens the item's ancestors, scrolls to it and sends no
  /// event; an unknown number is ignored.
  public var selection: Int? {
    get { model.selection }
    set {
      model.select(newValue)
      showSelection()
    }
  }

  /// Opens everything down to `depth` levels; `Int.max` for all.
  public func open(levels depth: Int) { model.open(levels: depth) }

  /// Opens or closes the item `id`. A selection inside a closed item moves to that item; that sends no event.
  public func setOpen(_ isOpen: Bool, _ id: Int) { model.setOpen(isOpen, id) }

  public override var ownEvents: Event { .valueChanged }

  /// Applies a user's action, and sends `valueChanged` if it changed the selection.
  private func change(_ body: (inout OutlineModel) -> Void) {
    let old = model.selection
    body(&model)
    guard model.selection != old else { return }
    showSelection()
    sendActions(for: .valueChanged)
  }

  // MARK: Rows

  private var contentHeight: Double { Double(model.rows.count) * rowHeight }

  /// As wide as requested, and as high as its rows or the requested height, whichever is less.
  public override func sizeThatFits(_ size: Size) -> Size {
    let width = size.width.isFinite && size.width > 0 ? size.width : 240
    return Size(width: width, height: size.height > 0 ? min(size.height, contentHeight) : contentHeight)
  }

  public override func layoutSubviews() {
    scrollView.frame = bounds
    scrollView.contentSize = Size(width: max(bounds.width, 1), height: max(contentHeight, 1))
    scrollView.layoutIfNeeded()
    if showsSelection, !bounds.isEmpty, let row = model.selectedRow {
      showsSelection = false
      scrollView.scrollRectToVisible(
        Rect(x: 0, y: Double(row) * rowHeight, width: 1, height: rowHeight), animated: false)
    }
    placeRows()
  }

  /// Assigns a view to each visible row, reusing those of rows that are out of sight.
  private func placeRows() {
    let rows = model.rows
    let shown = RowWindow<OutlineRow>.rows(
      from: scrollView.contentOffset.y, height: bounds.height, rowHeight: rowHeight, count: rows.count)
    // A row keeps its view while a finger holds it.
    window.show(shown, keeps: \.isTracking) { index, view in
      view.row = rows[index]
      view.isSelected = rows[index].item.id == model.selection
      view.indentation = indentation
      view.frame = Rect(x: 0, y: Double(index) * rowHeight, width: bounds.width, height: rowHeight)
    }
  }

  private func makeRow() -> OutlineRow {
    let row = OutlineRow()
    row.onTap = { [unowned self] in tapped($0, onTriangle: $1) }
    scrollView.contentView.addSubview(row)
    return row
  }

  private func tapped(_ row: OutlineModel.Row, onTriangle: Bool) {
    becomeFirstResponder()
    let id = row.item.id
    change {
      if onTriangle, row.hasChildren { $0.setOpen(!row.isOpen, id) } else { $0.select(id) }
    }
  }

  /// Scrolls to the selection at the next layout, which knows the position of its row.
  private func showSelection() {
    showsSelection = true
    setNeedsLayout()
  }

  // MARK: Control

  /// False: the rows take the touches.
  public override func beginTracking(_ touch: Touch) -> Bool { false }

  /// Empty: the scroll view inside handles drags.
  public override var dragAxes: Axes { [] }

  public override var losesFocusToTouchesOutside: Bool { true }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard takesKey(event) else { return false }
    var next = model
    let key = effectiveLayoutDirection.key(event.key)
    guard next.handle(key, page: max(Int(clamping: bounds.height / rowHeight), 1)) else { return false }
    if event.phase == .down || event.phase == .repeated { change { $0 = next } }
    return true
  }

  public override var accessibilityRole: AccessibilityRole { .list }

  public override var inspection: Inspection {
    super.inspection.adding([
      "rows": .number(Double(model.rows.count)),
      "selected": model.selectedRow.map { .string(model.rows[$0].item.title) },
    ])
  }
}
