import ControlHarness
import ControlTools
import Testing

@testable import Controls

/// Tests that a password is seen by whoever types it, and told to nobody else.
@MainActor @Suite(.serialized) struct PasswordFieldTests {
  private let field = PasswordField(frame: Rect(x: 20, y: 20, width: 220, height: 44))
  private let harness = ControlHarness(size: Size(width: 300, height: 260))

  init() {
    field.name = "secret"
    harness.root.addSubview(field)
    harness.frame()
  }

  private var shown: String { field.shownModel.shownText }
  private var button: View { field.subviews[0] }

  private func enter(_ text: String) {
    harness.compose(TextEdit(seat: ControlHarness.seat, inserted: text))
  }

  @Test func `a bullet stands for each character, an emoji and an accent included`() {
    harness.tap(field)
    harness.type("pa\u{65}\u{301}")
    harness.advance(by: .seconds(2))
    #expect(field.draft == "pae\u{301}" && shown == "•••")
    harness.press(.enter)
    #expect(field.text == "pae\u{301}" && shown == "•••")
  }

  @Test func `a character typed on an on-screen keyboard is shown for a second, and a key's never`() {
    harness.tap(field)
    enter("a")
    #expect(shown == "a")
    harness.advance(by: .milliseconds(900))
    enter("b")
    #expect(shown == "•b")
    harness.advance(by: .milliseconds(1001))
    #expect(shown == "••")
    harness.type("c")
    #expect(shown == "•••")
    enter("d")
    #expect(shown == "••••", "a key was pressed since the finger")
    harness.tap(field)
    enter("ef")
    #expect(shown == "••••••", "a text that comes at once is pasted or completed, and no finger typed it")
    harness.press(.end)
    harness.tap(field)
    harness.press(.end)
    field.showsTypedCharacter = false
    harness.tap(field)
    enter("g")
    #expect(!shown.contains("g"))
  }

  @Test func `a pointer's field shows no typed character`() {
    harness.tap(field.windowFrame.center, finger: -1)
    enter("a")
    #expect(shown == "•")
  }

  @Test func `what follows hides the typed character at once`() {
    let acts: [() -> Void] = [
      { harness.press(.left) }, { harness.press(.backspace) }, { harness.type("x") },
      { harness.root.setFirstResponder(nil) },
    ]
    for act in acts {
      harness.advance(by: .seconds(1))
      harness.tap(field)
      harness.press(.end)
      harness.tap(Point(x: 230, y: 240))
      harness.tap(Point(x: 140, y: 40))
      enter("a")
      act()
      #expect(shown.allSatisfy { $0 == "•" })
      harness.root.setFirstResponder(nil)
    }
  }

  @Test func `the button shows the text till the focus leaves`() {
    field.text = "open sesame"
    harness.tap(field)
    harness.tap(button)
    #expect(shown == "open sesame" && field.isEditing)
    harness.tap(button)
    #expect(shown == String(repeating: "•", count: 11))
    harness.tap(button)
    harness.tap(Point(x: 100, y: 200))
    #expect(shown.allSatisfy { $0 == "•" } && !field.isRevealed)
    field.hasRevealButton = false
    harness.frame()
    #expect(button.isHidden)
  }

  @Test func `Alt and F8 show the text while the field is edited`() {
    field.text = "abc"
    harness.press(.tab)
    harness.press(.f8, .alt)
    #expect(shown == "abc")
    harness.press(.f8, .alt)
    #expect(shown == "•••")
    field.hasRevealButton = false
    harness.press(.f8, .alt)
    #expect(shown == "•••")
  }

  @Test func `the button is at the side where a line ends`() {
    #expect(button.frame == Rect(x: 176, y: 0, width: 44, height: 44))
    field.layoutDirection = .rightToLeft
    harness.frame()
    #expect(button.frame == Rect(x: 0, y: 0, width: 44, height: 44))
    field.text = "abc"
    harness.frame()
    #expect(field.geometry.area.minX == 54)
  }

  @Test func `it is neither copied nor cut nor selected for the middle button`() {
    field.text = "open sesame"
    harness.press(.tab)
    for (key, modifiers) in [
      (Key.character("c"), .control), (.character("x"), .control), (.insert, .control), (.delete, .shift),
      (.home, .shift),
      (.end, .shift), (.character("a"), .control),
    ] as [(Key, KeyModifiers)] {
      harness.press(key, modifiers)
      if key == .delete { harness.press(.character("a"), .control) }
    }
    #expect(field.draft == "open sesame" && harness.host.clipboard == nil && harness.host.primarySelection == nil)
    let commands = EditCommand.possible(on: field.model, canPaste: true, isSecret: true).map(\.command)
    #expect(commands == [.paste])
  }

  @Test func `a text can be pasted`() {
    harness.tap(field)
    _ = harness.host.setClipboard("a pass")
    harness.press(.character("v"), .control)
    harness.compose(TextEdit(seat: ControlHarness.seat, source: .clipboard, inserted: "a pass"))
    #expect(field.draft == "a pass")
  }

  @Test func `no key and no tap shows where its words begin`() {
    field.text = "open sesame"
    harness.press(.tab)
    harness.press(.end)
    harness.press(.left, .control)
    #expect(field.model.caret == 0)
    harness.press(.right, .control)
    #expect(field.model.caret == 11)
    for _ in 0..<2 { harness.tap(Point(x: 60, y: 40)) }
    #expect(field.model.selection == 0..<11)
  }

  @Test func `an input method is told that it is a password, and not which one`() {
    field.text = "sesame"
    harness.press(.tab)
    harness.type("x")
    let state = harness.host.textInput
    #expect(state?.purpose == .password && state?.text == "" && state?.caret == 0 && state?.anchor == 0)
  }

  @Test func `a composition is hidden too`() {
    harness.tap(field)
    harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "né", preeditSelection: 1..<3))
    #expect(shown == "••" && field.shownModel.preeditSelection == 3..<6)
  }

  @Test func `a tree, a file and the properties do not tell it`() throws {
    field.text = "sesame"
    harness.press(.tab)
    harness.type("street")
    let tree = harness.root.inspect().jsonText
    #expect(!tree.contains("sesame") && !tree.contains("street"))
    for property in field.inspectables { #expect(!property.json(of: field).jsonText.contains("sesame")) }
    harness.press(.enter)
    let written = try #require(LayoutWriter(registry: .controls).text(of: field))
    #expect(!written.contains("street") && written.contains("PasswordField"))
  }

  @Test func `assistive technology reads bullets, and sets a text as a whole`() throws {
    field.text = "sesame"
    harness.press(.tab)
    harness.press(.f8, .alt)
    #expect(field.accessibilityRole == .passwordField)
    #expect(field.accessibilityText?.text == "••••••" && field.accessibilityTextLayout == nil)
    #expect(throws: AccessibilityRefusal.self) { try field.carryOut(.setText("•••x•••")) }
    #expect(field.text == "sesame")
    try field.carryOut(.setText("street"))
    #expect(field.text == "street")
    let toggle = try #require(field.accessibilityElements.first)
    #expect(toggle.accessibilityRole == .toggle && toggle.accessibilityIsOn == true)
    try toggle.carryOut(.perform("press"))
    #expect(!field.isRevealed)
  }
}
