/// The help.
nonisolated enum HelpText {
  /// The whole text, lines of at most 80 characters, with a final newline.
  static var text: String {
    let head = """
      Usage: cockpit [OPTION]...

      Shows a car's cockpit in a Wayland window: a throttle gearbox on the left, a
      steering wheel on the right, and the instruments between them. Every finger
      works its own control; the primary button of a mouse is a finger too.

      Options:

      """
    let keys = """

      Keys:
        up, down              shift up, shift down; R opens only from rest in N
        space                 brake: N at once
        left, right           steer while held
        h                     horn while held
        tab, shift+tab        next control, previous control
        F11                   fullscreen and back
        F12                   the inspector, and back
        escape                close the inspector, leave fullscreen

      A size, gear or other value that can't be used ends the program with exit code 2
      and one line that says what can.

      """
    return head + OptionName.allCases.map(line).joined() + keys
  }

  /// An option's lines: its name and value in 24 columns, then what it does.
  private static func line(for option: OptionName) -> String {
    let left = "  " + option.text + (option.valueName.map { " " + $0 } ?? "")
    let padding = String(repeating: " ", count: max(1, 24 - left.count))
    let indent = "\n" + String(repeating: " ", count: 24)
    return left + padding + option.summary.joined(separator: indent) + "\n"
  }
}
