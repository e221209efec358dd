import UICore

/// A client to measure.
struct ClientSpecification: Sendable {
  /// The name in the table.
  var name: String
  /// The program and its arguments.
  var words: [String]
}

/// The bench's options with their defaults.
struct BenchOptions: Sendable {
  /// The program under test; nil when only the bare client is measured.
  var cockpit: ClientSpecification?
  /// The yardstick.
  var bare: ClientSpecification?
  var sizes = [PixelSize(width: 1280, height: 720), PixelSize(width: 3840, height: 2160)]
  /// Seconds of each drag.
  var seconds = 4.0
  /// Starts to take the median of.
  var starts = 7
  /// The most seconds to wait for an idle machine before each client.
  var quietLimit = 30.0
  /// The library that counts allocations (Benchmarks/allocations); nil counts none.
  var counter: String?
  /// Frames whose allocations are counted.
  var frames = 600
  /// Refreshes a second meanwhile: more than 60 let time pass faster.
  var refresh = 60.0
  /// True to measure nothing but allocations, and to list their call stacks.
  var countsAllocationsOnly = false
  /// True to measure nothing but the cost of a drive by kind of consumer.
  var measuresConsumersOnly = false
  /// The rounds of comparing the priorities, and nothing else; 0 for none.
  var priorityRounds = 0
  /// The file for the raw results.
  var record: String?
  /// True when a missed aim is a failure.
  var isStrict = false

  static let usage = """
    usage: cockpit-bench --bare PROGRAM [--cockpit PROGRAM [--cockpit-argument WORD]...] [--size WxH]...
             [--seconds S] [--starts N] [--patience S] [--record FILE.json] [--strict]
             [--consumers] [--priorities ROUNDS]
             [--counter LIBRARY [--frames N] [--refresh HZ] [--allocations]]
    """

  /// Reads the command line.
  init(_ words: [String]) throws(BenchError) {
    var words = words[...]
    var sizes: [PixelSize] = []
    func value(of option: String) throws(BenchError) -> String {
      guard let value = words.popFirst() else { throw .usage("\(option) needs a value\n\(BenchOptions.usage)") }
      return value
    }
    while let word = words.popFirst() {
      switch word {
      case "--cockpit": cockpit = ClientSpecification(name: "cockpit", words: [try value(of: word)])
      case "--cockpit-argument": cockpit?.words.append(try value(of: word))
      case "--bare": bare = ClientSpecification(name: "bare C", words: [try value(of: word)])
      case "--size": sizes.append(try BenchOptions.size(try value(of: word)))
      case "--seconds": seconds = try BenchOptions.number(try value(of: word), 0.5...600)
      case "--starts": starts = Int(try BenchOptions.number(try value(of: word), 1...100))
      case "--patience": quietLimit = try BenchOptions.number(try value(of: word), 0...3600)
      case "--record": record = try value(of: word)
      case "--counter": counter = try value(of: word)
      case "--frames": frames = Int(try BenchOptions.number(try value(of: word), 10...1_000_000))
      case "--refresh": refresh = try BenchOptions.number(try value(of: word), 10...1000)
      case "--allocations": countsAllocationsOnly = true
      case "--consumers": measuresConsumersOnly = true
      case "--priorities": priorityRounds = Int(try BenchOptions.number(try value(of: word), 1...100))
      case "--strict": isStrict = true
      default: throw .usage("unknown option \(word)\n\(BenchOptions.usage)")
      }
    }
    if !sizes.isEmpty { self.sizes = sizes }
    guard cockpit != nil || bare != nil else { throw .usage(BenchOptions.usage) }
    guard !countsAllocationsOnly || (cockpit != nil && counter != nil) else {
      throw .usage("--allocations needs --cockpit and --counter\n\(BenchOptions.usage)")
    }
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
