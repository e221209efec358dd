import ControlHarness
import Testing

@testable import Controls

/// Tests of the focus by arrow keys: to the nearest view in the direction, wherever it is in the tree.
@MainActor @Suite(.serialized) struct FocusDirectionTests {
  let harness = ControlHarness(size: Size(width: 300, height: 300))
  var root: RootView { harness.root }

  private static let start = Rect(x: 100, y: 100, width: 50, height: 40)

  @Test(
    arguments: [
      (.right, [Rect(x: 160, y: 100, width: 50, height: 40), Rect(x: 260, y: 100, width: 50, height: 40)], 0),
      (.right, [Rect(x: 260, y: 100, width: 50, height: 40), Rect(x: 155, y: 180, width: 50, height: 40)], 1),
      (.right, [Rect(x: 180, y: 105, width: 50, height: 40), Rect(x: 155, y: 170, width: 50, height: 40)], 0),
      (.right, [Rect(x: 20, y: 100, width: 50, height: 40), Rect(x: 100, y: 200, width: 50, height: 40)], nil),
      (.down, [Rect(x: 0, y: 150, width: 400, height: 40), Rect(x: 100, y: 200, width: 50, height: 40)], 0),
      (.up, [Rect(x: 100, y: 0, width: 50, height: 40), Rect(x: 100, y: 150, width: 50, height: 40)], 0),
      (.left, [Rect(x: 0, y: 60, width: 50, height: 40), Rect(x: 0, y: 100, width: 50, height: 40)], 1),
      // One around the start lies nowhere, and one that reaches beyond it lies there.
      (.down, [Rect(x: 0, y: 0, width: 400, height: 140), Rect(x: 90, y: 120, width: 70, height: 60)], 1),
      (.down, [], nil),
      (.down, [Rect(x: 100, y: 200, width: 50, height: 40), Rect(x: 100, y: 200, width: 50, height: 40)], 0),
    ] as [(FocusDirection, [Rect], Int?)]) func `the nearest one in the direction is found, straight ahead first`(
      direction: FocusDirection, places: [Rect], expected: Int?
    )
  {
    #expect(FocusSearch(direction: direction).nearest(from: Self.start, among: places) == expected)
  }

  /// Buttons in two rows of three, added in another order.
  private func buttons() -> [Button] {
    let buttons = (0..<6).map { index in
      let button = Button("\(index)")
      button.frame = Rect(x: Double(index % 3) * 95 + 10, y: Double(index / 3) * 60 + 10, width: 80, height: 44)
      return button
    }
    for index in [4, 0, 5, 2, 1, 3] { root.addSubview(buttons[index]) }
    harness.frame()
    return buttons
  }

  @Test func `arrow keys walk by geometry and not in the order of the tree, and stop at the edge`() {
    let buttons = buttons()
    buttons[0].becomeFirstResponder()
    for (key, expected) in [
      (Key.right, 1), (.right, 2), (.right, 2), (.down, 5), (.left, 4), (.up, 1), (.up, 1), (.left, 0), (.down, 3),
    ] {
      harness.press(key)
      #expect(buttons[expected].isFirstResponder, "\(key)")
    }
    #expect(!root.focusRing.isHidden)
  }

  @Test func `they press nothing, and with a modifier they do nothing`() {
    let buttons = buttons()
    var pressed = 0
    for button in buttons { button.addAction(for: .primaryActionTriggered) { _ in pressed += 1 } }
    buttons[0].becomeFirstResponder()
    for modifier in [KeyModifiers.control, .alt, .logo, .shift] { harness.press(.right, modifier) }
    #expect(buttons[0].isFirstResponder)
    for key in [Key.right, .down, .left, .up] { harness.press(key) }
    #expect(pressed == 0)
  }

