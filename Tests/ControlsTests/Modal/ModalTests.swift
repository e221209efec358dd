import ControlHarness
import Testing

@testable import Controls

/// Tests of dialog, sheet and toast in a window: who has the input, and what becomes of that which is held.
@MainActor @Suite(.serialized) struct ModalTests {
  let log = Log()
  let harness = ControlHarness(size: Size(width: 400, height: 300))
  let behind = Button("Behind")
  let other = Slider()

  init() {
    behind.frame = Rect(x: 10, y: 10, width: 100, height: 44)
    other.frame = Rect(x: 10, y: 240, width: 200, height: 44)
    for view in [behind, other] as [View] { harness.root.addSubview(view) }
    for event in [Control.Event.touchCancel, .primaryActionTriggered] {
      behind.addAction(for: event) { [log] _ in log.add(event == .touchCancel ? "cancel" : "tap") }
    }
    harness.frame()
  }

  private var root: RootView { harness.root }

  private func dialog(_ answers: [String] = ["No", "Yes"]) -> Dialog {
    let dialog = Dialog("Sure?", message: "It is final.", answers: answers)
    dialog.addAction(for: .valueChanged) { [log] in log.add("answer \($0.answer ?? -1)") }
    return dialog
  }

  private func buttons(_ dialog: Dialog) -> [Button] { dialog.card.subviews.compactMap { $0 as? Button } }

  // MARK: Holds

  @Test
  func `a finger that holds a control is cancelled when a dialog opens, and nothing is triggered when it is lifted`() {
    harness.touch(.began, at: behind.frame.center)
    #expect(behind.isHighlighted)
    dialog().present(over: behind)
    #expect(log.take() == ["cancel"] && !behind.isTracking && !behind.isHighlighted && root.isInputIdle)
    harness.touch(.moved, at: behind.frame.center)
    harness.touch(.ended, at: behind.frame.center)
    #expect(log.take() == [])
  }

  @Test func `a key that holds a control is cancelled when a dialog opens`() {
    behind.becomeFirstResponder()
    harness.key(.down, .space)
    #expect(behind.isHighlighted)
    dialog().present(over: behind)
    #expect(log.take() == ["cancel"] && !behind.isHighlighted)
    harness.key(.up, .space)
    #expect(log.take() == [])
  }

  @Test func `touches, scrolling and keys do not reach what lies behind`() {
    var handled = 0
    root.keyHandler = { _ in
      handled += 1
      return true
    }
    let dialog = dialog()
    dialog.present(over: behind)
    harness.tap(behind)
    harness.tap(other)
    #expect(log.take() == [] && other.value == 0 && dialog.isOpen)
    harness.press(.character("x"))
    harness.press(.space, .control)
    #expect(handled == 0)
    dialog.isOpen = false
    harness.press(.character("x"))
    #expect(handled == 2, "down and up")
    harness.tap(behind)
    #expect(log.take() == ["tap"])
  }

  @Test func `the keys that must work wherever the focus is reach the program before the dialog`() {
    var seen: [Key] = []
    root.keyInterceptor = {
      if $0.phase == .down { seen.append($0.key) }
      return $0.key == .escape
    }
    let dialog = dialog()
    dialog.present(over: behind)
    harness.press(.escape)
    #expect(seen == [.escape] && dialog.isOpen)
  }

  // MARK: Focus and answers

  @Test func `the focus is inside, Tab goes round inside, and it goes back when the dialog closes`() {
    other.becomeFirstResponder()
    let dialog = dialog()
    dialog.present(over: behind)
    let buttons = buttons(dialog)
    #expect(buttons[1].isFirstResponder, "the default answer")
    var seen: [Bool] = []
    for _ in 0..<4 {
      harness.press(.tab)
      seen.append(buttons.contains { $0.isFirstResponder })
    }
    #expect(seen == [true, true, true, true])
    #expect(!other.becomeFirstResponder() && buttons.contains { $0.isFirstResponder })
    dialog.isOpen = false
    #expect(other.isFirstResponder)
  }

  @Test func `Escape cancels, Enter gives the default answer, and a focused button its own`() {
    for (keys, answer) in [([Key.escape], 0), ([.enter], 1), ([.tab, .enter], 0)] {
      let dialog = dialog()
      dialog.present(over: behind)
      for key in keys { harness.press(key) }
      #expect(log.take() == ["answer \(answer)"] && !dialog.isOpen, "\(keys)")
      harness.settle()
      #expect(dialog.superview == nil)
    }
  }

