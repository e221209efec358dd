import ControlHarness
import Controls
import Testing

/// A view that wants a certain size, or a height that depends on its width.
private final class WishView: View {
  var wish = Size(width: 30, height: 20) { didSet { if wish != oldValue { setNeedsLayout() } } }
  var area: Double?
  var layouts = 0
  override func sizeThatFits(_ size: Size) -> Size {
    guard let area, size.width.isFinite, size.width > 0 else { return wish }
    return Size(width: size.width, height: area / size.width)
  }
  override func layoutSubviews() { layouts += 1 }
}

/// Shows a text as so many points of height as it has letters.
private final class LengthView: View, InputView {
  var shown: [String] = []
  var factor = 1.0
  func show(_ input: String) {
    shown.append(input)
    setNeedsLayout()
  }
  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: Double(shown.last?.count ?? 0) * factor)
  }
}

@MainActor @Suite(.serialized) struct StackTests {
  private let sizes = [Size(width: 30, height: 20), Size(width: 10, height: 40)]

  /// The size that a view wants at its present width.
  private func wanted(_ view: View) -> Size {
    view.fittingSize(in: Size(width: view.bounds.width, height: .infinity))
  }

  private func model(_ change: (inout StackModel) -> Void = { _ in }) -> StackModel {
    var model = StackModel()
    model.spacing = 5
    model.insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    change(&model)
    return model
  }

  @Test func `a subview that is brought to the front goes to the end of the stack`() {
    let views = [WishView(), WishView()]
    let stack = StackView(views)
    stack.frame = Rect(x: 0, y: 0, width: 100, height: 100)
    stack.layoutIfNeeded()
    #expect(views.map(\.frame.minY) == [0, 20])
    stack.bringSubviewToFront(views[0])
    stack.layoutIfNeeded()
    #expect(views.map(\.frame.minY) == [20, 0])
  }

  @Test func `sizes: along the axis all and the space between, across it the largest`() {
    #expect(model().size(of: sizes) == Size(width: 36, height: 69))
    #expect(model { $0.axis = .horizontal }.size(of: sizes) == Size(width: 51, height: 44))
    #expect(model { $0.distribution = .fillEqually }.size(of: sizes) == Size(width: 36, height: 89))
    #expect(model().size(of: []) == Size(width: 6, height: 4))
  }

  @Test(arguments: [
    (HorizontalAlignment.leading, LayoutDirection.leftToRight, [2.0, 2]), (.center, .leftToRight, [34, 44]),
    (.trailing, .leftToRight, [66, 86]), (.right, .leftToRight, [66, 86]),
    (.leading, .rightToLeft, [66, 86]), (.trailing, .rightToLeft, [2, 2]), (.left, .rightToLeft, [2, 2]),
  ])
  func `each of a column stands by the horizontal alignment`(
    alignment: HorizontalAlignment, direction: LayoutDirection, xs: [Double]
  ) {
    let column = model {
      ($0.fillsBreadth, $0.horizontalAlignment, $0.direction) = (false, alignment, direction)
    }
    let frames = column.frames(of: sizes, in: Size(width: 100, height: 200))
    #expect(frames.map(\.minX) == xs && frames.map(\.width) == [30, 10])
    #expect(frames.map(\.minY) == [1, 26] && frames.map(\.height) == [20, 40])
  }

  @Test func `each of a column fills it from side to side, unless told otherwise`() {
    let frames = model().frames(of: sizes, in: Size(width: 100, height: 200))
    #expect(frames == [Rect(x: 2, y: 1, width: 94, height: 20), Rect(x: 2, y: 26, width: 94, height: 40)])
  }

  @Test(arguments: [(VerticalAlignment.top, [1.0, 26]), (.center, [66.5, 91.5]), (.bottom, [132, 157])])
  func `a whole column stands by the vertical alignment`(alignment: VerticalAlignment, ys: [Double]) {
    let frames = model { $0.verticalAlignment = alignment }.frames(of: sizes, in: Size(width: 100, height: 200))
    #expect(frames.map(\.minY) == ys)
    let tight = model { $0.verticalAlignment = alignment }.frames(of: sizes, in: Size(width: 100, height: 30))
    #expect(tight.map(\.minY) == [1, 26], "things without room run over the end")
  }

  @Test func `a whole row stands by the horizontal alignment, each of it by the vertical one`() {
    let row = model {
      ($0.axis, $0.fillsBreadth, $0.horizontalAlignment, $0.verticalAlignment) = (.horizontal, false, .right, .bottom)
    }
    let frames = row.frames(of: sizes, in: Size(width: 100, height: 50))
    #expect(frames == [Rect(x: 51, y: 27, width: 30, height: 20), Rect(x: 86, y: 7, width: 10, height: 40)])
  }

  @Test(arguments: [
    (StackView.Distribution.natural, 104.0, [2.0, 37], [30.0, 10]), (.fillEqually, 106, [2, 54.5], [47.5, 47.5]),
    (.equalSpacing, 106, [2, 92], [30, 10]), (.equalSpacing, 20, [2, 37], [30, 10]),
    (.fillEqually, 6, [2, 7], [0, 0]),
  ])
  func `a row by distribution`(distribution: StackView.Distribution, width: Double, xs: [Double], widths: [Double]) {
    let row = model {
      $0.axis = .horizontal
      $0.distribution = distribution
    }
    let frames = row.frames(of: sizes, in: Size(width: width, height: 50))
    #expect(frames.map(\.minX) == xs && frames.map(\.width) == widths)
    #expect(frames.allSatisfy { $0.minY == 1 && $0.height == 46 })
    #expect(row.frames(of: [], in: .zero).isEmpty)
  }

