import ControlHarness
import Controls
import Testing

/// Tests of choosing: taps, fingers that slide, keys, what is said.
@MainActor @Suite(.serialized) struct ChoiceControlTests {
  @Test(arguments: [
    ["one"], ["a|b", "c"], ["\\", "|"], ["a\\", "b"], ["", ""], ["x\\|y", "\\\\z", "|"], ["C:\\d", "e"],
  ])
  func `names hold whatever letters they like, bars and backslashes too`(titles: [String]) {
    let choice = ChoiceControl()
    choice.titles = titles
    #expect(choice.titles == titles)
    let copy = ChoiceControl()
    copy.choices = choice.choices
    #expect(copy.titles == titles)
  }

  @Test func `a backslash that nobody meant as one for a bar is itself`() {
    let choice = ChoiceControl()
    choice.choices = "C:\\d|two\\"
    #expect(choice.titles == ["C:\\d", "two\\"])
  }

  let choice = ChoiceControl()
  let harness: ControlHarness

  @MainActor private final class Count {
    var value = 0
  }
  private let changes = Count()

  init() {
    harness = ControlHarness(size: Size(width: 340, height: 80))
    choice.frame = Rect(x: 20, y: 20, width: 300, height: 36)
    choice.choices = "Low|Medium|High"
    harness.root.addSubview(choice)
    let changes = changes
    choice.addAction(for: .valueChanged) { _ in changes.value += 1 }
    harness.frame()
  }

  private func point(_ index: Int) -> Point { Point(x: 70 + 100 * Double(index), y: 38) }

  @Test func `a tap chooses; another tap on it says nothing`() {
    for (index, count) in [(2, 1), (2, 1), (1, 2), (0, 3)] {
      harness.tap(point(index))
      #expect(choice.selectedIndex == index && changes.value == count)
      #expect(choice.selectedTitle == ["Low", "Medium", "High"][index])
    }
  }

  @Test func `a finger may slide to what it wants, and off to choose nothing`() {
    harness.drag(from: point(0), to: point(2))
    #expect(choice.selectedIndex == 2 && changes.value == 1)
    harness.drag(from: point(0), to: Point(x: 70, y: 200))
    #expect(choice.selectedIndex == 2 && changes.value == 1)
    harness.touch(.began, at: point(0))
    harness.touch(.cancelled, at: point(0))
    #expect(choice.selectedIndex == 2 && changes.value == 1)
  }

  @Test func `keys choose at once, and mirror`() {
    harness.press(.tab)
    for (key, index) in [(Key.right, 1), (.right, 2), (.right, 2), (.home, 0), (.left, 0), (.end, 2)] {
      harness.press(key)
      #expect(choice.selectedIndex == index)
    }
    #expect(changes.value == 4)
    harness.root.layoutDirection = .rightToLeft
    harness.press(.right)
    #expect(choice.selectedIndex == 1)
  }

  @Test func `code chooses silently; a number without a name chooses none`() {
    choice.selectedIndex = 7
    #expect(choice.selectedTitle == nil && changes.value == 0)
    harness.tap(point(1))
    #expect(choice.selectedTitle == "Medium" && changes.value == 1)
    choice.choices = ""
    harness.frame()
    harness.tap(point(1))
    #expect(choice.titles.isEmpty && changes.value == 1)
  }

  @Test func `the mark slides, comes to rest, and fades nothing with less motion`() {
    harness.tap(point(2))
    #expect(harness.root.isAnimating)
    harness.settle()
    let slid = harness.shown
    #expect(!harness.root.isAnimating)
    choice.selectedIndex = 0
    harness.root.prefersReducedMotion = true
    harness.tap(point(2))
    #expect(!harness.root.isAnimating && harness.shown == slid)
  }

  @Test func `in the background the mark is where it belongs`() {
    harness.tap(point(2))
    harness.enterBackground()
    harness.enterForeground()
    let shown = harness.shown
    choice.setNeedsDisplay()
    harness.settle()
    #expect(harness.shown == shown)
  }

  @Test func `the place for a finger is 44 points high`() {
    harness.tap(Point(x: 270, y: 17))
    #expect(choice.selectedIndex == 2)
    harness.tap(Point(x: 70, y: 59))
    #expect(choice.selectedIndex == 0)
  }

  @Test(arguments: [(Double.infinity, 1), (300, 1), (170, 2), (70, 3)] as [(Double, Int)])
  func `as many rows as the width makes needed`(width: Double, rows: Int) {
    let size = choice.sizeThatFits(Size(width: width, height: .infinity))
    #expect(size.height == (rows == 1 ? 36 : Double(rows) * 44) && size.width <= width)
  }
}
