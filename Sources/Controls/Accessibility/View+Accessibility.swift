extension View {
  /// True for a view that is visible to assistive technology; if false, the elements inside it appear in its place. By default
  /// true for views with a role.
  public var isAccessibilityElement: Bool {
    get { accessibilityBox?.isElement ?? (accessibilityRole != .none) }
    set { makeAccessibilityBox().isElement = newValue }
  }

  /// The name that assistive technology announces; the view's own title unless it is set. Nil restores the own title.
  public var accessibilityLabel: String? {
    get { accessibilityBox?.label ?? accessibilityTitle }
    set { makeAccessibilityBox().label = newValue }
  }

  func makeAccessibilityBox() -> AccessibilityBox {
    if let accessibilityBox { return accessibilityBox }
    let made = AccessibilityBox()
    accessibilityBox = made
    return made
  }

  /// The elements inside that no other element contains, in the order in which they are read: from the back to the front, and those of a list
  /// from the top. Hidden ones are left out.
  public var accessibilityElements: [View] {
    var found: [View] = []
    collectAccessibilityElements(into: &found)
    return found
  }

  private func collectAccessibilityElements(into found: inout [View]) {
    if let accessibilityScope {
      for view in accessibilityScope { view.addAccessibilityElements(to: &found) }
      return
    }
    for view in accessibilityOrder ?? subviews where view.accessibilityBox?.opener == nil {
      view.addAccessibilityElements(to: &found)
    }
    accessibilityBox?.opened?.addAccessibilityElements(to: &found)
  }

  private func addAccessibilityElements(to found: inout [View]) {
    guard !isHidden, alpha > 0 else { return }
    if isAccessibilityElement { found.append(self) } else { collectAccessibilityElements(into: &found) }
  }

  /// Makes assistive technology find `view`, wherever it is shown, inside this one; nil removes it.
  func setAccessibilityOpened(_ view: View?) {
    let box = makeAccessibilityBox()
    box.opened?.accessibilityBox?.opener = nil
    box.opened = view
    view?.makeAccessibilityBox().opener = self
  }

  /// The element that contains the view; the root for the outermost ones, and nil for the root itself or a view without a root.
  public var accessibilityParent: View? {
    var view = accessibilityOuter
    while let current = view, !(current is RootView), !current.isAccessibilityElement {
      view = current.accessibilityOuter
    }
    return (view as? RootView)?.decorated ?? view
  }

  /// True if the view is `other`, lies inside it, or was opened from inside it, as a menu is.
  func isOpened(inside other: View) -> Bool {
    var view: View? = self
    while let current = view, current !== other { view = current.accessibilityOuter }
    return view != nil
  }

  private var accessibilityOuter: View? { accessibilityBox?.opener ?? superview }

  /// The root of the window's content in whose window the view is shown, also for views in the window's own decoration or in a
  /// menu.
  package var accessibilityRoot: RootView? {
    var view = self
    while let outer = view.accessibilityOuter { view = outer }
    return view.root.map { $0.decorated ?? $0 }
  }

  /// `rect` of this view in points of the window's content, also for views in the window's own decoration or in a menu.
  package func accessibilityPlace(of rect: Rect) -> Rect {
    let place = convert(rect, to: nil)
    let origin =
      (root as? any SurroundingTree).map { Point.zero - $0.contentOrigin } ?? (root as? PopupRoot)?.origin
    return origin.map { place.offsetBy(dx: $0.x, dy: $0.y) } ?? place
  }

  /// The front-most element at `point`, in the view's coordinates, or the view itself if it is one. Its entire frame counts,
  /// including gaps, so a user who explores by touch finds the wheel also between its spokes.
  public func accessibilityHitTest(_ point: Point) -> View? {
    let isInside = bounds.contains(point)
    guard !isHidden, alpha > 0, isInside || !clipsSubviews else { return nil }
    if let accessibilityScope {
      return accessibilityScope.reversed().lazy.compactMap { view in
        view.accessibilityHitTest(view.convert(point, from: self))
      }.first
    }
    for view in subviews.reversed() {
      let inner = Point(x: point.x - view.frame.minX, y: point.y - view.frame.minY)
      if let hit = view.accessibilityHitTest(inner) { return hit }
    }
    return isAccessibilityElement && isInside ? self : nil
  }

  /// Carries out a request by assistive technology; there is no other entry point. The control's rules apply, the root may
  /// refuse (`RootView.accessibilityRefusal`), and no finger or key is simulated, so that it never counts as a hand.
  public func carryOut(_ command: AccessibilityCommand) throws(AccessibilityRefusal) {
    let words = AccessibilityWords.current
    guard let root = accessibilityRoot, isShown else { throw AccessibilityRefusal(words.isHidden) }
    guard isAlwaysAvailable(command) || (!isAccessibilityDisabled && takesInput) else {
      throw AccessibilityRefusal(words.isDisabled)
    }
    guard isAlwaysAvailable(command) || root.isReachedByAssistance(self) else {
      throw AccessibilityRefusal(words.isBehind)
    }
    if let refusal = root.accessibilityRefusal(of: command, on: self) { throw refusal }
    switch command {
    case .setValue(let number):
      guard number.isFinite, accessibilityValue != nil else { throw AccessibilityRefusal(words.isImpossible) }
      try setAccessibilityValue(number)
    case .setText(let text): try setAccessibilityText(text)
    case .perform(let name):
      guard let action = accessibilityActions.first(where: { $0.name == name }) else {
        throw AccessibilityRefusal(words.isImpossible)
      }
      try action.body()
    case .focus:
      guard becomeFirstResponder() else { throw AccessibilityRefusal(words.isImpossible) }
    }
  }

  private func isAlwaysAvailable(_ command: AccessibilityCommand) -> Bool {
    guard case .perform(let name) = command else { return false }
    return accessibilityActions.contains { $0.name == name && $0.isAlwaysAvailable }
  }

  /// False if the program lets no finger and no key through; then requests by assistive technology are refused too.
  private var takesInput: Bool { chain.allSatisfy(\.isUserInteractionEnabled) }

  /// True for a disabled control and everything inside one.
  public var isAccessibilityDisabled: Bool { !isEffectivelyEnabled }
}

