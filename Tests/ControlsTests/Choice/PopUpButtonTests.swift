import ControlHarness
import Testing

@testable import Controls

/// Tests of the pop-up button: what opens and closes its menu, and what chooses.
@MainActor @Suite(.serialized) struct PopUpButtonTests {
  private let button = PopUpButton()
  private let brake = Button("Brake")
  private let harness: ControlHarness

  @MainActor private final class Log {
    var changes: [Int] = []
    var presses = 0
  }
  private let log = Log()

  init() {
    harness = ControlHarness(size: Size(width: 400, height: 300))
    button.frame = Rect(x: 20, y: 20, width: 150, height: 36)
    button.titles = ["Low", "Medium", "High"]
    brake.frame = Rect(x: 250, y: 220, width: 120, height: 60)
    harness.root.addSubview(button)
    harness.root.addSubview(brake)
    let log = log
    button.addAction(for: .valueChanged) { log.changes.append($0.selectedIndex) }
    brake.addAction(for: .touchDown) { _ in log.presses += 1 }
    harness.frame()
  }

  private var menu: Menu? { harness.root.view(named: "menu") as? Menu }

  /// The middle of a row of the menu, which begins 4 points under the button and has a border of 4.
  private func row(_ index: Int) -> Point { Point(x: 90, y: 64 + 44 * Double(index) + 22) }

  @Test func `a tap opens the menu under the button, and a tap on a row chooses it`() throws {
    harness.tap(button)
    let frame = try #require(menu).frame
    #expect(frame == Rect(x: 20, y: 60, width: 150, height: 140) && button.isOpen && harness.root.isMenuOpen)
    harness.tap(row(2))
    #expect(button.selectedIndex == 2 && log.changes == [2] && !button.isOpen && menu == nil)
    harness.tap(button)
    harness.tap(row(2))
    #expect(log.changes == [2], "the same choice says nothing")
  }

  @Test func `one press that slides to a row and ends there chooses it`() {
    harness.drag(from: button.frame.center, to: row(1))
    #expect(button.selectedTitle == "Medium" && log.changes == [1] && !button.isOpen)
    // Lifted between: the menu stays, and nothing is chosen.
    harness.drag(from: button.frame.center, to: Point(x: 300, y: 100))
    #expect(log.changes == [1] && button.isOpen)
    harness.tap(row(0))
    #expect(log.changes == [1, 0])
  }

  @Test func `a finger in the menu lights the row under it, and picks where it is lifted`() {
    harness.tap(button)
    harness.touch(.began, at: row(0))
    #expect(menu?.model.lit == 0)
    harness.move(from: row(0), to: row(2))
    #expect(menu?.model.lit == 2)
    harness.move(from: row(2), to: Point(x: 300, y: 100))
    #expect(menu?.model.lit == nil)
    harness.touch(.ended, at: Point(x: 300, y: 100))
    #expect(button.isOpen && log.changes.isEmpty)
    harness.touch(.began, at: row(1))
    harness.touch(.cancelled, at: row(1))
    #expect(button.isOpen && log.changes.isEmpty && menu?.model.lit == nil)
  }

  @Test func `a pointer that hovers lights a row`() {
    harness.tap(button)
    harness.hover(row(1))
    #expect(menu?.model.lit == 1)
    harness.hover(row(2))
    #expect(menu?.model.lit == 2)
  }

  @Test func `a press elsewhere closes the menu, and works there at once`() {
    harness.tap(button)
    harness.touch(.began, at: brake.frame.center)
    #expect(!button.isOpen && log.presses == 1 && log.changes.isEmpty)
    harness.touch(.ended, at: brake.frame.center)
    harness.tap(button)
    harness.tap(button)
    #expect(!button.isOpen, "a second tap on the button")
  }