  @Test func `a key that is cancelled answers nothing`() {
    let dialog = dialog()
    dialog.present(over: behind)
    root.setFirstResponder(nil)
    harness.key(.down, .escape)
    harness.key(.cancelled, .escape)
    #expect(dialog.isOpen && log.take() == [])
  }

  @Test func `an answer is given once, also while the dialog still disappears`() {
    let dialog = dialog()
    var answers: [Int] = []
    dialog.present(over: behind) { answers.append($0) }
    harness.settle()
    let place = buttons(dialog)[0].windowFrame.center
    harness.tap(place)
    harness.tap(place)
    harness.tap(behind)
    #expect(log.take() == ["answer 0", "tap"] && answers == [0], "what lies behind is free at once")
  }

  @Test func `a second dialog has the input until it closes, then the first`() {
    let (first, second) = (dialog(), dialog())
    first.present(over: behind)
    second.present(over: behind)
    #expect(root.modalView === second && buttons(second)[1].isFirstResponder)
    harness.press(.escape)
    #expect(root.modalView === first && buttons(first)[1].isFirstResponder)
    harness.press(.escape)
    #expect(root.modalView == nil && root.firstResponder == nil)
  }

  @Test func `a dialog that leaves the window or is hidden with its superview keeps nothing`() {
    other.becomeFirstResponder()
    let dialog = dialog()
    dialog.present(over: behind)
    dialog.removeFromSuperview()
    #expect(root.modalView == nil)
    harness.tap(behind)
    #expect(log.take() == ["tap"])
    let box = View(frame: root.bounds)
    root.addSubview(box)
    let inside = self.dialog()
    inside.frame = box.bounds
    box.addSubview(inside)
    inside.isOpen = true
    #expect(root.modalView === inside)
    box.isHidden = true
    #expect(root.modalView == nil && behind.becomeFirstResponder())
  }

  @Test func `one that was opened before it came into the window has the input there`() {
    let dialog = dialog()
    dialog.frame = root.bounds
    dialog.isOpen = true
    harness.touch(.began, at: behind.frame.center)
    root.addSubview(dialog)
    #expect(root.modalView === dialog && log.take() == ["cancel"])
  }

