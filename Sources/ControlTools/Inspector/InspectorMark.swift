/// A border around the chosen view, with a tag that shows its type and size. It takes no touches.
final class InspectorMark: View {
  private static let width = 2.0
  private static let tagHeight = 22.0
  private static let gap = 3.0

  /// The marked rectangle in the window; empty until a view is marked.
  private var place = Rect.zero
  /// The tag's frame in the window; nil where it would cover what must stay in sight.
  private var tagFrame: Rect?
  private var text = ""

  init() {
    super.init(frame: .zero)
    isUserInteractionEnabled = false
    isHidden = true
  }

  private var tag: TextLayout { FontLibrary.shared.layout(text, font: Font(size: 12, weight: .semibold)) }

  /// Puts the mark around the visible part of `view`, or hides it if `view` is nil or not visible.
  func follow(_ view: View?, _ typeName: String) {
    guard let view, let root, view.root === root, view.isShown else { return isHidden = true }
    let seen = view.chain.reduce(view.windowFrame) { $0.intersection($1.windowFrame) }
    guard !seen.isEmpty else { return isHidden = true }
    let format = NumberFormat(fractionDigits: 1)
    let size = view.bounds.size
    let text = "\(typeName)  \(format.text(size.width)) × \(format.text(size.height))"
    let wasPlace = (self.text, place, tagFrame)
    (self.text, place) = (text, seen)
    let tag = tagPlace(seen, root.bounds)
    tagFrame = root.keptInSight().contains(where: tag.intersects) ? nil : tag
    if wasPlace != (self.text, place, tagFrame) {
      let ring = seen.insetBy(dx: -Self.width, dy: -Self.width)
      frame = tagFrame.map(ring.union) ?? ring
      setNeedsDisplay()
    }
    isHidden = false
  }

  /// The tag's frame in the window: above the view, or inside it if there is no space above.
  private func tagPlace(_ place: Rect, _ bounds: Rect) -> Rect {
    let width = tag.size.width.rounded(.up) + 14
    let above = place.minY - Self.width - Self.gap - Self.tagHeight
    let y = above >= 0 ? above : min(place.minY + Self.gap, max(bounds.maxY - Self.tagHeight, 0))
    let x = min(max(place.minX - Self.width, 0), max(bounds.width - width, 0))
    return Rect(x: x, y: y, width: width, height: Self.tagHeight)
  }

  override func draw(_ canvas: Canvas) {
    func local(_ rect: Rect) -> Rect { rect.offsetBy(dx: -frame.minX, dy: -frame.minY) }
    let ring = local(place).insetBy(dx: -Self.width / 2, dy: -Self.width / 2)
    canvas.stroke(Path(roundedRect: ring, cornerRadius: 3), theme.attention, width: Self.width)
    guard let tagPlace = tagFrame.map(local) else { return }
    canvas.fill(Path(roundedRect: tagPlace, cornerRadius: 5), theme.attention)
    canvas.draw(tag, at: tagPlace.center, theme.isDark ? theme.onAccent : .white, anchor: .center)
  }
}

/// Covers the scene while the user picks a view: lifting the finger picks the view under it.
final class InspectorPicker: View {
  /// Called with the finger's position in the window: when it touches and moves, and with `isPicked` when it is lifted.
  var onPoint: ((_ place: Point, _ isPicked: Bool) -> Void)?

  override var cursor: CursorShape { .pointingHand }

  override func touchesBegan(_ touches: [Touch]) { report(touches, false) }
  override func touchesMoved(_ touches: [Touch]) { report(touches, false) }
  override func touchesEnded(_ touches: [Touch]) { report(touches, true) }
  override func touchesCancelled(_ touches: [Touch]) {}

  private func report(_ touches: [Touch], _ isPicked: Bool) {
    if let touch = touches.first { onPoint?(touch.windowLocation, isPicked) }
  }
}

extension View {
  /// The front-most visible descendant at `point`, in this view's coordinates, whether or not it takes touches; this view if no
  /// subview is there. Views that `isWanted` rejects are skipped with everything inside them.
  func visibleView(at point: Point, where isWanted: (View) -> Bool = { _ in true }) -> View {
    for view in subviews.reversed() where !view.isHidden && view.alpha > 0.01 && isWanted(view) {
      guard view.frame.contains(point) else { continue }
      return view.visibleView(at: Point(x: point.x - view.frame.minX, y: point.y - view.frame.minY), where: isWanted)
    }
    return self
  }
}
