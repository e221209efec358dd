/// A part of a gauge's scale that has a colour of its own, such as the red end of a rev counter.
nonisolated public struct GaugeBand: Hashable, Sendable {
  /// The numbers of the scale that it covers.
  public var range: ClosedRange<Double>
  /// Its colour, which the needle takes there too.
  public var color: Color

  /// A band of `color` over `range`, in the unit of the scale.
  public init(_ range: ClosedRange<Double>, _ color: Color) { (self.range, self.color) = (range, color) }
}

/// The bands of a gauge, and their text in files: `60..80 #ffb020|80..100 #ff5147`.
nonisolated public struct GaugeBands: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The bands; where two overlap, the later one is seen.
  public var bands: [GaugeBand]

  /// These bands.
  public init(_ bands: [GaugeBand]) { self.bands = bands }

  /// These bands.
  public init(arrayLiteral bands: GaugeBand...) { self.bands = bands }

  /// The bands of a text: each is two numbers with `..` between them, the lesser first, a space and a colour; a vertical bar separates two
  /// bands. An empty text has none. Nil for any other text.
  public init?(text: String) {
    bands = []
    guard text.contains(where: { $0 != " " }) else { return }
    for part in text.split(separator: "|", omittingEmptySubsequences: false) {
      let words = part.split(separator: " ")
      guard words.count == 2, let color = Color(text: String(words[1])), let range = Self.range(words[0]) else {
        return nil
      }
      bands.append(GaugeBand(range, color))
    }
  }

  private static func range(_ text: Substring) -> ClosedRange<Double>? {
    let dots = text.indices.first { text[$0...].hasPrefix("..") }
    guard let dots, let lower = Double(text[..<dots]), let upper = Double(text[dots...].dropFirst(2)),
      lower.isFinite, upper.isFinite, lower <= upper
    else { return nil }
    return lower...upper
  }

  /// The text from which the same bands are read.
  public var text: String {
    let format = NumberFormat(fractionDigits: 9)
    return bands.map { band in
      "\(format.text(band.range.lowerBound))..\(format.text(band.range.upperBound)) \(band.color.hexString)"
    }.joined(separator: "|")
  }

  /// The colour of the last band that covers `number`; nil for none.
  public func color(at number: Double) -> Color? { bands.last { $0.range.contains(number) }?.color }
}

nonisolated extension GaugeBands: InspectableValue {
  /// A text field of the inspector and a string in scene files.
  public static var inspectableKind: InspectableKind { .text }

  /// The text of the bands.
  public var json: JSONValue { .string(text) }

  /// From the text of bands.
  public init(json: JSONValue) throws(InspectableError) {
    guard let text = json.text, let bands = GaugeBands(text: text) else {
      throw .badValue(json, expected: "bands as \"60..80 #ffb020|80..100 #ff5147\"")
    }
    self = bands
  }

  /// False with a limit or a colour that is not finite.
  public var isUsable: Bool {
    bands.allSatisfy { $0.range.lowerBound.isFinite && $0.range.upperBound.isFinite && $0.color.isUsable }
  }
}
