import ControlHarness
import Controls
import Glibc
import TestSupport
import Testing

/// Tests of the rule that a point inside a control is its own, whatever the containers are.
@MainActor @Suite(.serialized) struct TouchAreaTests {
  /// The points tried in all; COCKPIT_TOUCH_POINTS asks for more.
  nonisolated static let points = getenv("COCKPIT_TOUCH_POINTS").flatMap { Int(String(cString: $0)) } ?? 20_000

  private func button(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Button {
    Button(frame: Rect(x: x, y: y, width: width, height: height))
  }

  private func panel(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ views: View...) -> View {
    let panel = View(frame: Rect(x: x, y: y, width: width, height: height))
    for view in views { panel.addSubview(view) }
    return panel
  }

  private func root(_ views: View...) -> RootView {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 240, height: 160))
    for view in views { root.addSubview(view) }
    return root
  }

  @Test func `a small control takes nothing of a control in a panel beside it`() {
    let stop = button(50, 0, 50, 30)
    let lamp = Switch(frame: Rect(x: 122, y: 55, width: 20, height: 20))
    let root = root(panel(20, 50, 100, 30, stop), lamp)
    for x in stride(from: 70.5, to: 120, by: 1) { #expect(root.hitTest(Point(x: x, y: 65)) === stop, "\(x)") }
    for x in stride(from: 120.5, to: 154, by: 1) { #expect(root.hitTest(Point(x: x, y: 65)) === lamp, "\(x)") }
    // A finger that comes down on one and moves over the other has left it.
    #expect(!lamp.isInTouchArea(Point(x: 115 - 122, y: 10)) && lamp.isInTouchArea(Point(x: 121 - 122, y: 10)))
  }

  @Test func `a disabled control makes no dead strip in the row of a list beside it`() {
    let row = button(0, 0, 100, 40)
    let list = ScrollView(frame: Rect(x: 0, y: 0, width: 100, height: 160))
    list.addSubview(row)
    let close = button(101, 8, 24, 24)
    close.isEnabled = false
    let root = root(list, close)
    root.layoutIfNeeded()
    for x in [92.0, 96, 99.5] { #expect(root.hitTest(Point(x: x, y: 20)) === row) }
    #expect(root.hitTest(Point(x: 130, y: 20)) === close)
  }

  @Test func `between controls of two panels, the nearer one is touched`() {
    let (left, right) = (button(80, 40, 20, 20), button(8, 40, 20, 20))
    let root = root(panel(0, 0, 104, 100, left), panel(104, 0, 100, 100, right))
    #expect(root.hitTest(Point(x: 103, y: 50)) === left && root.hitTest(Point(x: 105, y: 50)) === right)
  }

  @Test func `a control scrolled out of sight is not touched beside its place`() {
    let (list, far) = (ScrollView(frame: Rect(x: 0, y: 0, width: 100, height: 100)), button(40, 105, 20, 20))
    list.contentView.addSubview(panel(0, 0, 100, 400))
    list.contentView.addSubview(far)
    let root = root(list)
    root.layoutIfNeeded()
    #expect(root.hitTest(Point(x: 50, y: 99))?.isDescendant(of: far) == false)
    list.setContentOffset(Point(x: 0, y: 8), animated: false)
    #expect(root.hitTest(Point(x: 50, y: 99)) === far)
  }

  @Test func `a panel in front keeps its own ground, one behind gives it to a small control`() {
    let (small, cover) = (button(40, 40, 20, 20), panel(0, 0, 36, 100))
    let root = root(small, cover)
    #expect(root.hitTest(Point(x: 35, y: 50)) === cover && root.hitTest(Point(x: 37, y: 50)) === small)
    root.sendSubviewToBack(cover)
    #expect(root.hitTest(Point(x: 35, y: 50)) === small)
  }

  @Test func `K21: in any tree, a point inside a visible, enabled control reaches the front-most one there`() {
    var (tried, inside, seed) = (0, 0, 0)
    while tried < Self.points {
      seed += 1
      var tree = ControlTree(seed: seed)
      for _ in 0..<500 {
        let point = tree.point()
        let wanted = tree.frontMost(at: point)
        tried += 1
        guard let control = wanted.control else { continue }
        inside += 1
        let hit = tree.root.hitTest(point)
        guard hit?.isDescendant(of: control) != true else { continue }
        Issue.record("seed \(seed), \(point): \(String(describing: hit?.name)) instead of \(control.name)")
        return
      }
    }
    #expect(inside > tried / 10)
    print("touch areas: \(tried) points in \(seed) trees, \(inside) of them in controls")
  }
}

/// A random tree of 30 controls in panels, stacks, scroll views and other controls, which overlap by chance.
@MainActor private struct ControlTree {
  let root = RootView(frame: Rect(x: 0, y: 0, width: 300, height: 300))
  var random: Random
  private var containers: [View]
  private var controls: [View] = []

  init(seed: Int) {
    random = Random(seed)
    containers = [root]
    for number in 0..<30 {
      if random.below(3) == 0 { containers.append(add(container(), "container \(number)")) }
      let control = add(control(), "control \(number)")
      controls.append(control)
      if random.below(6) == 0 { (control as? Control)?.isEnabled = false }
      if random.below(12) == 0 { control.isHidden = true }
      if random.below(12) == 0 { control.isUserInteractionEnabled = false }
      if random.below(10) == 0 { containers.append(control) }
    }
    root.layoutIfNeeded()
  }

  private mutating func container() -> View {
    switch random.below(5) {
    case 0: return StackView([], axis: random.below(2) == 0 ? .vertical : .horizontal, spacing: random.number(0, 9))
    case 1: return ScrollView()
    default: return View()
    }
  }

  private mutating func control() -> View {
    switch random.below(6) {
    case 0: return Switch()
    case 1: return Slider()
    case 2: return TextField()
    case 3: return NumberField()
    case 4: return ProbeControl("", log: Log())
    default: return Button()
    }
  }

  private mutating func add(_ view: View, _ name: String) -> View {
    let isLarge = view is Control ? random.below(6) == 0 : true
    view.name = name
    view.frame = Rect(
      x: random.number(-10, 280), y: random.number(-10, 280), width: random.number(2, isLarge ? 200 : 50),
      height: random.number(2, isLarge ? 200 : 50))
    let container = containers[random.below(containers.count)]
    container.addSubview(view)
    return view
  }

  /// A point anywhere, or mostly one in a control's frame, which its superviews may cut off.
  mutating func point() -> Point {
    if random.below(4) == 0 { return Point(x: random.number(-5, 305), y: random.number(-5, 305)) }
    let frame = controls[random.below(controls.count)].windowFrame
    return Point(x: random.number(frame.minX, frame.maxX), y: random.number(frame.minY, frame.maxY))
  }

  /// The view that is drawn last at `point` of all that takes touches, and the control that this is or lies in, if it is enabled:
  /// found by looking at every view with the ground that its superviews leave it.
  func frontMost(at point: Point) -> (view: View?, control: Control?) {
    var found: View?
    func look(_ view: View, _ clip: Rect) {
      guard !view.isHidden, view.isUserInteractionEnabled else { return }
      let seen = view.windowFrame.intersection(clip)
      guard seen.contains(point) else { return }
      found = view
      for inner in view.subviews { look(inner, seen) }
    }
    look(root, root.bounds)
    var (view, control) = (found, Control?.none)
    while let current = view {
      if let around = current as? Control {
        // A disabled control covers what is behind it and inside it.
        guard around.isEnabled else { return (found, nil) }
        control = control ?? around
      }
      view = current.superview
    }
    return (found, control)
  }
}
