/// The parts of the panel: a heading with buttons, the outline, pages, and a button below. Where it is low, the outline is one of
/// the pages.
final class InspectorParts {
  enum Page: String {
    case views, properties, state, events

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// What it is called where there is little room.
    var shortTitle: String {
      switch self {
      case .views: "Tree"
      case .properties: "Edit"
      case .state: "State"
      case .events: "Log"
      }
    }
  }

  let title = Label()
  let pick = InspectorButton(.pick, "pick")
  let copySign = InspectorButton(.copy, "copy")
  let close = InspectorButton(.close, "close")
  let copyButton = Button()
  let pages = ChoiceControl()
  let propertyScroll = ScrollView()
  let message = Label()
  private let hint = Label()
  private let stateScroll = ScrollView()
  private let eventScroll = ScrollView()
  private let stateTable = InspectorTable()
  private let eventTable = InspectorTable()
  private weak var outline: OutlineList?
  /// True where the outline is a page.
  private(set) var isLow = false

  private static let headingHeight = 52.0
  private static let pagesHeight = 52.0
  private static let footHeight = 60.0
  /// Below this height the outline and the pages have no room at once.
  private static let leastHeightForAll = 480.0

  func build(in panel: InspectorPanel) {
    outline = panel.outline
    panel.outline.name = "views"
    panel.propertyList.name = "properties"
    pages.name = "pages"
    copyButton.name = "copyAsJSON"
    copyButton.title = "Copy as JSON"
    title.fontWeight = .semibold
    title.fontSize = 17
    hint.text = "Choose a view in the list, or pick one in the scene."
    hint.numberOfLines = 0
    hint.textStyle = .caption
    hint.textAlignment = .center
    message.textStyle = .caption
    message.textAlignment = .center
    message.numberOfLines = 2
    message.isHidden = true
    eventTable.hint = "Nothing has happened yet."
    stateTable.hint = hint.text
    for (scroll, view) in [
      (propertyScroll, panel.propertyList), (stateScroll, stateTable), (eventScroll, eventTable),
    ] as [(ScrollView, View)] {
      scroll.scrollsHorizontally = false
      view.anchors = .topRow
      scroll.contentView.addSubview(view)
    }
    let parts: [View] = [
      title, pick, copySign, close, panel.outline, pages, propertyScroll, stateScroll, eventScroll, hint, copyButton,
      message,
    ]
    for part in parts { panel.addSubview(part) }
    setPages()
    pages.selectedIndex = 0
  }

  private var pageList: [Page] { (isLow ? [.views] : []) + [.properties, .state, .events] }

  private func setPages(in width: Double = .infinity) {
    pages.titles = pageList.map(\.title)
    let wanted = pages.sizeThatFits(Size(width: .infinity, height: .infinity)).width
    if wanted > width { pages.titles = pageList.map(\.shortTitle) }
  }

  /// The page that is shown.
  var page: Page {
    let list = pageList
    return list.indices.contains(pages.selectedIndex) ? list[pages.selectedIndex] : .properties
  }

  func colour(_ theme: Theme) {
    hint.textColor = theme.secondaryLabel
    message.textColor = theme.onAccent
    message.backgroundColor = theme.accent
    for table in [stateTable, eventTable] { table.setNeedsDisplay() }
  }

  // MARK: Showing

  /// Says what is chosen, where the outline may be out of sight.
  func showChoice(_ typeName: String?) {
    title.text = typeName ?? "Inspector"
    hint.isHidden = typeName != nil || page != .properties
  }

  func showState(_ facts: [InspectorFact]) {
    stateTable.lines = facts.map {
      InspectorTable.Line(start: $0.title, end: $0.value ?? "", isHeading: $0.value == nil)
    }
  }

  func showEvents(_ log: InspectorLog, chosen: Int?, since start: MonotonicTime) {
    eventTable.lines = log.entries.map { entry in
      let text = entry.count > 1 ? "\(entry.text) ×\(entry.count)" : entry.text
      let tenths = Int((entry.time - start) / .milliseconds(100))
      return InspectorTable.Line(
        start: "\(tenths / 10).\(tenths % 10) s  \(entry.source)", end: text,
        isLit: chosen != nil && entry.view == chosen)
    }
  }

  // MARK: Layout

  func place(in panel: InspectorPanel, hasChoice: Bool) {
    let size = panel.bounds.size
    let isLow = size.height < Self.leastHeightForAll
    if isLow != self.isLow {
      let page = page
      self.isLow = isLow
      setPages(in: size.width - 24)
      pages.selectedIndex = pageList.firstIndex(of: page) ?? 0
    }
    setPages(in: size.width - 24)
    let direction = panel.effectiveLayoutDirection
    func put(_ view: View, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
      view.frame = direction.rect(
        Rect(x: x, y: y, width: max(width, 0), height: max(height, 0)), in: size.width)
    }
    placeHeading(size, put)
    var y = Self.headingHeight
    let foot = isLow ? 0 : Self.footHeight
    if !isLow {
      let height = ((size.height - y - Self.pagesHeight - foot) * 0.4).rounded()
      put(panel.outline, 0, y, size.width, height)
      y += height
    }
    put(pages, 12, y + 8, size.width - 24, Self.pagesHeight - 16)
    y += Self.pagesHeight
    let height = size.height - y - foot
    let page = page
    let shown: [(View, Bool)] = [
      (panel.outline, !isLow || page == .views), (propertyScroll, page == .properties), (stateScroll, page == .state),
      (eventScroll, page == .events),
    ]
    for (view, isShown) in shown {
      view.isHidden = !isShown
      if isShown, isLow || view !== panel.outline { put(view, 0, y, size.width, height) }
    }
    hint.isHidden = hasChoice || page != .properties
    put(hint, 24, y + 24, size.width - 48, min(height - 24, 64))
    copyButton.isHidden = isLow
    copySign.isHidden = !isLow
    put(copyButton, 12, size.height - foot + 8, size.width - 24, 44)
    let words = message.sizeThatFits(Size(width: size.width - 48, height: 0))
    put(message, 12, size.height - foot - words.height - 24, size.width - 24, words.height + 16)
  }

  private func placeHeading(_ size: Size, _ put: (View, Double, Double, Double, Double) -> Void) {
    let side = Control.minimumTouchSide
    var x = size.width - side - 4
    for button in [close, isLow ? copySign : nil, pick] {
      guard let button else { continue }
      put(button, x, 4, side, side)
      x -= side
    }
    put(title, 16, 0, x + side - 24, Self.headingHeight)
  }
}

extension LayoutAnchors {
  /// From side to side at the top, as high as the view wants.
  nonisolated fileprivate static var topRow: LayoutAnchors {
    var anchors = LayoutAnchors()
    (anchors.left, anchors.right, anchors.top) = (0, 0, 0)
    return anchors
  }
}
