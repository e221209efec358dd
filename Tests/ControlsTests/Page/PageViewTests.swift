import ControlHarness
import Testing

@testable import Controls

/// Tests of pages that lie over each other: going on and back, and who has the input.
@MainActor @Suite(.serialized) struct PageViewTests {
  let log = Log()
  let harness = ControlHarness(size: Size(width: 300, height: 244))
  let view = PageView(frame: Rect(x: 0, y: 0, width: 300, height: 244))

  init() {
    harness.root.addSubview(view)
    view.contentHost.addSubview(page("one"))
    view.addAction(for: .valueChanged) { [log] in log.add("back to \($0.selectedIndex)") }
    harness.settle()
  }

  private func page(_ name: String) -> View {
    let page = View()
    page.name = name
    let button = Button(name)
    button.frame = Rect(x: 60, y: 60, width: 100, height: 44)
    button.addAction(for: .primaryActionTriggered) { [log] _ in log.add("tap \(name)") }
    button.addAction(for: .touchCancel) { [log] _ in log.add("cancel \(name)") }
    page.addSubview(button)
    return page
  }

  private func button(_ page: View?) -> Button? { page?.subviews.first as? Button }

  @Test func `a page that is pushed slides in from the trailing edge, and the one below is hidden when it has come`() {
    let (one, two) = (view.pages[0], page("two"))
    view.push(two)
    harness.frame()
    #expect(two.frame.minX > 200 && !one.isHidden)
    harness.settle()
    #expect(two.frame == Rect(x: 0, y: 0, width: 300, height: 200) && one.isHidden && view.selectedPage === two)
    #expect(!view.accessibilityElements.contains { $0.isDescendant(of: one) })
    harness.tap(Point(x: 110, y: 124))
    #expect(log.take() == ["tap two"])
    #expect(!harness.root.needsFrame)
  }

  @Test func `what holds a page that is left is cancelled, and no page is touched while they move`() {
    let place = Point(x: 110, y: 124)
    harness.touch(.began, at: place)
    view.push(page("two"))
    #expect(log.take() == ["cancel one"])
    harness.frame()
    harness.tap(place)
    #expect(log.take() == [])
    harness.touch(.ended, at: place)
    harness.settle()
    #expect(log.take() == [])
  }

  @Test func `going back shows the page before, and the one that was pushed is gone`() {
    let two = page("two")
    view.push(two)
    harness.settle()
    view.pop()
    #expect(two.superview != nil, "until it has moved away")
    harness.settle()
    #expect(two.superview == nil && view.pages.count == 1 && log.take() == [])
    view.pop()
    #expect(view.selectedIndex == 0)
  }

  @Test func `the button, Escape and Alt+Left go back, and say so`() throws {
    for way in 0..<3 {
      view.push(page("two"))
      harness.settle()
      let back = try #require(view.view(named: "back") as? Button)
      if way == 0 {
        harness.tap(back)
      } else {
        button(view.selectedPage)?.becomeFirstResponder()
        if way == 1 { harness.press(.escape) } else { harness.press(.left, .alt) }
      }
      harness.settle()
      #expect(log.take() == ["back to 0"] && view.pages.count == 1, "\(way)")
    }
    button(view.selectedPage)?.becomeFirstResponder()
    harness.press(.escape)
    #expect(log.take() == [], "there is nothing before the first")
  }

  @Test(arguments: [LayoutDirection.leftToRight, .rightToLeft])
  func `a swipe from the leading edge goes back, and one that is let go early does not`(direction: LayoutDirection) {
    view.layoutDirection = direction
    func x(_ x: Double) -> Double { direction == .rightToLeft ? 300 - x : x }
    view.push(page("two"))
    harness.settle()
    harness.drag(from: Point(x: x(8), y: 200), to: Point(x: x(110), y: 200), holds: true)
    let two = view.pages[1]
    #expect(!view.pages[0].isHidden && abs(two.frame.minX) > 60)
    harness.advance(by: .milliseconds(300))
    harness.touch(.ended, at: Point(x: x(110), y: 200))
    harness.settle()
    #expect(view.selectedIndex == 1 && two.frame.minX == 0 && view.pages[0].isHidden && log.take() == [])
    harness.drag(from: Point(x: x(8), y: 200), to: Point(x: x(240), y: 200))
    harness.settle()
    #expect(log.take() == ["back to 0"] && view.pages.count == 1)
  }

