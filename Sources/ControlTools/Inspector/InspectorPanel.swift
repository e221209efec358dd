/// A live inspector of the view tree that contains it: all views as an outline, a mark around the chosen one, its properties
/// with editors, its state, the latest events, and the view as a layout file.
///
/// It works in any `RootView`: add it in front of everything else, in its own frame (see `InspectorPlacement`), and remove it
/// when done. Outside of a tree it has no observers and no cost. It adds its mark, which takes no touches, and, while the user
/// picks a view, a view that takes that one touch. The outline lists neither these two nor the panel itself.
///
/// The mark follows its view in every frame; everything else updates at most ten times a second. Only changes are drawn.
public final class InspectorPanel: View {
  /// The types of views that "Copy as JSON" can name.
  public var registry = ViewRegistry.controls
  /// Called when the user wants to close the panel: by its button or by Escape while the focus is inside.
  public var onClose: (() -> Void)?
  /// Receives the text of "Copy as JSON" if the window has no clipboard; by default it is written to standard output.
  public var writesOut: (_ text: String) -> Void = { print($0, terminator: "") }

  let outline = OutlineList()
  let propertyList = PropertyList()
  let mark = InspectorMark()
  var log = InspectorLog()
  var tree = InspectorTree()
  var watch = InspectorWatch()
  private var picker: InspectorPicker?

  private let title = Label()
  private let pickButton = InspectorButton(.pick, "pick")
  private let copySign = InspectorButton(.copy, "copy")
  private let closeButton = InspectorButton(.close, "close")
  private let copyButton = Button()
  private let pages = ChoiceControl()
  let propertyScroll = ScrollView()
  let message = Label()
  private let hint = Label()
  private let stateScroll = ScrollView()
  private let eventScroll = ScrollView()
  private let stateTable = InspectorTable()
  private let eventTable = InspectorTable()
  private var ownPages: [OwnPage] = []
  /// Whether the panel is too low for the outline and a page together, so that the outline is one of the pages.
  private var isLow = false
  private var messageEnd: WakeUp?

