// Owns reading JSON as people write it, with Foundation's decoder, and finding the first mistake in what it refuses.
// Must not know what the text is about.

import FoundationEssentials

/// A mistake in a text.
nonisolated struct SyntaxMistake: Error, Hashable {
  let offset: Int
  /// The value that can't be read; the root where the text is no JSON.
  var path = JSONPath.root
  /// Completes a sentence: "expected a value".
  let message: String
}

/// Reads JSON with comments, with commas after the last value, and whatever else JSON5 allows.
nonisolated enum JSONText {
  /// The value that `text` is.
  static func read(_ text: [UInt8]) throws(SyntaxMistake) -> JSONValue {
    // What the decoder should not see: it ends the program for a byte that is none of UTF-8 and for the number 1e+, takes texts
    // with zeros for UTF-16, and calls itself for each level.
    guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
      throw SyntaxMistake(offset: endOfUTF8(in: text), message: "the text is not UTF-8")
    }
    guard isWhole(text) else { throw firstMistake(in: text) }
    do {
      return try decoder.decode(JSONValue.self, from: Data(text))
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      let path = JSONPath(context.codingPath)
      throw SyntaxMistake(
        offset: JSONOutline.offset(of: path, in: text), path: path, message: context.debugDescription)
    } catch {
      throw firstMistake(in: text)
    }
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return decoder
  }

  /// The name that stands in a text as `name`, with or without quotes.
  static func name(_ name: ArraySlice<UInt8>) -> String? {
    // Most need no decoder.
    if name.first == UInt8(ascii: "\""), name.count > 1, !name.contains(UInt8(ascii: "\\")) {
      return String(decoding: name.dropFirst().dropLast(), as: UTF8.self)
    }
    let object = try? decoder.decode([String: Int].self, from: Data("{".utf8 + name + ":0}".utf8))
    return object?.keys.first
  }

  /// How many bytes of `text` are UTF-8 without zeros.
  private static func endOfUTF8(in text: [UInt8]) -> Int {
    var (bytes, decoder, count) = (text.makeIterator(), UTF8(), 0)
    while case .scalarValue(let scalar) = decoder.decode(&bytes), scalar != "\0" { count += UTF8.width(scalar) }
    return count
  }

  /// True where every bracket, text and comment that begins has an end.
  private static func isWhole(_ text: [UInt8]) -> Bool {
    var outline = JSONOutline(text)
    do throws(SyntaxMistake) {
      try outline.advance(by: text.count)
      try outline.checkIsClosed()
      return true
    } catch {
      return false
    }
  }

  // MARK: Mistakes

  /// Where the decoder stops, which on Linux it does not tell.
  ///
  /// The text is read piece by piece. Each piece stands between the brackets that are open before it and those that close what
  /// is open after it, so that it is whole; the first that can't be read has the mistake, and is read in smaller pieces. This
  /// takes as long as to read the text, and little more.
  private static func firstMistake(in text: [UInt8]) -> SyntaxMistake {
    let decoder = decoder
    var outline = JSONOutline(text)
    do throws(SyntaxMistake) {
      for size in [1 << 16, 1 << 8] {
        while !outline.isAtEnd {
          var after = outline
          guard (try? after.advance(by: size)) != nil, isReadable(outline, after, decoder) else { break }
          outline = after
        }
      }
      // The mistake is within the last of those sizes.
      for _ in 0...1 << 8 where !outline.isAtEnd {
        var after = outline
        try after.advance(by: 1)
        guard isReadable(outline, after, decoder) else {
          return SyntaxMistake(offset: outline.index, message: outline.message)
        }
        outline = after
      }
      if outline.isAtEnd { try outline.checkIsClosed() }
    } catch {
      return error
    }
    return SyntaxMistake(offset: outline.index, message: outline.message)
  }

  private struct Anything: Decodable {}

  private static func isReadable(_ before: JSONOutline, _ after: JSONOutline, _ decoder: JSONDecoder) -> Bool {
    let piece = before.opening + after.text[before.index..<after.index] + after.closing
    return (try? decoder.decode(Anything.self, from: Data(piece))) != nil
  }
}

nonisolated extension JSONOutline {
  /// What is wrong with what stands here.
  fileprivate var message: String {
    let isText = !isAtEnd && (text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'"))
    return isText && (expected == .value || expected == .name)
      ? "the text can't be read" : "expected \(expected.rawValue)"
  }

  /// A text that has open what is open here, and expects the same.
  fileprivate var opening: [UInt8] {
    let value = open.last?.sign == "{" ? "\"\":" : ""
    let start =
      switch expected {
      case .value: value
      case .name: ""
      case .colon: "\"\""
      case .comma, .end: value + "0 "
      }
    let outer = open.dropLast().map { $0.sign == "{" ? "{\"\":" : "[" }.joined()
    return Array((outer + (open.last.map { "\($0.sign)" } ?? "") + start).utf8)
  }

  /// What closes all that is open here, on a new line: a comment may go on to the end of the last one.
  fileprivate var closing: [UInt8] {
    let end =
      switch expected {
      case .value where open.last?.sign != "[": "0"
      case .colon: ":0"
      default: ""
      }
    return Array(("\n" + end + open.reversed().map { "\($0.end)" }.joined()).utf8)
  }
}
