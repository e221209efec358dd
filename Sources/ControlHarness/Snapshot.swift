// Owns pixels that tests keep and compare.
// Must not know views.

import Controls
import Glibc

/// Pixels in memory, compared byte for byte.
///
/// Whole rows are compared and copied at once: unoptimised tests would spend their time here else.
public struct Snapshot: Equatable {
  /// The extent in pixels.
  public let size: PixelSize
  /// 0xAARRGGBB, premultiplied, rows top first without padding.
  public var pixels: [UInt32]

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

  private static func same(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ offset: Int, _ count: Int
  ) -> Bool {
    guard count > 0, let a = a.baseAddress, let b = b.baseAddress else { return true }
    return memcmp(a + offset, b + offset, count) == 0
  }

  /// Copies the pixels of `region`, which must lie inside both, from `other` of the same size.
  mutating func copy(_ region: Region, from other: Snapshot) {
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

  /// The pixels in which the two differ by more than `tolerance` in any part, and the largest difference.
  public func difference(from other: Snapshot, tolerance: Int = 0) -> (count: Int, largest: Int, first: (Int, Int)?) {
    guard size == other.size else { return (max(size.area, other.size.area), 255, (0, 0)) }
    var (count, largest) = (0, 0)
    var first: (Int, Int)?
    let rowBytes = size.width * 4
    for y in 0..<size.height {
      let isSame = pixels.withUnsafeBytes { a in
        other.pixels.withUnsafeBytes { b in Snapshot.same(a, b, y * rowBytes, rowBytes) }
      }
      if isSame { continue }
      for x in 0..<size.width where self[x, y] != other[x, y] {
        let most = Snapshot.distance(self[x, y], other[x, y])
        largest = max(largest, most)
        guard most > tolerance else { continue }
        count += 1
        if first == nil { first = (x, y) }
      }
    }
    return (count, largest, first)
  }

  /// The largest difference of the four parts of two pixels.
  static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    var most = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      most = max(most, abs(Int((a >> shift) & 255) - Int((b >> shift) & 255)))
    }
    return most
  }

  /// Differences in red on a faint copy of this picture.
  func marked(against other: Snapshot, tolerance: Int) -> Snapshot {
    var result = self
    for index in pixels.indices {
      let gray = (pixels[index] >> 18) & 0x3f
      let differs =
        size != other.size || Snapshot.distance(pixels[index], other.pixels[index]) > tolerance
      result.pixels[index] = differs ? 0xffff_0000 : 0xff00_0000 | gray << 16 | gray << 8 | gray
    }
    return result
  }

  /// Writes the pixels as a PNG file; false when it cannot.
  @discardableResult public func write(to path: String) -> Bool {
    var copy = self
    return copy.withBuffer { PNG.write($0, to: path) }
  }

  /// The pixels of a PNG file, or nil when it cannot be read.
  public static func read(_ path: String) -> Snapshot? {
    PNG.read(path) { Snapshot($0) }
  }
}
