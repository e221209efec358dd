import ControlHarness
import Testing

@testable import ControlTools
@testable import Controls

/// Tests of anchors: the arithmetic, the order of siblings, and when views are placed.
@MainActor @Suite(.serialized) struct AnchorTests {
  /// A view with a size of its own.
  @ListsProperties
  private final class Sized: View {
    @Inspectable(.layout) var own = Size(width: 30, height: 10)
    override func sizeThatFits(_ size: Size) -> Size { own }
  }

  /// Keeps superviews alive: views do not.
  private final class Keeper {
    var views: [View] = []
  }

  private let keeper = Keeper()

  private func anchors(_ change: (inout LayoutAnchors) -> Void) -> LayoutAnchors {
    var anchors = LayoutAnchors()
    change(&anchors)
    return anchors
  }

  /// Where `view` lies in a superview of 200 x 100 with these siblings.
  private func place(_ view: View, _ size: Size = Size(width: 200, height: 100), with siblings: [View] = []) -> Rect {
    let superview = View(frame: Rect(origin: .zero, size: size))
    keeper.views.append(superview)
    for sibling in siblings { superview.addSubview(sibling) }
    superview.addSubview(view)
    superview.layoutIfNeeded()
    return view.frame
  }

  @Test func `K7: a stack with a plain spacer has a size of its own, and a view that asks its superclass too`() {
    let spacer = View(frame: Rect(x: 0, y: 0, width: 5, height: 7))
    let sized = Sized()
    sized.own = Size(width: 30, height: 10)
    let stack = StackView([sized, spacer], axis: .vertical)
    stack.anchors = anchors { $0[.left] = 20 }
    #expect(place(stack) == Rect(x: 20, y: 0, width: 30, height: 17))
    /// Takes its superclass' wish where that has one.
    final class Deferring: View {
      override func sizeThatFits(_ size: Size) -> Size { super.sizeThatFits(size) ?? Size(width: 12, height: 6) }
    }
    let deferring = Deferring()
    deferring.anchors = anchors { $0[.left] = 20 }
    #expect(place(deferring) == Rect(x: 20, y: 0, width: 12, height: 6))
    let plain = View(frame: Rect(x: 0, y: 0, width: 5, height: 7))
    plain.anchors = anchors { $0[.left] = 20 }
    #expect(place(plain) == Rect(x: 20, y: 0, width: 180, height: 100), "who has no wish fills what is left")
    #expect(plain.sizeThatFits(.zero) == nil && plain.fittingSize(in: .zero) == Size(width: 180, height: 100))
  }

  @Test func `an anchor refers to a sibling itself, named or not, before or after it`() {
    let wheel = View()
    wheel.anchors = anchors {
      $0.right = 10
      $0.width = 50
    }
    let lever = View()
    lever.anchors = anchors {
      $0.left = 5
      $0.right = .edge(.left, of: wheel, plus: -8)
    }
    #expect(place(lever, with: [wheel]) == Rect(x: 5, y: 0, width: 127, height: 100))
    let superview = View(frame: Rect(x: 0, y: 0, width: 300, height: 100))
    keeper.views.append(superview)
    superview.addSubview(lever)
    superview.addSubview(wheel)
    superview.layoutIfNeeded()
    #expect(lever.frame.maxX == wheel.frame.minX - 8 && wheel.frame.minX == 240)
    wheel.removeFromSuperview()
    superview.layoutIfNeeded()
    #expect(lever.frame.minX == 5, "without the sibling its edge counts as 0 points")
  }

  @Test("K7: two of edge, opposite edge, side and middle say where a view lies on an axis")
  func spans() {
    let lengths: [(LayoutEdge, LayoutLength)] = [
      (.left, 10), (.right, 20), (.width, 50), (.centerX, 5), (.left, .percent(25)), (.right, .percent(10, plus: 4)),
      (.width, .percent(50)), (.centerX, .percent(-10)),
    ]
    // The parts of 200: left 10, right at 180, width 50, middle at 105; 50, 176, 100, 80.
    let cases: [([Int], Double, Double)] = [
      ([0, 1], 10, 170), ([0, 2], 10, 50), ([1, 2], 130, 50), ([3, 2], 80, 50), ([0, 3], 10, 190), ([1, 3], 30, 150),
      ([0], 10, 30), ([1], 150, 30), ([2], 0, 50), ([3], 90, 30), ([], 0, 30), ([4, 5], 50, 126), ([6, 7], 30, 100),
    ]
    for (chosen, x, width) in cases {
      let view = Sized()
      view.anchors = anchors { for index in chosen { $0[lengths[index].0] = lengths[index].1 } }
      #expect(place(view) == Rect(x: x, y: 0, width: width, height: 10), "\(chosen)")
    }
    let vertical: [(LayoutEdge, LayoutLength)] = [(.top, 10), (.bottom, 20), (.height, 50), (.centerY, 5)]
    for (chosen, y, height) in [([0, 1], 10.0, 70.0), ([1, 2], 30, 50), ([3, 2], 30, 50), ([3], 50, 10)] {
      let view = Sized()
      view.anchors = anchors { for index in chosen { $0[vertical[index].0] = vertical[index].1 } }
      #expect(place(view) == Rect(x: 0, y: y, width: 30, height: height), "\(chosen)")
    }
  }

