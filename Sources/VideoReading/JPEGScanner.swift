/// Finds the end of a JPEG picture while its bytes arrive, by its markers.
///
/// Bytes that look like an end inside of a thumbnail, a comment or a table are skipped by the length of what they are in. So a picture is
/// known to be complete with its last byte, and not when the next one begins.
package struct JPEGScanner: Hashable, Sendable {
  /// What the bytes so far are.
  package enum State: Hashable, Sendable {
    /// A picture without its end.
    case open
    /// A whole picture.
    case complete
    /// No picture, or one whose structure is broken.
    case broken
  }

  private enum Place: Hashable {
    case start, startMarker, marker, markerCode, lengthHigh, lengthLow(Int), segment(Int), scan, scanMarker
    case complete, broken
  }

  private var place = Place.start
  /// Whether the segment that is being skipped begins a scan.
  private var beginsScan = false

  package init() {}

  /// What the bytes so far are.
  package var state: State {
    switch place {
    case .complete: .complete
    case .broken: .broken
    default: .open
    }
  }

  /// Reads on, up to the picture's end or the first byte that breaks its structure. Returns the number of bytes read.
  package mutating func read(_ bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex, place != .complete, place != .broken {
      switch place {
      case .segment(let rest):
        // Skipped in one step.
        let count = min(rest, bytes.endIndex - index)
        index += count
        place = count < rest ? .segment(rest - count) : beginsScan ? .scan : .marker
      case .scan:
        guard let found = bytes[index...].firstIndex(of: 0xff) else { return bytes.count }
        index = found + 1
        place = .scanMarker
      default:
        step(bytes[index])
        index += 1
      }
    }
    return index - bytes.startIndex
  }

  private mutating func step(_ byte: UInt8) {
    switch place {
    case .start: place = byte == 0xff ? .startMarker : .broken
    case .startMarker: place = byte == 0xd8 ? .marker : .broken
    case .marker: place = byte == 0xff ? .markerCode : .broken
    case .markerCode: read(marker: byte)
    case .lengthHigh: place = .lengthLow(Int(byte) << 8)
    case .lengthLow(let high):
      // The length counts its own two bytes.
      let rest = high + Int(byte) - 2
      place = rest < 0 ? .broken : rest > 0 ? .segment(rest) : beginsScan ? .scan : .marker
    case .scanMarker:
      switch byte {
      // A byte 0xff of the picture, or a point to start again.
      case 0x00, 0xd0...0xd7: place = .scan
      // Any number of them may stand before a marker.
      case 0xff: break
      default: read(marker: byte)
      }
    case .segment, .scan, .complete, .broken: break
    }
  }

  private mutating func read(marker: UInt8) {
    switch marker {
    case 0xff: place = .markerCode
    case 0xd9: place = .complete
    // Markers without a length.
    case 0x01, 0xd0...0xd7: place = .marker
    // A second start, or what is no marker.
    case 0x00, 0xd8: place = .broken
    default:
      beginsScan = marker == 0xda
      place = .lengthHigh
    }
  }
}
