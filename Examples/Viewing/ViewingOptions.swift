import UICore

/// The arguments of the program.
nonisolated struct ViewingOptions: Equatable, Sendable {
  /// The layout file.
  var file = ""
  /// The distance from the eyes to the display in millimetres.
  var distance = 0.0
  /// The display's width and height in millimetres; nil for the compositor's first display.
  var display: Size?
  /// The size in points of the window that fills the display; nil for the display's own size.
  var size: Size?

  static let help = """
    Usage: cockpit-viewing FILE.json --viewer DISTANCE [--display WxHmm] [--size WxH]

    Lists the texts of a layout file that are too small to read at a distance, such
    as 700mm: glyphs under 12 minutes of arc (ISO 15008) if a window of --size points
    fills the display. Both sizes default to those of the compositor's first display.
    Exits with status 0 if there are none, and with 1 otherwise.

    """

  /// Reads a command line without the program's name. Values follow as `--option value` or `--option=value`.
  ///
  /// - Throws: `ViewingError` for the first word or value that can't be used, and for a missing one.
  init(_ words: [String]) throws(ViewingError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      func value<Value>(_ wanted: String, _ read: (String) -> Value?) throws(ViewingError) -> Value {
        let text = parts.count == 2 ? parts[1] : rest.popFirst() ?? ""
        guard let value = read(text) else { throw .usage("\(parts[0]) needs \(wanted); '\(text)' isn't") }
        return value
      }
      switch parts.first {
      case "--viewer":
        distance = try value("a distance from 100mm to 10m, such as 700mm or 0.7m") {
          Self.millimetres($0, in: 100...10_000)
        }
      case "--display": display = try value("a width and height from 10mm to 10m, such as 217x136mm", Self.lengths)
      case "--size": size = try value("WIDTHxHEIGHT in points, each from 1 to 32767, such as 1280x720", Self.points)
      case let name? where name.hasPrefix("-"):
        throw .usage("unknown option '\(word)'; cockpit-viewing --help lists all options")
      default: file = word
      }
    }
    if file.isEmpty { throw .usage("the name of a layout file is missing; cockpit-viewing --help shows the usage") }
    if distance == 0 { throw .usage("--viewer is missing, such as --viewer 700mm") }
  }

  private static func points(_ text: String) -> Size? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...32_767).contains($0) }) else { return nil }
    return Size(width: Double(sides[0]), height: Double(sides[1]))
  }

  /// A width and a height in one unit, in millimetres.
  private static func lengths(_ text: String) -> Size? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let unit = ["mm", "cm", "m"].first(where: parts[1].hasSuffix),
      let width = millimetres(parts[0] + unit, in: 10...10_000), let height = millimetres(parts[1], in: 10...10_000)
    else { return nil }
    return Size(width: width, height: height)
  }

  /// A length with its unit, in millimetres.
  private static func millimetres(_ text: String, in range: ClosedRange<Double>) -> Double? {
    for (unit, factor) in [("mm", 1.0), ("cm", 10), ("m", 1000)] where text.hasSuffix(unit) {
      let digits = text.dropLast(unit.count)
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }), let number = Double(digits),
        range.contains(number * factor)
      else { return nil }
      return number * factor
    }
    return nil
  }
}

/// A failure that ends the program with one line.
nonisolated struct ViewingError: Error, Equatable, CustomStringConvertible {
  let description: String
  /// The program's exit code.
  var exitCode: Int32 = 1

  /// An error on the command line.
  static func usage(_ description: String) -> ViewingError { ViewingError(description: description, exitCode: 2) }
}
