/// A section of a `ListView`: rows that follow each other under a header.
nonisolated public struct ListSection: Hashable, Sendable {
  /// The text of the header; with an empty one the section has no header.
  public var title: String
  /// The number of its rows, at least 0.
  public var rowCount: Int { didSet { rowCount = max(rowCount, 0) } }

  /// A section of `rowCount` rows; fewer than 0 count as none.
  public init(_ title: String, rowCount: Int) {
    (self.title, self.rowCount) = (title, max(rowCount, 0))
  }

  /// A section as a layout file writes it: the title, a colon and the number of rows. Without a number it has the rows that are left.
  init(text: String) {
    let place = text.lastIndex(of: ":")
    let number = place.flatMap { Int(text[text.index(after: $0)...].drop { $0 == " " }) }
    self.init(number == nil ? text : String(text[..<(place ?? text.endIndex)]), rowCount: number ?? .max)
  }

  /// The text from which `init(text:)` makes the section again.
  var text: String {
    // A section of all rows that are left has no number, unless its title ends like one.
    rowCount == .max && ListSection(text: title) == self ? title : "\(title): \(rowCount)"
  }

  /// `sections` as they divide `count` rows: each takes from those that are left, and the last has the rest.
  static func divide(_ count: Int, by sections: [ListSection]) -> [ListSection] {
    var left = max(count, 0)
    var divided = sections
    for number in divided.indices {
      let isLast = number == divided.count - 1
      divided[number].rowCount = isLast ? left : min(divided[number].rowCount, left)
      left -= divided[number].rowCount
    }
    return divided
  }

  /// The number of rows of all `sections`, at most `Int.max`.
  static func total(_ sections: [ListSection]) -> Int {
    sections.reduce(0) { sum, section in
      let (next, isTooMany) = sum.addingReportingOverflow(section.rowCount)
      return isTooMany ? .max : next
    }
  }
}
