/// An option of the command line.
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
  case viewer
  case display
  case screenshot
  case dumpTree = "dump-tree"
  case frames
  case latency
  case drive
  case driveRate = "drive-rate"
  case priority
  case limit
  case reverseLimit = "reverse-limit"
  case ramp
  case trim
  case expo
  case throttle
  case deadMan = "dead-man"
  case vigilance
  case answerLimit = "answer-limit"
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

  /// The option's value: its name in the help, and its description to complete "--x needs" and "--x 需要". Nil for an option
  /// without value.
  var value: (name: String, english: String, chinese: String)? {
    switch self {
    case .size:
      ("WxH", "WIDTHxHEIGHT in points, each from 1 to 32767, such as 1280x720", "以点计的“宽x高”，每边 1 到 32767，例如 1280x720")
    case .scale: ("S", "a number from 0.25 to 10, such as 1.5", "0.25 到 10 之间的数，例如 1.5")
    case .iviID: ("N", "a whole number from 1 to 4294967294, such as 7001", "1 到 4294967294 之间的整数，例如 7001")
    case .strip: ("top|bottom|left|right", "top, bottom, left or right", " top、bottom、left 或 right")
    case .gear: ("N|R|1..10", "N, R or a gear from 1 to 10", "N、R 或 1 到 10 挡")
    case .steer: ("DEG", "degrees from -450 (left) to 450 (right), such as -90", "-450（左）到 450（右）之间的度数，例如 -90")
    case .tilt:
      (
        "on|off|DEVICE", "on, off, or an accelerometer's folder such as /sys/bus/iio/devices/iio:device0",
        " on、off 或加速度计的文件夹，例如 /sys/bus/iio/devices/iio:device0"
      )
    case .beacon, .deadMan: ("on|off", "on or off", " on 或 off")
    case .theme: ("auto|dark|light", "auto, dark or light", " auto、dark 或 light")
    case .scene, .watch, .check: ("FILE.json", "the name of a layout file, such as scene.json", "布局文件名，例如 scene.json")
    case .viewer: ("DISTANCE", "a distance from 100mm to 10m, such as 700mm or 0.7m", " 100mm 到 10m 的距离，例如 700mm")
    case .display:
      (
        "WxHmm", "a width and height from 10mm to 10m, such as 217x136mm", "以毫米计的“宽x高”，每边 10mm 到 10m，例如 217x136mm"
      )
    case .screenshot: ("FILE.png", "a file name that ends in .png", "以 .png 结尾的文件名")
    case .frames: ("N", "a whole number from 1, such as 600", "从 1 起的整数，例如 600")
    case .drive:
      (
        "PLACE", "-, unix:PATH, udp:HOST:PORT or bridge:NAME:PLACE, such as bridge:donkey:192.168.4.1",
        " -、unix:路径、udp:主机:端口 或 bridge:名称:位置，例如 bridge:donkey:192.168.4.1"
      )
    case .driveRate: ("N", "a whole number from 5 to 200, such as 30", "5 到 200 之间的整数，例如 30")
    case .priority: ("normal|raised", "normal or raised", " normal 或 raised")
    case .limit, .reverseLimit: ("PART", "a part from 0.05 to 1, such as 0.3", "0.05 到 1 之间的比例，例如 0.3")
    case .ramp: ("SECONDS", "a number of seconds from 0 to 30, such as 1.5", "0 到 30 之间的秒数，例如 1.5")
    case .trim:
      ("PART", "a part of the lock from -0.2 (left) to 0.2 (right), such as -0.03", "-0.2（左）到 0.2（右）之间的比例，例如 -0.03")
    case .expo: ("PART", "a number from 0 to 1, such as 0.4", "0 到 1 之间的数，例如 0.4")
    case .throttle: ("gears|lever", "gears or lever", " gears 或 lever")
    case .vigilance: ("SECONDS", "a number of seconds from 0.5 to 600, such as 10", "0.5 到 600 之间的秒数，例如 10")
    case .answerLimit:
      ("MS", "a whole number of milliseconds from 100 to 2000, such as 300", "100 到 2000 之间的毫秒数，例如 300")
    case .telemetry:
      (
        "PLACE", "-, unix:PATH, udp:PORT or udp:ADDRESS:PORT, such as udp:5006",
        " -、unix:路径、udp:端口 或 udp:地址:端口，例如 udp:5006"
      )
    case .record, .replay: ("FILE.jsonl", "the name of a file, such as session.jsonl", "文件名，例如 session.jsonl")
    case .replaySpeed: ("real|fast", "real or fast", " real 或 fast")
    case .reconnectFor: ("SECONDS", "a number of seconds from 0 to 86400, such as 30", "0 到 86400 之间的秒数，例如 30")
    case .log: ("SPEC", "scopes with levels, such as frame:debug,input", "带级别的范围，例如 frame:debug,input")
    case .config: ("FILE|none", "the name of a file, such as car.json, or none", "文件名（例如 car.json）或 none")
    case .fullscreen, .dumpTree, .latency, .noWindow, .demo, .keepRunning, .saveConfig, .info, .version, .help: nil
    }
  }

  /// The option's effect, for the help; continuation lines are indented below the first.
  var summary: [String] {
    switch self {
    case .size: ["window size in logical points (default 1280x720)"]
    case .scale: ["draw at this scale, 0.25 to 10, instead of the", "compositor's"]
    case .fullscreen: ["cover the whole output; F11 changes it later"]
    case .iviID: ["be the surface of this number on a car's display", "(ivi_application)"]
    case .strip:
      [
        "be a strip along this side of the screen, over", "the windows there, which get the fingers that touch no",
        "control; --size says how thick (240, upright 320)",
      ]
    case .gear: ["gear to begin in (default N)"]
    case .steer: ["wheel angle to begin with in degrees, right is positive,", "-450 to 450 (default 0)"]
    case .tilt: ["steer by tilting the device, by its accelerometer or", "the one in a folder of sysfs (default off)"]
    case .beacon: ["let the beacon pulse or keep it dark (default on)"]
    case .theme: ["dark, light, or as the desktop likes it (auto, the", "default; dark where it says nothing)"]
    case .scene:
      ["show the scene of a layout file, see docs/scenes.md;", "the name catalogue shows every control in every state"]
    case .watch: ["the same, and again whenever the file changes"]
    case .check: ["say whether a layout file is good, and end: with 0", "when it is, with 1 when not"]
    case .viewer:
      [
        "with --check: list the texts that are too small to read",
        "from this distance: letters under 12 minutes of arc",
        "(ISO 15008) where --size points fill the display",
      ]
    case .display: ["with --viewer: the display's size (default: that of the", "compositor's first display)"]
    case .screenshot: ["write the first frame as a picture and end; needs no", "compositor"]
    case .dumpTree: ["print the view tree and end; needs no compositor"]
    case .frames: ["end after this many frames"]
    case .latency:
      ["measure the time from input to commit and to the screen,", "and missed refreshes; the end prints a table"]
    case .drive:
      [
        "send what the controls command as lines of JSON to",
        "-, unix:PATH or udp:HOST:PORT, whose receiver needs a",
        "watchdog: docs/drive.md says what a consumer owes; or to",
        "bridge:NAME:PLACE, such as bridge:donkey:192.168.4.1:",
        "cockpit-bridge is started for this receiver",
      ]
    case .driveRate: ["lines a second while something is held (default 30)"]
    case .priority:
      ["send lines before other programs run where the system", "grants that (default normal); see docs/drive.md"]
    case .limit: ["the throttle of the highest gear, 0.05 to 1 (default", "1); the others have their share of it"]
    case .reverseLimit: ["the same for R"]
    case .ramp:
      ["how long throttle takes to rise from 0 to 1 (default 0:", "at once); it falls at once"]
    case .trim: ["add this to the steering while anything is commanded,", "-0.2 (left) to 0.2 (default 0)"]
    case .expo: ["steer finer around the centre, 0 (even, the default)", "to 1 (cubic)"]
    case .throttle:
      ["by gears, in steps (default), or by where the lever's", "finger lies between them"]
    case .deadMan:
      [
        "obey lever and wheel only while they are held; keys",
        "too (default on with --drive, else off). Off, a lever",
        "that nobody holds drives on: no lifted finger stops it",
      ]
    case .vigilance:
      ["count a hold as lost that gives no sign (a motion, a new", "press) for so long (default: never)"]
    case .answerLimit:
      [
        "how long the compositor may give no answer while", "something is held, before all input is lost (default",
        "300)",
      ]
    case .telemetry:
      ["show what a vehicle tells as lines of JSON on -, on", "unix:PATH or to udp:PORT, in place of the built-in car"]
    case .record: ["write input, sizes and times to a file"]
    case .replay:
      [
        "play such a file again: the same picture and lines;",
        "--drive - prints these, marked \"v\":0: they drive nothing",
      ]
    case .replaySpeed: ["in its own time, or as fast as it goes (default: fast", "without a window)"]
    case .noWindow: ["play without a window, as --screenshot does too"]
    case .reconnectFor:
      ["when the compositor goes, wait so long for the next;", "0 ends at once (default: for ever)"]
    case .log:
      [
        "what to log to standard error, such as frame:debug,input",
        "(wayland: every message to and from the compositor)",
      ]
    case .demo: ["play a drive of ten seconds by itself"]
    case .keepRunning: ["go on while nobody sees the window"]
    case .config: ["read this file of options instead of one's own, or none;", "see docs/configuration.md"]
    case .saveConfig:
      [
        "write the other options into that file, over those that",
        "it has, and end; --OPTION=off takes one out that has no", "value",
      ]
    case .info: ["say what the compositor offers, what of it is used and", "why, and end"]
    case .version: ["print the version and end"]
    case .help: ["print this and end; -h too"]
    }
  }
}