  @Test func `fingers that hold something keep it while a menu opens and closes`() {
    harness.touch(.began, at: brake.frame.center, finger: 1)
    harness.tap(button)
    harness.tap(row(1))
    #expect(brake.isTracking && button.selectedIndex == 1)
    harness.touch(.ended, at: brake.frame.center, finger: 1)
  }

  @Test(arguments: [Key.enter, .space, .down, .up])
  func `keys open it, go through it, choose and close`(key: Key) {
    harness.press(.tab)
    harness.press(key)
    #expect(button.isOpen && menu?.model.lit == 0)
    harness.press(.down)
    harness.press(.down)
    harness.press(.enter)
    #expect(!button.isOpen && log.changes == [2] && button.isFirstResponder)
    harness.press(key)
    harness.type("m")
    #expect(menu?.model.lit == 1)
    harness.press(.escape)
    #expect(!button.isOpen && log.changes == [2])
    harness.press(key)
    harness.press(.tab)
    #expect(!button.isOpen && brake.isFirstResponder && log.changes == [2])
  }

  @Test func `keys go back where they were before a press opened the menu`() {
    harness.press(.tab)
    harness.press(.tab)
    #expect(brake.isFirstResponder)
    harness.tap(button)
    harness.press(.end)
    harness.press(.enter)
    #expect(log.changes == [2] && brake.isFirstResponder)
  }

  @Test(arguments: ["hidden", "disabled", "removed", "background", "focus"])
  func `the menu goes with its button`(how: String) {
    harness.tap(button)
    switch how {
    case "hidden": button.isHidden = true
    case "disabled": button.isEnabled = false
    case "removed": button.removeFromSuperview()
    case "background": harness.enterBackground()
    default: harness.root.handle(.keyboardFocus(ControlHarness.seat, false))
    }
    harness.frame()
    #expect(menu == nil && !harness.root.isMenuOpen)
  }

  @Test func `where there is little room the menu lies above, or scrolls`() throws {
    button.frame = Rect(x: 20, y: 240, width: 150, height: 36)
    harness.frame()
    harness.tap(button)
    #expect(menu?.frame == Rect(x: 20, y: 96, width: 150, height: 140))
    button.close()
    button.frame.origin.y = 20
    button.titles = (1...20).map { "Name \($0)" }
    harness.frame()
    harness.tap(button)
    #expect(menu?.frame == Rect(x: 20, y: 60, width: 150, height: 236))
    harness.press(.end)
    harness.settle()
    harness.press(.enter)
    #expect(button.selectedTitle == "Name 20")
  }

  @Test func `nothing opens without names, or while it is disabled`() {
    button.titles = []
    harness.tap(button)
    #expect(!button.isOpen)
    button.titles = ["One"]
    button.isEnabled = false
    harness.tap(button)
    #expect(!button.isOpen)
  }

  @Test func `mirrored, the menu keeps to the right`() {
    harness.root.layoutDirection = .rightToLeft
    button.titles = ["Low", "A name that is longer than its button"]
    button.frame.origin.x = 230
    harness.frame()
    harness.tap(button)
    #expect(menu?.frame.maxX == 380 && (menu?.frame.width ?? 0) > 150)
  }

  @Test func `assistive technology opens it, and chooses without`() throws {
    #expect(button.accessibilityRole == .choice)
    #expect(button.accessibilityValue == AccessibilityValue(0, in: 0...2, step: 1, text: "Low"))
    #expect(button.accessibilityActions.map(\.title).dropFirst() == ["Low", "Medium", "High"])
    try button.carryOut(.perform("press"))
    #expect(button.isOpen)
    try button.carryOut(.perform("choose 2"))
    #expect(button.selectedIndex == 2 && log.changes == [2])
    try button.carryOut(.perform("press"))
    #expect(!button.isOpen)
  }

  // MARK: Popups

  /// A window that can show popups.
  private final class PopupHost: ForwardingHost, PopupWindow {
    let window: (any WindowHost)?
    private(set) var content: (any WindowContent)?
    private(set) var placement: PopupPlacement?
    private(set) var touch: TouchID?
    var canMove = true