  /// The inspected view; nil if none is. Setting a view of a different root, or one of the inspector's own, sets nil.
  public weak var chosenView: View? {
    didSet {
      if let view = chosenView, view.root !== root || isOwn(view) { chosenView = nil }
      if chosenView !== oldValue { chosenViewDidChange() }
    }
  }

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    name = "inspector"
    isMultipleTouchEnabled = true
    addParts()
    pickButton.addAction(for: .primaryActionTriggered) { [unowned self] _ in isPicking.toggle() }
    for button in [copySign, copyButton] as [Control] {
      button.addAction(for: .primaryActionTriggered) { [unowned self] _ in copyAsJSON() }
    }
    closeButton.addAction(for: .primaryActionTriggered) { [unowned self] _ in onClose?() }
    pages.addAction(for: .valueChanged) { [unowned self] _ in pageDidChange() }
    outline.addAction(for: .valueChanged) { [unowned self] in chosenView = tree.view($0.selection) }
    themeDidChange()
    pageDidChange()
    chosenViewDidChange()
  }

  func isOwn(_ view: View) -> Bool {
    view.isDescendant(of: self) || view === mark || view === picker
  }

  /// Does nothing, so that a touch on the panel's background reaches nothing behind it.
  public override func touchesBegan(_ touches: [Touch]) {}
  public override func touchesMoved(_ touches: [Touch]) {}
  public override func touchesEnded(_ touches: [Touch]) {}
  public override func touchesCancelled(_ touches: [Touch]) {}

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard event.key == .escape, event.modifiers.isEmpty, let onClose else { return false }
    if event.phase == .down { onClose() }
    return true
  }

  // MARK: Choosing

  func chosenViewDidChange() {
    if isWatching, watch.isTreeStale { showTree() }
    outline.selection = chosenView.map { tree.id(of: $0) }
    propertyList.target = chosenView
    let hasName = chosenView.map { LayoutWriter(registry: registry).canWrite($0) } ?? false
    copySign.isEnabled = hasName
    copyButton.isEnabled = hasName
    title.text = chosenView.map { tree.typeName(of: $0) } ?? "Inspector"
    hint.isHidden = chosenView != nil || page != .properties
    propertyScroll.contentOffset = .zero
    showPage()
    if isWatching { follow() }
  }

  /// True while the next touch on the scene chooses the view under it.
  public var isPicking: Bool {
    get { picker != nil }
    set {
      guard newValue != isPicking else { return }
      pickButton.isSelected = newValue
      guard newValue, let root, let front else {
        picker?.removeFromSuperview()
        picker = nil
        return
      }
      let picker = InspectorPicker(frame: root.bounds)
      picker.onPoint = { [unowned self] place, isPicked in
        chosenView = scene(at: place)
        if isPicked { isPicking = false }
      }
      self.picker = picker
      root.insertSubview(picker, at: root.subviews.firstIndex { $0 === front } ?? root.subviews.count)
    }
  }

  /// The visible view of the scene at a position in the window; nil if there is only the root.
  private func scene(at place: Point) -> View? {
    guard let root else { return nil }
    let found = root.visibleView(at: place) { $0 !== self.front && $0 !== self.mark && $0 !== self.picker }
    return found === root ? nil : found
  }

  /// The root's subview that is or contains the panel; nil if the panel has no superview.
  var front: View? { chain.first { $0.superview != nil && $0.superview === root } }

  // MARK: Copying

  /// Copies the chosen view to the clipboard as the text of a layout file. If the window has no clipboard, `writesOut` receives
  /// the text. A message in the panel reports which.
  public func copyAsJSON() {
    guard let chosenView else { return }
    guard let text = LayoutWriter(registry: registry).text(of: chosenView) else {
      return say("Files have no name for this type.")
    }
    if root?.host?.setClipboard(text) ?? false {
      say("Copied as JSON.")
    } else {
      writesOut(text)
      say("No clipboard here: written to standard output.")
    }
  }

  private func say(_ message: String) {
    self.message.text = message
    self.message.isHidden = false
    setNeedsLayout()
    messageEnd?.cancel()
    guard let root else { return }
    messageEnd = root.wake(at: root.now + .seconds(4)) { [weak self] in self?.message.isHidden = true }
  }

  // MARK: Pages

  /// A page that the program adds.
  private struct OwnPage {
    let title: String
    let shortTitle: String
    let scroll: ScrollView
  }

  /// Adds a page of the program's own after the others, with `content` as wide as the panel, scrolled if it is higher. A panel that is too
  /// narrow for all titles has the short ones.
  public func addPage(_ title: String, shortTitle: String, _ content: View) {
    let scroll = ScrollView()
    ownPages.append(OwnPage(title: title, shortTitle: shortTitle, scroll: scroll))
    addScrolled(content, in: scroll)
    insertSubview(scroll, at: subviews.firstIndex { $0 === eventScroll } ?? 0)
    setPages()
    pageDidChange()
  }

  private func addScrolled(_ content: View, in scroll: ScrollView) {
    scroll.scrollsHorizontally = false
    content.anchors = .topRow
    scroll.contentView.addSubview(content)
  }

  private func pageDidChange() {
    setNeedsLayout()
    showPage()
  }

  func showPage() {
    switch page {
    case .views, .properties, .own: break
    case .state: stateTable.lines = chosenView.map { InspectorTable.lines(about: $0) } ?? []
    case .events: showEvents()
    }
  }

  private func showEvents() {
    let chosen = chosenView.map { tree.id(of: $0) }
    eventTable.lines = log.entries.map { entry in
      let text = entry.count > 1 ? "\(entry.text) ×\(entry.count)" : entry.text
      let tenths = Int((entry.time - watch.start) / .milliseconds(100))
      return InspectorTable.Line(
        start: "\(tenths / 10).\(tenths % 10) s  \(entry.source)", end: text,
        isLit: chosen != nil && entry.view == chosen)
    }
  }

  // MARK: Watching

  /// True while the panel is in a tree.
  var isWatching: Bool { watch.layout != nil }

  func beginWatching() {
    guard let root, let front, !isWatching else { return }
    // Discards what a previous root left.
    tree = InspectorTree()
    log.removeAll()
    watch = InspectorWatch()
    watch.start = root.now
    watch.activity = root.observeActivity { [weak self] in self?.noticed($0) }
    root.insertSubview(mark, at: root.subviews.firstIndex { $0 === front } ?? root.subviews.count)
    watch.layout = root.observeLayout { [weak self] in self?.laidOut() }
    showTree()
    outline.open(levels: tree.count <= 200 ? .max : 2)
  }

  func endWatching() {
    guard isWatching else { return }
    watch.nextLook?.cancel()
    watch = InspectorWatch()
    mark.removeFromSuperview()
    chosenView = nil
    outline.items = []
    log.removeAll()
  }

  // MARK: Looking

  /// Moves the mark at once, before a frame is drawn, and updates the rest when that is due.
  private func laidOut() {
    follow()
    somethingHappened()
  }

  func follow() { mark.follow(chosenView, chosenView.map { tree.typeName(of: $0) } ?? "") }

  /// Updates now, or once the shortest interval since the last update is over.
  private func somethingHappened() {
    guard let root, isWatching else { return }
    guard let last = watch.lastLook, root.now - last < InspectorWatch.interval else { return look() }
    guard watch.nextLook?.isWaiting != true else { return }
    watch.nextLook = root.wake(at: last + InspectorWatch.interval) { [weak self] in self?.look() }
  }

  private func look() {
    guard let root, isWatching else { return }
    watch.nextLook?.cancel()
    watch.lastLook = root.now
    if let chosenView, chosenView.root !== root { self.chosenView = nil }
    if chosenView == nil, outline.selection != nil { chosenViewDidChange() }
    if watch.isTreeStale { showTree() }
    showPage()
  }

  func showTree() {
    guard let root else { return }
    watch.isTreeStale = false
    outline.items = tree.items(root.subviews.filter { $0 !== front && !isOwn($0) })
    outline.selection = chosenView.map { tree.id(of: $0) }
  }

  // MARK: Events

  private func noticed(_ activity: RootActivity) {
    guard let root else { return }
    switch activity {
    case .tree(let view):
      if watch.isTreeStale || view === root || isOwn(view) || view === front {
        // The root's subviews include the inspector's, so a change among them only marks the outline as outdated.
        if view === root { watch.isTreeStale = true }
        return
      }
      watch.isTreeStale = true
    case .touches(let view, let touches, let phase):
      guard !isOwn(view) else { return }
      for touch in touches {
        note("Touch \(PropertyName("\(phase)").title)\(touch.id.contact.title)", of: view, goesOn: phase == .moved)
      }
    case .control(let control, let events):
      guard !isOwn(control) else { return }
      for (name, _, event) in Control.Event.named where events.contains(event) {
        note(PropertyName(name).title, of: control, goesOn: event.goesOn)
      }
    case .lifecycle(let event):
      log.note(PropertyName("\(event)").title, of: "Window", view: nil, at: root.now)
    case .announcement(let text): log.note(text, of: "Announcement", view: nil, at: root.now)
    }
    somethingHappened()
  }

  private func note(_ text: String, of view: View, goesOn: Bool) {
    guard let root else { return }
    log.note(text, of: tree.title(of: view), view: tree.id(of: view), at: root.now, goesOn: goesOn)
  }

  // MARK: Parts

  private static let headingHeight = 52.0
  private static let footHeight = 60.0
  /// The height below which the outline and the pages do not fit together.
  private static let leastHeightForAll = 480.0

  private func addParts() {
    outline.name = "views"
    propertyList.name = "properties"
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
      (propertyScroll, propertyList), (stateScroll, stateTable), (eventScroll, eventTable),
    ] as [(ScrollView, View)] {
      addScrolled(view, in: scroll)
    }
    let parts: [View] = [
      title, pickButton, copySign, closeButton, outline, pages, propertyScroll, stateScroll, eventScroll, hint,
      copyButton,
      message,
    ]
    for part in parts { addSubview(part) }
    setPages()
    pages.selectedIndex = 0
  }

  private var pageList: [Page] {
    (isLow ? [.views] : []) + [.properties, .state, .events] + ownPages.indices.map { .own($0) }
  }

  /// The title of a page, and the one that it has in a narrow panel.
  private func titles(of page: Page) -> (whole: String, short: String) {
    switch page {
    case .views: ("Views", "Tree")
    case .properties: ("Properties", "Edit")
    case .state: ("State", "State")
    case .events: ("Events", "Log")
    case .own(let index): (ownPages[index].title, ownPages[index].shortTitle)
    }
  }

  private func setPages(in width: Double = .infinity) {
    pages.titles = pageList.map { titles(of: $0).whole }
    let wanted = pages.sizeThatFits(Size(width: .infinity, height: .infinity)).width
    if wanted > width { pages.titles = pageList.map { titles(of: $0).short } }
  }

  private var page: Page {
    let list = pageList
    return list.indices.contains(pages.selectedIndex) ? list[pages.selectedIndex] : .properties
  }

  // MARK: Layout

  public override func layoutSubviews() {
    let size = bounds.size
    let old = page
    isLow = size.height < Self.leastHeightForAll
    setPages(in: size.width - 24)
    pages.selectedIndex = pageList.firstIndex(of: old) ?? 0
    func put(_ view: View, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
      view.frame = mirrored(Rect(x: x, y: y, width: max(width, 0), height: max(height, 0)))
    }
    placeHeading(size, put)
    var y = Self.headingHeight
    let foot = isLow ? 0 : Self.footHeight
    // Titles that need several rows get them, each as high as a finger needs.
    let pagesHeight = pages.sizeThatFits(Size(width: size.width - 24, height: .infinity)).height
    if !isLow {
      let height = ((size.height - y - pagesHeight - 16 - foot) * 0.4).rounded()
      put(outline, 0, y, size.width, height)
      y += height
    }
    put(pages, 12, y + 8, size.width - 24, pagesHeight)
    y += pagesHeight + 16
    let height = size.height - y - foot
    let page = page
    let shown: [(View, Bool)] =
      ownPages.enumerated().map { ($1.scroll, page == .own($0)) } + [
        (outline, !isLow || page == .views), (propertyScroll, page == .properties), (stateScroll, page == .state),
        (eventScroll, page == .events),
      ]
    for (view, isShown) in shown {
      view.isHidden = !isShown
      if isShown, isLow || view !== outline { put(view, 0, y, size.width, height) }
    }
    hint.isHidden = chosenView != nil || page != .properties
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
    for button in [closeButton, isLow ? copySign : nil, pickButton] {
      guard let button else { continue }
      put(button, x, 4, side, side)
      x -= side
    }
    put(title, 16, 0, x + side - 24, Self.headingHeight)
  }

  public override func didMoveToRoot() {
    if root == nil {
      messageEnd?.cancel()
      message.isHidden = true
      isPicking = false
      endWatching()
    } else {
      beginWatching()
    }
  }

  public override func themeDidChange() {
    hint.textColor = theme.secondaryLabel
    message.textColor = theme.onAccent
    message.backgroundColor = theme.accent
  }

  public override func draw(_ canvas: Canvas) {
    canvas.fill(bounds, theme.panel)
    let line = max(1, (canvas.scale.factor).rounded()) / canvas.scale.factor
    let isBelow = frame.minX <= 0 && frame.width >= (superview?.bounds.width ?? 0)
    let edge =
      isBelow
      ? Rect(x: 0, y: 0, width: bounds.width, height: line)
      : mirrored(Rect(x: 0, y: 0, width: line, height: bounds.height))
    canvas.fill(edge, theme.hairline)
  }

  public override var inspection: Inspection {
    super.inspection.adding([
      "page": .string(titles(of: page).whole), "chosen": chosenView.map { .string(tree.title(of: $0)) },
    ])
  }
}

