import Controls
import Glibc
import Testing
import UICore

@testable import cockpit

/// Tests of options in a file, as tables.
@Suite struct ConfigurationTests {
  private static func read(_ text: String, file: String = "/etc/c.json") throws(ConfigurationError) -> Configuration {
    try Configuration(Array(text.utf8), file: file)
  }

  nonisolated static let good: [Good] = [
    Good("{}") { _ in },
    Good("// none\n{}") { _ in },
    Good(#"{"size": "800x600"}"#) { $0.size = Size(width: 800, height: 600) },
    Good(#"{"scale": 1.5, fullscreen: true,}"#) { ($0.scale, $0.isFullscreen) = (Scale(1.5), true) },
    Good(#"{"fullscreen": false}"#) { _ in },
    Good(#"{"gear": 3, "steer": -90}"#) { ($0.gear, $0.steeringDegrees) = (.forward(3), -90) },
    Good(#"{"gear": "R"}"#) { $0.gear = .reverse },
    Good(#"{"beacon": false}"#) { $0.showsBeacon = false },
    Good(#"{"beacon": "on", "tilt": true}"#) { ($0.showsBeacon, $0.tilt) = (true, .on) },
    Good(#"{"theme": "light"}"#) { $0.theme = .light },
    Good(#"{"scene": "a.json"}"#) { $0.scene = "/etc/a.json" },
    Good(#"{"watch": "/a.json"}"#) { ($0.scene, $0.watchesScene) = ("/a.json", true) },
    Good(#"{"drive": "udp:car:5005", "drive-rate": 50, "dead-man": false}"#) {
      ($0.receiver, $0.driveRate, $0.deadMan) = (.udp(host: "car", port: 5005), 50, false)
    },
    Good(#"{"reconnect-for": 1.5, "log": "frame:debug,input"}"#) {
      ($0.reconnectSeconds, $0.log) = (1.5, "frame:debug,input")
    },
  ]

  @Test(arguments: good)
  func `options of a file`(good: Good) throws {
    var expected = Options()
    good.change(&expected)
    #expect(try Self.read(good.text).list.options == expected)
  }

  @Test func `every option that says how the cockpit runs can stand in a file`() throws {
    for option in OptionName.allCases {
      let text = OptionPairTests.value(of: option)
      let value = option.row.isSwitch ? "true" : "\"\(text ?? "on")\""
      let needed =
        option.row.needs.first.map { ", \"\($0.rawValue)\": \"\(OptionPairTests.value(of: $0) ?? "on")\"" } ?? ""
      let line = "{\"\(option.rawValue)\": \(value)\(needed)}"
      if option.row.isSetting {
        let list = try Self.read(line).list
        #expect(list.names.contains(option) && list.options != Options(), "\(option)")
      } else {
        #expect(throws: ConfigurationError.self, "\(option)") { try Self.read("{\"\(option.rawValue)\": true}") }
      }
    }
    #expect(
      OptionName.allCases.filter { !$0.row.isSetting }.map(\.rawValue) == [
        "check", "screenshot", "dump-tree", "replay", "replay-speed", "no-window", "demo",
        "config", "save-config", "info", "version", "help",
      ])
  }

  nonisolated static let bad: [(String, String)] = [
    ("", "c.json:1:1: expected a value"),
    ("[1]", "c.json:1:1: needs an object of options, not a list"),
    ("{\"size\": \"800x600\"", "c.json:1:1: the object has no end: } is missing"),
    (
      "{\n  \"size\": \"0x600\"}",
      "c.json:2:11: size: needs WIDTHxHEIGHT in points, each from 1 to 32767, such as 1280x720, not \"0x600\""
    ),
    ("{\"sise\": \"1x1\"}", "c.json:1:2: sise: unknown option \"sise\"; did you mean \"size\"?"),
    ("{\"--size\": 1}", "c.json:1:2: --size: unknown option \"--size\"; did you mean \"size\"?"),
    ("{\"xyzzy\": 1}", "c.json:1:2: xyzzy: unknown option \"xyzzy\"; cockpit --help lists all options"),
    ("{\"help\": true}", "c.json:1:2: help: is an option of the command line only"),
    ("{\"fullscreen\": \"yes\"}", "c.json:1:16: fullscreen: needs true or false, not \"yes\""),
    ("{\"fullscreen\": 1}", "c.json:1:16: fullscreen: needs true or false, not 1"),
    ("{\"gear\": 11}", "c.json:1:10: gear: needs N, R or a gear from 1 to 10, not 11"),
    ("{\"gear\": true}", "c.json:1:10: gear: needs N, R or a gear from 1 to 10, not true"),
    ("{\"steer\": null}", "c.json:1:11: steer: needs degrees from -450 (left) to 450 (right), such as -90, not null"),
    ("{\"steer\": NaN}", "c.json:1:11: steer: needs degrees from -450 (left) to 450 (right), such as -90, not null"),
    ("{\"theme\": [\"dark\"]}", "c.json:1:11: theme: needs auto, dark or light, not a list"),
    (
      "{\"log\": \"frames\"}",
      "c.json:1:9: log: unknown log scope frames; the scopes are all, connection, window, frame, buffer, input, lifecycle, app, drive, wayland"
    ),
    ("{\"scene\": \"a\",\n \"watch\": \"b\"}", "c.json:2:2: watch: doesn't go with \"scene\": leave one of them out"),
    ("{\"drive-rate\": 9}", "c.json:1:2: drive-rate: --drive-rate does nothing without --drive"),
    (
      "{\"gear\": 3, \"drive\": \"-\"}",
      "c.json:1:2: gear: --gear doesn't go with --drive: a vehicle begins in N, and goes on a touch"
    ),
    (
      "{\"size\": \"20000x10\", \"scale\": 2}",
      "c.json:1:2: size: --size at --scale makes 40000x20 pixels, choose less than 32768 a side"
    ),
  ]

  @Test(arguments: bad)
  func `a mistake is told with its place`(text: String, words: String) {
    let error = #expect(throws: ConfigurationError.self) { try Self.read(text, file: "c.json") }
    #expect(error?.description == words)
  }

  @Test func `a hostile file gives one short line`() {
    let name = String(repeating: "a\\n\\u001b", count: 5000)
    for text in ["{\"\(name)\": 1}", "{\"theme\": \"\(name)\"}", "{\"log\": \"\(name)\"}", "{\"\u{0}", "\u{1b}"] {
      let error = #expect(throws: ConfigurationError.self) { try Self.read(text) }
      let line = error?.description ?? ""
      #expect(!line.contains("\n") && !line.contains("\u{1b}") && line.count < 600, "\(line)")
    }
  }

  /// A command line, a file, and what of both counts.
  nonisolated static let both: [(line: String, file: String, counts: String)] = [
    ("", #"{"gear": 3, "size": "8x9"}"#, "--gear 3 --size 8x9"),
    ("--gear 4", #"{"gear": 3, "steer": 5}"#, "--gear 4 --steer 5"),
    ("--fullscreen=off", #"{"fullscreen": true, "keep-running": true}"#, "--keep-running"),
    ("--beacon on", #"{"beacon": false}"#, "--beacon on"),
    ("--scene b", #"{"watch": "/a"}"#, "--scene b"),
    ("--watch b", #"{"scene": "/a"}"#, "--watch b"),
    // What a file has that does nothing with the line is left out.
    ("--screenshot a.png", #"{"keep-running": true, "steer": 5}"#, "--screenshot a.png --steer 5"),
    ("--screenshot a.png --steer 5", #"{"drive": "-", "drive-rate": 9}"#, "--screenshot a.png --steer 5"),
    ("--gear N", #"{"drive": "-"}"#, "--gear N --drive -"), ("--demo=off", #"{"drive": "-"}"#, "--drive -"),
    ("--replay a.jsonl", #"{"gear": 3, "fullscreen": true, "log": "app"}"#, "--replay a.jsonl --fullscreen --log app"),
    ("--info", #"{"gear": 3, "log": "app"}"#, "--log app --info"),
    ("--drive-rate 9", #"{"drive": "-"}"#, "--drive - --drive-rate 9"),
    ("--scale 10", #"{"size": "32767x1"}"#, "--scale 10"),
  ]

  @Test(arguments: both)
  func `an option of the line goes before one of the file`(line: String, file: String, counts: String) throws {
    func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
    let list = try OptionParser.read(words(line)).over(Self.read(file).list)
    #expect(try list.options == OptionParser.parse(words(counts)))
  }

  @Test func `a mistake of the line stays one whatever the file has`() throws {
    let file = try Self.read(#"{"gear": 3, "fullscreen": true}"#).list
    #expect(throws: OptionError.needs(.noWindow, .replay)) { try OptionParser.read(["--no-window"]).over(file) }
    #expect(throws: OptionError.conflict(.record, .screenshot)) {
      try OptionParser.read(["--record", "a", "--screenshot", "b.png"]).over(file)
    }
  }

  @Test(arguments: [
    ("--gear 3", #"{"drive": "-"}"#, OptionName.gear), ("--drive -", #"{"gear": "R"}"#, .gear),
    ("--steer 9", #"{"drive": "-"}"#, .steer), ("--drive -", #"{"steer": -9}"#, .steer),
    ("--demo", #"{"drive": "-", "fullscreen": true}"#, .demo),
  ])
  func `what moves a vehicle without a hand is refused, whichever of line and file has it`(
    line: String, file: String, option: OptionName
  ) throws {
    let file = try Self.read(file).list
    #expect(throws: OptionError.conflict(option, .drive)) {
      try OptionParser.read(line.split(separator: " ").map(String.init)).over(file)
    }
  }

  @Test func `a scripted drive is no setting: no file has it, and none is saved`() throws {
    let error = #expect(throws: ConfigurationError.self) { try Self.read(#"{"demo": true}"#, file: "c.json") }
    #expect(error?.description == "c.json:1:2: demo: is an option of the command line only")
    #expect(throws: OptionError.conflict(.demo, .saveConfig)) { try OptionParser.parse(["--demo", "--save-config"]) }
    let list = try OptionParser.read(["--demo=off", "--fullscreen", "--save-config"])
    #expect(!Configuration.text(of: list, folder: "/home/me").contains("demo"))
  }

  @Test func `what is saved is read again as the same`() throws {
    let line = [
      "--size=800x600", "--scale", "1.5", "--fullscreen", "--gear", "R", "--steer=+5", "--beacon=off", "--tilt=on",
      "--theme=light", "--watch", "a b.json", "--telemetry=unix:/run/x", "--record=/r.jsonl", "--reconnect-for=0",
      "--log=app", "--keep-running", "--demo=off", "--save-config",
    ]
    let list = try OptionParser.read(line).over(OptionList())
    let text = Configuration.text(of: list, folder: "/home/me")
    #expect(
      text == """
        {
          "size": "800x600",
          "scale": 1.5,
          "fullscreen": true,
          "gear": "R",
          "steer": "+5",
          "tilt": true,
          "beacon": false,
          "theme": "light",
          "watch": "/home/me/a b.json",
          "telemetry": "unix:/run/x",
          "record": "/r.jsonl",
          "reconnect-for": 0,
          "log": "app",
          "keep-running": true
        }

        """)
    var expected = list.options
    (expected.action, expected.scene) = (.run, "/home/me/a b.json")
    #expect(try Self.read(text).list.options == expected)
  }

  @Test func `the file's place is that of XDG`() {
    let places: [([String: String], String?)] = [
      (["XDG_CONFIG_HOME": "/c", "HOME": "/h"], "/c/cockpit/config.json"),
      (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/cockpit/config.json"),
      (["XDG_CONFIG_HOME": "c", "HOME": "/h"], "/h/.config/cockpit/config.json"),
      (["HOME": "/h"], "/h/.config/cockpit/config.json"), (["HOME": "h"], nil), ([:], nil),
    ]
    for (environment, path) in places { #expect(Configuration.ownPath { environment[$0] } == path) }
  }
}