  @Test func `a view that uses the key itself keeps it`() {
    let slider = Slider()
    slider.frame = Rect(x: 10, y: 10, width: 200, height: 44)
    let below = Button("below")
    below.frame = Rect(x: 10, y: 80, width: 80, height: 44)
    let right = Button("right")
    right.frame = Rect(x: 220, y: 10, width: 60, height: 44)
    for view in [slider, below, right] as [View] { root.addSubview(view) }
    harness.frame()
    slider.value = 0.5
    slider.becomeFirstResponder()
    harness.press(.right)
    #expect(slider.isFirstResponder && slider.value > 0.5)
  }

  @Test func `the program's own keys come first`() {
    let buttons = buttons()
    var seen: [Key] = []
    root.keyHandler = {
      if $0.phase == .down { seen.append($0.key) }
      return true
    }
    buttons[0].becomeFirstResponder()
    harness.press(.right)
    #expect(seen == [.right] && buttons[0].isFirstResponder)
  }

  @Test func `without a focus the first view gets it, upwards and to the left the last in Tab order`() {
    let buttons = buttons()
    harness.press(.down)
    #expect(buttons[4].isFirstResponder, "the first in the tree")
    root.setFirstResponder(nil)
    #expect(root.moveFocus(.up) && buttons[3].isFirstResponder)
  }

  @Test func `hidden and disabled views are passed, and so is everything behind a dialog`() {
    let buttons = buttons()
    buttons[1].isEnabled = false
    buttons[4].isHidden = true
    buttons[0].becomeFirstResponder()
    harness.press(.right)
    #expect(buttons[2].isFirstResponder)
    let dialog = Dialog("?", answers: ["a", "b"])
    dialog.present(over: buttons[0])
    for key in [Key.left, .up, .down, .right, .up] {
      harness.press(key)
      #expect(root.firstResponder?.isDescendant(of: dialog) == true, "\(key)")
    }
  }

  @Test func `left and right are those of the screen in every language`() {
    root.layoutDirection = .rightToLeft
    let buttons = buttons()
    buttons[0].becomeFirstResponder()
    harness.press(.right)
    #expect(buttons[1].isFirstResponder)
  }

  @Test func `a repeated key walks on`() {
    let buttons = buttons()
    buttons[0].becomeFirstResponder()
    harness.key(.down, .right)
    harness.key(.repeated, .right)
    harness.key(.up, .right)
    #expect(buttons[2].isFirstResponder)
  }

  @Test func `a key that was cancelled does not walk on`() {
    let buttons = buttons()
    buttons[0].becomeFirstResponder()
    harness.key(.down, .right)
    root.cancelInput()
    harness.key(.repeated, .right)
    #expect(buttons[1].isFirstResponder && root.isInputIdle)
  }

  private func pad(_ extras: GamepadState.Extras, _ buttons: GamepadState.Buttons = [], seat: SeatID? = nil) {
    var state = GamepadState(buttons: buttons)
    state.extras = extras
    root.handle(.gamepad(GamepadEvent(seat: seat ?? ControlHarness.seat, phase: .changed, state: state, time: .zero)))
  }

  @Test func `the cross of a gamepad moves the focus, a step for each press, and presses nothing`() {
    let buttons = buttons()
    var pressed = 0
    for button in buttons { button.addAction(for: .primaryActionTriggered) { _ in pressed += 1 } }
    buttons[0].becomeFirstResponder()
    for (extras, expected) in [
      (GamepadState.Extras.padRight, 1), (.padRight, 1), ([], 1), (.padRight, 2), ([.padRight, .padDown], 5), ([], 5),
      ([.start, .west], 5),
    ] {
      pad(extras)
      #expect(buttons[expected].isFirstResponder, "\(extras)")
    }
    #expect(pressed == 0 && !root.focusRing.isHidden)
  }

  @Test func `a gamepad that is held, a window that is not shown, and a program that takes gamepads move no focus`() {
    let buttons = buttons()
    buttons[0].becomeFirstResponder()
    pad([])
    pad(.padRight, .grip)
    pad([])
    root.handle(.willResignActive)
    pad(.padRight)
    pad([])
    root.handle(.didBecomeActive)
    var seen = 0
    root.gamepadHandler = { _ in seen += 1 }
    pad(.padRight)
    #expect(buttons[0].isFirstResponder && seen == 1)
  }
}
