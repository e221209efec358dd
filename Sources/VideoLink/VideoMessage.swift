/// What a video helper tells the cockpit, one report in each record of a socket.
package enum VideoReport: Hashable, Sendable {
  /// Memory for pictures, whose descriptor comes along. Slots of the rings before it need no release any more.
  case ring(VideoRing)
  /// A picture has arrived.
  case frame(VideoFrame)
  /// How the source is, with a detail for the log, of at most `mostText` bytes of UTF-8.
  case source(VideoSourceState, text: String)

  /// The length of the longest report in bytes.
  package static let mostBytes = 256
  /// The length of the longest text in bytes; a longer one is cut, at a letter.
  package static let mostText = 200
}

/// How a source of video is.
package enum VideoSourceState: UInt8, Sendable {
  /// The helper is connecting to it.
  case connecting = 1
  /// Pictures come, or should.
  case receiving = 2
  /// The last complete picture could not be decoded, or is the server's own sign that it has no camera.
  case undecodable = 3
  /// The connection or file has ended; the helper will connect again.
  case ended = 4
  /// It can't be used (an option, a missing plugin): the helper ends.
  case refused = 5
}

/// What the cockpit asks of a video helper, one request in each record of a socket.
package enum VideoRequest: Hashable, Sendable {
  /// The slot may be written again.
  case release(ring: UInt32, slot: Int)
  /// Pictures are to be scaled down to fit into this size, keeping their shape, and no more than so many a second are to be decoded. 0 stands
  /// for no limit.
  case limit(width: Int, height: Int, framesPerSecond: Int)

  /// The length of the longest request in bytes.
  package static let mostBytes = 32
  /// The numbers that a limit may have.
  package static let limits = 0...100_000
}

// MARK: Writing and reading

extension VideoReport {
  /// The report as bytes.
  package var bytes: [UInt8] {
    var writer = VideoWriter()
    switch self {
    case .ring(let ring):
      writer.add(UInt8(1))
      writer.add(ring.id)
      writer.add(UInt8(truncatingIfNeeded: ring.slots))
      writer.add(UInt32(truncatingIfNeeded: ring.width))
      writer.add(UInt32(truncatingIfNeeded: ring.height))
    case .frame(let frame):
      writer.add(UInt8(2))
      writer.add(frame.ring)
      writer.add(frame.slot.map { UInt8(clamping: $0) } ?? VideoWriter.noSlot)
      writer.add(frame.number)
      writer.add(frame.arrival)
      writer.add(UInt8(frame.isRepeat ? 1 : 0))
      writer.add(frame.stamp?.kind.rawValue ?? 0)
      writer.add(frame.stamp?.nanoseconds ?? 0)
      writer.add(Int64(frame.encodedBytes))
      writer.add(frame.decodeTime)
    case .source(let state, let text):
      writer.add(UInt8(3))
      writer.add(state.rawValue)
      writer.add(text, most: Self.mostText)
    }
    return writer.bytes
  }

  /// The report in `bytes`; nil if they are none.
  package init?(_ bytes: some Sequence<UInt8>) {
    var reader = VideoParser(bytes)
    switch reader.byte() {
    case 1:
      guard let id = reader.word(), let slots = reader.byte(), let width = reader.word(), let height = reader.word(),
        let ring = VideoRing(id: id, slots: Int(slots), width: Int(width), height: Int(height))
      else { return nil }
      self = .ring(ring)
    case 2:
      guard let frame = reader.frame() else { return nil }
      self = .frame(frame)
    case 3:
      guard let state = reader.byte().flatMap(VideoSourceState.init), let text = reader.text(most: Self.mostText)
      else { return nil }
      self = .source(state, text: text)
    default: return nil
    }
    guard reader.isAtEnd else { return nil }
  }
}

extension VideoRequest {
  /// The request as bytes.
  package var bytes: [UInt8] {
    var writer = VideoWriter()
    switch self {
    case .release(let ring, let slot):
      writer.add(UInt8(1))
      writer.add(ring)
      writer.add(UInt8(clamping: slot))
    case .limit(let width, let height, let framesPerSecond):
      writer.add(UInt8(2))
      for number in [width, height, framesPerSecond] { writer.add(UInt32(clamping: number)) }
    }
    return writer.bytes
  }

  /// The request in `bytes`; nil if they are none.
  package init?(_ bytes: some Sequence<UInt8>) {
    var reader = VideoParser(bytes)
    switch reader.byte() {
    case 1:
      guard let ring = reader.word(), let slot = reader.byte(), slot < VideoRing.slotNumbers.upperBound else {
        return nil
      }
      self = .release(ring: ring, slot: Int(slot))
    case 2:
      guard let width = reader.limit(), let height = reader.limit(), let framesPerSecond = reader.limit() else {
        return nil
      }
      self = .limit(width: width, height: height, framesPerSecond: framesPerSecond)
    default: return nil
    }
    guard reader.isAtEnd else { return nil }
  }
}

/// Collects a message's bytes, the lowest byte of a number first.
private struct VideoWriter {
  /// Stands for no slot.
  static let noSlot: UInt8 = 0xff
  var bytes: [UInt8] = []

  mutating func add(_ value: some FixedWidthInteger) {
    for index in 0..<value.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }

  /// The text's length and bytes. A letter that does not fit is left out, and all that follow it.
  mutating func add(_ text: String, most: Int) {
    var part: [UInt8] = []
    for scalar in text.unicodeScalars {
      let letter = UTF8.encode(scalar).map(Array.init) ?? []
      guard part.count + letter.count <= most else { break }
      part += letter
    }
    add(UInt8(truncatingIfNeeded: part.count))
    bytes += part
  }
}

/// Takes a message apart.
private struct VideoParser {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func word() -> UInt32? { number() }

  mutating func number<Number: FixedWidthInteger>() -> Number? {
    let count = Number.bitWidth / 8
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func limit() -> Int? {
    guard let number = word(), VideoRequest.limits ~= Int(number) else { return nil }
    return Int(number)
  }

  mutating func text(most: Int) -> String? {
    guard let count = byte(), count <= most, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return String(validating: rest.prefix(Int(count)), as: UTF8.self)
  }

  mutating func frame() -> VideoFrame? {
    guard let ring = word(), let slot = byte(), let count: UInt64 = number(), let arrival: Int64 = number(),
      let isRepeat = byte(), isRepeat <= 1, let kind = byte(), let nanoseconds: Int64 = number(),
      let encodedBytes: Int64 = number(), let decodeTime: Int64 = number()
    else { return nil }
    guard slot == VideoWriter.noSlot || slot < VideoRing.slotNumbers.upperBound, arrival >= 0, encodedBytes >= 0,
      decodeTime >= 0
    else { return nil }
    var stamp: VideoStamp?
    if kind != 0 {
      guard let kind = VideoStamp.Kind(rawValue: kind) else { return nil }
      stamp = VideoStamp(kind, nanoseconds: nanoseconds)
    } else if nanoseconds != 0 {
      return nil
    }
    return VideoFrame(
      ring: ring, slot: slot == VideoWriter.noSlot ? nil : Int(slot), number: count, arrival: arrival,
      isRepeat: isRepeat == 1, stamp: stamp, encodedBytes: Int(encodedBytes), decodeTime: decodeTime)
  }
}
