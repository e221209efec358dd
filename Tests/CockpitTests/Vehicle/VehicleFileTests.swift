import ControlHarness
import Controls
import DriveLink
import Glibc
import TestSupport
import Testing
import UICore

@testable import cockpit

/// The reader of vehicles' files, and its schema.
@MainActor @Suite(.serialized) struct VehicleFileTests {
  /// A file with these members beside version and name.
  nonisolated private static func text(_ members: String) -> String {
    "{\"version\": 1, \"name\": \"Car\"\(members.isEmpty ? "" : ", ")\(members)}"
  }

  private static func read(_ text: String) throws(ConfigurationError) -> VehicleFile {
    try VehicleFile(Array(text.utf8), path: "car.json")
  }

  nonisolated private static func channel(_ members: String) -> String { "\"channels\": {\"a\": {\(members)}}" }

  nonisolated static let good = [
    "", "\"receiver\": \"bridge:crsf:/dev/ttyUSB0\"", "\"receiver\": \"udp:192.168.4.1:5005\"", "\"receiver\": \"-\"",
    "\"steering\": {}", "\"steering\": {\"invert\": true, \"left\": 0.9, \"right\": 0.8, \"centre\": 0.05}",
    "\"throttle\": {\"invert\": false, \"forward\": 1, \"reverse\": 0.5, \"centre\": -0.5}",
    "\"limits\": {\"forward\": 0.5, \"reverse\": 0.25, \"ramp\": 1.5, \"expo\": 0.4, \"trim\": -0.1}",
    "\"channels\": {}",
    channel("\"kind\": \"switch\", \"off\": -1, \"on\": 1"),
    channel(
      "\"kind\": \"switch\", \"off\": 0, \"on\": 1, \"start\": \"on\", \"safe\": \"off\", \"output\": 6, \"gamepad\": \"west\""
    ),
    channel("\"kind\": \"axis\""),
    channel(
      "\"kind\": \"axis\", \"minimum\": 0, \"maximum\": 1, \"start\": 0.5, \"safe\": \"keep\", \"output\": \"/pan\""),
    channel("\"kind\": \"axis\", \"safe\": 0.25, \"gamepad\": \"right-x\""),
    channel("\"kind\": \"choice\", \"values\": {\"low\": -1, \"high\": 1}, \"start\": \"low\", \"safe\": \"keep\""),
    channel("\"kind\": \"momentary\", \"off\": 0, \"on\": 1, \"safe\": 0, \"gamepad\": \"pad-up\""), "\"arm\": {}",
    "\"arm\": {\"output\": 5, \"hold\": 0.5, \"safe\": \"disarm\"}",
    "\"mode\": {\"output\": 10, \"values\": {\"manual\": 0, \"hold\": 4}, \"start\": \"hold\"}",
    "\"battery\": {\"alarm\": 0.2, \"sound\": false}", "\"units\": \"knots\"",
  ]

