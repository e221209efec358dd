import Controls
import Testing
import UICore

@testable import cockpit

/// A command line or a file without mistakes, and how it changes the options.
nonisolated struct Good: Sendable {
  let text: String
  let change: @Sendable (inout Options) -> Void

  init(_ text: String, _ change: @escaping @Sendable (inout Options) -> Void) {
    (self.text, self.change) = (text, change)
  }
}

extension OptionParser {
  /// The options in `arguments`, after all checks.
  nonisolated static func parse(_ arguments: [String]) throws(OptionError) -> Options {
    let list = try read(arguments)
    try list.check()
    return list.options
  }
}

/// Tests of the command line, as tables.
@Suite struct OptionParserTests {
  @Test func `without words everything is at its default`() throws {
    let options = try OptionParser.parse([])
    #expect(options == Options())
    #expect(options.gear == nil && options.scale == nil && options.scene == nil && options.action == .run)
  }

  nonisolated static let good: [Good] = [
    Good("--size 800x600") { $0.size = Size(width: 800, height: 600) },
    Good("--size=1x32767") { $0.size = Size(width: 1, height: 32767) },
    Good("--scale 1.5") { $0.scale = Scale(1.5) },
    Good("--scale=0.25") { $0.scale = Scale(0.25) },
    Good("--fullscreen") { $0.isFullscreen = true },
    Good("--ivi-id 7001") { $0.role = .ivi(id: 7001) },
    Good("--strip top") { ($0.role, $0.size) = (.strip(.top), Size(width: 1280, height: 240)) },
    Good("--strip=left") { ($0.role, $0.size) = (.strip(.left), Size(width: 320, height: 720)) },
    Good("--size 9x8 --strip top") { ($0.role, $0.size) = (.strip(.top), Size(width: 9, height: 8)) },
    Good("--strip top --size 9x8") { ($0.role, $0.size) = (.strip(.top), Size(width: 9, height: 8)) },
    Good("--gear N") { $0.gear = .neutral },
    Good("--gear r") { $0.gear = .reverse },
    Good("--gear=10") { $0.gear = .forward(10) },
    Good("--steer -90") { $0.steeringDegrees = -90 },
    Good("--steer=450") { $0.steeringDegrees = 450 },
    Good("--steer +12.5") { $0.steeringDegrees = 12.5 },
    Good("--beacon off") { $0.showsBeacon = false },
    Good("--beacon=off --beacon on") { $0.showsBeacon = true },
    Good("--scene a.json") { $0.scene = "a.json" },
    Good("--watch=a=b") { ($0.scene, $0.watchesScene) = ("a=b", true) },
    Good("--watch a --scene b") { $0.scene = "b" },
    Good("--check a.json") { $0.action = .check("a.json") },
    Good("--screenshot a=b.png") { $0.screenshot = "a=b.png" },
    Good("--screenshot=/tmp/x.png") { $0.screenshot = "/tmp/x.png" },
    Good("--dump-tree") { $0.dumpsTree = true },
    Good("--frames 600") { $0.frames = 600 },
    Good("--log frame:debug,input") { $0.log = "frame:debug,input" },
    Good("--drive -") { $0.receiver = .standard },
    Good("--drive=unix:/run/car") { $0.receiver = .unix(path: "/run/car") },
    Good("--drive udp:car:5005 --drive-rate 50 --dead-man off") {
      ($0.receiver, $0.driveRate, $0.deadMan) = (.udp(host: "car", port: 5005), 50, false)
    },
    Good(
      "--drive - --limit 0.3 --reverse-limit=0.05 --ramp 1.5 --trim -0.05 --expo 0.4 --throttle lever --vigilance 10"
    ) {
      ($0.receiver, $0.limit, $0.reverseLimit, $0.ramp) = (.standard, 0.3, 0.05, 1.5)
      ($0.trim, $0.expo, $0.throttle, $0.vigilance) = (-0.05, 0.4, .lever, .seconds(10))
    },
    Good("--telemetry udp:5006") { $0.telemetry = .udp(host: "::", port: 5006) },
    Good("--telemetry udp:127.0.0.1:5006") { $0.telemetry = .udp(host: "127.0.0.1", port: 5006) },
    Good("--info --log app") { ($0.action, $0.log) = (.showInfo, "app") },
    Good("--telemetry - --record a.jsonl") { ($0.telemetry, $0.record) = (.standard, "a.jsonl") },
    Good("--replay a.jsonl --no-window --drive - --replay-speed real") {
      ($0.replay, $0.hidesWindow, $0.receiver, $0.replaysFast) = ("a.jsonl", true, .standard, false)
    },
    Good("--dead-man on --reconnect-for 1.5") { ($0.deadMan, $0.reconnectSeconds) = (true, 1.5) },
    Good("--latency --frames 9") { ($0.measuresLatency, $0.frames) = (true, 9) },
    Good("--fullscreen=on") { $0.isFullscreen = true },
    Good("--fullscreen --fullscreen=off --demo=off") { _ in },
    Good("--demo=off --screenshot a.png") { $0.screenshot = "a.png" },
    Good("--config none") { $0.configuration = .none },
    Good("--save-config --config=a.json --gear 3") {
      ($0.action, $0.configuration, $0.gear) = (.saveConfiguration, .file("a.json"), .forward(3))
    },
    Good("--version") { $0.action = .showVersion },
    Good("--help") { $0.action = .showHelp },
    Good("-h --nonsense") { $0.action = .showHelp },
    Good("--gear 3 --gear 4 --fullscreen") { ($0.gear, $0.isFullscreen) = (.forward(4), true) },
  ]

