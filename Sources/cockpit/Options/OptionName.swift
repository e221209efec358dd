nonisolated enum OptionName: String, CaseIterable, Sendable {
  case size
  case scale
  case fullscreen
  case iviID = "ivi-id"
  case strip
  case gear
  case steer
  case tilt
  case beacon
  case theme
  case scene
  case watch
  case check
  case screenshot
  case dumpTree = "dump-tree"
  case frames
  case latency
  case drive
  case driveRate = "drive-rate"
  case limit
  case reverseLimit = "reverse-limit"
  case ramp
  case trim
  case expo
  case throttle
  case deadMan = "dead-man"
  case vigilance
  case answerLimit = "answer-limit"
  case linkLimit = "link-limit"
  case telemetry
  case record
  case replay
  case replaySpeed = "replay-speed"
  case noWindow = "no-window"
  case reconnectFor = "reconnect-for"
  case log
  case demo
  case keepRunning = "keep-running"
  case config
  case saveConfig = "save-config"
  case info
  case version
  case help

  /// The option as it is typed.
  var text: String { "--" + rawValue }
  var wanted: String { row.value?.wanted ?? "no value" }
}

nonisolated enum HelpText {
  /// The whole text, lines of at most 80 characters, with a final newline.
  static var text: String {
    let head = """
      Usage: cockpit [OPTION]...

      Shows a car's cockpit in a Wayland window: a throttle gearbox on the left, a
      steering wheel on the right, and the instruments between them. Every finger
      operates its own control; the primary button of a mouse acts as a finger.

      Options are given here or in ~/.config/cockpit/config.json, there without the
      leading hyphens; an option given here takes precedence.

      Options:

      """
    let keys = """

      Keys:
        up, down              shift up, shift down; R opens only from rest in N
        space                 brake: N at once
        pause, ctrl+space     STOP: stops what --drive drives; held for one second
                              it is released
        left, right           steer while held
        h                     horn while held
        c                     with --tilt: make the present tilt the centre
        return, space         press the button that has the focus
        tab, shift+tab        next control, previous control
        F11                   fullscreen and back
        F12                   the inspector, and back
        escape                close the inspector, leave fullscreen
        ctrl+q                close the window

      For an invalid size, gear or other value the program exits with status 2 and one
      line that describes the valid values.

      """
    return head + OptionName.allCases.map(line).joined() + keys
  }

  /// An option's lines: its name and value in 24 columns, then its effect in the other 56.
  private static func line(for option: OptionName) -> String {
    let indent = String(repeating: " ", count: 24)
    let name = "  " + option.text + (option.row.value.map { " " + $0.name } ?? "")
    var (text, line) = ("", name + indent.dropFirst(min(name.count, 23)))
    for word in option.row.summary.split(separator: " ") {
      if line.count + word.count > 80 { (text, line) = (text + line.dropLast() + "\n", indent) }
      line += word + " "
    }
    return text + line.dropLast() + "\n"
  }
}
