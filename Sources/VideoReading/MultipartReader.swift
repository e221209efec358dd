/// Takes a content in parts (`multipart/x-mixed-replace`), each of which is a JPEG picture, apart.
///
/// A picture is complete with its last byte: where its length has been reached or its markers say so, and not when the next boundary comes,
/// which some servers send with the next picture. What cameras and servers do differently is taken as it comes: boundaries with more or fewer
/// dashes than said, before or after the parts, line ends of one byte, lengths that are missing or wrong, bytes after a picture's end.
package struct MultipartReader: Sendable {
  private enum Place: Sendable {
    /// Between pictures: boundaries and fields, a line at a time.
    case lines
    /// In a picture whose length is known, or not.
    case picture(length: Int?)
  }

  /// The boundary without its dashes; nil until one has been seen.
  private var boundary: [UInt8]?
  private var place = Place.lines
  private var line: [UInt8] = []
  /// The bytes since the last picture, but for padding.
  private var between = 0
  /// What its part's length says still belongs to the last picture.
  private var padding = 0
  private var fields = HeaderFields()
  private var fieldBytes = 0
  /// Whether a boundary has come since the last picture.
  private var hasBoundary = false
  /// Whether the last picture ended by its length alone, so that a boundary must follow.
  private var expectsBoundary = false
  /// Whether lengths were right so far.
  private var trustsLengths = true
  private var scanner = JPEGScanner()
  private var bytes: [UInt8] = []
  private var spare: [UInt8] = []

  /// The pictures that broke off.
  package private(set) var broken = 0

  /// A reader. `boundary` is the one that the response's head names.
  package init(boundary: String? = nil) {
    self.boundary = boundary.map { Self.bare(Array($0.utf8)[...]) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Takes bytes until a picture is complete; nil if all are taken and none is. Throws if the stream can't be read any further.
  package mutating func next(_ input: inout ArraySlice<UInt8>) throws(VideoReadError) -> EncodedPicture? {
    while !input.isEmpty {
      switch place {
      case .lines: try takeLine(&input)
      case .picture(let length):
        if let picture = try takePicture(&input, length) { return picture }
      }
    }
    return nil
  }

  /// Gives the memory of a picture back, for the next.
  package mutating func recycle(_ memory: consuming [UInt8]) {
    guard memory.capacity > spare.capacity else { return }
    spare = memory
    spare.removeAll(keepingCapacity: true)
  }

  // MARK: Lines

  private mutating func takeLine(_ input: inout ArraySlice<UInt8>) throws(VideoReadError) {
    // No boundary and no field begins with the first byte of a picture.
    if line.isEmpty, padding == 0, input.first == 0xff {
      beginPicture()
      return
    }
    var part = padding > 0 ? input.prefix(padding) : input
    let end = part.firstIndex(of: 0x0a)
    if let end { part = part[...end] }
    input = input.dropFirst(part.count)
    // Of a line that is too long for a boundary or field nothing more needs to be known.
    if line.count <= VideoLimits.line { line += part.prefix(VideoLimits.line + 1) }
    if padding > 0 {
      padding -= part.count
      if end != nil { takePaddingLine() }
      if padding == 0 { line.removeAll(keepingCapacity: true) }
      return
    }
    between += part.count
    guard between <= VideoLimits.between else {
      throw VideoReadError("no picture within \(VideoLimits.between >> 10) KiB")
    }
    guard end != nil else { return }
    defer { line.removeAll(keepingCapacity: true) }
    try take(line: Self.withoutEnd(line))
  }

  /// A boundary in what should be padding: the length was too large.
  private mutating func takePaddingLine() {
    if isBoundary(Self.withoutEnd(line)) { (padding, trustsLengths, hasBoundary) = (0, false, true) }
    line.removeAll(keepingCapacity: true)
  }

  private mutating func take(line: ArraySlice<UInt8>) throws(VideoReadError) {
    if line.isEmpty {
      try takeEmptyLine()
    } else if isBoundary(line) {
      (hasBoundary, expectsBoundary) = (true, false)
      forgetFields()
    } else {
      if expectsBoundary { (trustsLengths, expectsBoundary) = (false, false) }
      fieldBytes += line.count
      guard fieldBytes <= VideoLimits.head else {
        throw VideoReadError("the head of a part is longer than \(VideoLimits.head) bytes")
      }
      _ = fields.take(line: line)
    }
  }

  private mutating func takeEmptyLine() throws(VideoReadError) {
    // The head of the response itself, where a stream is read that was saved with it.
    if let type = fields["content-type"], type.lowercased().hasPrefix("multipart/") {
      let named = HTTPHead(status: 200, reason: "", fields: fields).boundary
      if boundary == nil, let named { self = MultipartReader(boundary: named) }
      forgetFields()
      return
    }
    let length = fields.count("content-length")
    guard hasBoundary || length != nil || fields["content-type"] != nil else { return }
    if let length, length > VideoLimits.picture {
      throw VideoReadError("a picture is longer than \(VideoLimits.picture >> 20) MiB")
    }
    // Some servers can be told to send heads alone.
    if length == 0 {
      hasBoundary = false
      forgetFields()
    } else {
      beginPicture()
    }
  }

  private mutating func forgetFields() {
    fields = HeaderFields()
    fieldBytes = 0
  }

  private mutating func isBoundary(_ line: ArraySlice<UInt8>) -> Bool {
    let bare = Self.bare(line)
    guard !bare.isEmpty else { return false }
    if let boundary { return bare == boundary }
    guard line.starts(with: "--".utf8), bare.count <= 200 else { return false }
    boundary = bare
    return true
  }

  /// A boundary without the dashes around it, with which servers are not careful, and without blanks behind it.
  private static func bare(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var line = line
    while let byte = line.last, byte == 0x20 || byte == 0x09 { line.removeLast() }
    while line.first == 0x2d { line.removeFirst() }
    while line.last == 0x2d { line.removeLast() }
    return Array(line)
  }

  private static func withoutEnd(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var line = line[...]
    if line.last == 0x0a { line.removeLast() }
    if line.last == 0x0d { line.removeLast() }
    return line
  }

  // MARK: Pictures

  private mutating func beginPicture() {
    place = .picture(length: trustsLengths ? fields.count("content-length") : nil)
    scanner = JPEGScanner()
    bytes = spare
    spare = []
    bytes.removeAll(keepingCapacity: true)
    line.removeAll(keepingCapacity: true)
    (between, hasBoundary) = (0, false)
  }

  private mutating func takePicture(
    _ input: inout ArraySlice<UInt8>, _ length: Int?
  ) throws(VideoReadError) -> EncodedPicture? {
    let part = length.map { input.prefix($0 - bytes.count) } ?? input
    let wasOpen = scanner.state == .open
    var count = scanner.read(part)
    // The byte that broke it may be the second of another picture's start.
    let isSecondStart = wasOpen && scanner.state == .broken && endsWithStart(part.prefix(count))
    // What is no JPEG picture is told by its decoder, where it has a length.
    if scanner.state == .broken, length != nil, !isSecondStart { count = part.count }
    bytes += part.prefix(count)
    input = input.dropFirst(count)
    guard bytes.count <= VideoLimits.picture else {
      throw VideoReadError("a picture is longer than \(VideoLimits.picture >> 20) MiB")
    }
    switch scanner.state {
    case .complete:
      padding = length.map { $0 - bytes.count } ?? 0
      return endPicture()
    case .broken where length == nil || isSecondStart:
      if goBack(&input) { return nil }
      takeBroken()
      return nil
    case .open, .broken: break
    }
    guard bytes.count == length else { return nil }
    if scanner.state == .broken, goBack(&input) { return nil }
    expectsBoundary = true
    return endPicture()
  }

  /// Reads what was taken for the picture's bytes again, from a boundary on. Returns false if there is none in them.
  private mutating func goBack(_ input: inout ArraySlice<UInt8>) -> Bool {
    guard let boundary, let start = Self.place(of: [0x2d, 0x2d] + boundary, in: bytes) else { return false }
    input = bytes[start...] + input
    broken += 1
    forgetFields()
    place = .lines
    return true
  }

  private static func place(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    var start = 0
    while let found = bytes[start...].firstIndex(of: pattern[0]) {
      if bytes[found...].starts(with: pattern) { return found }
      start = found + 1
    }
    return nil
  }

  /// Goes on behind a picture that broke.
  private mutating func takeBroken() {
    broken += 1
    forgetFields()
    guard bytes.suffix(2) == [0xff, 0xd8], bytes.count > 2 else {
      // It ends at the next boundary.
      place = .lines
      return
    }
    // Another has begun.
    beginPicture()
    bytes = [0xff, 0xd8]
    _ = scanner.read(bytes[...])
    place = .picture(length: nil)
  }

  private func endsWithStart(_ part: ArraySlice<UInt8>) -> Bool {
    guard bytes.count + part.count > 2, part.last == 0xd8 else { return false }
    return part.count > 1 ? part.dropLast().last == 0xff : bytes.last == 0xff
  }

  private mutating func endPicture() -> EncodedPicture {
    defer {
      bytes = []
      forgetFields()
    }
    place = .lines
    return EncodedPicture(bytes: bytes, fields: fields)
  }
}