  @Test(arguments: good)
  func `a good command line`(good: Good) throws {
    var expected = Options()
    good.change(&expected)
    #expect(try OptionParser.parse(good.text.split(separator: " ").map(String.init)) == expected)
  }

  nonisolated static let bad: [([String], OptionError)] = [
    (["--size", "0x600"], .badValue(.size, "0x600")), (["--size", "800x0"], .badValue(.size, "800x0")),
    (["--size", "32768x1"], .badValue(.size, "32768x1")), (["--size", "-1x5"], .badValue(.size, "-1x5")),
    (["--size", "800"], .badValue(.size, "800")), (["--size", "8x8x8"], .badValue(.size, "8x8x8")),
    (["--size", "x"], .badValue(.size, "x")), (["--size", "1.5x2"], .badValue(.size, "1.5x2")),
    (["--size", "99999999999999999999x1"], .badValue(.size, "99999999999999999999x1")),
    (["--size"], .missingValue(.size)), (["--size="], .badValue(.size, "")),
    (["--size", "--fullscreen"], .missingValue(.size)),
    (["--scale", "nan"], .badValue(.scale, "nan")), (["--scale", "inf"], .badValue(.scale, "inf")),
    (["--scale", "0"], .badValue(.scale, "0")), (["--scale", "-1"], .badValue(.scale, "-1")),
    (["--scale", "11"], .badValue(.scale, "11")), (["--scale", "0x1p1"], .badValue(.scale, "0x1p1")),
    (["--scale", "1,5"], .badValue(.scale, "1,5")),
    (["--gear", "0"], .badValue(.gear, "0")), (["--gear", "11"], .badValue(.gear, "11")),
    (["--gear", "P"], .badValue(.gear, "P")), (["--steer", "451"], .badValue(.steer, "451")),
    (["--steer", "left"], .badValue(.steer, "left")), (["--steer", "--"], .missingValue(.steer)),
    (["--beacon", "maybe"], .badValue(.beacon, "maybe")), (["--beacon"], .missingValue(.beacon)),
    (["--ivi-id", "0"], .badValue(.iviID, "0")), (["--ivi-id", "4294967295"], .badValue(.iviID, "4294967295")),
    (["--strip", "middle"], .badValue(.strip, "middle")),
    (["--strip", "top", "--ivi-id", "3"], .conflict(.iviID, .strip)),
    (["--strip", "top", "--fullscreen"], .conflict(.fullscreen, .strip)),
    (["--strip", "top", "--screenshot", "a.png"], .conflict(.strip, .screenshot)),
    (["--screenshot", "x.jpg"], .badValue(.screenshot, "x.jpg")),
    (["--screenshot", ".png"], .badValue(.screenshot, ".png")),
    (["--scene"], .missingValue(.scene)), (["--scene="], .badValue(.scene, "")),
    (["--watch", "--demo"], .missingValue(.watch)), (["--check", ""], .badValue(.check, "")),
    (["--check", "a", "--nonsense"], .unknownOption("--nonsense", nearest: nil)),
    (["--check", "a", "--size", "800x480"], .conflict(.size, .check)),
    (["--scence", "x"], .unknownOption("--scence", nearest: .scene)),
    (["--drive", "car"], .badValue(.drive, "car")), (["--drive", "udp:car"], .badValue(.drive, "udp:car")),
    (["--drive"], .missingValue(.drive)), (["--drive", "unix:"], .badValue(.drive, "unix:")),
    (["--drive-rate", "4"], .badValue(.driveRate, "4")), (["--drive-rate", "201"], .badValue(.driveRate, "201")),
    (["--drive", "-", "--limit", "0"], .badValue(.limit, "0")),
    (["--drive", "-", "--limit", "1.1"], .badValue(.limit, "1.1")),
    (["--drive", "-", "--ramp", "-1"], .badValue(.ramp, "-1")),
    (["--drive", "-", "--trim", "0.3"], .badValue(.trim, "0.3")),
    (["--drive", "-", "--expo", "nan"], .badValue(.expo, "nan")),
    (["--drive", "-", "--throttle", "foot"], .badValue(.throttle, "foot")),
    (["--drive", "-", "--vigilance", "0"], .badValue(.vigilance, "0")),
    (["--limit", "0.3"], .needs(.limit, .drive)), (["--vigilance", "9"], .needs(.vigilance, .drive)),
    (["--info", "--rubbish"], .unknownOption("--rubbish", nearest: nil)),
    (["--info", "--gear", "3"], .conflict(.gear, .info)),
    (["--dead-man", "yes"], .badValue(.deadMan, "yes")), (["--drive", "-", "--gear", "3"], .conflict(.gear, .drive)),
    (["--telemetry", "udp:a:1"], .badValue(.telemetry, "udp:a:1")), (["--record", ""], .badValue(.record, "")),
    (["--replay", "a", "--drive", "udp:a:1"], .conflict(.drive, .replay)),
    (["--replay", "a", "--record", "b"], .conflict(.record, .replay)), (["--no-window"], .needs(.noWindow, .replay)),
    (["--replay", "a", "--gear", "3"], .conflict(.gear, .replay)),
    (["--replay", "a", "--theme", "light"], .conflict(.theme, .replay)),
    (["--replay", "a", "--tilt", "on"], .conflict(.tilt, .replay)),
    (["--replay-speed", "fast"], .needs(.replaySpeed, .replay)),
    (["--replay-speed", "slow"], .badValue(.replaySpeed, "slow")),
    (["--drive", "-", "--demo"], .conflict(.demo, .drive)),
    (["--demo", "--dead-man", "on"], .conflict(.demo, .deadMan)),
    (["--steer", "1", "--drive", "-"], .conflict(.steer, .drive)),
    (["--record", "a", "--screenshot", "b.png"], .conflict(.record, .screenshot)),
    (["--drive", "-", "--screenshot", "b.png"], .conflict(.drive, .screenshot)),
    (["--drive-rate", "9", "--drive", "-", "--screenshot", "b.png"], .conflict(.drive, .screenshot)),
    (["--drive-rate", "9"], .needs(.driveRate, .drive)),
    (["--replay", "a", "--screenshot", "b.png", "--fullscreen"], .conflict(.fullscreen, .screenshot)),
    (["--replay", "a", "--dump-tree", "--drive", "-"], .conflict(.dumpTree, .drive)),
    (["--replay", "a", "--size", "8x8"], .conflict(.size, .replay)),
    (["--replay-speed", "fast", "--dump-tree"], .needs(.replaySpeed, .replay)),
    (["--gear", "3", "--info"], .conflict(.gear, .info)), (["--log", "app", "--check", "a"], .conflict(.log, .check)),
    (["--reconnect-for", "-1"], .badValue(.reconnectFor, "-1")),
    (["--reconnect-for", "86401"], .badValue(.reconnectFor, "86401")),
    (["--frames", "-5"], .badValue(.frames, "-5")), (["--frames", "0"], .badValue(.frames, "0")),
    (["--frames", "1e3"], .badValue(.frames, "1e3")), (["--frames", "4294967296"], .badValue(.frames, "4294967296")),
    (["--log", ""], .badValue(.log, "")), (["--log", "a:b:c"], .badValue(.log, "a:b:c")),
    (["--log", "a,,b"], .badValue(.log, "a,,b")),
    (["--info=on"], .unexpectedValue(.info, "on")), (["--config", ""], .badValue(.config, "")),
    (["--save-config", "--screenshot", "a.png"], .conflict(.saveConfig, .screenshot)),
    (["--fullscreen=yes"], .unexpectedValue(.fullscreen, "yes")), (["--help=me"], .unexpectedValue(.help, "me")),
    (["cockpit.png"], .unexpectedArgument("cockpit.png")), (["--"], .unexpectedArgument("--")),
    (["-"], .unexpectedArgument("-")), ([""], .unexpectedArgument("")),
    (["--sise", "1x1"], .unknownOption("--sise", nearest: .size)),
    (["-gear=3"], .unknownOption("-gear", nearest: .gear)),
    (["--full-screen"], .unknownOption("--full-screen", nearest: .fullscreen)),
    (["--gaer=1"], .unknownOption("--gaer", nearest: .gear)),
    (["--FRAMES"], .unknownOption("--FRAMES", nearest: .frames)),
    (["--screen"], .unknownOption("--screen", nearest: .screenshot)),
    (["--dumptree"], .unknownOption("--dumptree", nearest: .dumpTree)),
    (["--xyzzy"], .unknownOption("--xyzzy", nearest: nil)), (["---"], .unknownOption("---", nearest: nil)),
    (["-x"], .unknownOption("-x", nearest: nil)), (["--="], .unknownOption("--", nearest: nil)),
    (["--size", "20000x10", "--scale", "2"], .tooManyPixels(width: 40000, height: 20)),
    (["--scale=10", "--size=10x3277"], .tooManyPixels(width: 100, height: 32770)),
  ]