    init(_ window: any WindowHost) { self.window = window }

    func showPopup(
      _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
    ) -> (any PopupWindow)? {
      (self.content, self.placement, self.touch) = (content, placement, touch)
      content.resize(to: placement.size, scale: .one)
      content.prepareFrame(for: now)
      return self
    }

    func move(to placement: PopupPlacement) -> Bool {
      if canMove { self.placement = placement }
      return canMove
    }

    func close() {
      let content = content
      self.content = nil
      content?.handle(.willTerminate)
    }
  }

  private func popups() -> PopupHost {
    let host = PopupHost(harness.host)
    harness.root.host = host
    return host
  }

  private func touch(_ phase: TouchPoint.Phase, _ point: Point, in content: (any WindowContent)?, id: Int = 0) {
    content?.handle(
      .touches([TouchPoint(id: ControlHarness.touchID(id), phase: phase, location: point, time: harness.host.now)]))
  }

  @Test func `where the window has popups the menu lies in one, opened by the press`() throws {
    let host = popups()
    harness.touch(.began, at: button.frame.center)
    #expect(menu == nil && button.isOpen && host.touch == ControlHarness.touchID(0))
    #expect(host.placement?.anchor == Rect(x: 20, y: 16, width: 150, height: 44))
    #expect(host.placement?.size == Size(width: 150, height: 140))
    let content = try #require(host.content as? RootView)
    #expect(content.theme == harness.root.theme && content.inputArea == nil && !content.isOpaque)
    // The finger comes to the popup: the window ends one touch and begins another.
    harness.touch(.cancelled, at: button.frame.center)
    touch(.began, Point(x: 50, y: 60), in: content)
    touch(.moved, Point(x: 50, y: 110), in: content)
    touch(.ended, Point(x: 50, y: 110), in: content)
    #expect(log.changes == [2] && !button.isOpen && host.content == nil)
  }

  @Test func `keys reach the menu in its popup by the button, and without the keys it closes`() {
    let host = popups()
    harness.tap(button)
    harness.press(.end)
    harness.press(.enter)
    #expect(log.changes == [2] && host.content == nil)
    harness.tap(button)
    #expect(button.isOpen)
    harness.root.handle(.keyboardFocus(ControlHarness.seat, false))
    #expect(!button.isOpen && host.content == nil)
  }

  @Test func `a popup that the compositor ends is closed`() {
    let host = popups()
    harness.tap(button)
    host.close()
    #expect(!button.isOpen && !harness.root.isMenuOpen)
  }

  @Test func `with anything else held, and without a press, the menu lies in the window`() throws {
    let host = popups()
    harness.touch(.began, at: brake.frame.center, finger: 1)
    harness.tap(button)
    #expect(menu != nil && host.content == nil)
    button.close()
    harness.touch(.ended, at: brake.frame.center, finger: 1)
    harness.key(.down, .character("w"))
    try button.carryOut(.perform("press"))
    #expect(menu != nil && host.content == nil)
    button.close()
    harness.key(.up, .character("w"))
    button.becomeFirstResponder()
    harness.press(.enter)
    #expect(menu != nil && host.content == nil)
  }

  @Test(arguments: [true, false])
  func `a popup follows its button, or closes where it can't`(canMove: Bool) {
    let host = popups()
    host.canMove = canMove
    harness.tap(button)
    harness.frame()
    #expect(button.isOpen)
    button.frame.origin.x = 60
    harness.frame()
    #expect(button.isOpen == canMove && host.placement?.anchor.minX == (canMove ? 60 : 20))
  }

  @Test func `other names close the menu, so that none is chosen that is no more`() {
    harness.tap(button)
    #expect(button.isOpen)
    button.titles = ["Low"]
    harness.frame()
    #expect(!button.isOpen && menu == nil)
    harness.tap(row(2))
    #expect(button.selectedIndex == 0 && log.changes == [])
  }
}
