import Controls

/// A scrolling list of rows of one height, in sections if wanted, with views only for those in sight: there may be a hundred thousand.
///
/// A row in sight keeps its views, focus and fingers while its element has the same identity, wherever other elements come and go. A row that
/// comes in sight uses views of one that left, with states anew.
public struct List<Elements: RandomAccessCollection, ID: Hashable, Row: View>: PrimitiveView, Builtin {
  fileprivate let sections: [Section<Elements, ID, Row>]
  fileprivate let selection: Binding<ID?>?
  fileprivate let rowHeight: Double

  /// A row for each of `elements`, whose identities at `id` differ, each `rowHeight` points high and at least 44. A tap sets `selection`; without
  /// one nothing is selected.
  public init(
    _ elements: Elements, id: KeyPath<Elements.Element, ID>, selection: Binding<ID?>? = nil, rowHeight: Double = 44,
    @ViewBuilder row: @escaping (Elements.Element) -> Row
  ) {
    self.init(selection: selection, rowHeight: rowHeight) {
      Section("") { ForEach(elements, id: id, content: row) }
    }
  }

  /// A row for each of `elements`, which know their identities.
  public init(
    _ elements: Elements, selection: Binding<ID?>? = nil, rowHeight: Double = 44,
    @ViewBuilder row: @escaping (Elements.Element) -> Row
  ) where Elements.Element: Identifiable, ID == Elements.Element.ID {
    self.init(elements, id: \.id, selection: selection, rowHeight: rowHeight, row: row)
  }

  /// The rows of `sections`, each under its title. A tap on a row sets `selection`.
  public init(
    selection: Binding<ID?>? = nil, rowHeight: Double = 44,
    @SectionBuilder sections: () -> [Section<Elements, ID, Row>]
  ) {
    (self.selection, self.rowHeight, self.sections) = (selection, rowHeight, sections())
  }

  func node(over old: Node?, at place: Place) -> Node {
    if let old = old as? ListNode<Elements, ID, Row> {
      old.show(self, at: place)
      return old
    }
    old?.end()
    return ListNode(self, at: place)
  }

  fileprivate var count: Int { sections.reduce(0) { $0 + $1.rows.elements.count } }

  /// The element of a row, with its section.
  fileprivate func element(_ number: Int) -> (Elements.Element, in: ForEach<Elements, ID, Row>)? {
    guard number >= 0 else { return nil }
    var rest = number
    for section in sections {
      let elements = section.rows.elements
      if rest < elements.count { return (elements[elements.index(elements.startIndex, offsetBy: rest)], section.rows) }
      rest -= elements.count
    }
    return nil
  }

  fileprivate func identity(_ number: Int) -> ID? {
    element(number).map { element, rows in element[keyPath: rows.id] }
  }
}

/// The place of a list.
private final class ListNode<Elements: RandomAccessCollection, ID: Hashable, Row: View>: ActiveNode {
  private var description: List<Elements, ID, Row>
  private var look: Look
  private let list = ListView()
  private var rows: [ObjectIdentifier: RowNode<ID>] = [:]

  init(_ description: List<Elements, ID, Row>, at place: Place) {
    (self.description, look) = (description, place.look)
    super.init(place)
    (list.grow, list.shrink) = (1, 1)
    list.showRow = { [unowned self] in show(rowView: $0, $1) }
    list.addAction(for: .valueChanged) { [unowned self] _ in choose() }
    list.onDrop = { [unowned self] in rows.removeValue(forKey: ObjectIdentifier($0))?.end() }
    show(description, at: place)
  }