nonisolated extension OptionName {
  /// True for an option that a configuration file may set: one that configures the cockpit, and is not a task itself.
  var isSetting: Bool {
    switch self {
    // A self-playing drive is shown once, when it is requested.
    case .demo: false
    case .config, .saveConfig, .version, .help: false
    default: uses.contains(.cockpit)
    }
  }

  /// True for an option whose value is a file's name.
  var namesFile: Bool { value?.name.hasPrefix("FILE") ?? false }

  /// True for an option that is on by its being there, and off by `--option=off`.
  var isSwitch: Bool { (isSetting || self == .demo) && value == nil }
}

/// The help.
nonisolated enum HelpText {
  /// The whole text, lines of at most 80 characters, with a final newline.
  static var text: String {
    let head = """
      Usage: cockpit [OPTION]...

      Shows a car's cockpit in a Wayland window: a throttle gearbox on the left, a
      steering wheel on the right, and the instruments between them. Every finger
      works its own control; the primary button of a mouse is a finger too.

      Options stand here or in ~/.config/cockpit/config.json, where each has its name
      without hyphens in front; one that stands here counts.

      Options:

      """
    let keys = """

      Keys:
        up, down              shift up, shift down; R opens only from rest in N
        space                 brake: N at once
        pause, ctrl+space     emergency stop of what --drive drives; held for one
                              second it is released
        left, right           steer while held
        h                     horn while held
        c                     with --tilt: the present tilt is the middle
        return, space         press the button that has the focus
        tab, shift+tab        next control, previous control
        F11                   fullscreen and back
        F12                   the inspector, and back
        escape                close the inspector, leave fullscreen
        ctrl+q                close the window

      A size, gear or other value that can't be used ends the program with exit code 2
      and one line that says what can.

      """
    return head + OptionName.allCases.map(line).joined() + keys
  }

  /// An option's lines: its name and value in 24 columns, then its effect.
  private static func line(for option: OptionName) -> String {
    let left = "  " + option.text + (option.value.map { " " + $0.name } ?? "")
    let padding = String(repeating: " ", count: max(1, 24 - left.count))
    let indent = "\n" + String(repeating: " ", count: 24)
    return left + padding + option.summary.joined(separator: indent) + "\n"
  }
}
