import ControlHarness
import Controls
import Testing

/// Pictures of text and number fields: states, selections, both directions of writing.
@MainActor @Suite(.serialized) struct TextFieldGoldenTests {
  @Test func `fields`() {
    ControlHarness.expectSheets("text-fields") {
      let sheet = ScreenshotSheet(columns: 3)
      let add = { caption, text, set in Self.add(caption, text, to: sheet, set) }
      add("normal", "Throttle") { _ in }
      add("empty", "") { _ in }
      add("disabled", "Throttle") { $0.isEnabled = false }
      add("highlighted", "Throttle") { $0.isHighlighted = true }
      add("centre", "Throttle") { $0.textAlignment = .center }
      add("right", "Throttle") { $0.textAlignment = .right }
      add("longer than the field", "A text that is longer than its field") { _ in }
      add("right to left", "מהירות 120") { _ in }
      let number = NumberField()
      number.value = 0.25
      sheet.add("number", number, size: Size(width: 80, height: 36))
      return sheet
    }
  }

  private static func add(_ caption: String, _ text: String, to sheet: ScreenshotSheet, _ set: (TextField) -> Void) {
    let field = TextField()
    field.text = text
    field.placeholder = "Name"
    set(field)
    sheet.add(caption, field, size: Size(width: 170, height: 36))
  }

  @Test(arguments: [("caret", "throttle"), ("selected", "throttle"), ("both-ways", "ab שלום cd"), ("scrolled", "")])
  func `edited`(name: String, text: String) {
    for scale in [1.0, 1.5, 2] {
      let root = RootView()
      root.theme = .dark
      root.backgroundColor = Theme.dark.panel
      let harness = ControlHarness(size: Size(width: 200, height: 60), scale: Scale(scale), root: root)
      let field = TextField(frame: Rect(x: 12, y: 12, width: 176, height: 36))
      field.text = text.isEmpty ? "A text that is longer than its field" : text
      root.addSubview(field)
      harness.press(.tab)
      if name == "caret" { harness.press(.left) }
      if name == "both-ways" {
        harness.press(.home)
        for _ in 0..<5 { harness.press(.right, .shift) }
      }
      if name == "scrolled" { harness.press(.end) }
      harness.expectGolden("text-field-\(name)@\(scale)", tolerance: 2)
    }
  }

  @Test(arguments: ["composing", "converting"])
  func `an input method composes`(name: String) {
    for scale in [1.0, 1.5, 2] {
      let root = RootView()
      let harness = ControlHarness(
        size: Size(width: 200, height: 60), scale: Scale(scale), root: root, fonts: ControlHarness.chineseFonts)
      root.backgroundColor = Theme.light.background
      let field = TextField(frame: Rect(x: 12, y: 12, width: 176, height: 36))
      field.text = "gear 7"
      root.addSubview(field)
      harness.press(.tab)
      harness.press(.home)
      let isComposing = name == "composing"
      harness.compose(
        TextEdit(
          seat: ControlHarness.seat, preedit: isComposing ? "ni hao" : "你好吗",
          preeditSelection: isComposing ? 6..<6 : 0..<6))
      harness.expectGolden("text-field-\(name)@\(scale)", tolerance: 2)
    }
  }

  @Test func `the menu that a finger opens`() {
    let harness = ControlHarness(size: Size(width: 240, height: 250))
    harness.root.backgroundColor = harness.root.theme.background
    let field = TextField(frame: Rect(x: 20, y: 12, width: 200, height: 36))
    field.text = "left right"
    harness.root.addSubview(field)
    harness.frame()
    _ = harness.host.setClipboard("text")
    let place = Point(x: 40, y: 30)
    harness.touch(.began, at: place)
    harness.advance(by: .milliseconds(520))
    harness.touch(.ended, at: place)
    harness.touch(.began, at: Point(x: 80, y: 124))
    harness.expectGolden("text-field-menu@1.0", tolerance: 2)
  }
}
