import UICore

/// What a JPEG file says before its pixels, read without a decoder and without trust: every number in it may be a lie.
nonisolated struct JPEGHeader: Hashable {
  /// The size of the pixels as they lie in the file.
  private(set) var storedSize = PixelSize.zero
  /// How the file wants them turned.
  private(set) var orientation = PictureOrientation.upright
  /// The number of channels: 1 for grey, 3 for colours, 4 for inks.
  private(set) var channelCount = 0
  /// True if it was made as Adobe's programs do, who store inks the other way round.
  private(set) var isByAdobe = false
  /// False for what neither cameras nor browsers use: lossless, arithmetic, hierarchical, 12 bits.
  private(set) var isCommon = false
  /// The index of the first scan's marker.
  private(set) var scanStart = 0

  /// What the beginning of a file holds.
  enum Beginning: Hashable {
    /// No JPEG file, or a damaged one.
    case none
    /// A JPEG file whose header goes on after these bytes.
    case unfinished
    /// A header.
    case whole(JPEGHeader)
  }

  /// The size of the picture once it is turned.
  var size: PixelSize {
    orientation.swapsSides ? PixelSize(width: storedSize.height, height: storedSize.width) : storedSize
  }

  /// True for the first bytes of a JPEG file.
  static func begins(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0xff, 0xd8, 0xff]) }

  /// Reads the header that `bytes` begin with.
  static func read(_ bytes: [UInt8]) -> Beginning {
    guard begins(bytes) else { return .none }
    var header = JPEGHeader()
    var place = 2
    while let segment = JPEGSegment(bytes, at: place) {
      switch segment.marker {
      case JPEGSegment.scan:
        header.scanStart = segment.start
        return header.channelCount > 0 ? .whole(header) : .none
      case JPEGSegment.end: return .none
      default: break
      }
      guard let content = segment.content(in: bytes) else { break }
      guard header.take(segment.marker, content) else { return .none }
      place = content.endIndex
    }
    // A marker that is none ends the file; one that lies beyond the bytes may come.
    return place + 4 > bytes.count || bytes[place] == 0xff ? .unfinished : .none
  }

  /// Takes one segment; false if it cannot be one.
  private mutating func take(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
    switch marker {
    // All frames but tables (C4), an extension (C8) and arithmetic's conditions (CC).
    case 0xc0...0xcf where marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
      guard channelCount == 0, content.count >= 6 else { return false }
      let numbers = BigEndian(content)
      storedSize = PixelSize(width: numbers.short(at: 3) ?? 0, height: numbers.short(at: 1) ?? 0)
      channelCount = numbers.byte(at: 5) ?? 0
      isCommon = marker <= 0xc2 && numbers.byte(at: 0) == 8 && [1, 3, 4].contains(channelCount)
      return channelCount > 0
    case 0xe1: if let found = PictureOrientation(exif: content) { orientation = found }
    case 0xee: if content.starts(with: Array("Adobe".utf8)) { isByAdobe = true }
    default: break
    }
    return true
  }

  /// The number of scans in a file. Each passes over all pixels, however few bytes it has, so a small file may take long.
  func scanCount(in bytes: [UInt8]) -> Int {
    var (count, place) = (0, scanStart)
    while let segment = JPEGSegment(bytes, at: place), segment.marker != JPEGSegment.end {
      guard let content = segment.content(in: bytes) else { break }
      place = content.endIndex
      guard segment.marker == JPEGSegment.scan else { continue }
      count += 1
      // To the next marker but those that only restart the decoder; 0 marks a byte that looks like one.
      while place + 1 < bytes.count, bytes[place] != 0xff || JPEGSegment.isWithinScan(bytes[place + 1]) { place += 1 }
    }
    return count
  }
}

/// The place of a marker in a JPEG file, and of what follows it.
nonisolated private struct JPEGSegment {
  static let scan: UInt8 = 0xda
  static let end: UInt8 = 0xd9

  let marker: UInt8
  /// The index of the byte before the marker's own.
  let start: Int

  /// The marker at `place`, after any bytes that fill; nil if there is none.
  init?(_ bytes: [UInt8], at place: Int) {
    var place = place
    guard place < bytes.count, bytes[place] == 0xff else { return nil }
    while place < bytes.count, bytes[place] == 0xff { place += 1 }
    guard place < bytes.count, bytes[place] != 0 else { return nil }
    (marker, start) = (bytes[place], place - 1)
  }

  /// What lies between the segment's length and the next one; nil if it is not whole.
  func content(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard let length = BigEndian(bytes[...]).short(at: start + 2), length >= 2, start + 2 + length <= bytes.count else {
      return nil
    }
    return bytes[(start + 4)..<(start + 2 + length)]
  }

  /// True for a byte after 0xff that does not end a scan.
  static func isWithinScan(_ byte: UInt8) -> Bool { byte == 0 || byte == 0xff || (0xd0...0xd7).contains(byte) }
}

/// Numbers of up to four bytes in a piece of a file; nil beyond its end.
nonisolated struct BigEndian {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  func byte(at place: Int) -> Int? { number(at: place, count: 1) }
  func short(at place: Int) -> Int? { number(at: place, count: 2) }

  /// The number in `count` bytes, of which the last comes first if `isReversed`.
  func number(at place: Int, count: Int, isReversed: Bool = false) -> Int? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    let start = bytes.startIndex + place
    let piece = bytes[start..<(start + count)]
    return isReversed ? piece.reversed().reduce(0) { $0 << 8 | Int($1) } : piece.reduce(0) { $0 << 8 | Int($1) }
  }
}