  @Test(arguments: bad)
  func `a mistake is named`(words: [String], error: OptionError) {
    #expect(throws: error) { try OptionParser.parse(words) }
  }

  @Test(arguments: bad)
  func `a mistake is one line that says what to do`(words: [String], error: OptionError) {
    let line = error.description
    #expect(!line.contains("\n") && line.count < 200)
    #expect(line.contains("--") || line.contains("cockpit --help"))
  }

  @Test func `mistakes read well`() {
    #expect(
      OptionError.unknownOption("--sise", nearest: .size).description == "unknown option '--sise'; did you mean --size?"
    )
    #expect(
      OptionError.badValue(.gear, "P").description == "--gear needs N, R or a gear from 1 to 10; 'P' isn't")
    #expect(OptionError.exitCode == 2)
  }

  @Test func `a hostile word stays on one short line`() {
    let word = "--" + String(repeating: "a\n\u{1b}[31m", count: 500)
    let line = OptionError.unknownOption(word, nearest: nil).description
    #expect(!line.contains("\n") && !line.contains("\u{1b}"))
    #expect(line.count < 150)
    #expect(throws: OptionError.self) { try OptionParser.parse([word]) }
  }

  @Test func `the help names every option and fits a terminal`() {
    for option in OptionName.allCases { #expect(HelpText.text.contains("  \(option.text)")) }
    for line in HelpText.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(HelpText.text.hasSuffix("\n"))
    // Each name stands before the column of the texts, or alone.
    let lines = HelpText.text.split(separator: "\n")
    for option in OptionName.allCases {
      let name = "  " + option.text + (option.row.value.map { " " + $0.name } ?? "")
      let padded = name + String(repeating: " ", count: max(24 - name.count, 0))
      #expect(lines.contains { name.count > 23 ? $0 == name : $0.hasPrefix(padded) && $0.count > 24 }, "\(name)")
    }
    for group in OptionGroup.allCases { #expect(OptionName.allCases.contains { $0.group == group }) }
  }
}
