import UICore

/// A client to measure.
struct ClientSpecification: Sendable {
  /// The client's name in the figures.
  var name: String
  /// The program and its arguments.
  var words: [String]
  /// True if the client accepts `--size`.
  var takesSize = true
  /// Environment variables for the client.
  var variables: [String: String] = [:]
}

/// The bench's options with their defaults.
struct BenchOptions: Sendable {
  /// The program under test, with its beacon off; nil to measure only the bare client.
  var cockpit: ClientSpecification?
  /// The yardstick: a bare client with text.
  var bare: ClientSpecification?
  /// The yardstick without text, for its start and memory.
  var bareWithoutText: ClientSpecification?
  /// The client that sends the cockpit's requests and draws nothing (evidence/bare/floor.c), for counted figures.
  var floor: ClientSpecification?
  /// Any other client, which gets the cockpit's touches.
  var against: ClientSpecification?
  var sizes = [PixelSize(width: 1280, height: 720), PixelSize(width: 3840, height: 2160)]
  /// The number of rounds. Each measures every client, and a figure is the median of its rounds.
  var rounds = 5
  /// The duration of each drag in a round, in seconds.
  var seconds = 1.0
  /// The most seconds to wait for an idle machine before the first round.
  var quietLimit = 10.0
  /// The library that counts allocations (evidence/allocations); nil counts none.
  var counter: String?
  /// The number of refreshes during which allocations are counted.
  var frames = 600
  /// Refreshes per second while allocations are counted; above 60, counting takes less time.
  var refresh = 60.0
  /// True to measure only allocations, and to list their call stacks.
  var countsAllocationsOnly = false
  /// True to take only figures that are counted, not timed.
  var countsOnly = false
  /// The program that shows the scenes of LVGL's benchmark (evidence/scenes). If set, nothing else is measured.
  var scenes: String?
  /// The uses that are counted. The flood and the rest belong to the wheel's.
  var uses = Counting.Use.allCases
  /// The number of functions in the profile of each counted use; if it is not 0, only profiles are made.
  var profiledFunctions = 0
  /// The directory of the tools that count what a client does, built from evidence/counted.
  var tools: String?
  /// True to measure only the cost of a drive for each kind of consumer.
  var measuresConsumersOnly = false
  /// True to measure only how late the messages of a drive are beside busy loops.
  var measuresPriorityOnly = false
  /// A camera's source: if it is not nil, only drags with its picture and without are measured, in turns.
  var video: String?
  /// True to measure only on small machines (`Goals`).
  var measuresGoalsOnly = false
  /// The page whose parts are generated from records; if it is not nil, nothing is measured.
  var page: Page?
  /// True to fail if the page differs from what its records generate, instead of writing it.
  var checksPage = false
  /// The program that acts as assistive technology (evidence/assistive).
  var assistant: String?
  /// How often assistive technology asks while the wheel is dragged. If not 0, nothing else is measured.
  var requests = 0
  /// How many minutes a cockpit is driven to see what grows. If not 0, nothing else is measured.
  var soakMinutes = 0
  /// The layout file that the cockpit watches during a soak.
  var scene: String?
  /// The SVG file for a plot of cost against size and number of controls. If set, nothing else is measured.
  var sweep: String?
  /// The file for the raw results.
  var record: String?
  /// The raw results of an earlier run to compare with.
  var baseline: String?
  /// Prefixes of the names of the aims that count in this run; all aims if empty.
  var aims: [String] = []
  /// Programs that show the same panel, each made with another toolkit. If not empty, nothing else is measured.
  var rivals: [ClientSpecification] = []
  /// The seconds at rest in which the rivals' wake-ups are counted.
  var rest = 180.0
  /// The minutes of driving in which the rivals' memory is watched.
  var minutes = 8.0
  /// True to measure of the rivals only the rest and the memory over time.
  var isSteady = false
  /// True to fail the run if an aim is missed.
  var isStrict = false

  static let usage = """
    usage: cockpit-bench --bare PROGRAM [--bare-without-text PROGRAM] [--cockpit PROGRAM] [--size WxH]...
             [--rounds N] [--seconds S] [--patience S] [--record FILE.json] [--strict [--aim NAME]...]
             [--against "COMMAND..."] [--baseline FILE.json]
             [--sweep FILE.svg] [--counted [--use wheel|lever]] [--goals] [--consumers] [--priority] [--video SOURCE]
             [--assistive REQUESTS] [--scenes PROGRAM] [--fill PAGE.md [--check]]
             [--soak HOURS --scene FILE --record FILE.json]
             [--floor PROGRAM] [--tools FOLDER] [--profile FUNCTIONS]
             [--rival NAME "[VARIABLE=VALUE...] COMMAND..."]... [--rest S] [--minutes M] [--steady]
             [--counter LIBRARY [--frames N] [--refresh HZ] [--allocations]] [--assistant PROGRAM]
    """

