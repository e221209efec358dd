import ControlHarness
import Controls
import Testing

/// Tests of which view a point hits, and of mapping points between views.
@MainActor @Suite(.serialized) struct HitTestTests {
  private func view(_ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ProbeView {
    let view = ProbeView(frame: Rect(x: x, y: y, width: width, height: height))
    view.name = name
    return view
  }

  /// A root of 100 x 100 points with `views`, from the back to the front.
  private func root(_ views: View...) -> RootView {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    for view in views { root.addSubview(view) }
    return root
  }

  /// Each point hits its view.
  private func expect(_ root: RootView, _ hits: [(Point, View?)], at location: SourceLocation = #_sourceLocation) {
    for (point, view) in hits { #expect(root.hitTest(point) === view, "\(point)", sourceLocation: location) }
  }

  @Test func `neighbours never share an edge: bounds are half open`() {
    let left = view("left", 0, 0, 50, 100)
    let right = view("right", 50, 0, 50, 100)
    expect(
      root(left, right),
      [
        (Point(x: 49.999, y: 0), left), (Point(x: 50, y: 0), right), (Point(x: 99.999, y: 99.999), right),
        (Point(x: 100, y: 50), nil), (Point(x: 50, y: 100), nil), (Point(x: 0, y: -0.001), nil),
        (Point(x: Double.nan, y: 1), nil),
      ])
  }

  @Test func `K19: the later sibling is hit first, and none of them means the parent`() {
    let below = view("below", 10, 10, 50, 50)
    let above = view("above", 30, 30, 50, 50)
    let root = root(below, above)
    let inBoth = Point(x: 40, y: 40)
    expect(root, [(inBoth, above), (Point(x: 15, y: 15), below), (Point(x: 5, y: 5), root)])
    root.bringSubviewToFront(below)
    expect(root, [(inBoth, below)])
    root.sendSubviewToBack(below)
    expect(root, [(inBoth, above)])
  }

  @Test func `K19: no interaction, hidden or faded away means nothing in the subtree is hit`() {
    let parent = view("parent", 0, 0, 50, 50)
    let child = view("child", 0, 0, 50, 50)
    let root = root(parent)
    parent.addSubview(child)
    let point = Point(x: 10, y: 10)
    #expect(root.hitTest(point) === child)
    parent.isUserInteractionEnabled = false
    #expect(root.hitTest(point) === root)
    parent.isUserInteractionEnabled = true
    parent.isHidden = true
    #expect(root.hitTest(point) === root)
    parent.isHidden = false
    parent.alpha = 0.005
    #expect(root.hitTest(point) === root)
    parent.alpha = 1
    #expect(root.hitTest(point) === child)
  }

  @Test func `K19: the part of a child outside its parent is dead`() {
    let parent = view("parent", 10, 10, 20, 20)
    let child = view("child", 10, 10, 60, 60)
    let root = root(parent)
    parent.addSubview(child)
    #expect(root.hitTest(Point(x: 25, y: 25)) === child)
    #expect(root.hitTest(Point(x: 35, y: 35)) === root)
  }

  @Test func `K20: point(inside:) shapes the active area, K21: and settles overlaps`() {
    let circle = view("circle", 20, 20, 40, 40)
    circle.shape = { $0.distance(to: Point(x: 20, y: 20)) < 20 }
    let square = view("square", 20, 20, 40, 40)
    let root = root(square, circle)
    #expect(root.hitTest(Point(x: 40, y: 40)) === circle)
    #expect(root.hitTest(Point(x: 22, y: 22)) === square)
  }

  /// The article's circle, right for every size: its centre and radius come from the bounds when they are asked for.
  private final class Circle: View {
    override func point(inside point: Point) -> Bool {
      super.point(inside: point) && point.distance(to: bounds.center) < min(bounds.width, bounds.height) / 2
    }
  }

  @Test(arguments: [
    (Size(width: 60, height: 60), Point(x: 30, y: 30), true), (Size(width: 60, height: 60), Point(x: 2, y: 2), false),
    (Size(width: 60, height: 100), Point(x: 30, y: 50), true),
    (Size(width: 60, height: 100), Point(x: 30, y: 79.9), true),
    (Size(width: 60, height: 100), Point(x: 30, y: 10), false),
    (Size(width: 100, height: 60), Point(x: 79.9, y: 30), true),
    (Size(width: 100, height: 60), Point(x: 10, y: 30), false),
    (Size(width: 0, height: 60), Point(x: 0, y: 30), false),
  ])
  func `K20, K-D1: a circle is hit in its circle, whatever its bounds are, also before any layout`(
    size: Size, point: Point, isHit: Bool
  ) {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 200, height: 200))
    let circle = Circle(frame: Rect(origin: Point(x: 20, y: 30), size: size))
    root.addSubview(circle)
    let place = point.offsetBy(dx: 20, dy: 30)
    #expect((root.hitTest(place) === circle) == isHit)
    circle.frame = Rect(x: 0, y: 0, width: 200, height: 200)
    #expect(root.hitTest(Point(x: 100, y: 199)) === circle, "at once after a new size")
  }

