/// A camera that `--video` names: its source, and a name to choose it by if there are several.
nonisolated struct VideoChoice: Hashable, Sendable {
  /// From 1 to 16 letters, digits and hyphens; empty for one without a name.
  var name = ""
  /// The source as `cockpit-video` takes it.
  var source: String

  /// The most cameras at a time.
  static let most = 8

  /// Reads a source, or NAME=SOURCE; nil for a form that cannot be used.
  init?(_ text: some StringProtocol) {
    var source = String(text)
    if let equals = source.firstIndex(of: "="), VideoChoice.isName(source[..<equals]) {
      name = String(source[..<equals])
      source = String(source[source.index(after: equals)...])
    }
    guard VideoChoice.isSource(source) else { return nil }
    self.source = source
  }

  /// Reads cameras with spaces between them; nil if one cannot be used, two have the same name, or several lack one.
  static func read(_ text: String) -> [VideoChoice]? {
    let parts = text.split(separator: " ")
    let choices = parts.compactMap { VideoChoice($0) }
    guard !choices.isEmpty, choices.count == parts.count, choices.count <= most,
      Set(choices.map(\.name)).count == choices.count, choices.count(where: { $0.source == "-" }) <= 1
    else { return nil }
    return choices
  }

  private static func isName(_ text: Substring) -> Bool {
    1...16 ~= text.utf8.count
      && text.utf8.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2d }
  }

  private static func isSource(_ text: String) -> Bool {
    guard text.utf8.count <= 2000, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { return false }
    if text == "-" || text == "test" || text.hasPrefix("test:") { return true }
    for scheme in ["http://", "rtsp://", "rtspt://"] where text.hasPrefix(scheme) {
      return !text.dropFirst(scheme.count).hasPrefix("/") && text.count > scheme.count
    }
    if text.hasPrefix("udp:") {
      let digits = text.dropFirst(4)
      return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(digits).map { 1...65535 ~= $0 } == true
    }
    return text.hasPrefix("v4l2:/")
  }
}

/// How a scene shows a camera's picture.
nonisolated enum VideoMode: String, CaseIterable, Sendable {
  /// As the background of everything.
  case full
  /// In a free corner, before the ordinary background.
  case inset
  /// Not at all: nothing is fetched, and no picture ends a drive.
  case off
}
