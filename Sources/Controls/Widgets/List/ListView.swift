/// A scrolling list of rows of one height, in sections if wanted, one of which may be selected.
///
/// A tap on a row selects it; with the focus, which a tap moves there, Up, Down, Page Up, Page Down, Home and End do, and Enter sends
/// `primaryActionTriggered`, as a second tap on the selected row does. Only a selection by the user sends `valueChanged`.
///
/// Rows exist as views only while they are in sight, so that there may be a hundred thousand: `rowCount` says how many there are, and
/// `showRow` is called for each that comes in sight. Without it rows show `texts`, which layout files can set.
///
/// A row has one number, from 0, through all sections; headers have none and are never selected. A header stays at the top while rows of its
/// section are in sight.
@ListsProperties
public final class ListView: Control {
  /// The texts of the rows, with a vertical bar between them: `Low|Medium|High`. In a text a bar is written `\|`, and a backslash `\\`.
  @Inspectable(.layout, then: ListView.textsChanged) public var choices = ""
  /// The height of a row, in points; at least 44, for fingers.
  @Inspectable(.layout, normalise: { max($0, Control.minimumTouchSide) }, then: ListView.measure)
  public var rowHeight = 44.0
  /// The titles of the sections, with the number of rows of each: `Drive: 3|Camera: 2`. One without a number has the rows that are left, as the
  /// last one has in any case; one without a title has no header. Empty for no sections.
  @Inspectable(\ListView.divisionText, .layout) public var headings: String
  /// The height of a section's header, in points.
  @Inspectable(.layout, limits: 0...1000, then: ListView.measure) public var headerHeight = 32.0
  /// Whether lines separate the rows.
  @Inspectable(.layout) public var showsSeparators = true
  /// The number of the selected row, from 0; -1, or one that no row has, selects nothing. Setting it scrolls to it and sends no event.
  @Inspectable(\ListView.selectionNumber, .none, isReported: true) public var selectedIndex: Int

  /// The texts of the rows, one by one; setting them sets `rowCount`.
  public var texts: [String] {
    get { rowTexts }
    set { choices = ChoiceTitles.text(newValue) }
  }

  /// Gives a row in sight its content: `row` shows a text until this sets others or adds views, which it finds again when the row shows
  /// another number. Setting it shows all rows anew.
  public var showRow: ((_ row: ListRow, _ index: Int) -> Void)? { didSet { reload() } }

