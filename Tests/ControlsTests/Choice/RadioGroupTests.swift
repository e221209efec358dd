import ControlHarness
import Testing

@testable import Controls

/// Tests of the radio group: its rows, taps and keys.
@MainActor @Suite(.serialized) struct RadioGroupTests {
  let log = Log()

  private func shown(_ axis: Axis = .vertical, direction: LayoutDirection = .leftToRight) -> (
    ControlHarness, RadioGroup
  ) {
    let root = RootView()
    root.layoutDirection = direction
    let harness = ControlHarness(size: Size(width: 420, height: 180), root: root)
    let group = RadioGroup(frame: .zero)
    group.axis = axis
    group.titles = ["Road", "Gravel", "Ice"]
    group.frame = Rect(origin: Point(x: 20, y: 20), size: group.fittingSize(in: Size(width: 400, height: 400)))
    root.addSubview(group)
    harness.frame()
    group.addAction(for: .valueChanged) { [log] in log.add("\($0.selectedIndex)") }
    return (harness, group)
  }

  @Test func `rows below each other share the height, those beside each other have their widths`() {
    let sizes = [Size(width: 60, height: 44), Size(width: 100, height: 44)]
    let below = RadioGeometry(
      sizes: sizes, size: Size(width: 120, height: 100), axis: .vertical, direction: .leftToRight)
    #expect(below.frames == [Rect(x: 0, y: 0, width: 120, height: 50), Rect(x: 0, y: 50, width: 120, height: 50)])
    let beside = RadioGeometry(
      sizes: sizes, size: Size(width: 200, height: 44), axis: .horizontal, direction: .leftToRight)
    #expect(beside.frames.map(\.minX) == [0, 80] && beside.frames.map(\.width) == [60, 100])
    let mirrored = RadioGeometry(
      sizes: sizes, size: Size(width: 200, height: 44), axis: .horizontal, direction: .rightToLeft)
    #expect(mirrored.frames.map(\.minX) == [140, 20])
    let narrow = RadioGeometry(
      sizes: sizes, size: Size(width: 100, height: 44), axis: .horizontal, direction: .leftToRight)
    #expect(narrow.frames.map(\.width) == [30, 50] && narrow.frames[1].maxX == 100)
    #expect(RadioGeometry(sizes: [], size: .zero, axis: .vertical, direction: .leftToRight).index(at: .zero) == nil)
  }

  @Test(
    arguments: [
      (.down, 0, 1), (.right, 0, 1), (.up, 1, 0), (.left, 1, 0), (.home, 2, 0), (.end, 0, 2), (.up, 0, nil),
      (.down, 2, nil),
      (.down, nil, 0), (.space, 0, nil),
    ] as [(Key, Int?, Int?)]) func `keys go to the neighbours and to the ends`(key: Key, from: Int?, to: Int?)
  {
    let sizes = Array(repeating: Size(width: 50, height: 44), count: 3)
    let geometry = RadioGeometry(
      sizes: sizes, size: Size(width: 50, height: 132), axis: .vertical, direction: .leftToRight)
    #expect(geometry.index(after: from, key: key) == to)
  }

  @Test func `a tap chooses when the finger is lifted, on the row where it is then`() {
    let (harness, group) = shown()
    harness.tap(Point(x: 30, y: 20 + 44 * 1.5))
    #expect(group.selectedIndex == 1 && log.take() == ["1"])
    harness.tap(Point(x: 30, y: 20 + 44 * 1.5))
    #expect(log.take().isEmpty, "the same once more")
    harness.drag(from: Point(x: 30, y: 30), to: Point(x: 30, y: 20 + 44 * 2.5), steps: 4)
    #expect(group.selectedIndex == 2 && log.take() == ["2"])
    harness.drag(from: Point(x: 30, y: 30), to: Point(x: 400, y: 175), steps: 4)
    #expect(log.take().isEmpty)
  }

  @Test func `arrows choose at once; from right to left, left goes on`() {
    let (harness, group) = shown(.horizontal, direction: .rightToLeft)
    harness.press(.tab)
    #expect(group.isFocused)
    harness.press(.left)
    harness.press(.left)
    harness.press(.left)
    harness.press(.right)
    harness.press(.home)
    harness.press(.end)
    #expect(log.take() == ["1", "2", "1", "0", "2"])
  }

  @Test func `whatever takes the finger away, nothing is chosen`() {
    for loss in FingerLoss.allCases {
      let (harness, group) = shown()
      let place = Point(x: 30, y: 20 + 44 * 2.5)
      harness.touch(.began, at: place)
      loss.happen(to: group, at: place, in: harness)
      harness.settle()
      #expect(group.selectedIndex == 0 && log.take().isEmpty, "\(loss.rawValue)")
    }
  }

  @Test func `assistive technology hears the choice and may change it`() throws {
    let (harness, group) = shown()
    #expect(group.accessibilityRole == .choice && group.accessibilityValue?.text == "Road")
    try group.carryOut(.setValue(2))
    try group.carryOut(.perform("choose 1"))
    harness.settle()
    #expect(log.take() == ["2", "1"])
  }
}