  @Test func `K21: circles and sectors that overlap share no point`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 200, height: 200))
    let whole = Rect(x: 0, y: 0, width: 200, height: 200)
    // Four quarters of a ring, all with the same frame, and a disc in the middle.
    let quarters = (0..<4).map { number -> ProbeView in
      let view = view("quarter \(number)", 0, 0, 200, 200)
      view.shape = { point in
        let (x, y) = (point.x - 100, point.y - 100)
        let distance = (x * x + y * y).squareRoot()
        guard distance >= 40, distance < 90 else { return false }
        return (y < 0 ? (x < 0 ? 0 : 1) : (x < 0 ? 3 : 2)) == number
      }
      root.addSubview(view)
      return view
    }
    let disc = view("disc", 0, 0, 200, 200)
    disc.shape = { $0.distance(to: Point(x: 100, y: 100)) < 40 }
    root.insertSubview(disc, at: 0)
    var hits: [String: Int] = [:]
    for x in stride(from: 0.5, to: whole.width, by: 1) {
      for y in stride(from: 0.5, to: whole.height, by: 1) {
        let point = Point(x: x, y: y)
        let active = ([disc] + quarters).filter { $0.point(inside: point) }
        #expect(active.count <= 1)
        let hit = root.hitTest(point)
        #expect(hit === active.first ?? root)
        hits[hit?.name ?? "", default: 0] += 1
      }
    }
    #expect(abs((hits["disc"] ?? 0) - 5027) < 60 && Set((0..<4).map { hits["quarter \($0)"] }).count == 1)
  }

  @Test func `K19: a control that is not touched, hidden or faded away lets what is behind be hit`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let behind = view("behind", 0, 0, 100, 100)
    let control = ProbeControl("control", frame: Rect(x: 0, y: 0, width: 100, height: 100), log: Log())
    root.addSubview(behind)
    root.addSubview(control)
    let point = Point(x: 50, y: 50)
    for (change, hit) in [
      ({ control.isUserInteractionEnabled = false }, behind), ({ control.isUserInteractionEnabled = true }, control),
      ({ control.isHidden = true }, behind), ({ control.isHidden = false }, control),
      ({ control.alpha = 0.01 }, behind),
      ({ control.alpha = 0.02 }, control), ({ control.isEnabled = false }, control),
    ] as [(() -> Void, View)] {
      change()
      #expect(root.hitTest(point) === hit)
    }
  }

  @Test func `a disabled control takes hits for itself and what is inside, so that nothing behind it is pressed`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let (log, behind) = (Log(), ProbeControl("behind", log: Log()))
    let (control, child) = (ProbeControl("a", log: log), view("child", 0, 0, 10, 10))
    root.addSubview(behind)
    root.addSubview(control)
    control.addSubview(child)
    #expect(root.hitTest(Point(x: 5, y: 5)) === child)
    control.isEnabled = false
    #expect(root.hitTest(Point(x: 5, y: 5)) === control)
    #expect(root.hitTest(Point(x: 50, y: 5)) === root)
    let id = ControlHarness.touchID(0)
    root.handle(.touches([TouchPoint(id: id, phase: .began, location: Point(x: 5, y: 5), time: .zero)]))
    root.handle(.touches([TouchPoint(id: id, phase: .ended, location: Point(x: 5, y: 5), time: .zero)]))
    #expect(log.lines.isEmpty && behind.log.lines.isEmpty && !control.isTracking)
  }

  @Test func `points and rectangles map between views and the window`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let a = view("a", 10, 20, 50, 50)
    let b = view("b", 3, 4, 10, 10)
    let c = view("c", 60, 60, 10, 10)
    root.addSubview(a)
    a.addSubview(b)
    root.addSubview(c)
    #expect(b.convert(Point(x: 1, y: 1), to: nil) == Point(x: 14, y: 25))
    #expect(b.convert(Point(x: 1, y: 1), to: a) == Point(x: 4, y: 5))
    #expect(b.convert(Point(x: 1, y: 1), to: c) == Point(x: -46, y: -35))
    #expect(b.convert(Point(x: -46, y: -35), from: c) == Point(x: 1, y: 1))
    #expect(c.convert(b.convert(Point(x: 1, y: 1), to: c), to: b) == Point(x: 1, y: 1))
    #expect(b.windowFrame == Rect(x: 13, y: 24, width: 10, height: 10))
    #expect(b.convert(b.bounds, to: a) == b.frame)
  }

  @Test func `a small control keeps its 44 points over a plain sibling behind it, not under one in front`() {
    let panel = view("panel", 0, 0, 100, 100)
    let button = Button(frame: Rect(x: 40, y: 40, width: 20, height: 20))
    let root = root(panel, button)
    expect(root, [(Point(x: 32, y: 50), button), (Point(x: 10, y: 50), panel)])
    root.bringSubviewToFront(panel)
    expect(root, [(Point(x: 32, y: 50), panel)])
  }
}