/// The observers of a panel, and the times of its updates.
struct InspectorWatch {
  static let interval = Duration.milliseconds(100)

  var layout: ObservationToken?
  var activity: ObservationToken?
  var start = MonotonicTime.zero
  /// When the panel last updated, and the wake-up that shows later changes.
  var lastLook: MonotonicTime?
  var nextLook: WakeUp?
  /// Whether views were added, removed or renamed since the outline was built.
  var isTreeStale = true
}

extension TouchID.Contact {
  /// The finger's label among several, for users.
  nonisolated fileprivate var title: String {
    switch self {
    case .finger(let number): number == 0 ? "" : " (finger \(number))"
    case .pointer: " (pointer)"
    case .pen: " (pen)"
    }
  }
}

extension Control.Event {
  /// True for an event that repeats while a finger moves.
  nonisolated fileprivate var goesOn: Bool {
    self == .touchDragInside || self == .touchDragOutside || self == .valueChanged
  }
}

/// The pages below the panel's outline; in a low panel the outline is one of them.
private enum Page: Hashable {
  case views, properties, state, events
  /// One of the program's.
  case own(Int)
}

extension LayoutAnchors {
  /// The full width at the top, as high as the view prefers.
  nonisolated package static var topRow: LayoutAnchors {
    var anchors = LayoutAnchors()
    (anchors.left, anchors.right, anchors.top) = (0, 0, 0)
    return anchors
  }
}
