/// A name under which programs offer a text, with the encoding of its bytes.
///
/// MIME types and their parameters count without regard to case (RFC 2045), and their spelling differs from program to program.
/// STRING, TEXT and UTF8_STRING are X11's names, which compositors pass on.
nonisolated struct TextType: Hashable, Sendable {
  /// The encoding that the type promises.
  enum Encoding: Hashable, Sendable {
    case utf8
    /// UTF-8 if the bytes are that, also if only their last letter is cut, else Latin-1: what programs put under names that promise
    /// less.
    case guessed
    case latin1
    /// The byte order, if the type says it; without a mark at the start it is the network's (RFC 2781).
    case utf16(isLittle: Bool?)
  }

  /// The types as which our own texts are offered; the first is preferred.
  static let offered = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING", "TEXT"]

  let encoding: Encoding
  /// The smaller, the better.
  let rank: Int

  /// The type of a name; nil if it is not that of a text that can be read.
  init?(_ name: String) {
    let parts = name.split(separator: ";", omittingEmptySubsequences: false).map { TextType.plain($0) }
    switch parts[0] {
    case "utf8_string": (encoding, rank) = (.utf8, 1)
    case "string": (encoding, rank) = (.guessed, 5)
    case "text": (encoding, rank) = (.guessed, 6)
    case "text/plain":
      let charset = parts.dropFirst().lazy.compactMap { part -> String? in
        let pair = part.split(separator: "=", maxSplits: 1).map { TextType.plain($0) }
        return pair.count == 2 && pair[0] == "charset" ? pair[1] : nil
      }.first
      switch charset {
      case "utf-8", "utf8": (encoding, rank) = (.utf8, 0)
      case nil, "us-ascii": (encoding, rank) = (.guessed, 2)
      case "utf-16": (encoding, rank) = (.utf16(isLittle: nil), 3)
      case "utf-16le": (encoding, rank) = (.utf16(isLittle: true), 3)
      case "utf-16be": (encoding, rank) = (.utf16(isLittle: false), 3)
      case "iso-8859-1", "latin1": (encoding, rank) = (.latin1, 4)
      default: return nil
      }
    default: return nil
    }
  }

  /// The best of the names that a program offers, exactly as it spells it; nil if none is a text.
  static func best(of names: [String]) -> (name: String, type: TextType)? {
    var best: (name: String, type: TextType)?
    for name in names {
      if let type = TextType(name), type.rank < best?.type.rank ?? .max { best = (name, type) }
    }
    return best
  }

  /// The text of `bytes` without a byte order mark: in a field, the mark would be an invisible letter, and no number begins with
  /// one. If the bytes are only the beginning of a text (`isWhole` is false), their last letter may be cut, and is left out; so is a
  /// last letter of UTF-8 that is cut because its writer ended.
  func text(of bytes: [UInt8], isWhole: Bool = true) -> String {
    var text = decoded(bytes, isWhole)
    if !isWhole, !text.isEmpty { text.removeLast() }
    if text.unicodeScalars.first == "\u{feff}" { text.unicodeScalars.removeFirst() }
    return text
  }

  private func decoded(_ bytes: [UInt8], _ isWhole: Bool) -> String {
    switch encoding {
    case .utf8: String(decoding: TextType.withoutCutLetter(bytes), as: UTF8.self)
    case .guessed: TextType.guessed(bytes, isWhole)
    case .latin1: TextType.latin1(bytes)
    case .utf16(let isLittle): TextType.utf16(bytes, isLittle: isLittle)
    }
  }

  private static func guessed(_ bytes: [UInt8], _ isWhole: Bool) -> String {
    let complete = withoutCutLetter(bytes)
    guard let text = String(validating: complete, as: UTF8.self) else { return latin1(bytes) }
    // The last byte of a whole text is no cut letter but Latin-1, unless letters before it show that the text is UTF-8.
    let isCut = complete.count < bytes.count && isWhole
    return isCut && text.utf8.allSatisfy { $0 < 0x80 } ? latin1(bytes) : text
  }

  /// `bytes` without the first bytes of a letter of UTF-8 at their end whose others are missing.
  private static func withoutCutLetter(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let continuation = bytes.suffix(3).reversed().prefix { $0 & 0xc0 == 0x80 }.count
    guard continuation < bytes.count else { return bytes[...] }
    let length =
      switch bytes[bytes.count - 1 - continuation] {
      case 0xc2...0xdf: 2
      case 0xe0...0xef: 3
      case 0xf0...0xf4: 4
      default: 0
      }
    return length > continuation + 1 ? bytes.dropLast(continuation + 1) : bytes[...]
  }

  private static func latin1(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }

  private static func utf16(_ bytes: [UInt8], isLittle: Bool?) -> String {
    let isLittle = isLittle ?? (bytes.prefix(2) == [0xff, 0xfe])
    let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map { index in
      isLittle
        ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8 : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// In lower case, without spaces around it and without quotation marks.
  private static func plain(_ part: some StringProtocol) -> String {
    String(part.lowercased().filter { !$0.isWhitespace && $0 != "\"" })
  }
}
