import ControlHarness
import Testing

@testable import Controls

/// Pictures of on-screen keyboards.
@MainActor @Suite(.serialized) struct KeyboardGoldenTests {
  private func keyboard(_ purpose: TextInputState.Purpose, _ language: KeyboardLanguage = .english) -> Keyboard {
    let keyboard = Keyboard()
    keyboard.language = language
    keyboard.show(purpose)
    return keyboard
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    for (caption, view) in [
      ("letters", keyboard(.normal)), ("German", keyboard(.normal, .german)), ("a password", keyboard(.password)),
      ("a number", keyboard(.number)),
    ] {
      sheet.add(caption, view, size: Size(width: 360, height: 214))
    }
    return sheet
  }

  @Test func `keyboards`() {
    ControlHarness.expectSheets("keyboard", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }

  @Test func `umlauts of a long press, under a thumb that holds Shift`() throws {
    let root = RootView()
    root.backgroundColor = Theme.light.background
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: root)
    let presenter = KeyboardPresenter(in: root)
    presenter.language = .german
    let field = TextField(frame: Rect(x: 20, y: 20, width: 300, height: 36))
    root.addSubview(field)
    harness.frame()
    harness.tap(field)
    let keyboard = try #require(presenter.keyboard)
    func key(_ title: String) throws -> Point {
      try #require(keyboard.subviews.first { ($0 as? KeyCap)?.title.lowercased() == title }).windowFrame.center
    }
    harness.touch(.began, at: try key("shift"), finger: 1)
    harness.touch(.began, at: try key("o"))
    harness.advance(by: .milliseconds(420))
    harness.expectGolden("keyboard-umlauts@1.0", tolerance: 2)
  }
}