  @Test func `a row follows the direction of layout, between insets that stay`() {
    let views = [WishView(), WishView()]
    let stack = StackView(views, axis: .horizontal, spacing: 5)
    stack.insets = EdgeInsets(top: 0, left: 10, bottom: 0, right: 20)
    stack.frame = Rect(x: 0, y: 0, width: 200, height: 20)
    stack.layoutIfNeeded()
    #expect(views.map(\.frame.minX) == [10, 45])
    stack.layoutDirection = .rightToLeft
    stack.layoutIfNeeded()
    #expect(views.map(\.frame.minX) == [150, 115])
  }

  @Test func `hidden views take no room; showing, hiding, adding and removing lay out again`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let views = [WishView(), WishView(), WishView()]
    let stack = StackView(views, spacing: 2)
    stack.frame = Rect(x: 0, y: 0, width: 100, height: 100)
    harness.root.addSubview(stack)
    harness.frame()
    #expect(views.map(\.frame.minY) == [0, 22, 44])
    views[1].isHidden = true
    harness.frame()
    #expect(views[2].frame.minY == 22 && wanted(stack) == Size(width: 30, height: 42))
    views[1].isHidden = false
    views[0].removeFromSuperview()
    harness.frame()
    #expect(views[2].frame.minY == 22 && views[1].frame.minY == 0)
  }

  @Test func `a height may depend on the width`() {
    let view = WishView()
    view.area = 1000
    let stack = StackView([view])
    stack.frame = Rect(x: 0, y: 0, width: 50, height: 100)
    stack.layoutIfNeeded()
    #expect(view.frame == Rect(x: 0, y: 0, width: 50, height: 20))
    #expect(wanted(stack) == Size(width: 50, height: 20))
    stack.frame = Rect(x: 0, y: 0, width: 100, height: 100)
    stack.layoutIfNeeded()
    #expect(view.frame.height == 10)
  }

  @Test func `K23: a view whose own size changed has stacks around it laid out, and only those`() {
    let harness = ControlHarness(size: Size(width: 100, height: 200))
    let (first, second, last, apart) = (WishView(), WishView(), WishView(), WishView())
    let inner = StackView([first, second])
    let outer = StackView([inner, last])
    outer.frame = Rect(x: 0, y: 0, width: 100, height: 200)
    harness.root.addSubview(outer)
    harness.root.addSubview(apart)
    harness.frame()
    #expect(last.frame.minY == 40)
    let before = (apart.layouts, last.layouts)
    first.wish.height = 50
    harness.frame()
    #expect(inner.frame.height == 70 && second.frame.minY == 50 && last.frame.minY == 70)
    #expect((apart.layouts, last.layouts) == before, "a move is no new size (K6)")
    harness.frame()
    #expect(!harness.root.needsFrame)
  }

  @Test func `K23: children show one input and report their heights; the container lays them out`() {
    let harness = ControlHarness(size: Size(width: 100, height: 200))
    let container = ContainerView<String>(frame: Rect(x: 0, y: 0, width: 100, height: 200))
    let (title, body) = (LengthView(), LengthView())
    body.factor = 3
    harness.root.addSubview(container)
    container.addChild(title)
    container.show("abcd")
    container.addChild(body)
    #expect(title.shown == ["abcd"] && body.shown == ["abcd"])
    harness.frame()
    #expect(title.frame.height == 4 && body.frame == Rect(x: 0, y: 4, width: 100, height: 12))
    container.show("abcdefghij")
    harness.frame()
    #expect(body.frame == Rect(x: 0, y: 10, width: 100, height: 30) && wanted(container).height == 40)
    container.removeChild(title)
    container.show("ab")
    harness.frame()
    #expect(title.shown.count == 2 && body.frame == Rect(x: 0, y: 0, width: 100, height: 6))
    body.removeFromSuperview()
    container.show("x")
    #expect(body.shown.last == "ab", "taken out is taken out")
  }

  @Test func `K23: a container is a child like any other`() {
    let (outer, inner) = (ContainerView<String>(), ContainerView<String>())
    let (first, second) = (LengthView(), LengthView())
    inner.addChild(first)
    outer.addChild(inner)
    outer.addChild(second)
    inner.addChild(outer)
    #expect(outer.superview == nil, "no circles")
    outer.frame = Rect(x: 0, y: 0, width: 50, height: 50)
    outer.show("abc")
    outer.layoutIfNeeded()
    #expect(first.shown == ["abc"] && inner.frame.height == 3 && second.frame.minY == 3)
    #expect(outer.input == "abc" && inner.input == "abc")
  }

  @Test func `sizes without an end or below nothing do no harm`() {
    let view = WishView(frame: Rect(x: 0, y: 0, width: 7, height: 8))
    view.wish = Size(width: .infinity, height: -3)
    let stack = StackView([view])
    stack.fillsBreadth = false
    stack.frame = Rect(x: 0, y: 0, width: 50, height: 50)
    stack.layoutIfNeeded()
    #expect(view.frame == Rect(x: 0, y: 0, width: 7, height: 0))
    view.wish = Size(width: .nan, height: .nan)
    stack.layoutIfNeeded()
    #expect(view.frame.isFinite)
  }
}
