/// An option of the command line.
nonisolated enum OptionName: String, CaseIterable, Sendable {
  case size
  case scale
  case fullscreen
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
  case drive
  case driveRate = "drive-rate"
  case priority
  case deadMan = "dead-man"
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
  case info
  case version
  case help

  /// The option as it is typed.
  var text: String { "--" + rawValue }

  /// What its value is called in the help; nil for an option without value.
  var valueName: String? {
    switch self {
    case .size: "WxH"
    case .scale: "S"
    case .gear: "N|R|1..10"
    case .steer: "DEG"
    case .tilt: "on|off|DEVICE"
    case .beacon: "on|off"
    case .theme: "auto|dark|light"
    case .scene, .watch, .check: "FILE.json"
    case .screenshot: "FILE.png"
    case .frames: "N"
    case .drive: "PLACE"
    case .driveRate: "N"
    case .priority: "normal|raised"
    case .deadMan: "on|off"
    case .answerLimit: "MS"
    case .telemetry: "PLACE"
    case .record, .replay: "FILE.jsonl"
    case .replaySpeed: "real|fast"
    case .reconnectFor: "SECONDS"
    case .log: "SPEC"
    case .fullscreen, .dumpTree, .noWindow, .demo, .keepRunning, .info, .version, .help: nil
    }
  }

  /// What a good value is, to complete "--x needs ...".
  var expectation: String {
    switch self {
    case .size: "WIDTHxHEIGHT in points, each from 1 to 32767, such as 1280x720"
    case .scale: "a number from 0.25 to 10, such as 1.5"
    case .gear: "N, R or a gear from 1 to 10"
    case .steer: "degrees from -450 (left) to 450 (right), such as -90"
    case .tilt: "on, off, or an accelerometer's folder such as /sys/bus/iio/devices/iio:device0"
    case .beacon: "on or off"
    case .theme: "auto, dark or light"
    case .scene, .watch, .check: "the name of a layout file, such as scene.json"
    case .screenshot: "a file name that ends in .png"
    case .frames: "a whole number from 1, such as 600"
    case .drive: "-, unix:PATH or udp:HOST:PORT, such as udp:192.168.4.1:5005"
    case .driveRate: "a whole number from 5 to 200, such as 30"
    case .priority: "normal or raised"
    case .deadMan: "on or off"
    case .answerLimit: "a whole number of milliseconds from 100 to 2000, such as 300"
    case .telemetry: "- or unix:PATH, such as unix:/run/car.sock"
    case .record, .replay: "the name of a file, such as session.jsonl"
    case .replaySpeed: "real or fast"
    case .reconnectFor: "a number of seconds from 0 to 86400, such as 30"
    case .log: "scopes with levels, such as frame:debug,input"
    case .fullscreen, .dumpTree, .noWindow, .demo, .keepRunning, .info, .version, .help: "no value"
    }
  }

  /// What the option does, for the help; each line is indented under the first.
  var summary: [String] {
    switch self {
    case .size: ["window size in logical points (default 1280x720)"]
    case .scale: ["draw at this scale, 0.25 to 10, instead of the", "compositor's"]
    case .fullscreen: ["cover the whole output; F11 changes it later"]
    case .gear: ["gear to begin in (default N)"]
    case .steer: ["wheel angle to begin with in degrees, right is positive,", "-450 to 450 (default 0)"]
    case .tilt: ["steer by tilting the device, by its accelerometer or", "the one in a folder of sysfs (default off)"]
    case .beacon: ["let the beacon pulse or keep it dark (default on)"]
    case .theme: ["dark, light, or as the desktop likes it (auto, the", "default; dark where it says nothing)"]
    case .scene:
      ["show the scene of a layout file, see README.md, or with", "the name catalogue every control in every state"]
    case .watch: ["the same, and again whenever the file changes"]
    case .check: ["say whether a layout file is good, and end: with 0", "when it is, with 1 when not"]
    case .screenshot: ["write the first frame as a picture and end; needs no", "compositor"]
    case .dumpTree: ["print the view tree and end; needs no compositor"]
    case .frames: ["end after this many frames"]
    case .drive:
      ["send what the controls command as lines of JSON to", "-, unix:PATH or udp:HOST:PORT; see docs/drive.md"]
    case .driveRate: ["lines a second while something is held (default 30)"]
    case .priority:
      ["send lines before other programs run where the system", "grants that (default normal); see docs/drive.md"]
    case .deadMan: ["obey lever and wheel only while they are held; keys", "too (default on with --drive, else off)"]
    case .answerLimit:
      [
        "how long the compositor may give no answer while", "something is held, before all input is lost (default",
        "300)",
      ]
    case .telemetry: ["show what a vehicle tells on - or unix:PATH as lines of", "JSON, in place of the built-in car"]
    case .record: ["write input, sizes and times to a file"]
    case .replay: ["play such a file again: the same picture and lines;", "--drive - prints these"]
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
    case .info: ["say what the compositor offers, what of it is used and", "why, and end"]
    case .version: ["print the version and end"]
    case .help: ["print this and end"]
    }
  }
}
