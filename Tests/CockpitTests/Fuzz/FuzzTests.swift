import ControlHarness
import ControlTools
import Controls
import DriveLink
import Glibc
import JSON
import Testing
import UICore

@testable import cockpit

/// Changes good inputs into bad ones.
/// A printed seed decides how inputs are changed; `./dev fuzz` runs them for minutes, under AddressSanitizer.
struct Mutator {
  private var dice: Dice
  private let corpus: [[UInt8]]
  private let words: [[UInt8]]

  init(seed: UInt64, corpus: [String], words: [String]) {
    dice = Dice(seed: seed)
    self.corpus = corpus.map { Array($0.utf8) }
    let common = [
      "\"", "\\u0000", "{", "}", "[", "]", ",", ":", "null", "true", "-", "1e308", "-0", "0.1", "99999999999999999999",
      "\u{0}",
    ]
    self.words = (words + common).map { Array($0.utf8) }
  }

  /// The next input.
  mutating func next() -> [UInt8] {
    var bytes = corpus[dice.roll(corpus.count)]
    for _ in 0...dice.roll(6) {
      let place = dice.roll(bytes.count + 1)
      switch dice.roll(7) {
      case 0: if place < bytes.count { bytes[place] = UInt8(dice.roll(256)) }
      case 1: if place < bytes.count { bytes.remove(at: place) }
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + dice.roll(40)))
      case 3, 4: bytes.insert(contentsOf: words[dice.roll(words.count)], at: place)
      case 5:
        let other = corpus[dice.roll(corpus.count)]
        let start = dice.roll(other.count + 1)
        bytes.insert(contentsOf: other[start..<min(other.count, start + dice.roll(200))], at: place)
      default: bytes = Array(bytes.prefix(place))
      }
    }
    return bytes
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(60))) struct FuzzTests {
  /// The time for each kind; COCKPIT_FUZZ_SECONDS asks for more.
  nonisolated static let seconds = getenv("COCKPIT_FUZZ_SECONDS").flatMap { Double(String(cString: $0)) } ?? 2
  /// The seed; COCKPIT_SEED gives another.
  nonisolated static let seed = getenv("COCKPIT_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1

  init() { FontLibrary.shared = ControlHarness.fonts }

  /// Feeds inputs for the time there is.
  private func fuzz(_ name: String, corpus: [String], words: [String], _ body: ([UInt8]) throws -> Void) throws {
    var mutator = Mutator(seed: FuzzTests.seed, corpus: corpus, words: words)
    let end = ContinuousClock.now + .seconds(FuzzTests.seconds)
    var count = 0
    for input in corpus { try body(Array(input.utf8)) }
    while ContinuousClock.now < end {
      try body(mutator.next())
      count += 1
    }
    print("fuzz \(name): seed \(FuzzTests.seed), \(count) inputs")
    #expect(count > 0)
  }

  private static let scenes = [
    SceneTypes.text,
    """
    {"type": "CockpitPanel", "subviews": [
      {"type": "InstrumentCluster", "name": "cluster"}, {"type": "ThrottleGearbox", "name": "gearbox", "gearCount": 6},
      {"type": "SteeringWheel", "name": "wheel", "properties": {"springsBack": false, "lock": 90}},
      {"type": "Horn", "soundingColor": "#2dd4bf", "anchors": {"centerX": 0, "bottom": "2%", "width": "8%", "aspect": 1},
       "actions": {"valueChanged": "brake"}},
      {"type": "Label", "text": "a", "frame": [1, 2, 3, 4]}, {"type": "Button", "title": "b", "margins": [1, 2, 3, 4]},
      {"type": "RangeSlider", "minimumValue": 1}, {"type": "StackView", "subviews": [{"type": "Switch"}]}]}
    """,
  ]

  @Test func `a scene is shown, or told to be wrong, whatever is in its file`() throws {
    let words = [
      "\"type\":", "\"frame\":[0,0,1e308,-5],", "\"anchors\":{\"left\":\"wheel.right\"},", "\"subviews\":[]", "// c\n",
      "/*",
      "\"margins\":[1,2],", "\"name\":\"wheel\",", "Infinity",
    ]
    try fuzz("scene", corpus: FuzzTests.scenes, words: words) { input in
      do {
        let file = try LayoutFile(text: String(decoding: input, as: UTF8.self), name: "fuzz")
        weak var left: CockpitScene?
        do {
          let scene = try CockpitScene(file: file)
          left = scene
          scene.resize(to: Size(width: 480, height: 320), scale: .one)
          scene.handle(.willEnterForeground)
          scene.handle(.didBecomeActive)
          scene.prepareFrame(for: .zero)
          _ = scene.takeDamage()
        }
        #expect(left == nil, "a scene stays in memory: \(String(decoding: input, as: UTF8.self))")
      } catch let error as LayoutFileError {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test func `JSON is read or told to be wrong, and lines are read as files are`() throws {
    let corpus =
      FuzzTests.scenes + [
        #"{"a":[1.5,true,null,{"b":"c\u00e9\ud83d\ude00é"}],"d":-1e-3}"#,
        "// c\n{'a': +0x1f, b: [.5, 5., NaN, -Infinity,], \"\\x41\\v\": /* */ 1e-7,}",
      ]
    try fuzz(
      "json", corpus: corpus, words: ["[[[[[[[[", "]]]]]]]]", "//", "/*", "*/", "'", "\\", "\\ud83d", "\n", "0x"]
    ) { input in
      var file: JSONValue?
      do throws(JSONError) {
        file = try JSONValue(input, .file)
      } catch {
        #expect((0...input.count).contains(error.offset) && !error.message.isEmpty)
        #expect(error.place == TextPlace(offset: error.offset, in: input))
      }
      guard let line = JSONValue(line: input) else { return }
      #expect(line == file && JSONValue(line: line.jsonText.utf8) == line)
    }
  }

  @Test func `telemetry is within its ranges on the instruments, whatever comes`() throws {
    let scene = CockpitScene()
    scene.resize(to: Size(width: 480, height: 320), scale: .one)
    let display = TelemetryDisplay(scene: scene)
    var lines = TelemetryLines()
    var frame: Int64 = 0
    let corpus = [
      "{\"speed\":12.5,\"battery\":0.71,\"linkAge\":0.04,\"warnings\":[\"MOTOR HOT\",\"\\u00e9\"]}\n{\"speed\":null}\n",
      "{}\n\n{\"warnings\":[]}\r\n{\"a\":{\"b\":[1,2,{}]}}\n",
    ]
    try fuzz("telemetry", corpus: corpus, words: ["\n", "\"battery\":", "\"linkAge\":", "\u{202e}", "\u{1f600}"]) {
      input in
      guard let newest = lines.take(input) else { return }
      display.show(newest)
      frame += 16_000_000
      if frame % 5 == 0 { scene.prepareFrame(for: MonotonicTime(nanoseconds: frame)) }
      let content = try #require(scene.cluster.telemetry?.content)
      #expect((0...100).contains(content.battery ?? 0) && (0...9990).contains(content.link ?? 0))
      #expect(scene.cluster.speedometer.speed >= 0 && scene.cluster.speedometer.speed <= 9999)
    }
  }

  @Test func `a record is played, or told to be wrong, and never commands what can't be`() throws {
    let events = [
      "{\"t\":0,\"resize\":[480,320,120],\"fullscreen\":false}", "{\"t\":0,\"life\":\"willEnterForeground\"}",
      "{\"t\":0,\"life\":\"didBecomeActive\"}", "{\"t\":100,\"frame\":16000000}",
      "{\"t\":200,\"touches\":[[1,\"finger\",3,\"began\",60,250,null,0],[1,\"pen\",1,\"began\",350,160,0.5,0]]}",
      "{\"t\":300,\"touches\":[[1,\"finger\",3,\"moved\",60,60,null,0]]}", "{\"t\":400,\"frame\":33000000}",
      "{\"t\":500,\"key\":[1,\"down\",65362,\"\",0,0]}",
      "{\"t\":600,\"scroll\":[1,\"changed\",50,50,0,9,0,1,\"wheel\",false,0]}",
      "{\"t\":700,\"hover\":[1,50,50]}", "{\"t\":800,\"focus\":[1,true]}", "{\"t\":900,\"hang\":[850,9]}",
      "{\"t\":900,\"telemetry\":\"{\\\"speed\\\":3}\"}", "{\"t\":950,\"stale\":true}",
      "{\"t\":960,\"tilt\":12.5,\"lost\":false}",
      "{\"t\":970,\"lose\":\"sensor-lost\"}", "{\"t\":980,\"lost\":[\"touchCancelled\",1]}",
      "{\"t\":990,\"wake\":true}",
      "{\"t\":90000000,\"frame\":99000000}", "{\"t\":99000000,\"end\":true}",
    ]
    let corpus = [true, false].map { isDeadMan in
      "{\"cockpit\":1,\"start\":\"5\",\"drive\":true,\"deadMan\":\(isDeadMan),\"rate\":30,\"telemetry\":true,\"tilt\":true}\n"
        + events.joined(separator: "\n") + "\n"
    }
    var played = 0
    try fuzz("record", corpus: corpus, words: events + ["\n", "\"ended\"", "\"cancelled\"", "1e7", "-1e7"]) { input in
      do {
        let session = try RecordedSession(input, name: "fuzz")
        // A day of steady lines would be played too, for an hour.
        guard let last = session.events.last, last.time - session.header.start < .seconds(60) else { return }
        weak var left: CockpitScene?
        do {
          let replayer = try Replayer(session, name: "fuzz")
          left = replayer.scene
          replayer.onLine = { line in
            let command = line.command
            #expect((-1...1).contains(command.throttle) && (-1...1).contains(command.steering))
            #expect(command.gear != 0 || command.throttle == 0)
            #expect(line.state == .driving || (command.gear == 0 && command.steering == 0))
          }
          replayer.playAll()
        }
        #expect(left == nil, "a scene stays in memory: \(String(decoding: input, as: UTF8.self))")
        played += 1
      } catch let error as RecordError {
        #expect(!error.description.isEmpty)
      } catch let error as LayoutFileError {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(played > 1)
  }
}