  @Test func `while a dialog is open, what lies behind is looked over by assistive technology`() throws {
    let dialog = dialog()
    dialog.present(over: behind)
    #expect(root.accessibilityElements.map { $0 === dialog } == [true] && dialog.accessibilityRole == .dialog)
    #expect(root.accessibilityHitTest(behind.frame.center) === dialog)
    #expect(throws: AccessibilityRefusal(AccessibilityWords.current.isBehind)) {
      try behind.carryOut(.perform("press"))
    }
    try buttons(dialog)[0].carryOut(.perform("press"))
    #expect(log.take() == ["answer 0"])
    harness.settle()
    #expect(root.accessibilityElements.contains { $0 === behind })
    try behind.carryOut(.perform("press"))
    #expect(log.take() == ["tap"])
  }

  @Test func `what must be reached over a dialog is reached`() throws {
    root.reachableOverModals = { [behind] in [behind] }
    dialog().present(over: other)
    #expect(root.accessibilityElements.contains { $0 === behind })
    try behind.carryOut(.perform("press"))
    #expect(log.take() == ["tap"])
  }

  @Test func `a menu of a dialog works`() {
    let dialog = dialog()
    let popUp = PopUpButton()
    popUp.titles = ["a", "b"]
    popUp.frame = Rect(x: 0, y: 0, width: 120, height: 44)
    dialog.contentHost.addSubview(popUp)
    dialog.present(over: behind)
    harness.settle()
    popUp.becomeFirstResponder()
    for key in [Key.space, .down, .enter] { harness.press(key) }
    #expect(popUp.selectedIndex == 1 && dialog.isOpen)
  }

  @Test func `it says its title and message, and comes to rest`() {
    var said: [String] = []
    let token = root.observeActivity { if case .announcement(let text) = $0 { said.append(text) } }
    dialog().present(over: behind)
    #expect(said == ["Sure?. It is final."])
    harness.settle()
    #expect(!root.needsFrame)
    token.remove()
  }

  @Test func `with reduced motion it is there at once, and gone at once`() {
    root.prefersReducedMotion = true
    let dialog = dialog()
    dialog.present(over: behind)
    #expect(dialog.reveal.value == 1 && !root.isAnimating)
    dialog.isOpen = false
    #expect(dialog.superview == nil)
  }

  // MARK: Sheet

  private func sheet() -> Sheet {
    let sheet = Sheet()
    (sheet.height, sheet.title) = (200, "Sheet")
    sheet.addAction(for: .valueChanged) { [log] in log.add("open \($0.isOpen)") }
    sheet.present(over: behind)
    harness.settle()
    return sheet
  }

  @Test func `a sheet stands on the bottom edge, and is dragged down to close it`() {
    let sheet = sheet()
    #expect(sheet.card.frame == Rect(x: 0, y: 100, width: 400, height: 200))
    harness.drag(from: Point(x: 200, y: 110), to: Point(x: 200, y: 170), holds: true)
    #expect(abs(sheet.card.frame.minY - 150) < 12, "it follows the finger")
    // A finger that rests has no speed.
    harness.advance(by: .milliseconds(300))
    harness.touch(.ended, at: Point(x: 200, y: 170))
    harness.settle()
    #expect(sheet.isOpen && sheet.card.frame.minY == 100)
    harness.drag(from: Point(x: 200, y: 110), to: Point(x: 200, y: 290))
    harness.settle()
    #expect(log.take() == ["open false"] && sheet.superview == nil)
  }

  @Test func `a tap beside a sheet and Escape close it, a tap on it does not`() {
    let first = sheet()
    harness.tap(Point(x: 200, y: 250))
    #expect(first.isOpen)
    harness.tap(behind)
    #expect(!first.isOpen && log.take() == ["open false"])
    let second = sheet()
    harness.press(.escape)
    #expect(!second.isOpen && log.take() == ["open false"])
    let third = sheet()
    third.closesByTapBeside = false
    harness.tap(behind)
    #expect(third.isOpen && log.take() == [])
  }

  @Test func `a slider in a sheet keeps its drag`() {
    let sheet = sheet()
    let slider = Slider()
    sheet.contentHost.addSubview(slider)
    harness.frame()
    let place = slider.windowFrame
    harness.drag(from: Point(x: place.minX + 10, y: place.midY), to: Point(x: place.maxX - 10, y: place.midY + 60))
    #expect(sheet.isOpen && slider.value > 0.5)
  }

  @Test func `a drag that is cancelled leaves the sheet open`() {
    let sheet = sheet()
    harness.drag(from: Point(x: 200, y: 110), to: Point(x: 200, y: 280), holds: true)
    harness.touch(.cancelled, at: Point(x: 200, y: 280))
    harness.settle()
    #expect(sheet.isOpen && sheet.card.frame.minY == 100 && log.take() == [])
  }

  // MARK: Toast

  @Test func `a toast takes neither touches nor the focus, is said, and goes by itself`() throws {
    var said: [String] = []
    let token = root.observeActivity { if case .announcement(let text) = $0 { said.append(text) } }
    other.becomeFirstResponder()
    Toast.show("Saved", over: behind)
    Toast.show("Sent", over: other)
    harness.settle()
    let toast = try #require(root.subviews.compactMap { $0 as? Toast }.first)
    #expect(root.subviews.count { $0 is Toast } == 1 && toast.text == "Saved" && toast.waitingCount == 1)
    #expect(toast.frame.maxY == 276 && abs(toast.frame.midX - 200) <= 0.5)
    #expect(root.hitTest(toast.frame.center)?.isDescendant(of: toast) != true && other.isFirstResponder)
    #expect(root.accessibilityElements.contains { $0 === toast } && toast.accessibilityRole == .alert)
    harness.advance(by: .milliseconds(3100))
    #expect(toast.text == "Sent")
    harness.advance(by: .milliseconds(3100))
    #expect(toast.text == "" && toast.frame.isEmpty && said == ["Saved", "Sent"])
    harness.settle()
    #expect(!root.needsFrame && harness.host.wakeTime == nil)
    token.remove()
  }

  @Test func `a toast never lies over what must stay in sight`() throws {
    root.keptInSight = { [Rect(x: 0, y: 200, width: 400, height: 100)] }
    Toast.show("Saved", over: behind)
    harness.settle()
    let toast = try #require(root.subviews.compactMap { $0 as? Toast }.first)
    #expect(toast.frame.minY == 24)
    root.keptInSight = { [Rect(x: 0, y: 0, width: 400, height: 300)] }
    root.setNeedsLayout()
    harness.frame()
    #expect(toast.frame.isEmpty && toast.text == "Saved")
  }

  @Test func `a text that is set stays, and forgets the others`() {
    let toast = Toast(frame: Rect(x: 0, y: 0, width: 100, height: 40))
    root.addSubview(toast)
    toast.show("a")
    toast.show("b")
    toast.text = "c"
    harness.advance(by: .seconds(10))
    #expect(toast.text == "c" && toast.waitingCount == 0)
    toast.text = ""
    harness.settle()
    #expect(toast.accessibilityRole == .none)
  }
}
