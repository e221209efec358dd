import ControlHarness
import Testing

@testable import Controls

/// Tests that a text of one line is one line, whatever line ends it has: measured as it is drawn.
@MainActor @Suite(.serialized) struct OneLineTests {
  nonisolated static let ends = ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}", "\u{85}", "\u{b}", "\u{c}"]

  /// The pixels of `view` in a window of its own.
  private func pixels(_ view: View, _ size: Size = Size(width: 300, height: 60)) -> Snapshot {
    ControlHarness(view, size: size).shown
  }

  private func button(_ title: String) -> Button {
    let button = Button()
    button.title = title
    return button
  }

  @Test(arguments: ends) func `a button, with the end in its title and behind it`(end: String) {
    #expect(pixels(button("Save\(end)the settings")) == pixels(button("Save the settings")))
    #expect(pixels(button("Calibrate\(end)")) == pixels(button("Calibrate")))
    for (title, plain) in [("a\(end)b", "a b"), ("Calibrate\(end)", "Calibrate"), ("\(end)\(end)", " ")] {
      #expect(button(title).sizeThatFits(.zero).height == 44)
      #expect(title.count > 2 ? button(title).sizeThatFits(.zero) == button(plain).sizeThatFits(.zero) : true)
    }
  }

  @Test(arguments: ends) func `names to choose from, placeholders, labels, menus and tool tips`(end: String) {
    func choice(_ names: String) -> ChoiceControl {
      let control = ChoiceControl()
      control.choices = names
      return control
    }
    #expect(pixels(choice("a\(end)b|c\(end)")) == pixels(choice("a b|c")))
    func popUp(_ names: String) -> PopUpButton {
      let control = PopUpButton()
      control.choices = names
      return control
    }
    #expect(pixels(popUp("a\(end)b|c\(end)")) == pixels(popUp("a b|c")))
    func field(_ hint: String) -> TextField {
      let field = TextField()
      field.placeholder = hint
      return field
    }
    #expect(pixels(field("a\(end)b")) == pixels(field("a b")))
    func label(_ text: String) -> Label {
      let label = Label()
      label.text = text
      return label
    }
    #expect(pixels(label("a\(end)b\(end)")) == pixels(label("a b")))
    let five = FontLibrary.shared.layout("1\(end)2\(end)3\(end)4\(end)5", font: Font(size: 15))
    #expect(five.lineCount == 1 && five.size.height == FontLibrary.shared.layout("1", font: Font(size: 15)).size.height)
  }
}