  /// Reads the command line.
  init(_ words: [String]) throws(BenchError) {
    var words = words[...]
    var sizes: [PixelSize] = []
    func value(of option: String) throws(BenchError) -> String {
      guard let value = words.popFirst() else { throw .usage("\(option) needs a value\n\(BenchOptions.usage)") }
      return value
    }
    func client(_ name: String, _ words: [String], takesSize: Bool = true) throws(BenchError) -> ClientSpecification {
      guard !words.isEmpty else { throw .usage("--\(name) needs a command\n\(BenchOptions.usage)") }
      return ClientSpecification(name: name, words: words, takesSize: takesSize)
    }
    while let word = words.popFirst() {
      switch word {
      case "--cockpit": cockpit = try client("cockpit", [try value(of: word), "--beacon", "off"])
      case "--bare": bare = try client("bare", [try value(of: word)])
      case "--bare-without-text": bareWithoutText = try client("bare without text", [try value(of: word)])
      case "--floor": floor = try client("floor", [try value(of: word)])
      case "--tools": tools = try value(of: word)
      case "--counted": countsOnly = true
      case "--scenes": scenes = try value(of: word)
      case "--use":
        let name = try value(of: word)
        guard let use = Counting.Use(rawValue: name) else { throw .usage("--use takes wheel or lever, not \(name)") }
        uses = [use]
      case "--profile":
        countsOnly = true
        profiledFunctions = Int(try BenchOptions.number(try value(of: word), 1...1000))
      case "--against":
        against = try client("against", try value(of: word).split(separator: " ").map(String.init), takesSize: false)
      case "--size": sizes.append(try BenchOptions.size(try value(of: word)))
      case "--rounds": rounds = Int(try BenchOptions.number(try value(of: word), 1...100))
      case "--seconds": seconds = try BenchOptions.number(try value(of: word), 0.5...600)
      case "--patience": quietLimit = try BenchOptions.number(try value(of: word), 0...3600)
      case "--record": record = try value(of: word)
      case "--baseline": baseline = try value(of: word)
      case "--sweep": sweep = try value(of: word)
      case "--counter": counter = try value(of: word)
      case "--frames": frames = Int(try BenchOptions.number(try value(of: word), 10...1_000_000))
      case "--refresh": refresh = try BenchOptions.number(try value(of: word), 10...1000)
      case "--allocations": countsAllocationsOnly = true
      case "--consumers": measuresConsumersOnly = true
      case "--priority": measuresPriorityOnly = true
      case "--video": video = try value(of: word)
      case "--goals": measuresGoalsOnly = true
      case "--fill": page = Page(path: try value(of: word))
      case "--check": checksPage = true
      case "--assistant": assistant = try value(of: word)
      case "--assistive": requests = Int(try BenchOptions.number(try value(of: word), 100...1_000_000))
      case "--soak": soakMinutes = Int((60 * (try BenchOptions.number(try value(of: word), 0.05...1000))).rounded())
      case "--scene": scene = try value(of: word)
      case "--aim": aims.append(try value(of: word))
      case "--rival": rivals.append(try BenchOptions.rival(try value(of: word), try value(of: word)))
      case "--rest": rest = try BenchOptions.number(try value(of: word), 1...86_400)
      case "--minutes": minutes = try BenchOptions.number(try value(of: word), 0.1...1440)
      case "--steady": isSteady = true
      case "--strict": isStrict = true
      default: throw .usage("unknown option \(word)\n\(BenchOptions.usage)")
      }
    }
    if !sizes.isEmpty { self.sizes = sizes }
    guard page != nil || cockpit != nil || bare != nil || !rivals.isEmpty else { throw .usage(BenchOptions.usage) }
    guard !countsAllocationsOnly || (cockpit != nil && counter != nil) else {
      throw .usage("--allocations needs --cockpit and --counter\n\(BenchOptions.usage)")
    }
    guard !countsOnly || (cockpit != nil && counter != nil && tools != nil) else {
      throw .usage("--counted needs --cockpit, --counter and --tools\n\(BenchOptions.usage)")
    }
    guard soakMinutes == 0 || (cockpit != nil && scene != nil && record != nil) else {
      throw .usage("--soak needs --cockpit, --scene and --record\n\(BenchOptions.usage)")
    }
    guard requests == 0 || (cockpit != nil && assistant != nil) else {
      throw .usage("--assistive needs --cockpit and --assistant\n\(BenchOptions.usage)")
    }
  }

  /// A client from words of which the first ones may set variables.
  private static func rival(_ name: String, _ command: String) throws(BenchError) -> ClientSpecification {
    let words = command.split(separator: " ").map(String.init)
    let settings = words.prefix { $0.contains("=") }.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    var client = ClientSpecification(name: name, words: Array(words.dropFirst(settings.count)), takesSize: false)
    guard !client.words.isEmpty else { throw .usage("--rival \(name) needs a command\n\(BenchOptions.usage)") }
    for setting in settings { client.variables[setting[0]] = setting.dropFirst().first ?? "" }
    return client
  }

  private static func size(_ text: String) throws(BenchError) -> PixelSize {
    let parts = text.split(separator: "x").compactMap { Int($0) }
    guard parts.count == 2, parts.allSatisfy({ (64...16_384).contains($0) }) else {
      throw .usage("\(text) is no size such as 1280x720")
    }
    return PixelSize(width: parts[0], height: parts[1])
  }

  private static func number(_ text: String, _ range: ClosedRange<Double>) throws(BenchError) -> Double {
    guard let number = Double(text), range.contains(number) else { throw .usage("\(text) is not in \(range)") }
    return number
  }
}

extension PixelSize {
  /// The size as on the command line: 1280x720.
  var text: String { "\(width)x\(height)" }
}