  @Test("a view without a size of its own fills what is left, also after it had another")
  func filling() {
    let view = View()
    view.anchors = anchors { $0.left = 50 }
    #expect(place(view) == Rect(x: 50, y: 0, width: 150, height: 100))
    view.superview?.frame.size = Size(width: 100, height: 40)
    view.superview?.layoutIfNeeded()
    #expect(view.frame == Rect(x: 50, y: 0, width: 50, height: 40))
    view.anchors = anchors { $0.right = 30 }
    #expect(place(view) == Rect(x: 0, y: 0, width: 170, height: 100))
    view.anchors = anchors { $0.centerX = 20 }
    #expect(place(view) == Rect(x: 40, y: 0, width: 160, height: 100))
    view.anchors = LayoutAnchors(margins: EdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(place(view) == Rect(x: 2, y: 1, width: 194, height: 96))
    #expect(place(view, Size(width: 5, height: 2)).size == .zero, "never less than nothing")
  }

  @Test("a shape makes one side of the other, or the largest that fits")
  func aspects() {
    let cases: [((inout LayoutAnchors) -> Void, Rect)] = [
      ({ $0.width = 50 }, Rect(x: 0, y: 0, width: 50, height: 25)),
      ({ ($0.height, $0.right) = (40, 0) }, Rect(x: 120, y: 0, width: 80, height: 40)),
      ({ ($0.left, $0.right, $0.bottom) = (20, 80, 10) }, Rect(x: 20, y: 40, width: 100, height: 50)),
      (
        { ($0.left, $0.right, $0.top, $0.bottom) = (0, 100, 0, 0) }, Rect(x: 0, y: 25, width: 100, height: 50)
      ), ({ ($0.left, $0.right, $0.top, $0.bottom) = (0, 0, 60, 0) }, Rect(x: 60, y: 60, width: 80, height: 40)),
      ({ ($0.right, $0.bottom) = (0, 0) }, Rect(x: 0, y: 0, width: 200, height: 100)),
      ({ ($0.right, $0.top) = (0, 60) }, Rect(x: 120, y: 60, width: 80, height: 40)),
    ]
    for (index, (change, frame)) in cases.enumerated() {
      let view = View()
      view.anchors = anchors {
        change(&$0)
        $0.aspect = 2
      }
      #expect(place(view) == frame, "case \(index)")
    }
  }

  @Test("siblings' edges are places, their sides are lengths, in whatever order the views are")
  func siblings() {
    let fixed = View(frame: Rect(x: 20, y: 10, width: 40, height: 30))
    fixed.name = "fixed"
    let after = View()
    after.name = "after"
    after.anchors = anchors {
      ($0.left, $0.right) = (.edge(.right, of: "fixed", plus: 8), .edge(.left, of: "last", plus: -8))
      $0.top = .edge(.top, of: "fixed")
      $0.height = LayoutLength(reference: .init(.named("fixed"), edge: .height, factor: 0.5))
    }
    let last = View()
    last.name = "last"
    last.anchors = anchors {
      ($0.right, $0.width) = (.edge(.width, of: "fixed"), 10)
      ($0.centerY, $0.height) = (.edge(.bottom, of: "after"), 4)
    }
    #expect(place(after, with: [fixed, last]) == Rect(x: 68, y: 10, width: 74, height: 15))
    #expect(last.frame == Rect(x: 150, y: 23, width: 10, height: 4))
    let nowhere = Sized()
    nowhere.anchors = anchors { $0.left = .edge(.right, of: "nobody", plus: 3) }
    #expect(place(nowhere) == Rect(x: 3, y: 0, width: 30, height: 10), "a sibling that is not there is at 0")
  }

  @Test("the order of ten thousand views that hang on each other is found, and so is a circle")
  func chains() {
    let superview = View(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    let count = 10_000
    for index in (0..<count).reversed() {
      let view = View()
      view.name = "v\(index)"
      view.anchors = anchors {
        $0.left = index == 0 ? 0 : .edge(.right, of: "v\(index - 1)", plus: 1)
        $0.width = 1
      }
      superview.addSubview(view)
    }
    superview.layoutIfNeeded()
    #expect(superview.view(named: "v9999")?.frame.minX == 19_998)
    #expect(AnchorPlan(superview).cycle == nil)
    superview.view(named: "v500")?.anchors = anchors {
      ($0.left, $0.width) = (.edge(.left, of: "v502"), 1)
    }
    #expect(AnchorPlan(superview).cycle == ["v502", "v501", "v500", "v502"])
    superview.layoutIfNeeded()
    #expect(superview.view(named: "v499")?.frame.minX == 998, "what is not in the circle keeps its place")
  }

  @Test("axes do not wait for each other, but where a shape ties them")
  func axes() {
    let (a, b) = (View(), View())
    (a.name, b.name) = ("a", "b")
    a.anchors = anchors { ($0.left, $0.width, $0.top, $0.height) = (.edge(.right, of: "b"), 10, 5, 10) }
    b.anchors = anchors { ($0.left, $0.width, $0.top, $0.height) = (1, 2, .edge(.bottom, of: "a"), 3) }
    _ = place(a, with: [b])
    #expect(a.frame == Rect(x: 3, y: 5, width: 10, height: 10) && b.frame == Rect(x: 1, y: 15, width: 2, height: 3))
    a.anchors?.aspect = 1
    #expect(a.superview.map { AnchorPlan($0).cycle == nil } == true)
    b.anchors?.aspect = 1
    #expect(a.superview.flatMap { AnchorPlan($0).cycle } != nil)
  }

  @Test("from right to left, leading is right, and siblings are mirrored with it")
  func direction() {
    let first = Sized()
    first.name = "first"
    first.anchors = anchors { $0.leading = 10 }
    let second = Sized()
    second.anchors = anchors { ($0.leading, $0.top) = (.edge(.right, of: "first", plus: 5), 0) }
    let fixed = Sized()
    fixed.anchors = anchors { $0.left = 7 }
    _ = place(second, with: [first, fixed])
    #expect([first, second, fixed].map(\.frame.minX) == [10, 45, 7])
    second.superview?.layoutDirection = .rightToLeft
    second.superview?.layoutIfNeeded()
    #expect([first, second, fixed].map(\.frame.minX) == [160, 125, 7])
    let bar = View()
    bar.anchors = anchors { ($0.leading, $0.trailing) = (10, 30) }
    second.superview?.addSubview(bar)
    second.superview?.layoutIfNeeded()
    #expect(bar.frame == Rect(x: 30, y: 0, width: 160, height: 100))
  }

  @Test("views are placed again when their superview, their siblings, their names or their own sizes change")
  func changes() {
    let harness = ControlHarness(size: Size(width: 200, height: 100))
    let first = Sized()
    first.name = "first"
    first.anchors = LayoutAnchors()
    let second = Sized()
    second.anchors = anchors { $0.left = .edge(.right, of: "first") }
    harness.root.addSubview(second)
    harness.root.addSubview(first)
    harness.frame()
    #expect(second.frame.minX == 30)
    first.own.width = 50
    harness.frameIfNeeded()
    #expect(first.frame.width == 50 && second.frame.minX == 50)
    first.name = "other"
    harness.frameIfNeeded()
    #expect(second.frame.minX == 0)
    first.name = "first"
    harness.frameIfNeeded()
    first.removeFromSuperview()
    harness.frameIfNeeded()
    #expect(second.frame.minX == 0)
    second.anchors?.left = 3
    harness.frameIfNeeded()
    #expect(second.frame.minX == 3)
    second.anchors?.left = .percent(50)
    harness.resize(to: Size(width: 300, height: 100), scale: .one)
    #expect(second.frame.minX == 150)
    second.anchors = nil
    harness.resize(to: Size(width: 400, height: 100), scale: .one)
    #expect(second.frame.minX == 150 && !harness.root.hasAnchoredSubviews)
    #expect(!harness.root.needsFrame, "placing comes to rest")
  }

  @Test(
    "lengths are read as people write them",
    arguments: [
      ("12", LayoutLength(points: 12)), ("-1.5", LayoutLength(points: -1.5)), ("50%", .percent(50)),
      ("50% - 8", .percent(50, plus: -8)), ("wheel.left", .edge(.left, of: "wheel")),
      ("the.wheel.centerY + 3", .edge(.centerY, of: "the.wheel", plus: 3)),
      ("8 + a.trailing", .edge(.right, of: "a", plus: 8)),
      (
        "10% - a-b.width * 0.5 + 2",
        LayoutLength(points: 2, part: 0.1, reference: .init(.named("a-b"), edge: .width, factor: -0.5))
      ),
    ])
  func parsing(text: String, length: LayoutLength) throws {
    #expect(try LayoutLength(text: text) == length)
  }

  @Test(
    "what is no length is told",
    arguments: [
      "", " ", "a", "50 %", "1 2", "1 +", "+ 1", "a.left+8", "a.left * ", "5 * 2", "5% * 2", "nan", "1e5", "inf",
      "a.lefd",
      "a.left + b.right", ".left", "a.", "0x10", "--1",
    ])
  func badLengths(text: String) {
    #expect(throws: LayoutLength.ParseError.self) { try LayoutLength(text: text) }
  }
}