  @Test func `a drag that begins elsewhere, or on the first page, goes nowhere`() {
    harness.drag(from: Point(x: 8, y: 200), to: Point(x: 240, y: 200))
    view.push(page("two"))
    harness.settle()
    harness.drag(from: Point(x: 60, y: 200), to: Point(x: 280, y: 200))
    harness.settle()
    #expect(view.selectedIndex == 1 && log.take() == [])
  }

  @Test func `the focus goes to the new page, and back to where it was`() {
    let one = button(view.pages[0])
    one?.becomeFirstResponder()
    let two = page("two")
    view.push(two)
    #expect(button(two)?.isFirstResponder == true)
    harness.settle()
    harness.press(.escape)
    #expect(one?.isFirstResponder == true)
    harness.settle()
    harness.root.setFirstResponder(nil)
    view.push(page("three"))
    #expect(harness.root.firstResponder == nil, "one that was nowhere stays there")
  }

  @Test func `with reduced motion pages change at once`() {
    harness.root.prefersReducedMotion = true
    let two = page("two")
    view.push(two)
    harness.frame()
    #expect(view.pages[0].isHidden && two.frame.minX == 0 && !harness.root.isAnimating)
  }

  @Test func `the pages of a file are chosen by number and stay, and one that is missing shows nothing`() {
    for name in ["two", "three"] { view.contentHost.addSubview(page(name)) }
    view.selectedIndex = 2
    harness.settle()
    #expect(view.pages.map(\.isHidden) == [true, true, false])
    view.pop()
    harness.settle()
    #expect(view.pages.map(\.isHidden) == [true, false, true] && view.pages.count == 3)
    view.selectedIndex = 9
    harness.settle()
    #expect(view.pages.allSatisfy(\.isHidden) && view.selectedPage == nil)
  }

  @Test func `a page does not move while another finger holds something on it`() {
    view.push(page("two"))
    harness.settle()
    let two = view.pages[1]
    harness.touch(.began, at: Point(x: 110, y: 124), finger: 7)
    harness.drag(from: Point(x: 8, y: 200), to: Point(x: 240, y: 200))
    harness.settle()
    #expect(view.selectedIndex == 1 && two.frame.minX == 0 && button(two)?.isHighlighted == true && log.take() == [])
    harness.touch(.ended, at: Point(x: 110, y: 124), finger: 7)
    #expect(log.take() == ["tap two"])
  }

  @Test func `an interruption of the window ends a swipe where it began, and holds nothing`() {
    view.push(page("two"))
    harness.settle()
    harness.drag(from: Point(x: 8, y: 200), to: Point(x: 200, y: 200), holds: true)
    harness.root.handle(.willResignActive)
    harness.root.handle(.didBecomeActive)
    harness.touch(.ended, at: Point(x: 290, y: 200))
    harness.settle()
    #expect(view.selectedIndex == 1 && view.pages[1].frame.minX == 0 && log.take() == [])
    #expect(harness.root.isInputIdle)
  }

  @Test func `the name of a page is seen whole, beside the button or in place of its word`() throws {
    let (two, back) = (page("Network"), try #require(view.view(named: "back") as? Button))
    let title = try #require(view.subviews.compactMap { $0 as? Label }.first)
    view.push(two)
    for width in [300.0, 200, 150] {
      view.frame = Rect(x: 0, y: 0, width: width, height: 244)
      harness.settle()
      #expect(title.frame.width >= title.sizeThatFits(.zero).width && title.frame.minX >= back.frame.maxX, "\(width)")
      #expect(title.frame.maxX <= width && back.accessibilityLabel == AccessibilityWords.current.back)
    }
    #expect(back.title == "‹")
    view.frame = Rect(x: 0, y: 0, width: 300, height: 244)
    harness.settle()
    #expect(abs(title.frame.midX - 150) <= 0.5 && back.title != "‹")
  }

  @Test func `in right-to-left the sign of the way back leads, whatever the word's direction`() throws {
    let back = try #require(view.view(named: "back") as? Button)
    view.push(page("two"))
    harness.settle()
    #expect(back.title == "‹ " + AccessibilityWords.current.back)
    harness.root.layoutDirection = .rightToLeft
    harness.settle()
    // The mark makes it a text from right to left, in which the sign stands at the right and is turned around.
    #expect(back.title == "\u{200f}‹ " + AccessibilityWords.current.back)
  }
}
