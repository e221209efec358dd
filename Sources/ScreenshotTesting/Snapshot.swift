import Controls
import Glibc

/// Pixels in memory, equal when they are the same byte for byte.
///
/// Whole rows are compared and copied at once: unoptimised tests would spend their time here else.
nonisolated public struct Snapshot: Equatable, Sendable {
  /// The extent in pixels.
  public let size: PixelSize
  /// 0xAARRGGBB, premultiplied, rows top first without padding.
  public var pixels: [UInt32]

  /// A picture whose pixels are clear.
  public init(size: PixelSize) {
    self.size = size
    pixels = [UInt32](repeating: 0, count: size.area)
  }

  /// A picture whose pixels are noise that no drawing makes: what is left unpainted shows.
  public init(garbage size: PixelSize, seed: UInt32 = 1) {
    self.size = size
    pixels = [UInt32](repeating: 0, count: size.area)
    // A short run of noise over and over, from a place in it that the seed chooses.
    let noise = Snapshot.noise
    let start = Int(seed &* 2_654_435_761 % 1021)
    pixels.withUnsafeMutableBytes { target in
      noise.withUnsafeBytes { source in
        var done = 0
        while done < target.count, let into = target.baseAddress, let from = source.baseAddress {
          let offset = done == 0 ? start * 4 : 0
          let count = min(source.count - offset, target.count - done)
          memcpy(into + done, from + offset, count)
          done += count
        }
      }
    }
  }

  private static let noise: [UInt32] = (0..<8191).map { (UInt32($0) &* 2_654_435_761) ^ 0x5aa5_1234 }

  /// A copy of a buffer's pixels.
  public init(_ buffer: PixelBuffer) {
    size = buffer.size
    pixels = [UInt32](repeating: 0, count: size.area)
    let rowBytes = size.width * 4
    pixels.withUnsafeMutableBytes { target in
      guard let into = target.baseAddress, let from = buffer.bytes.baseAddress else { return }
      for y in 0..<buffer.size.height { memcpy(into + y * rowBytes, from + y * buffer.stride, rowBytes) }
    }
  }

  /// True when sizes and all pixels are the same.
  public static func == (a: Snapshot, b: Snapshot) -> Bool {
    a.size == b.size && a.pixels.withUnsafeBytes { a in b.pixels.withUnsafeBytes { b in same(a, b, 0, a.count) } }
  }

  static func same(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ offset: Int, _ count: Int
  ) -> Bool {
    guard count > 0, let a = a.baseAddress, let b = b.baseAddress else { return true }
    return memcmp(a + offset, b + offset, count) == 0
  }

  /// Copies the pixels of `region`, which must lie inside both, from `other` of the same size.
  package mutating func copy(_ region: Region, from other: Snapshot) {
    let width = size.width
    pixels.withUnsafeMutableBytes { target in
      other.pixels.withUnsafeBytes { source in
        guard let into = target.baseAddress, let from = source.baseAddress else { return }
        for rect in region.rects {
          for y in rect.y..<rect.maxY {
            let offset = (y * width + rect.x) * 4
            memcpy(into + offset, from + offset, rect.width * 4)
          }
        }
      }
    }
  }

  /// The pixel at (`x`, `y`); 0 outside.
  public subscript(x: Int, y: Int) -> UInt32 {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return 0 }
    return pixels[y * size.width + x]
  }

  /// Calls `body` with the pixels as a buffer.
  public mutating func withBuffer<Result>(_ body: (PixelBuffer) -> Result) -> Result {
    let size = size
    return pixels.withUnsafeMutableBytes { body(PixelBuffer(size: size, stride: size.width * 4, bytes: $0)) }
  }

  /// Writes the pixels as a PNG file; false when it cannot.
  @MainActor @discardableResult public func write(to path: String) -> Bool {
    var copy = self
    return copy.withBuffer { PNG.write($0, to: path) }
  }

  /// The pixels of a PNG file, or nil when it cannot be read.
  @MainActor public static func read(_ path: String) -> Snapshot? {
    try? PNG.read(contentsOf: path) { Snapshot($0) }
  }
}

nonisolated extension Snapshot: CustomStringConvertible {
  /// The size only: a failed expectation that listed millions of pixels would help nobody.
  public var description: String { "Snapshot of \(size.width) x \(size.height) pixels" }
}
