/// Fields of a head, such as `Content-Length: 5`, by names whose case means nothing.
package struct HeaderFields: Hashable, Sendable {
  private var fields: [(name: String, value: String)] = []

  package init() {}

  package static func == (a: HeaderFields, b: HeaderFields) -> Bool {
    a.fields.elementsEqual(b.fields) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) {
    for (name, value) in fields {
      hasher.combine(name)
      hasher.combine(value)
    }
  }

  /// Whether there are none.
  package var isEmpty: Bool { fields.isEmpty }

  /// The value of the first field of that name, given in small letters.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The value of a field that is a number without sign; nil if it is none, or more than an Int holds.
  package func count(_ name: String) -> Int? {
    guard let value = self[name], !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(value)
  }

  /// Takes a line; false if it is no field.
  package mutating func take(line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: 0x3a), colon > line.startIndex else { return false }
    let name = line[..<colon]
    guard name.allSatisfy({ Self.isOfName($0) }) else { return false }
    fields.append(
      (String(decoding: name, as: UTF8.self).lowercased(), Self.trimmed(line[(colon + 1)...])))
    return true
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
    default: false
    }
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while let byte = bytes.first, byte == 0x20 || byte == 0x09 { bytes.removeFirst() }
    while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Collects lines that end with LF, or with CR and LF.
package struct LineReader: Hashable, Sendable {
  private var line: [UInt8] = []

  package init() {}

  /// Takes bytes up to the end of a line. Returns the line without its end; nil if there is no end yet. Throws if the line is too long.
  package mutating func next(_ input: inout ArraySlice<UInt8>) throws(VideoReadError) -> [UInt8]? {
    let end = input.firstIndex(of: 0x0a)
    let part = input[..<(end ?? input.endIndex)]
    guard line.count + part.count <= VideoLimits.line else {
      throw VideoReadError("a line of the head is longer than \(VideoLimits.line) bytes")
    }
    line += part
    guard let end else {
      input = input[input.endIndex...]
      return nil
    }
    input = input[(end + 1)...]
    defer { line.removeAll(keepingCapacity: true) }
    if line.last == 0x0d { line.removeLast() }
    return line
  }

  /// The bytes of the line that has no end yet.
  package var open: [UInt8] { line }

  /// Forgets the line that has no end yet.
  package mutating func reset() { line.removeAll(keepingCapacity: true) }
}