  private var rowTexts: [String] = []
  private var model = ListModel()
  /// The sections as they were set; `sections` are those of the rows that there are.
  private var division: [ListSection] = []
  private(set) var geometry = ListGeometry(count: 0, rowHeight: 44, headerHeight: 0)
  let scrollView = ScrollView()
  /// How rows move after others came or went, and the views of those that went.
  var motion = ListMotion()
  private(set) var leaving: [ListRow] = []
  private var motionTime = 0.0
  private static let motionKey = "rows"
  /// True while the content is resized for a change: rows are placed with the next layout.
  private var isResizing = false
  /// Called for each view of a row that is no longer needed.
  package var onDrop: (ListRow) -> Void = { _ in }
  private(set) lazy var window = RowWindow { [unowned self] in makeRow() }
  private lazy var headers = RowWindow { [unowned self] in makeHeader() }
  private var observation: ObservationToken?
  /// Whether the next layout scrolls to the selection.
  private var showsSelection = false

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    scrollView.scrollsHorizontally = false
    addSubview(scrollView)
    observation = scrollView.observe(\ScrollView.contentOffset) { [weak self] _ in self?.placeRows() }
  }

  // MARK: Rows

  /// The number of rows.
  public var rowCount: Int {
    get { model.count }
    set {
      let hadSelection = model.selection != nil
      stopMotion()
      model.count = newValue
      measure()
      // A file may have set the selection before there was the row.
      if !hadSelection, model.selection != nil { showsSelection = true }
      reload()
    }
  }

  /// The sections, which together have all rows: the last has those that are left, and there are none where the rows end before. Empty for no
  /// sections. Setting them sets `rowCount`.
  public var sections: [ListSection] {
    get { ListSection.divide(model.count, by: division) }
    set {
      divide(by: newValue)
      if !newValue.isEmpty { rowCount = ListSection.total(newValue) }
    }
  }

  /// The sections as a text, which is only made for who reads it: there may be twenty thousand.
  private var divisionText: String {
    get { ChoiceTitles.text(division.map(\.text)) }
    set { divide(by: ChoiceTitles.titles(newValue).map { ListSection(text: $0) }) }
  }

  private func divide(by sections: [ListSection]) {
    guard sections != division else { return }
    stopMotion()
    division = sections
    reload()
    measure()
    didChange(\ListView.headings)
  }

  /// The number of a row by its section and its place there, both from 0; nil if there is none.
  public func row(_ row: Int, inSection section: Int) -> Int? {
    let rows = geometry.rows(ofSection: section)
    return 0..<rows.count ~= row ? rows.lowerBound + row : nil
  }

  /// The section of a row; nil if there is no such row.
  public func section(ofRow row: Int) -> Int? { 0..<model.count ~= row ? geometry.section(ofRow: row) : nil }

  /// Notes where rows and headers are.
  private func measure() {
    geometry = ListGeometry(sections, count: model.count, rowHeight: rowHeight, headerHeight: headerHeight)
  }

  /// The selected row; nil for none. Setting it scrolls to it and sends no event; a number that no row has is ignored.
  public var selection: Int? {
    get { model.selection }
    set { select { $0.select(newValue) } }
  }

  private var selectionNumber: Int {
    get { model.index }
    set { select { $0.index = newValue } }
  }

  /// Shows all rows in sight anew, because what they show has changed.
  public func reload() {
    window.forgetRows { $0.isStale = true }
    setNeedsLayout()
  }

  /// Says that there are `count` rows in `sections`, of which those in sight may have other contents and numbers. A row keeps its view, with what
  /// a finger does there, under the number that `number` gives it; nil for a row that is gone.
  package func renumber(count: Int, sections: [ListSection] = [], _ number: (ListRow) -> Int?) {
    let hasOtherSections = division != sections
    if hasOtherSections { division = sections }
    stopMotion()
    model.count = count
    measure()
    var gone: [ListRow] = []
    window.renumber { _, row in
      row.isStale = true
      guard let number = number(row) else {
        gone.append(row)
        return nil
      }
      row.index = number
      return number
    }
    setNeedsLayout()
    forgetSpareRows()
    for row in gone { letGo(row, fades: false) }
    if hasOtherSections { didChange(\ListView.headings) }
  }

  /// Has views that show nothing get their content again: their rows may have other numbers.
  func forgetSpareRows() {
    for row in window.spare { row.isStale = true }
  }

  /// The number of views that rows have: no more than fit in sight.
  package var rowViewCount: Int { window.viewCount }

  /// The same of headers.
  package var headerViewCount: Int { headers.viewCount }

  private func textsChanged() {
    let texts = ChoiceTitles.titles(choices)
    guard texts != rowTexts else { return }
    rowTexts = texts
    rowCount = rowTexts.count
  }

  // MARK: Changes

  /// Notes rows that came or went in what the list knows; what it shows follows.
  func adopt(_ change: ListChange, section: Int, texts: [String]) {
    if !division.isEmpty {
      division = sections
      division[section].rowCount += change.difference
    }
    model.apply(change)
    measure()
    guard !rowTexts.isEmpty || !texts.isEmpty else { return }
    adopt(change, texts: texts)
    _choices = ChoiceTitles.text(rowTexts)
  }

  /// Tells observers what `adopt` has changed, by the values from before.
  func reportChange(from old: (selected: Int, choices: String)) {
    if choices != old.choices { didChange(\ListView.choices) }
    if !division.isEmpty { didChange(\ListView.headings) }
    if model.index != old.selected { didChange(\ListView.selectedIndex) }
  }

  private func adopt(_ change: ListChange, texts: [String]) {
    let rows = change.rows
    switch change {
    case .removal: rowTexts.removeSubrange(rows.clamped(to: 0..<rowTexts.count))
    case .insertion:
      let missing = max(rows.lowerBound - rowTexts.count, 0)
      let new = texts.prefix(rows.count)
      rowTexts += Array(repeating: "", count: missing)
      rowTexts.insert(contentsOf: new + Array(repeating: "", count: rows.count - new.count), at: rows.lowerBound)
    }
  }

  /// Makes the content as large as its rows; `way` of that is before what is in sight. Returns by how much it is scrolled.
  func resizeContent(by way: Double) -> Double {
    isResizing = true
    defer { isResizing = false }
    let before = scrollView.contentOffset.y
    scrollView.resizeContent(to: contentSize, before: Point(x: 0, y: way))
    scrollView.layoutIfNeeded()
    return scrollView.contentOffset.y - before
  }

  /// Takes the view of a row that is gone from fingers and keys, and has it fade out or not.
  func letGo(_ row: ListRow, fades: Bool) {
    row.isStale = true
    guard fades else { return window.reuse(row) }
    row.ageOfDeparture = 0
    leaving.append(row)
    scrollView.contentView.sendSubviewToBack(row)
    row.isUserInteractionEnabled = false
  }

  /// Moves rows from now on, as `motion` says.
  func runMotion() {
    motionTime = 0
    let time = ListMotion.duration
    addAnimation(
      Animation(from: 0, to: time, duration: .seconds(time), curve: .linear), forKey: Self.motionKey
    ) { [weak self] in self?.advanceMotion(to: $0) }
  }

  private func advanceMotion(to time: Double) {
    let passed = time - motionTime
    motionTime = time
    motion.advance(by: passed)
    for row in leaving {
      let age = (row.ageOfDeparture ?? 0) + passed
      row.ageOfDeparture = age
      row.alpha = min(row.alpha, ListMotion.departure(at: age))
    }
    if motion.isOver { endDepartures() }
    markForLayout()
  }

  private func stopMotion() {
    motion.stop()
    removeAnimation(forKey: Self.motionKey)
    endDepartures()
  }

  private func endDepartures() {
    let gone = leaving
    leaving = []
    for row in gone {
      window.reuse(row)
      (row.ageOfDeparture, row.isUserInteractionEnabled, row.alpha) = (nil, true, 1)
    }
  }

  /// Of the views that show nothing, keeps as many as scrolling needs: which views there are follows from what the list shows now.
  private func dropSpareViews() {
    guard motion.isOver else { return }
    for row in window.dropSpare(beyond: model.count) {
      row.removeFromSuperview()
      onDrop(row)
    }
    for header in headers.dropSpare(beyond: geometry.hasHeaders ? geometry.sectionCount : 0) {
      header.removeFromSuperview()
    }
  }

  public override var ownEvents: Event { [.valueChanged, .primaryActionTriggered] }

  /// Changes the selection. Returns true if it is another one.
  @discardableResult private func select(_ body: (inout ListModel) -> Void) -> Bool {
    let old = model.index
    body(&model)
    guard model.index != old else { return false }
    showsSelection = true
    setNeedsLayout()
    didChange(\ListView.selectedIndex)
    return true
  }

  /// Changes the selection on behalf of the user.
  private func choose(_ body: (inout ListModel) -> Void) { if select(body) { sendActions(for: .valueChanged) } }

  private func tapped(_ index: Int) {
    becomeFirstResponder()
    if index == model.selection { return sendActions(for: .primaryActionTriggered) }
    choose { $0.select(index) }
  }

  private func makeRow() -> ListRow {
    let row = ListRow()
    row.onTap = { [unowned self] in tapped($0) }
    // Behind the headers.
    scrollView.contentView.insertSubview(row, at: window.viewCount)
    return row
  }

  private func makeHeader() -> ListHeader {
    let header = ListHeader()
    scrollView.contentView.addSubview(header)
    return header
  }

  // MARK: Layout

  private var contentSize: Size { Size(width: max(bounds.width, 1), height: max(geometry.height, 1)) }

  /// As wide as requested, and as high as its rows or the requested height, whichever is less.
  public override func sizeThatFits(_ size: Size) -> Size {
    let width = size.width.isFinite && size.width > 0 ? size.width : 240
    let height = max(geometry.height, rowHeight)
    return Size(width: width, height: size.height > 0 ? min(size.height, height) : height)
  }

  public override func layoutSubviews() {
    scrollView.frame = bounds
    scrollView.contentSize = contentSize
    // The selection is shown beside the header that stays at the top.
    scrollView.covered.top = geometry.hasHeaders ? headerHeight : 0
    scrollView.layoutIfNeeded()
    if showsSelection, !bounds.isEmpty, let row = model.selection {
      showsSelection = false
      scrollView.scrollRectToVisible(
        Rect(x: 0, y: geometry.top(ofRow: row), width: 1, height: rowHeight), animated: false)
    }
    placeRows()
    dropSpareViews()
  }

  private func placeRows() {
    guard !isResizing else { return }
    let top = scrollView.contentOffset.y
    let rows = geometry.rows(from: top, height: bounds.height)
    // A row keeps its view while a finger holds it, and while it moves out of sight.
    window.show(rows, keeps: { $0.isTracking || !motion.isOver && touchesSight($0, from: top) }) { index, row in
      place(index, row)
    }
    if window.seen.count > rows.count {
      for (index, row) in window.seen where !rows.contains(index) { place(index, row) }
    }
    placeHeaders(at: top)
  }

  private func place(_ index: Int, _ row: ListRow) {
    // `showRow` of another may have taken rows away.
    guard index < model.count else { return }
    if row.index != index || row.isStale {
      (row.index, row.isStale) = (index, false)
      (row.text, row.detail) = (rowTexts.indices.contains(index) ? rowTexts[index] : "", "")
      showRow?(row, index)
    }
    row.isSelected = index == model.selection
    row.hasSeparator = showsSeparators && !geometry.isLastOfSection(index)
    row.frame = Rect(x: 0, y: shownTop(ofRow: index), width: bounds.width, height: rowHeight)
    guard !motion.isOver || row.isFading else { return }
    row.alpha = motion.opacity(ofRow: index)
    row.isFading = row.alpha < 1
  }

  private func placeHeaders(at top: Double) {
    // Headers on their way into sight or out of it too.
    let reach = min(motion.reach, bounds.height)
    headers.show(geometry.sections(from: top - reach, height: bounds.height + 2 * reach)) { number, header in
      let height = geometry.header(ofSection: number).height
      header.title = height > 0 ? division[number].title : ""
      let place = geometry.stuckTop(
        ofSection: number, at: top, shift: onPixels(motion.shift(ofSection: number)),
        nextShift: onPixels(motion.shift(ofSection: number + 1)))
      header.frame = Rect(x: 0, y: place, width: bounds.width, height: height)
    }
  }

  private func shownTop(ofRow index: Int) -> Double {
    geometry.top(ofRow: index) + (motion.isOver ? 0 : onPixels(motion.shift(ofRow: index)))
  }

  private func touchesSight(_ row: ListRow, from top: Double) -> Bool {
    let place = shownTop(ofRow: row.index)
    return place < top + bounds.height && place + rowHeight > top
  }

  /// A distance in whole pixels: what is drawn is then only laid elsewhere.
  private func onPixels(_ distance: Double) -> Double {
    guard let factor = root?.scale.factor else { return distance }
    return (distance * factor).rounded() / factor
  }

  // MARK: Control

  /// What no row takes is the list's own.
  public override func hitTest(_ point: Point) -> View? {
    super.hitTest(point).map { $0 === scrollView || $0 === scrollView.contentView ? self : $0 }
  }

  /// False: the rows take the touches.
  public override func beginTracking(_ touch: Touch) -> Bool { false }

  /// Empty: the scroll view inside handles drags.
  public override var dragAxes: Axes { [] }

  public override var losesFocusToTouchesOutside: Bool { true }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard takesKey(event) else { return false }
    if event.key == .enter, model.selection != nil {
      if event.phase == .down { sendActions(for: .primaryActionTriggered) }
      return true
    }
    var next = model
    let room = bounds.height - (geometry.hasHeaders ? headerHeight : 0)
    guard next.handle(event.key, page: max(Int(clamping: room / rowHeight), 1)) else { return false }
    if event.phase == .down || event.phase == .repeated { choose { $0 = next } }
    return true
  }

  public override func draw(_ canvas: Canvas) { canvas.fill(bounds, theme.panel) }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .list }

  /// Headers and rows from the top, whichever views show them.
  override var accessibilityOrder: [View]? {
    let present = scrollView.contentView.subviews.filter { !$0.isHidden && ($0 as? ListRow)?.ageOfDeparture == nil }
    let shown = present.map { (view: $0, place: readingPlace($0)) }
    return shown.sorted { $0.place < $1.place }.map(\.view)
  }

  /// The place of a row, or of a header among the rows, from the top.
  private func readingPlace(_ view: View) -> Double {
    if let row = view as? ListRow { return geometry.top(ofRow: row.index) }
    guard let shown = headers.seen.first(where: { $0.value === view }) else { return view.frame.minY }
    return geometry.header(ofSection: shown.key).top
  }

  public override var accessibilityValue: AccessibilityValue? {
    guard model.count > 0 else { return nil }
    let text = model.selection.flatMap { rowTexts.indices.contains($0) ? rowTexts[$0] : nil } ?? ""
    return AccessibilityValue(Double(model.selection ?? -1), in: -1...Double(model.count - 1), step: 1, text: text)
  }

  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    guard let index = Int(exactly: number.rounded()), 0..<model.count ~= index else {
      throw AccessibilityRefusal(AccessibilityWords.current.isImpossible)
    }
    choose { $0.select(index) }
  }

  public override var inspection: Inspection {
    super.inspection.adding(["rows": .number(Double(model.count))])
  }
}
