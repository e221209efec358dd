/// Takes a stream of JPEG pictures apart that follow each other with nothing, or anything, between them.
package struct JPEGStreamReader: Sendable {
  private var scanner = JPEGScanner()
  private var bytes: [UInt8] = []
  /// The pictures whose structure broke before their end.
  package private(set) var broken = 0

  package init() {}

  /// Takes bytes until a picture is complete; nil if all are taken and none is. Throws if a picture is too long.
  package mutating func next(_ input: inout ArraySlice<UInt8>) throws(VideoReadError) -> EncodedPicture? {
    while !input.isEmpty {
      if bytes.isEmpty {
        guard let start = input.firstIndex(of: 0xff) else {
          input = input[input.endIndex...]
          return nil
        }
        input = input[start...]
      }
      let count = scanner.read(input)
      bytes += input.prefix(count)
      guard bytes.count <= VideoLimits.picture else {
        throw VideoReadError("a picture is longer than \(VideoLimits.picture >> 20) MiB")
      }
      switch scanner.state {
      case .open: input = input.dropFirst(count)
      case .complete:
        input = input.dropFirst(count)
        defer { reset() }
        return EncodedPicture(bytes: bytes)
      case .broken:
        // What broke it may be the start of the next: it is read again, unless it is the start that broke.
        if bytes.count > 2 { broken += 1 }
        let keepsLast = bytes.last == 0xff && bytes.count > 1
        input = input.dropFirst(keepsLast ? max(count - 1, 0) : count)
        let wasSecondStart = bytes.suffix(2) == [0xff, 0xd8]
        reset()
        if wasSecondStart {
          bytes = [0xff, 0xd8]
          _ = scanner.read(bytes[...])
        }
      }
    }
    return nil
  }

  /// Gives the memory of a picture back, for the next.
  package mutating func recycle(_ memory: consuming [UInt8]) {
    guard bytes.isEmpty, memory.capacity > bytes.capacity else { return }
    bytes = memory
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func reset() {
    scanner = JPEGScanner()
    bytes = []
  }
}
