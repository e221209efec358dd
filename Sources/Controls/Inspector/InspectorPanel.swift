// Owns the inspector's panel: what is chosen, what its parts show of that, and what its buttons do.
// Must not know how it is opened, nor where it lies.

import Interface

/// Looks into the tree of views that it is in, live: all views as an outline, a mark around the chosen one, its properties with
/// editors, its state, the latest events, and the view as a layout file.
///
/// It works in any `RootView`: add it in front of everything else, at a place of its own (`InspectorPlacement` knows some), and take
/// it out again. While it is out it observes nothing and costs nothing. It brings its mark, which takes no touches, and, while a
/// view is picked, what takes that one touch; neither they nor the panel itself are in the outline.
///
/// What it shows follows at most ten times a second, and only what changes is drawn.
public final class InspectorPanel: View {
  /// The types that "Copy as JSON" has names for.
  public var registry = ViewRegistry.controls
  /// Called when a person wants to close the panel: by its button or by Escape, while keys go to something inside.
  public var onClose: (() -> Void)?
  /// Gets the text of "Copy as JSON" where the window has no clipboard; by default it goes to standard output.
  public var writesOut: (_ text: String) -> Void = { print($0, terminator: "") }

  let outline = OutlineList()
  let propertyList = PropertyList()
  let parts = InspectorParts()
  let mark = InspectorMark()
  var log = InspectorLog()
  var tree = InspectorTree()
  var watch = InspectorWatch()
  private var picker: InspectorPicker?
  private var messageEnd: WakeUp?

  /// The view that is looked at; nil for none. A view of another root, or of the panel's own, is none.
  public weak var chosenView: View? {
    didSet {
      if let view = chosenView, view.root !== root || isOwn(view) { chosenView = nil }
      if chosenView !== oldValue { chosenViewDidChange() }
    }
  }

  /// Makes a panel at `frame`, in points of the future superview.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    name = "inspector"
    isMultipleTouchEnabled = true
    parts.build(in: self)
    parts.pick.addAction(for: .primaryActionTriggered) { [unowned self] _ in isPicking.toggle() }
    for button in [parts.copySign, parts.copyButton] as [Control] {
      button.addAction(for: .primaryActionTriggered) { [unowned self] _ in copyAsJSON() }
    }
    parts.close.addAction(for: .primaryActionTriggered) { [unowned self] _ in onClose?() }
    parts.pages.addAction(for: .valueChanged) { [unowned self] _ in pageDidChange() }
    outline.addAction(for: .valueChanged) { [unowned self] in chosenView = tree.view($0.selection) }
    pageDidChange()
    chosenViewDidChange()
  }

  /// True for views that belong to the inspector.
  func isOwn(_ view: View) -> Bool {
    view.isDescendant(of: self) || view === mark || view === picker
  }

  /// True above everything: nothing behind the panel is touched.
  public override func touchesBegan(_ touches: [Touch]) {}
  public override func touchesMoved(_ touches: [Touch]) {}
  public override func touchesEnded(_ touches: [Touch]) {}
  public override func touchesCancelled(_ touches: [Touch]) {}

  /// Escape, which nothing inside used, closes.
  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard event.key == .escape, event.modifiers.isEmpty, let onClose else { return false }
    if event.phase == .down { onClose() }
    return true
  }

  // MARK: Choosing

  func chosenViewDidChange() {
    if isWatching, watch.isTreeStale { showTree() }
    outline.selection = chosenView.map { tree.id(of: $0) }
    if chosenView == nil { outline.selection = nil }
    propertyList.target = chosenView
    let hasName = chosenView.map { LayoutWriter(registry: registry).canWrite($0) } ?? false
    parts.copySign.isEnabled = hasName
    parts.copyButton.isEnabled = hasName
    parts.showChoice(chosenView.map { tree.typeName(of: $0) })
    parts.propertyScroll.contentOffset = .zero
    showPage()
    if isWatching { follow() }
  }

  /// True while the next touch on the scene chooses the view under it.
  public var isPicking: Bool {
    get { picker != nil }
    set {
      guard newValue != isPicking else { return }
      parts.pick.isSelected = newValue
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

  /// The view of the scene that is seen at a place in the window.
  private func scene(at place: Point) -> View? {
    guard let root else { return nil }
    let found = root.visibleView(at: place) { $0 !== self.front && $0 !== self.mark && $0 !== self.picker }
    return found === root ? nil : found
  }

  /// What lies in the root and holds the panel, or is it.
  var front: View? {
    var view: View = self
    while let outer = view.superview, outer !== root { view = outer }
    return view.superview == nil ? nil : view
  }

  // MARK: Copying

  /// Hands the chosen view as the text of a layout file to the clipboard, or where there is none to `writesOut`; a line in the
  /// panel says which.
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

  /// Shows a line for a few seconds.
  private func say(_ message: String) {
    parts.message.text = message
    parts.message.isHidden = false
    setNeedsLayout()
    messageEnd?.cancel()
    guard let root else { return }
    messageEnd = root.wake(at: root.now + .seconds(4)) { [weak self] in self?.parts.message.isHidden = true }
  }

  // MARK: Pages

  private func pageDidChange() {
    setNeedsLayout()
    showPage()
  }

  /// Brings the page that is seen up to date.
  func showPage() {
    switch parts.page {
    case .views, .properties: break
    case .state: parts.showState(chosenView.map { InspectorFact.all(of: $0) } ?? [])
    case .events: parts.showEvents(log, chosen: chosenView.map { tree.id(of: $0) }, since: watch.start)
    }
  }

  // MARK: Layout

  /// Heading, outline, pages and what is below them, by the room that there is.
  public override func layoutSubviews() { parts.place(in: self, hasChoice: chosenView != nil) }

  public override func didMoveToRoot() {
    if root == nil {
      messageEnd?.cancel()
      parts.message.isHidden = true
      isPicking = false
      endWatching()
    } else {
      beginWatching()
    }
    parts.colour(theme)
  }

  public override func themeDidChange() { parts.colour(theme) }
  public override func layoutDirectionDidChange() { setNeedsDisplay() }

  /// The panel's ground, and a line between it and the scene.
  public override func draw(_ canvas: Canvas, _ dirty: Rect) {
    canvas.fill(bounds, theme.panel)
    let line = max(1, (canvas.scale.factor).rounded()) / canvas.scale.factor
    let isBelow = frame.minX <= 0 && frame.width >= (superview?.bounds.width ?? 0)
    let edge =
      isBelow
      ? Rect(x: 0, y: 0, width: bounds.width, height: line)
      : effectiveLayoutDirection.rect(Rect(x: 0, y: 0, width: line, height: bounds.height), in: bounds.width)
    canvas.fill(edge, theme.hairline)
  }

  /// What is chosen, for people and tools.
  public override var inspection: Inspection {
    var inspection = super.inspection
    inspection.values["page"] = .text(parts.page.title)
    if let chosenView { inspection.values["chosen"] = .text(tree.title(of: chosenView)) }
    return inspection
  }
}
