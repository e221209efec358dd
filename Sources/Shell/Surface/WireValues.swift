/// Values of contents and programs as requests can carry them: those may give any number and any text.
nonisolated extension Double {
  /// A length in points; NaN and negative values become 0.
  var onTheWire: Double { self > 0 ? min(self, ConfigureModel.maximumSide) : 0 }
}

nonisolated extension Int32 {
  /// The whole part of a position in points, limited to the largest side; NaN becomes 0.
  init(onTheWire place: Double) {
    let limit = ConfigureModel.maximumSide
    self = place.isNaN ? 0 : Int32(Swift.min(Swift.max(place, -limit), limit))
  }
}

nonisolated extension String {
  /// The maximum number of bytes of UTF-8 that a text has on the wire: libwayland's messages have 4,096, and a longer one ends
  /// the connection.
  static let mostOnTheWire = 1024

  /// The text, or as much of its beginning as fits, in whole scalars.
  var onTheWire: String {
    guard utf8.count > String.mostOnTheWire else { return self }
    var end = utf8.index(startIndex, offsetBy: String.mostOnTheWire)
    while utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
