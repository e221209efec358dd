import ControlHarness
import ControlTools
import Testing

@testable import Controls

/// Tests of tool tips: who shows them, when, and what ends them.
@MainActor @Suite(.serialized) struct ToolTipTests {
  private let button = Button("Go")
  private let harness: ControlHarness

  init() {
    harness = ControlHarness(size: Size(width: 300, height: 200))
    button.frame = Rect(x: 100, y: 80, width: 80, height: 44)
    button.toolTip = "Drives off"
    harness.root.addSubview(button)
    harness.frame()
  }

  private var tip: ToolTipView? { harness.root.subviews.compactMap { $0 as? ToolTipView }.first }
  private var middle: Point { button.frame.center }

  @Test func `a pointer that rests for half a second shows the words; one that moves does not`() throws {
    harness.hover(middle)
    harness.advance(by: .milliseconds(480))
    #expect(tip == nil)
    harness.hover(middle.offsetBy(dx: 3, dy: 0))
    harness.advance(by: .milliseconds(480))
    #expect(tip == nil)
    harness.advance(by: .milliseconds(40))
    let frame = try #require(tip).frame
    #expect(frame.minY == button.frame.maxY + ToolTipView.gap && abs(frame.midX - middle.x) < 1)
    // It stays while the pointer does.
    harness.hover(middle)
    harness.advance(by: .seconds(5))
    #expect(tip != nil)
    harness.hover(Point(x: 5, y: 5))
    #expect(tip == nil && !harness.root.needsFrame)
  }

  @Test func `a press hides the words until the pointer has been elsewhere`() {
    harness.hover(middle)
    harness.advance(by: .milliseconds(600))
    #expect(tip != nil)
    harness.touch(.began, at: middle, finger: -1)
    #expect(tip == nil)
    harness.touch(.ended, at: middle, finger: -1)
    harness.advance(by: .seconds(2))
    #expect(tip == nil)
    harness.hover(Point(x: 5, y: 5))
    harness.hover(middle)
    harness.advance(by: .milliseconds(600))
    #expect(tip != nil)
    harness.key(.down, .character("x"))
    #expect(tip == nil)
  }

  @Test func `a touch never shows them, and nothing held loses anything by them`() {
    harness.touch(.began, at: middle)
    harness.advance(by: .seconds(2))
    #expect(tip == nil && button.isTracking)
    // A finger holds, and a pointer rests.
    harness.hover(middle)
    harness.advance(by: .seconds(2))
    #expect(tip == nil && button.isTracking)
    harness.touch(.ended, at: middle)
    harness.advance(by: .seconds(2))
    #expect(tip == nil)
  }

  @Test func `the focus that the keyboard moves shows them`() {
    harness.press(.tab)
    harness.advance(by: .milliseconds(600))
    #expect(button.isFirstResponder && tip != nil)
    harness.key(.down, .character("x"))
    harness.key(.up, .character("x"))
    #expect(tip == nil)
  }

  @Test func `they take no input`() {
    harness.press(.tab)
    harness.advance(by: .milliseconds(600))
    let place = Point(x: middle.x, y: button.frame.maxY + ToolTipView.gap + 4)
    #expect(tip?.frame.contains(place) == true && harness.root.hitTest(place) === harness.root)
  }

  @Test func `words are those of the nearest view that has some, and lie above where there is no room below`() throws {
    let outer = View(frame: Rect(x: 0, y: 150, width: 100, height: 50))
    let inner = View(frame: Rect(x: 10, y: 10, width: 20, height: 20))
    outer.toolTip = "Around"
    outer.addSubview(inner)
    harness.root.addSubview(outer)
    harness.hover(Point(x: 20, y: 170))
    harness.advance(by: .milliseconds(600))
    #expect(try #require(tip).frame.maxY == 150 - ToolTipView.gap)
    // From a part of the view to another nothing changes.
    harness.hover(Point(x: 60, y: 190))
    #expect(tip != nil)
    outer.toolTip = nil
    #expect(tip == nil && outer.toolTip == nil)
  }

  @Test(arguments: ["hidden", "removed", "background"])
  func `they go with their view`(how: String) {
    harness.hover(middle)
    harness.advance(by: .milliseconds(600))
    switch how {
    case "hidden": button.isHidden = true
    case "removed": button.removeFromSuperview()
    default: harness.enterBackground()
    }
    harness.frame()
    #expect(tip == nil)
  }

  @Test func `a file may say the words`() throws {
    let layout = LayoutView()
    try layout.load(LayoutFile(text: #"{"type": "Button", "title": "Go", "toolTip": "Drives off"}"#, name: "a file"))
    let made = try #require(layout.scene)
    #expect(made.toolTip == "Drives off" && made.inspectable(named: "toolTip")?.json(of: made) == .string("Drives off"))
    var changes = 0
    let token = made.observe(\View.toolTip) { _ in changes += 1 }
    made.toolTip = nil
    #expect(changes == 1 && !token.isRemoved)
  }

  @Test func `a tree without words wakes nobody`() {
    button.toolTip = nil
    let count = harness.wakeCount
    harness.hover(middle)
    harness.advance(by: .seconds(2))
    #expect(harness.wakeCount == count && harness.host.wakeTime == nil)
  }
}