  /// Files that reader and schema refuse, and a part of the reader's words.
  nonisolated static let bad = [
    ("{}", "version: is missing: needs 1"), ("[]", "needs an object"),
    ("{\"version\": 2, \"name\": \"Car\"}", "1:13: version: needs 1, not 2"),
    ("{\"version\": 1}", "name: is missing: needs a text of 1 to 64 characters"),
    ("{\"version\": 1, \"name\": \"\"}", "1:24: name: needs a text"),
    (text("\"recever\": \"-\""), "1:31: recever: unknown property; did you mean \"receiver\"?"),
    (text("\"receiver\": \"donkey\""), "receiver: needs -, unix:PATH"), (text("\"receiver\": 5"), "receiver: needs"),
    (text("\"steering\": {\"left\": 1.5}"), "1:52: steering.left: needs a number from 0 to 1, not 1.5"),
    (
      text("\"throttle\": {\"left\": 1}"), "throttle.left: unknown property; there are invert, forward, reverse, centre"
    ),
    (text("\"steering\": {\"invert\": 1}"), "steering.invert: needs true or false, not 1"),
    (text("\"limits\": {\"forward\": 0}"), "limits.forward: needs a part from 0.05 to 1, such as 0.3, not 0"),
    (
      text("\"limits\": {\"ramp\": \"1\"}"),
      "limits.ramp: needs a number of seconds from 0 to 30, such as 1.5, not \"1\""
    ),
    (text("\"channels\": []"), "channels: needs an object, not a list"),
    (text("\"channels\": {\"Lights\": {\"kind\": \"axis\"}}"), "channels.Lights: a name has 1 to 16 of a-z, 0-9 and -"),
    (
      text(channel("\"off\": 1")),
      "channels.a.kind: is missing: needs \"switch\", \"axis\", \"choice\" or \"momentary\""
    ),
    (text(channel("\"kind\": \"switch\", \"off\": 0")), "channels.a.on: is missing: needs a number from -1 to 1"),
    (
      text(channel("\"kind\": \"switch\", \"off\": 0, \"on\": 1, \"safe\": 0")),
      "channels.a.safe: needs \"off\", \"on\" or \"keep\", not 0"
    ),
    (text(channel("\"kind\": \"axis\", \"on\": 1")), "channels.a.on: unknown property"),
    (text(channel("\"kind\": \"axis\", \"output\": true")), "channels.a.output: needs a whole number"),
    (text(channel("\"kind\": \"axis\", \"output\": 1.5")), "channels.a.output: needs a whole number"),
    (
      text(channel("\"kind\": \"axis\", \"safe\": \"off\"")), "channels.a.safe: needs \"keep\" or a number from -1 to 1"
    ),
    (
      text(channel("\"kind\": \"axis\", \"gamepad\": \"west\"")), "channels.a.gamepad: needs \"right-x\" or \"right-y\""
    ),
    (
      text(channel("\"kind\": \"choice\", \"values\": {\"low\": 0}, \"start\": \"low\"")),
      "needs 2 to 8 values by their names, not 1"
    ),
    (text(channel("\"kind\": \"choice\", \"values\": {\"low\": 0, \"high\": 1}")), "channels.a.start: is missing"),
    (
      text("\"channels\": {\((0..<9).map { "\"c\($0)\": {\"kind\": \"axis\"}" }.joined(separator: ", "))}"),
      "there are 9 channels"
    ),
    (text("\"arm\": true"), "arm: needs an object, not true"),
    (text("\"arm\": {\"hold\": 0.1}"), "arm.hold: needs a number from 0.5 to 10, not 0.1"),
    (text("\"mode\": {\"start\": \"manual\"}"), "mode.values: is missing: needs an object"),
    (text("\"battery\": {}"), "battery.alarm: is missing"),
    (text("\"battery\": {\"alarm\": 20}"), "battery.alarm: needs"),
    (text("\"units\": \"mi\""), "units: needs \"km/h\", \"mph\", \"m/s\" or \"knots\", not \"mi\""),
  ]

  /// Files that the reader refuses for what no schema can say.
  nonisolated static let contradictory = [
    (
      text("\"steering\": {\"left\": 0.2, \"centre\": -0.5}"),
      "steering.centre: needs a number from -0.2 to 1, not -0.5"
    ),
    (
      text("\"throttle\": {\"reverse\": 0.2, \"centre\": -0.5}"),
      "throttle.centre: needs a number from -0.2 to 1, not -0.5"
    ),
    (text(channel("\"kind\": \"switch\", \"off\": 1, \"on\": 1")), "channels.a.on: must differ from \"off\""),
    (
      text(channel("\"kind\": \"momentary\", \"off\": 0, \"on\": 1, \"safe\": 1")),
      "channels.a.safe: needs 0, its value when it is off"
    ),
    (text(channel("\"kind\": \"axis\", \"minimum\": 0.5, \"maximum\": 0.5")), "must be more than the minimum, 0.5"),
    (
      text(channel("\"kind\": \"axis\", \"minimum\": 0, \"start\": -1")), "channels.a.start: needs a number from 0 to 1"
    ),
    (
      text(channel("\"kind\": \"choice\", \"values\": {\"low\": 0, \"high\": 1}, \"start\": \"mid\"")),
      "channels.a.start: needs \"low\" or \"high\", not \"mid\""
    ),
    (
      text(
        "\"channels\": {\"a\": {\"kind\": \"axis\", \"gamepad\": \"right-x\"}, \"b\": {\"kind\": \"axis\", \"gamepad\": \"right-x\"}}"
      ),
      "channels.b.gamepad: \"right-x\" sets \"a\" already"
    ),
  ]

  @Test func `schema and reader accept the same files`() throws {
    let schema = try SchemaValidator("vehicle.schema.json")
    for members in Self.good {
      let text = Self.text(members)
      #expect(schema.mistakes(inText: text).isEmpty, "\(members): \(schema.mistakes(inText: text))")
      #expect(throws: Never.self, "\(members)") { try Self.read(text) }
    }
    for (text, words) in Self.bad {
      #expect(!schema.mistakes(inText: text).isEmpty, "\(text)")
      let error = #expect(throws: ConfigurationError.self, "\(text)") { try Self.read(text) }
      #expect(
        error?.description.hasPrefix("car.json:1:") == true && error?.description.contains(words) == true,
        "\(error.map { "\($0)" } ?? text)")
    }
    for (text, words) in Self.contradictory {
      #expect(schema.mistakes(inText: text).isEmpty, "\(text): \(schema.mistakes(inText: text))")
      let error = #expect(throws: ConfigurationError.self, "\(text)") { try Self.read(text) }
      #expect(error?.description.contains(words) == true, "\(error.map { "\($0)" } ?? text)")
    }
  }

  @Test func `the examples of the documents are good, and --check says so`() throws {
    for name in ["donkeycar", "ardupilot-rover", "esp32-car"] {
      let path = SchemaValidator.path("examples/\(name).json")
      #expect(throws: Never.self, "\(name)") { try VehicleFile(contentsOf: path) }
      #expect(try Product.cockpit.run("--check \(path)", configuration: "/nowhere") == ("\(path) is good\n", 0))
    }
    let folder = try TemporaryFolder()
    try folder.write("{\n  \"version\": 1, \"name\": \"Car\",\n  \"unit\": \"mph\"\n}", to: "bad.json")
    let path = folder.path + "/bad.json"
    let line = "cockpit: \(path):3:3: unit: unknown property; did you mean \"units\"?\n"
    #expect(try Product.cockpit.run("--check \(path)", configuration: "/nowhere") == (line, 1))
    // As an option a bad file is a bad option.
    #expect(try Product.cockpit.run("--vehicle \(path)", configuration: "/nowhere") == (line, 2))
    #expect(try Product.cockpit.run("--vehicle /nowhere.json", configuration: "/nowhere").status == 2)
  }

  @Test func `a file of more than 64 KiB is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.text("") + String(repeating: " ", count: VehicleFile.largestFile), to: "long.json")
    let error = #expect(throws: ConfigurationError.self) { try VehicleFile(contentsOf: folder.path + "/long.json") }
    #expect(error?.description.contains("has more than 64 KiB") == true)
  }

  @Test func `channels keep the file's order, and what is left out has its default`() throws {
    let file = try Self.read(
      Self.text(
        "\"channels\": {\"z\": {\"kind\": \"axis\", \"minimum\": 0.5}, \"b\": {\"kind\": \"switch\", \"off\": -1, \"on\": 1}, "
          + "\"a\": {\"kind\": \"momentary\", \"off\": 0.25, \"on\": 1}}"))
    #expect(file.channels.map(\.name) == ["z", "b", "a"])
    #expect(file.channels.map(\.start) == [0.5, -1, 0.25] && file.channels.map(\.safe) == [0.5, nil, 0.25])
    #expect(file.arm == nil && file.mode == nil && file.battery == nil && file.unit == .kilometresPerHour)
    #expect(try Self.read(Self.text("")).model == nil)
  }

  // MARK: Options

  private func options(_ line: String, vehicle: String, configuration: String = "{}") throws -> Options {
    let folder = try TemporaryFolder()
    try folder.write(vehicle, to: "car.json")
    try folder.write(configuration, to: "config.json")
    let words = line.replacing("car.json", with: "\(folder.path)/car.json").split(separator: " ").map(String.init)
    let read = try Cockpit.readOptions(["--config", "\(folder.path)/config.json"] + words)
    var options = read.list.options
    (options.settingsFile, options.vehicleFile, options.vehicleSettings) = (
      read.file, read.vehicle, read.vehicleSettings
    )
    return options
  }

  nonisolated private static let crawler = text(
    "\"receiver\": \"udp:10.0.0.1:5005\", \"limits\": {\"forward\": 0.5, \"reverse\": 0.25, \"ramp\": 1.5, \"expo\": 0.4, \"trim\": 0.1}"
  )

  @Test func `a vehicle's file sets receiver and limits, and the command line wins`() throws {
    let plain = try options("--vehicle car.json", vehicle: Self.crawler)
    #expect(plain.receiver == .udp(host: "10.0.0.1", port: 5005))
    #expect(plain.shaping == DriveShaping(limit: 0.5, reverseLimit: 0.25, ramp: 1.5, trim: 0.1, expo: 0.4))
    #expect(plain.hasDeadMan && plain.vehicleSettings?.options == [.drive, .limit, .reverseLimit, .ramp, .expo, .trim])
    let other = try options("--vehicle car.json --limit 0.2 --drive -", vehicle: Self.crawler)
    #expect(other.receiver == .standard && other.limit == 0.2 && other.reverseLimit == 0.25)
    #expect(other.vehicleSettings?.options == [.reverseLimit, .ramp, .expo, .trim])
  }

  @Test func `a vehicle that the command line names lies over the configuration file, one that this names beneath it`()
    throws
  {
    let line = try options(
      "--vehicle car.json", vehicle: Self.crawler,
      configuration: "{\"drive\": \"-\", \"limit\": 0.9, \"theme\": \"light\"}")
    #expect(line.receiver == .udp(host: "10.0.0.1", port: 5005) && line.limit == 0.5 && line.theme == .light)
    #expect(line.settingsFile?.options == [.theme])
    let file = try options(
      "", vehicle: Self.crawler, configuration: "{\"vehicle\": \"car.json\", \"drive\": \"-\", \"limit\": 0.3}")
    #expect(file.receiver == .standard && file.limit == 0.3 && file.reverseLimit == 0.25)
    #expect(file.settingsFile?.options == [.vehicle, .drive, .limit])
    #expect(file.vehicleSettings?.options == [.reverseLimit, .ramp, .expo, .trim])
  }

  @Test func `a file without a receiver drives nothing by itself, and an image drives nothing at all`() throws {
    let silent = try options("--vehicle car.json", vehicle: Self.text("\"limits\": {\"forward\": 0.5}"))
    #expect(silent.receiver == nil && silent.limit == 1 && silent.vehicleSettings?.options == [])
    let image = try options("--vehicle car.json --screenshot a.png", vehicle: Self.crawler)
    #expect(image.receiver == nil && image.vehicleFile?.name == "Car")
    let error = #expect(throws: SessionError.self) { try options("--vehicle car.json --demo", vehicle: Self.crawler) }
    #expect(error?.description.contains("hands alone drive a vehicle") == true)
  }

  @Test func `the start names the vehicle, its receiver, and who set it`() throws {
    let options = try options("--vehicle car.json", vehicle: Self.crawler)
    let summary = try #require(DriveSummary(options))
    #expect(summary.receiver == "Car: udp:10.0.0.1:5005")
    #expect(summary.line.hasPrefix("drives Car by udp:10.0.0.1:5005 (set by /tmp/"), "\(summary.line)")
    #expect(summary.line.hasSuffix("car.json), dead-man on"), "\(summary.line)")
  }

  @Test func `a record has the vehicle's file, and its replay the same vehicle`() throws {
    var header = RecordedSession.Header()
    header.options = try options("--vehicle car.json", vehicle: Self.crawler)
    let session = try RecordedSession(Array("\(header.line)\n".utf8), name: "record")
    let vehicle = try #require(session.header.options.vehicleFile)
    #expect(vehicle.source == Self.crawler && session.header.options.limit == 0.5)
    #expect(!RecordedSession.Header().line.contains("vehicle"))
  }

  // MARK: Units and battery

  @Test(arguments: SpeedUnit.allCases) func `dial, witness and assistive technology have the number of the unit`(
    unit: SpeedUnit
  ) throws {
    FontLibrary.shared = ControlHarness.fonts
    let scene = CockpitScene()
    var options = Options()
    options.receiver = .standard
    options.vehicleFile = try Self.read(Self.text("\"units\": \"\(unit.rawValue)\""))
    scene.apply(options)
    let display = TelemetryDisplay(scene: scene)
    scene.resize(to: Size(width: 1280, height: 720), scale: .one)
    scene.prepareFrame(for: .zero)
    display.show(try #require(Telemetry(line: Array("{\"speed\":-40}".utf8))))
    let number = [SpeedUnit.kilometresPerHour: "40", .milesPerHour: "25", .metresPerSecond: "11", .knots: "22"][unit]
    let dial = scene.cluster.speedometer
    #expect(dial.speedText == number)
    let cells = scene.cluster.cells(showing: ShownState(gear: .neutral, lamp: .ready), factor: 1, in: scene.content)
    #expect(cells.first { $0.subject == .speed }?.text == number)
    #expect(dial.accessibilityValue?.text == "\(number ?? "") \(unit.rawValue)")
    #expect(
      dial.labels.map(\.text).contains(unit.sign) && dial.labels.map(\.text).contains("\(Int(unit.scaleEnd / 2))"))
  }

  @Test func `a low battery warns once until it is clearly higher`() throws {
    FontLibrary.shared = ControlHarness.fonts
    let scene = CockpitScene()
    var options = Options()
    options.vehicleFile = try Self.read(Self.text("\"battery\": {\"alarm\": 0.4}"))
    scene.apply(options)
    let display = TelemetryDisplay(scene: scene)
    var alarms: [Int] = []
    display.onLowBattery = { alarms.append($0) }
    func warnings(_ line: String) throws -> [String] {
      display.show(try #require(Telemetry(line: Array(line.utf8))))
      return scene.cluster.telemetry?.content.warnings ?? []
    }
    #expect(try warnings("{\"battery\":0.41}") == [] && alarms == [])
    #expect(try warnings("{\"battery\":0.4,\"warnings\":[\"HOT\"]}") == ["HOT", "BATTERY LOW"] && alarms == [40])
    #expect(scene.cluster.telemetry?.content.isBatteryLow == true)
    #expect(try warnings("{\"battery\":0.41,\"warnings\":[]}") == ["BATTERY LOW"])
    #expect(try warnings("{\"battery\":null}") == [] && alarms == [40])
    #expect(try warnings("{\"battery\":0.39}") == ["BATTERY LOW"] && alarms == [40])
    #expect(try warnings("{\"battery\":0.43}") == [] && scene.cluster.telemetry?.content.isBatteryLow == false)
    #expect(try warnings("{\"battery\":0.3}") == ["BATTERY LOW"] && alarms == [40, 30])
  }
}
