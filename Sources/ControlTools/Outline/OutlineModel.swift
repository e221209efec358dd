/// An item of a tree, with its children.
nonisolated public struct OutlineItem: Hashable, Sendable {
  /// A number that is unique in the tree.
  public var id: Int
  /// The text of the item's row.
  public var title: String
  /// The text beside the title.
  public var detail: String
  /// Whether the row is dimmed, as for an item that exists but is not visible.
  public var isDimmed: Bool
  /// The items one level below, in order; empty for an item that cannot be opened.
  public var children: [OutlineItem]

  /// An item; by default one without details, not dimmed and without children.
  public init(id: Int, title: String, detail: String = "", isDimmed: Bool = false, children: [OutlineItem] = []) {
    (self.id, self.title, self.detail) = (id, title, detail)
    (self.isDimmed, self.children) = (isDimmed, children)
  }
}

/// The state of an outline: a tree, its open branches and its selected item.
nonisolated public struct OutlineModel: Hashable, Sendable {
  /// One row of the list.
  public struct Row: Hashable, Sendable {
    /// The item, without its children.
    public var item: OutlineItem
    /// The depth; 0 for the outermost.
    public var depth: Int
    /// True if it has children.
    public var hasChildren: Bool
    /// True if its children are shown.
    public var isOpen: Bool
  }

  private var parents: [Int: Int] = [:]
  private var open: Set<Int> = []

  /// The rows, from the top.
  public private(set) var rows: [Row] = []
  /// The number of the selected item; nil if there is no selection.
  public private(set) var selection: Int?

  /// The outermost items. After a change, items that still exist stay open or selected; if the selected item no longer exists,
  /// the selection becomes nil.
  public var items: [OutlineItem] = [] {
    didSet {
      guard items != oldValue else { return }
      parents = [:]
      var known: Set<Int> = []
      for item in items { note(item, in: nil, &known) }
      open.formIntersection(known)
      if let selection, !known.contains(selection) { self.selection = nil }
      update()
    }
  }

  /// An empty tree.
  public init() {}

  private mutating func note(_ item: OutlineItem, in parent: Int?, _ known: inout Set<Int>) {
    known.insert(item.id)
    if let parent { parents[item.id] = parent }
    for child in item.children { note(child, in: item.id, &known) }
  }

  private mutating func update() {
    var rows: [Row] = []
    func add(_ items: [OutlineItem], _ depth: Int) {
      for item in items {
        let isOpen = open.contains(item.id) && !item.children.isEmpty
        var plain = item
        plain.children = []
        rows.append(Row(item: plain, depth: depth, hasChildren: !item.children.isEmpty, isOpen: isOpen))
        if isOpen { add(item.children, depth + 1) }
      }
    }
    add(items, 0)
    self.rows = rows
  }

  /// The row that shows the item `id`; nil if it is not shown.
  public func row(of id: Int?) -> Int? { rows.firstIndex { $0.item.id == id } }

  /// The row that shows the selected item; nil if no row does.
  public var selectedRow: Int? { selection == nil ? nil : row(of: selection) }

  // MARK: Opening

  /// Opens or closes the item `id`, if it is shown and has children. A selection inside a closed item moves to that item.
  public mutating func setOpen(_ isOpen: Bool, _ id: Int) {
    guard open.contains(id) != isOpen, let row = row(of: id), rows[row].hasChildren else { return }
    if isOpen { open.insert(id) } else { open.remove(id) }
    update()
    if !isOpen, selection != nil, selectedRow == nil { selection = id }
  }

  /// Opens everything down to `depth` levels; `Int.max` for all.
  public mutating func open(levels depth: Int) {
    func ids(_ items: [OutlineItem], _ left: Int) -> [Int] {
      left <= 0 ? [] : items.flatMap { [$0.id] + ids($0.children, left - 1) }
    }
    open.formUnion(ids(items, depth))
    update()
  }

  /// Selects the item `id` and opens its ancestors; nil clears the selection, and an unknown number is ignored.
  public mutating func select(_ id: Int?) {
    guard let id else { return selection = nil }
    guard parents[id] != nil || items.contains(where: { $0.id == id }) else { return }
    var outer = parents[id]
    while let current = outer {
      open.insert(current)
      outer = parents[current]
    }
    update()
    selection = id
  }

  // MARK: Keys

  /// Handles arrow and similar keys; `page` is the number of visible rows. Returns whether it uses the key.
  public mutating func handle(_ key: Key, page: Int = 1) -> Bool {
    guard let last = rows.indices.last else { return false }
    let current = selectedRow
    switch key {
    case .up: selectRow(current.map { $0 - 1 } ?? last)
    case .down: selectRow(current.map { $0 + 1 } ?? 0)
    case .pageUp: selectRow((current ?? last) - max(page, 1))
    case .pageDown: selectRow((current ?? 0) + max(page, 1))
    case .home: selectRow(0)
    case .end: selectRow(last)
    case .left:
      guard let current else { return true }
      if rows[current].isOpen {
        setOpen(false, rows[current].item.id)
      } else if let parent = parents[rows[current].item.id] {
        selection = parent
      }
    case .right:
      guard let current, rows[current].hasChildren else { return true }
      if rows[current].isOpen { selectRow(current + 1) } else { setOpen(true, rows[current].item.id) }
    default: return false
    }
    return true
  }

  private mutating func selectRow(_ row: Int) {
    guard let last = rows.indices.last else { return }
    selection = rows[row.clamped(to: 0...last)].item.id
  }
}
