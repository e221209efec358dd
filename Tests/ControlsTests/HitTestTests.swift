// Owns tests of which view a point hits, and of mapping points between views.
// Must not test what views do with touches.

import ControlHarness
import Controls
import Testing

@MainActor @Suite(.serialized) struct HitTestTests {
  private func view(_ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ProbeView {
    let view = ProbeView(frame: Rect(x: x, y: y, width: width, height: height))
    view.name = name
    return view
  }

  @Test func `neighbours never share an edge: bounds are half open`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let left = view("left", 0, 0, 50, 100)
    let right = view("right", 50, 0, 50, 100)
    root.addSubview(left)
    root.addSubview(right)
    #expect(root.hitTest(Point(x: 49.999, y: 0)) === left)
    #expect(root.hitTest(Point(x: 50, y: 0)) === right)
    #expect(root.hitTest(Point(x: 99.999, y: 99.999)) === right)
    #expect(root.hitTest(Point(x: 100, y: 50)) == nil)
    #expect(root.hitTest(Point(x: 50, y: 100)) == nil)
    #expect(root.hitTest(Point(x: 0, y: -0.001)) == nil)
    #expect(root.hitTest(Point(x: Double.nan, y: 1)) == nil)
  }

  @Test func `K19: the later sibling is hit first, and none of them means the parent`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let below = view("below", 10, 10, 50, 50)
    let above = view("above", 30, 30, 50, 50)
    root.addSubview(below)
    root.addSubview(above)
    #expect(root.hitTest(Point(x: 40, y: 40)) === above)
    #expect(root.hitTest(Point(x: 15, y: 15)) === below)
    #expect(root.hitTest(Point(x: 5, y: 5)) === root)
    root.bringSubviewToFront(below)
    #expect(root.hitTest(Point(x: 40, y: 40)) === below)
    root.sendSubviewToBack(below)
    #expect(root.hitTest(Point(x: 40, y: 40)) === above)
  }

  @Test func `K19: no interaction, hidden or faded away means nothing in the subtree is hit`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let parent = view("parent", 0, 0, 50, 50)
    let child = view("child", 0, 0, 50, 50)
    root.addSubview(parent)
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
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let parent = view("parent", 10, 10, 20, 20)
    let child = view("child", 10, 10, 60, 60)
    root.addSubview(parent)
    parent.addSubview(child)
    #expect(root.hitTest(Point(x: 25, y: 25)) === child)
    #expect(root.hitTest(Point(x: 35, y: 35)) === root)
  }

  @Test func `K20: point(inside:) shapes the active area, K21: and settles overlaps`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let circle = view("circle", 20, 20, 40, 40)
    circle.shape = { $0.distance(to: Point(x: 20, y: 20)) < 20 }
    let square = view("square", 20, 20, 40, 40)
    root.addSubview(square)
    root.addSubview(circle)
    #expect(root.hitTest(Point(x: 40, y: 40)) === circle)
    #expect(root.hitTest(Point(x: 22, y: 22)) === square)
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
}