  func show(_ new: List<Elements, ID, Row>, at place: Place) {
    (description, look) = (new, place.look)
    put(new.rowHeight, over: list.rowHeight) { list.rowHeight = $0 }
    let numbers = numbers(of: rows.values.map { ($0.id, $0.number) })
    let sections = new.sections.map { ListSection($0.title, rowCount: $0.rows.elements.count) }
    list.renumber(count: new.count, sections: sections.allSatisfy(\.title.isEmpty) ? [] : sections) { [rows] in
      rows[ObjectIdentifier($0)].flatMap { numbers[$0.id] }
    }
    look.settings.apply(to: list)
    put(look.environment.isEnabled, over: list.isEnabled) { list.isEnabled = $0 }
    refresh()
  }

  /// Shows the selection.
  override func refresh() {
    super.refresh()
    var id: ID?
    tracker.track(self) { id = description.selection?.wrappedValue }
    let number = id.flatMap { id in numbers(of: [(id, list.selectedIndex)])[id] }
    put(number ?? -1, over: list.selectedIndex) { list.selectedIndex = $0 }
  }

  private func choose() {
    if let selection = description.selection, let id = description.identity(list.selectedIndex) {
      selection.wrappedValue = id
    }
    setNeedsUpdate()
  }

  /// The numbers that elements of these identities have now. They had the numbers beside them: where none has moved, no other is looked at.
  private func numbers(of known: [(id: ID, number: Int)]) -> [ID: Int] {
    var found: [ID: Int] = [:]
    var missing: Set<ID> = []
    for (id, number) in known {
      if description.identity(number) == id { found[id] = number } else { missing.insert(id) }
    }
    guard !missing.isEmpty else { return found }
    var start = 0
    for rows in description.sections.lazy.map(\.rows) where !missing.isEmpty {
      for (number, element) in rows.elements.enumerated() {
        guard let id = missing.remove(element[keyPath: rows.id]) else { continue }
        found[id] = start + number
        if missing.isEmpty { break }
      }
      start += rows.elements.count
    }
    return found
  }

  private func show(rowView: ListRow, _ number: Int) {
    guard let (element, section) = description.element(number) else { return }
    let id = element[keyPath: section.id]
    let place = Place(hub: hub, parent: self, look: look.inner)
    let row = rows[ObjectIdentifier(rowView)] ?? RowNode(place, rowView, id)
    rows[ObjectIdentifier(rowView)] = row
    row.show(ElementView(element: element, content: section.content), id, number, place)
  }

  override func collect(into views: inout [Controls.View]) { views.append(list) }

  override func end() {
    super.end()
    for row in rows.values { row.end() }
  }
}

/// The place of a row in sight.
private final class RowNode<ID: Hashable>: Node {
  private(set) var id: ID
  private(set) var number = 0
  private unowned let row: ListRow
  private let host = FrameStack()
  private var child: Node?

  init(_ place: Place, _ row: ListRow, _ id: ID) {
    (self.row, self.id) = (row, id)
    super.init(place)
    host.anchors = LayoutAnchors(margins: EdgeInsets(top: 0, left: 16, bottom: 0, right: 16))
    row.addSubview(host)
  }

  func show(_ description: some View, _ id: ID, _ number: Int, _ place: Place) {
    let isAnother = id != self.id
    (self.id, self.number) = (id, number)
    // Out of the tree the focus goes, and nothing is animated from the one element to the other.
    if isAnother { host.removeFromSuperview() }
    child = build(description, over: child, at: Place(hub: hub, parent: self, look: place.look, isAnew: isAnother))
    hub.hasNewStructure = true
    childDidChange()
    if isAnother { row.addSubview(host) }
  }

  /// A screen reader reads the row by its texts.
  override func childDidChange() {
    if hub.hasNewStructure, let child { arrange(child, in: host) }
    let text = Self.texts(in: host).joined(separator: ", ")
    if row.accessibilityLabel != text { row.accessibilityLabel = text }
  }

  private static func texts(in view: Controls.View) -> [String] {
    view.accessibilityRole == .label
      ? [view.accessibilityLabel ?? ""] : view.subviews.filter { !$0.isHidden }.flatMap { texts(in: $0) }
  }

  override func end() {
    super.end()
    child?.end()
  }
}
