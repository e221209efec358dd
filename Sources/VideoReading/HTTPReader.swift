/// What a server says before the content.
package struct HTTPHead: Hashable, Sendable {
  /// The status, such as 200.
  package var status: Int
  /// The status in the server's words.
  package var reason: String
  /// The fields.
  package var fields = HeaderFields()

  /// The boundary of a content in parts, as the field says it; nil if it is none in parts, or says none.
  package var boundary: String? {
    guard let type = fields["content-type"], type.lowercased().hasPrefix("multipart/") else { return nil }
    for parameter in type.split(separator: ";").dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard pair.count == 2, pair[0].lowercased() == "boundary" else { continue }
      var value = pair[1]
      while value.last == " " { value.removeLast() }
      if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
      return value.isEmpty ? nil : String(value)
    }
    return nil
  }
}

/// Takes a response of HTTP/1.0 or 1.1 apart: the head, then the content, out of its chunks if it has any.
package struct HTTPReader: Sendable {
  /// What comes out.
  package enum Piece: Hashable, Sendable {
    case head(HTTPHead)
    case content(ArraySlice<UInt8>)
    case end
  }

  private enum Place: Sendable {
    case status, fields(HTTPHead)
    /// Content up to the end of the connection, or so many bytes.
    case open, counted(Int)
    case chunkSize, chunk(Int), chunkEnd, trailer
    case ended
  }

  private var place = Place.status
  private var lines = LineReader()
  private var headBytes = 0

  package init() {}

  /// Takes bytes until there is a piece; nil if all are taken and there is none. Throws if they are no response.
  package mutating func next(_ input: inout ArraySlice<UInt8>) throws(VideoReadError) -> Piece? {
    while true {
      switch place {
      case .ended: return .end
      case .open:
        guard !input.isEmpty else { return nil }
        return content(&input, upTo: input.count)
      case .counted(let rest):
        guard rest > 0 else {
          place = .ended
          return .end
        }
        guard !input.isEmpty else { return nil }
        let count = min(rest, input.count)
        place = .counted(rest - count)
        return content(&input, upTo: count)
      case .chunk(let rest):
        guard !input.isEmpty else { return nil }
        let count = min(rest, input.count)
        place = count < rest ? .chunk(rest - count) : .chunkEnd
        return content(&input, upTo: count)
      case .status, .fields, .chunkSize, .chunkEnd, .trailer:
        guard let line = try lines.next(&input) else { return nil }
        if let piece = try take(line[...]) { return piece }
      }
    }
  }

  private func content(_ input: inout ArraySlice<UInt8>, upTo count: Int) -> Piece {
    defer { input = input.dropFirst(count) }
    return .content(input.prefix(count))
  }

  private mutating func take(_ line: ArraySlice<UInt8>) throws(VideoReadError) -> Piece? {
    switch place {
    case .status: place = .fields(try Self.status(line))
    case .fields(var head):
      headBytes += line.count
      guard headBytes <= VideoLimits.head else {
        throw VideoReadError("the head is longer than \(VideoLimits.head) bytes")
      }
      guard line.isEmpty else {
        // A line that is no field is passed over, as browsers do.
        _ = head.fields.take(line: line)
        place = .fields(head)
        return nil
      }
      // 100 Continue and others are followed by the true head.
      guard head.status >= 200 else {
        (place, headBytes) = (.status, 0)
        return nil
      }
      if head.fields["transfer-encoding"]?.lowercased().contains("chunked") == true {
        place = .chunkSize
      } else if let count = head.fields.count("content-length") {
        place = .counted(count)
      } else {
        place = .open
      }
      return .head(head)
    case .chunkSize:
      let size = try Self.chunkSize(line)
      place = size > 0 ? .chunk(size) : .trailer
    case .chunkEnd:
      guard line.isEmpty else { throw VideoReadError("a chunk is longer than its size") }
      place = .chunkSize
    case .trailer:
      if line.isEmpty { place = .ended }
    case .open, .counted, .chunk, .ended: break
    }
    return nil
  }

  private static func status(_ line: ArraySlice<UInt8>) throws(VideoReadError) -> HTTPHead {
    let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[1].count == 3,
      let status = Int(String(decoding: words[1], as: UTF8.self)), 100...599 ~= status
    else { throw VideoReadError("the server does not answer in HTTP") }
    let reason = words.count > 2 ? String(decoding: words[2].prefix(60), as: UTF8.self) : ""
    return HTTPHead(status: status, reason: reason)
  }

  private static func chunkSize(_ line: ArraySlice<UInt8>) throws(VideoReadError) -> Int {
    // Extensions may follow after a semicolon, and blanks.
    let digits = line.prefix { $0 != 0x3b && $0 != 0x20 && $0 != 0x09 }
    guard 1...8 ~= digits.count, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
      throw VideoReadError("a chunk has no size")
    }
    return size
  }
}
