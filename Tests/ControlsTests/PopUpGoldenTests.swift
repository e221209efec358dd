import ControlHarness
import Controls
import Testing

/// Pictures of pop-up buttons, closed and open, and of tool tips.
@MainActor @Suite(.serialized) struct PopUpGoldenTests {
  private static func button(_ index: Int = 1, _ set: (PopUpButton) -> Void = { _ in }) -> PopUpButton {
    let button = PopUpButton()
    button.titles = ["Low", "Medium", "High"]
    button.selectedIndex = index
    set(button)
    return button
  }

  @Test func `closed`() {
    ControlHarness.expectSheets("pop-up-buttons", scales: [.one, Scale(2)]) {
      let sheet = ScreenshotSheet(columns: 2)
      let size = Size(width: 160, height: 36)
      sheet.add("normal", Self.button(), size: size)
      sheet.add("pressed", Self.button { $0.isHighlighted = true }, size: size)
      sheet.add("disabled", Self.button { $0.isEnabled = false }, size: size)
      sheet.add("none chosen", Self.button(-1), size: size)
      sheet.add("long", Self.button { $0.titles[1] = "A name that is longer than its button" }, size: size)
      return sheet
    }
  }

  @Test(arguments: [false, true]) func `open`(isDark: Bool) {
    let harness = ControlHarness(size: Size(width: 220, height: 210))
    harness.root.theme = isDark ? .dark : .light
    harness.root.backgroundColor = harness.root.theme.background
    let button = Self.button()
    button.frame = Rect(x: 20, y: 12, width: 160, height: 36)
    harness.root.addSubview(button)
    harness.frame()
    harness.tap(button)
    harness.touch(.began, at: Point(x: 100, y: 165))
    harness.expectGolden("pop-up-button-open\(isDark ? "-dark" : "")@1.0", tolerance: 2)
  }

  @Test func `a tool tip`() {
    let harness = ControlHarness(size: Size(width: 300, height: 200))
    harness.root.backgroundColor = harness.root.theme.background
    let button = Button("Go")
    button.frame = Rect(x: 100, y: 80, width: 80, height: 44)
    button.toolTip = "Drives off when the brake is let go, and the lever is in D"
    harness.root.addSubview(button)
    harness.frame()
    harness.hover(button.frame.center)
    harness.advance(by: .milliseconds(600))
    harness.expectGolden("tool-tip@1.0", tolerance: 2)
  }
}
