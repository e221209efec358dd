/// One thing of a tree, with what it holds.
nonisolated public struct OutlineItem: Hashable, Sendable {
  /// Which it is; no other of the tree has this number.
  public var id: Int
  /// What it is called.
  public var title: String
  /// What is said beside the title.
  public var detail: String
  /// True for what is there but not seen.
  public var isDimmed: Bool
  /// What it holds.
  public var children: [OutlineItem]

  /// A thing with what it holds.
  public init(id: Int, title: String, detail: String = "", isDimmed: Bool = false, children: [OutlineItem] = []) {
    (self.id, self.title, self.detail) = (id, title, detail)
    (self.isDimmed, self.children) = (isDimmed, children)
  }
}

/// A tree of which branches are open or closed and one thing may be selected.
nonisolated public struct OutlineModel: Hashable, Sendable {
  /// One row of the list.
  public struct Row: Hashable, Sendable {
    /// What it shows, without what that holds.
    public var item: OutlineItem
    /// How far inside it is; 0 for the outermost.
    public var depth: Int
    /// True when it holds something.
    public var hasChildren: Bool
    /// True when what it holds is shown.
    public var isOpen: Bool
  }

  private var parents: [Int: Int] = [:]
  private var open: Set<Int> = []

  /// The rows, from the top.
  public private(set) var rows: [Row] = []
  /// The thing selected; nil for none.
  public private(set) var selection: Int?

  /// The outermost things. With other ones, what was open and selected stays so as far as it is still there; where what was
  /// selected has gone, nothing is.
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

  /// The row that shows the thing `id`; nil when it isn't shown.
  public func row(of id: Int?) -> Int? { rows.firstIndex { $0.item.id == id } }

  /// The row selected.
  public var selectedRow: Int? { selection == nil ? nil : row(of: selection) }

  // MARK: Opening

  /// Opens or closes what the thing `id` holds. A selection inside what is closed goes to what was closed.
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

  /// Selects the thing `id`, nil for none, and opens what it is in.
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

  /// What arrows and their like do to the list, of which `page` rows are seen at once. True for a key that means something.
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
    selection = rows[min(max(row, 0), last)].item.id
  }
}