extension Control {
  /// Changes a value as assistive technology requests, and sends the events of a change by the user: an editing's begin and end
  /// around `valueChanged`, which is sent if `change` reports a changed value.
  final func changeByAssistance(_ change: () -> Bool) {
    // An edit by keys is not enclosed by a second edit.
    let isWhole = !isBeingEdited
    if isWhole { sendActions(for: .editingDidBegin) }
    if change() { sendActions(for: .valueChanged) }
    if isWhole { sendActions(for: .editingDidEnd) }
  }
}

extension RootView {
  /// The elements of the window's title bar if the program draws it, otherwise none.
  package var accessibilityDecoration: [View] { decoration?.accessibilityElements ?? [] }

  /// The element of the window's title bar at `point` of the content; nil if none is there.
  package func accessibilityDecorationHitTest(_ point: Point) -> View? {
    decoration.flatMap { $0.accessibilityHitTest(point + $0.contentOrigin) }
  }

  private var decoration: (any SurroundingTree)? {
    var host = host
    while let current = host, !(current is any DecoratingHost) { host = (current as? any ForwardingHost)?.window }
    return (host as? any DecoratingHost)?.decoration
  }

  /// The tree that this one is the decoration of; nil for any other tree.
  fileprivate var decorated: RootView? { (self as? any SurroundingTree)?.looks }

  /// Makes assistive technology say `text` at once, whatever has the focus; for news that a user must hear. Costs nothing
  /// without assistive technology.
  public func announce(_ text: @autoclosure () -> String) { note(.announcement(text())) }
}

/// The tree of a window's own decoration. Assistive technology finds its views in the decorated tree.
package protocol SurroundingTree: RootView {
  var looks: RootView { get }
  /// The corner of the window's content, in the decoration's points.
  var contentOrigin: Point { get }
}

package protocol DecoratingHost: ForwardingHost {
  var decoration: any SurroundingTree { get }
}
