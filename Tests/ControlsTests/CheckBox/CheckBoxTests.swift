import ControlHarness
import Testing

@testable import Controls

/// Tests of the check box: taps, keys, the mixed state.
@MainActor @Suite(.serialized) struct CheckBoxTests {
  let log = Log()

  private func shown(direction: LayoutDirection = .leftToRight) -> (ControlHarness, CheckBox) {
    let root = RootView()
    root.layoutDirection = direction
    let harness = ControlHarness(size: Size(width: 220, height: 100), root: root)
    let box = CheckBox("Headlights")
    box.frame = Rect(origin: Point(x: 30, y: 30), size: box.frame.size)
    root.addSubview(box)
    harness.frame()
    box.addAction(for: .valueChanged) { [log] in log.add($0.isChecked ? "on" : "off") }
    return (harness, box)
  }

  @Test func `the mark is at the leading side, the name beside it`() {
    let row = Rect(x: 10, y: 0, width: 100, height: 44)
    let left = MarkGeometry(in: row, direction: .leftToRight)
    #expect(
      left.mark == Rect(x: 10, y: 11, width: 22, height: 22) && left.name == Rect(x: 42, y: 0, width: 68, height: 44))
    let right = MarkGeometry(in: row, direction: .rightToLeft)
    #expect(
      right.mark == Rect(x: 88, y: 11, width: 22, height: 22) && right.name == Rect(x: 10, y: 0, width: 68, height: 44))
    #expect(MarkGeometry(in: Rect(x: 0, y: 0, width: 12, height: 9), direction: .leftToRight).mark.width == 9)
  }

  @Test func `a row is at least 44 points high, with room for the name`() {
    #expect(MarkGeometry.size(name: Size(width: 50.2, height: 18)) == Size(width: 83, height: 44))
    #expect(MarkGeometry.size(name: .zero) == Size(width: 22, height: 44))
  }

  @Test func `a tap anywhere changes it when the finger is lifted, a finger that leaves does not`() {
    let (harness, box) = shown()
    harness.touch(.began, at: box.windowFrame.center)
    #expect(!box.isChecked && box.isHighlighted)
    harness.touch(.ended, at: box.windowFrame.center)
    #expect(box.isChecked && box.isSelected && log.take() == ["on"])
    harness.tap(Point(x: box.windowFrame.maxX - 4, y: box.windowFrame.midY))
    #expect(!box.isChecked && log.take() == ["off"])
    harness.drag(from: box.windowFrame.center, to: Point(x: 5, y: 95), steps: 4)
    #expect(!box.isChecked && log.take().isEmpty)
  }

  @Test func `whatever takes the finger away, nothing changes`() {
    for loss in FingerLoss.allCases {
      let (harness, box) = shown()
      harness.touch(.began, at: box.windowFrame.center)
      loss.happen(to: box, at: box.windowFrame.center, in: harness)
      harness.settle()
      #expect(!box.isChecked && !box.isHighlighted && log.take().isEmpty, "\(loss.rawValue)")
    }
  }

  @Test func `Space and Enter change it when they go up`() {
    let (harness, box) = shown()
    harness.press(.tab)
    #expect(box.isFocused)
    harness.key(.down, .space)
    #expect(!box.isChecked && box.isHighlighted)
    harness.key(.up, .space)
    harness.press(.enter)
    harness.press(.space, .control)
    #expect(log.take() == ["on", "off"])
  }

  @Test func `code sets it silently, and a user's choice ends a mixed state`() throws {
    let (harness, box) = shown()
    box.isChecked = true
    box.isMixed = true
    #expect(log.take().isEmpty && box.accessibilityIsOn == false)
    harness.tap(box)
    #expect(box.isChecked && !box.isMixed && log.take() == ["on"])
    harness.tap(box)
    #expect(log.take() == ["off"])
    try box.carryOut(.perform("toggle"))
    #expect(log.take() == ["on"] && box.accessibilityRole == .checkBox && box.accessibilityIsOn == true)
    box.isEnabled = false
    harness.tap(box)
    #expect(throws: AccessibilityRefusal.self) { try box.carryOut(.perform("toggle")) }
    #expect(log.take().isEmpty)
  }
}
