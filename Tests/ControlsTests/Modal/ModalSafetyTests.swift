import ControlHarness
import Testing
import UICore

@testable import Controls

/// Tests of what a dialog or a sheet must not do: leave something held, or let a finger or a key through to what lies around it.
@MainActor @Suite(.serialized) struct ModalSafetyTests {
  let log = Log()
  let harness = ControlHarness(size: Size(width: 640, height: 480))
  let lever = Slider()
  let beside = Button("Beside")

  init() {
    lever.frame = Rect(x: 20, y: 20, width: 200, height: 44)
    beside.frame = Rect(x: 20, y: 100, width: 120, height: 44)
    for view in [lever, beside] as [View] { root.addSubview(view) }
    lever.addAction(for: .editingDidCancel) { [log] _ in log.add("cancel") }
    beside.addAction(for: .primaryActionTriggered) { [log] _ in log.add("tap") }
    harness.frame()
  }

  private var root: RootView { harness.root }

  /// A dialog in a part of the window, as a layout file may place one.
  private func dialog(isModal: Bool = true) -> Dialog {
    let dialog = Dialog("Sure?", answers: ["No", "Yes"])
    dialog.frame = Rect(x: 300, y: 200, width: 300, height: 200)
    dialog.isModal = isModal
    dialog.addAction(for: .valueChanged) { [log] in log.add("answer \($0.answer ?? -1)") }
    root.addSubview(dialog)
    return dialog
  }

  private func buttons(_ dialog: Dialog) -> [Button] { dialog.card.subviews.compactMap { $0 as? Button } }

  @Test func `one that covers a part of the window keeps fingers, scrolling and pointers from all of it`() {
    let dialog = dialog()
    dialog.isOpen = true
    harness.settle()
    harness.tap(beside)
    harness.drag(from: lever.frame.center, to: lever.frame.center + Point(x: 60, y: 0))
    #expect(log.take() == [] && lever.value == 0 && dialog.isOpen)
    #expect(root.hitTest(beside.frame.center) === dialog)
    dialog.isOpen = false
    harness.tap(beside)
    #expect(log.take() == ["tap"])
  }

  @Test(arguments: [true, false])
  func `whatever it leaves to others, what is held when it opens is let go`(isModal: Bool) {
    let dialog = dialog(isModal: isModal)
    harness.touch(.began, at: lever.frame.center)
    harness.touch(.moved, at: lever.frame.center + Point(x: 20, y: 0))
    let value = lever.value
    dialog.isOpen = true
    #expect(log.take() == ["cancel"] && !lever.isTracking && root.isInputIdle && root.viewInFront === dialog)
    harness.touch(.moved, at: lever.frame.center + Point(x: 60, y: 0))
    #expect(lever.value == value, "the same finger takes nothing again")
    harness.touch(.ended, at: lever.frame.center)
    harness.tap(beside)
    #expect(log.take() == (isModal ? [] : ["tap"]))
  }

  @Test func `until it has disappeared something lies in front, though fingers reach what is behind`() {
    let dialog = dialog()
    dialog.isOpen = true
    harness.settle()
    dialog.isOpen = false
    #expect(root.modalView == nil && root.viewInFront === dialog)
    harness.settle()
    #expect(root.viewInFront == nil)
    dialog.isOpen = true
    dialog.isOpen = false
    dialog.isOpen = true
    #expect(root.modalView === dialog, "one that is opened again while it disappears")
  }

  @Test func `an interruption of the window answers nothing, and what it held in the dialog is let go`() {
    let dialog = dialog()
    dialog.isOpen = true
    harness.settle()
    let yes = buttons(dialog)[1]
    harness.touch(.began, at: yes.windowFrame.center)
    root.handle(.willResignActive)
    root.handle(.didEnterBackground)
    #expect(root.isInputIdle && !yes.isHighlighted)
    harness.touch(.ended, at: yes.windowFrame.center)
    root.handle(.willEnterForeground)
    root.handle(.didBecomeActive)
    harness.settle()
    #expect(dialog.isOpen && root.modalView === dialog && log.take() == [])
    harness.tap(yes)
    #expect(log.take() == ["answer 1"])
  }

  @Test func `a key that held something when it opened moves no focus and answers nothing, however long it is down`() {
    lever.becomeFirstResponder()
    harness.key(.down, .right)
    let dialog = dialog()
    dialog.isOpen = true
    let focus = root.firstResponder
    for _ in 0..<3 { harness.key(.repeated, .right) }
    #expect(root.firstResponder === focus && focus === buttons(dialog)[1])
    #expect(log.take() == ["cancel"], "what the key held on the lever")
    harness.key(.up, .right)
    harness.key(.down, .escape)
    dialog.isOpen = false
    dialog.isOpen = true
    harness.key(.repeated, .escape)
    harness.key(.up, .escape)
    #expect(dialog.isOpen && log.take() == [])
  }

  @Test func `a keyboard on the screen types into a field of a dialog`() throws {
    let presenter = KeyboardPresenter(in: root)
    let field = TextField()
    let dialog = dialog()
    dialog.frame = root.bounds
    dialog.contentHost.addSubview(field)
    dialog.isOpen = true
    harness.settle()
    harness.tap(field.windowFrame.center)
    harness.settle()
    let keyboard = try #require(presenter.keyboard)
    let place = try #require(keyboard.windowFrame.intersection(root.bounds).center as Point?)
    #expect(root.hitTest(place)?.isDescendant(of: keyboard) == true && field.isFirstResponder)
    harness.tap(place)
    #expect(dialog.isOpen && field.isFirstResponder && log.take() == [], "it is no tap beside the dialog")
    #expect(root.accessibilityElements.contains { $0.isDescendant(of: keyboard) })
  }
}
