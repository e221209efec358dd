import ControlHarness
import Controls
import Testing

/// Pictures of password fields.
@MainActor @Suite(.serialized) struct PasswordGoldenTests {
  private func field(_ text: String = "sesame", _ set: (PasswordField) -> Void = { _ in }) -> PasswordField {
    let field = PasswordField()
    field.text = text
    field.placeholder = "Password"
    set(field)
    return field
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    for (caption, field) in [
      ("hidden", field()), ("empty", field("")), ("shown", field { $0.isRevealed = true }),
      ("disabled", field { $0.isEnabled = false }), ("no button", field { $0.hasRevealButton = false }),
      ("longer than the field", field("a password that is longer than its field")),
    ] {
      sheet.add(caption, field, size: Size(width: 200, height: 44))
    }
    return sheet
  }

  @Test func `password fields`() {
    ControlHarness.expectSheets("password-field", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }

  @Test func `edited by a finger: the last character is shown`() {
    let root = RootView()
    root.backgroundColor = Theme.light.background
    let harness = ControlHarness(size: Size(width: 240, height: 68), scale: Scale(2), root: root)
    let field = field("")
    field.frame = Rect(x: 12, y: 12, width: 216, height: 44)
    root.addSubview(field)
    harness.frame()
    harness.tap(field)
    for letter in ["s", "e", "s"] { harness.compose(TextEdit(seat: ControlHarness.seat, inserted: letter)) }
    harness.expectGolden("password-field-typed@2.0", tolerance: 2)
  }
}
