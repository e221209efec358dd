nonisolated enum OptionName: String, CaseIterable, Sendable {
  case size
  case scale
  case fullscreen
  case iviID = "ivi-id"
  case strip
  case gear
  case steer
  case tilt
  case gamepad
  case beacon
  case theme
  case scene
  case watch
  case check
  case screenshot
  case dumpTree = "dump-tree"
  case frames
  case latency
  case vehicle
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
  case machine
  case video
  case videoView = "video-view"
  case videoLimit = "video-limit"
  case videoStamps = "video-stamps"
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

  /// The options of records.
  static let recorded = allCases.filter(\.row.isRecorded)
}

/// The headings of the help, by what options are for.
nonisolated enum OptionGroup: String, CaseIterable {
  case window = "Options for the window"
  case start = "Options for the start"
  case driving = "Options for driving"
  case files = "Options for scenes, images and records"
  case program = "Options for the program"
}

nonisolated extension OptionName {
  /// The heading under which the help has the option.
  var group: OptionGroup {
    switch self {
    case .size, .scale, .fullscreen, .iviID, .strip, .theme, .keepRunning, .reconnectFor: .window
    case .gear, .steer, .tilt, .gamepad, .beacon, .demo: .start
    case .vehicle, .drive, .driveRate, .limit, .reverseLimit, .ramp, .trim, .expo, .throttle, .deadMan, .vigilance,
      .answerLimit, .linkLimit, .telemetry, .machine, .video, .videoView, .videoLimit, .videoStamps:
      .driving
    case .scene, .watch, .check, .screenshot, .dumpTree, .record, .replay, .replaySpeed, .noWindow: .files
    case .frames, .latency, .log, .config, .saveConfig, .info, .version, .help: .program
    }
  }
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
        v, shift+v            with --video: the picture behind everything, inset or
                              off; the next camera
        return, space         press the button that has the focus
        tab, shift+tab        next control, previous control
        F11                   fullscreen and back
        F12                   the inspector, and back
        escape                close the inspector, leave fullscreen
        ctrl+q                close the window

      For an invalid size, gear or other value the program exits with status 2 and one
      line that describes the valid values.

      """
    return head + OptionGroup.allCases.map(section).joined() + keys
  }

  private static func section(of group: OptionGroup) -> String {
    "\n\(group.rawValue):\n" + OptionName.allCases.filter { $0.group == group }.map(line).joined()
  }

  /// An option's lines: its name and value in 24 columns, then its effect in the other 56. A longer name has a line of its own.
  private static func line(for option: OptionName) -> String {
    let indent = String(repeating: " ", count: 24)
    let name = "  " + option.text + (option.row.value.map { " " + $0.name } ?? "")
    let isLong = name.count > 23
    var (text, line) = isLong ? (name + "\n", indent) : ("", name + indent.dropFirst(name.count))
    for word in option.row.summary.split(separator: " ") {
      if line.count + word.count > 80 { (text, line) = (text + line.dropLast() + "\n", indent) }
      line += word + " "
    }
    return text + line.dropLast() + "\n"
  }
}
