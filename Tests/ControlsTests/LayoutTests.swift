import ControlHarness
import Controls
import Testing

/// Tests of layout and of the tree: only when needed, bad input harmless.
@MainActor @Suite(.serialized) struct LayoutTests {
  @Test func `K5, K6: a view is laid out when its size changes or someone asks, and not otherwise`() {
    let view = ProbeView(frame: Rect(x: 10, y: 10, width: 50, height: 50))
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    harness.root.addSubview(view)
    func layouts(after change: () -> Void = {}) -> Int {
      change()
      harness.frame()
      return view.layouts
    }
    #expect(layouts() == 1)
    #expect(layouts(after: { view.frame.origin = Point(x: 20, y: 20) }) == 1, "a move is no new size")
    let grow = {
      view.frame.size.width = 60
      view.frame.size.height = 60
    }
    #expect(layouts(after: grow) == 2, "two changes, one layout")
    let ask = {
      view.setNeedsLayout()
      view.setNeedsLayout()
    }
    #expect(layouts(after: ask) == 3)
    #expect(layouts(after: { view.setNeedsDisplay() }) == 3)
    #expect(layouts() == 3)
    #expect(layouts(after: { view.addSubview(View()) }) == 4)
  }

  @Test func `only the views that need it are laid out`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let (parent, child, sibling) = (ProbeView(), ProbeView(), ProbeView())
    harness.root.addSubview(parent)
    parent.addSubview(child)
    harness.root.addSubview(sibling)
    harness.frame()
    let before = (parent.layouts, sibling.layouts)
    child.setNeedsLayout()
    #expect(harness.root.needsFrame)
    harness.frame()
    #expect(child.layouts == 2)
    #expect((parent.layouts, sibling.layouts) == before)
  }

  @Test func `a layout that resizes a view inside has that one laid out in the same frame`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let (parent, child) = (ProbeView(frame: Rect(x: 0, y: 0, width: 30, height: 30)), ProbeView())
    harness.root.addSubview(parent)
    parent.addSubview(child)
    parent.onLayout = { [unowned parent, unowned child] in child.frame = parent.bounds.insetBy(dx: 5, dy: 5) }
    harness.frame()
    #expect(child.frame == Rect(x: 5, y: 5, width: 20, height: 20))
    parent.frame = Rect(x: 0, y: 0, width: 50, height: 30)
    harness.frame()
    #expect(child.frame.width == 40)
    #expect(!harness.root.needsFrame)
  }

  @Test func `a view is updated once per frame, however often it asks`() {
    final class Updated: View {
      var updates = 0
      var asksAgain = false
      override func update() {
        updates += 1
        if asksAgain { setNeedsUpdate() }
        setNeedsDisplay()
      }
      override func draw(_ canvas: Canvas) {
        canvas.fill(Rect(x: 0, y: 0, width: 1, height: 1), Color(white: Double(updates % 2)))
      }
    }
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let view = Updated(frame: Rect(x: 0, y: 0, width: 30, height: 30))
    view.setNeedsUpdate()
    harness.root.addSubview(view)
    harness.frame()
    #expect(view.updates == 0, "without a root there is nothing to bring up to date")
    for _ in 0..<10 { view.setNeedsUpdate() }
    #expect(harness.root.needsFrame)
    harness.frame()
    #expect(view.updates == 1)
    #expect(harness.lastDamage.area == 1)
    #expect(!harness.root.needsFrame)
    view.asksAgain = true
    view.setNeedsUpdate()
    harness.frame()
    #expect(view.updates == 2 && harness.root.needsFrame)
    view.removeFromSuperview()
    harness.frame()
    #expect(view.updates == 2)
    harness.root.addSubview(view)
    view.setNeedsUpdate()
    harness.frame()
    #expect(view.updates == 3)
  }

  @Test func `a layout that never comes to rest does not hang the frame`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let view = ProbeView(frame: Rect(x: 0, y: 0, width: 30, height: 30))
    var told: [String] = []
    harness.onFault = { told.append($0) }
    view.name = "restless"
    view.onLayout = { [unowned view] in view.setNeedsLayout() }
    harness.root.addSubview(view)
    harness.frame()
    #expect(view.layouts <= 8)
    #expect(!harness.root.needsFrame, "nor asks for frames for ever")
    #expect(told == [#"layout does not come to rest: ProbeView "restless" asked for it again 8 times"#])
    view.setNeedsLayout()
    harness.settle(limit: 20)
    #expect(!harness.root.needsFrame && told.count == 1, "told once")
    view.onLayout = nil
    let layouts = view.layouts
    view.setNeedsLayout()
    harness.frame()
    #expect(view.layouts == layouts + 1, "laid out again for the next reason")
  }

  @Test func `what layoutSubviews asks to be updated is up to date in the same frame`() {
    final class Late: View {
      var width = 0.0
      var shown = 0.0
      override func layoutSubviews() {
        width = bounds.width
        setNeedsUpdate()
      }
      override func update() {
        guard shown != width else { return }
        shown = width
        setNeedsDisplay()
      }
      override func draw(_ canvas: Canvas) {
        canvas.fill(Rect(x: 0, y: 0, width: shown, height: 10), .white)
      }
    }
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let view = Late(frame: Rect(x: 0, y: 0, width: 20, height: 10))
    harness.root.addSubview(view)
    harness.frame()
    view.frame.size.width = 60
    harness.frame()
    #expect(harness.shown[50, 5] == 0xffff_ffff && !harness.root.needsFrame)
  }

  @Test func `an update and a layout that ask for each other for ever are given up too`() {
    final class Circle: View {
      override func layoutSubviews() { setNeedsUpdate() }
      override func update() { setNeedsLayout() }
    }
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    var told = 0
    harness.onFault = { _ in told += 1 }
    harness.root.addSubview(Circle(frame: Rect(x: 0, y: 0, width: 20, height: 10)))
    harness.settle(limit: 20)
    #expect(!harness.root.needsFrame && told == 1)
  }

  @Test func `K8: sizeToFit takes what sizeThatFits gives and keeps the origin`() {
    final class Fixed: View {
      override func sizeThatFits(_ size: Size) -> Size { Size(width: 44, height: 22) }
    }
    let view = Fixed(frame: Rect(x: 3, y: 4, width: 1, height: 1))
    view.sizeToFit()
    #expect(view.frame == Rect(x: 3, y: 4, width: 44, height: 22))
  }

  @Test func `K4: insertSubview at 0 puts a view behind all others, and indices are clamped`() {
    let root = RootView()
    let views = (0..<3).map { _ in View() }
    root.addSubview(views[0])
    root.insertSubview(views[1], at: 0)
    root.insertSubview(views[2], at: 99)
    #expect(root.subviews.map(ObjectIdentifier.init) == [views[1], views[0], views[2]].map(ObjectIdentifier.init))
    root.insertSubview(views[0], at: -5)
    #expect(root.subviews.first === views[0])
    #expect(root.subviews.count == 3)
  }

  @Test func `a tree stays a tree, whatever is added to what`() {
    let root = RootView()
    let (a, b) = (View(), View())
    root.addSubview(a)
    a.addSubview(b)
    b.addSubview(a)
    a.addSubview(a)
    b.addSubview(root)
    b.addSubview(RootView())
    #expect(b.superview === a)
    #expect(a.superview === root)
    #expect(b.subviews.isEmpty)
    root.addSubview(b)
    #expect(a.subviews.isEmpty)
    #expect(b.superview === root)
    #expect(b.root === root)
    b.removeFromSuperview()
    #expect(b.root == nil)
  }

  @Test func `frames that are no rectangles are ignored, negative sizes count as nothing`() {
    let view = View(frame: Rect(x: 1, y: 2, width: 3, height: 4))
    view.frame = Rect(x: .nan, y: 0, width: 5, height: 5)
    view.frame = Rect(x: 0, y: 0, width: .infinity, height: 5)
    #expect(view.frame == Rect(x: 1, y: 2, width: 3, height: 4))
    view.frame = Rect(x: 7, y: 8, width: -3, height: 4)
    #expect(view.frame == Rect(x: 7, y: 8, width: 0, height: 4))
    view.alpha = .nan
    #expect(view.alpha == 1)
    view.alpha = 7
    #expect(view.alpha == 1)
    #expect(View(frame: Rect(x: .nan, y: 0, width: 1, height: 1)).frame == .zero)
    let root = RootView()
    root.resize(to: Size(width: .nan, height: 3), scale: .one)
    #expect(root.frame == .zero)
  }

  @Test func `a tree says what it is: types, names, frames, states and values`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let control = ProbeControl("lever", frame: Rect(x: 5, y: 6, width: 40, height: 40), log: Log())
    let holder = View(frame: Rect(x: 10, y: 10, width: 80, height: 80))
    holder.addSubview(control)
    harness.root.addSubview(holder)
    control.isSelected = true
    let tree = harness.root.inspect()
    let said = tree.subviews[0].subviews[0]
    #expect(said.type == "ProbeControl")
    #expect(said.name == "lever")
    #expect(said.state == ["selected"])
    #expect(said.frame == Rect(x: 15, y: 16, width: 40, height: 40))
    #expect(harness.root.view(named: "lever") === control)
  }

  @Test func `a view that leaves and comes back in one turn is updated once`() {
    final class Counter: View {
      var updates = 0
      override func update() { updates += 1 }
    }
    let harness = ControlHarness(size: Size(width: 20, height: 20))
    let view = Counter(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    harness.root.addSubview(view)
    view.setNeedsUpdate()
    view.removeFromSuperview()
    harness.root.addSubview(view)
    view.setNeedsUpdate()
    harness.frame()
    #expect(view.updates == 1)
  }

  @Test func `what is anchored to a sibling follows it, and what is not is left alone`() {
    let harness = ControlHarness(size: Size(width: 200, height: 100))
    let outer = ProbeView(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    let first = ProbeView(frame: Rect(x: 10, y: 0, width: 20, height: 20))
    let (second, third) = (ProbeView(), ProbeView(frame: Rect(x: 0, y: 50, width: 10, height: 10)))
    var anchors = LayoutAnchors()
    (anchors.left, anchors.top, anchors.width, anchors.height) = (.edge(.right, of: first, plus: 5), 0, 10, 10)
    second.anchors = anchors
    for view in [first, second, third] { outer.addSubview(view) }
    harness.root.addSubview(outer)
    harness.frame()
    #expect(second.frame.minX == 35)
    first.frame.origin.x = 50
    harness.frame()
    #expect(second.frame.minX == 75)
    let layouts = outer.layouts
    third.frame.origin.x = 90
    harness.frame()
    #expect(outer.layouts == layouts)
  }
}
