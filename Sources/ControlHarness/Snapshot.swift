// Owns pixels that tests keep and compare.
// Must not know views.

import Controls

/// Pixels in memory, compared byte for byte.
public struct Snapshot: Equatable {
  /// The extent in pixels.
  public let size: PixelSize
  /// 0xAARRGGBB, premultiplied, rows top first without padding.
  public var pixels: [UInt32]

  /// A picture whose pixels are noise that no drawing makes: what is left unpainted shows.
  public init(garbage size: PixelSize, seed: UInt32 = 1) {
    self.size = size
    pixels = (0..<UInt32(size.area)).map { (($0 &+ seed) &* 2_654_435_761) ^ 0x5aa5_1234 }
  }

  /// A copy of a buffer's pixels.
  public init(_ buffer: PixelBuffer) {
    size = buffer.size
    pixels = []
    for y in 0..<size.height { for x in 0..<size.width { pixels.append(buffer.pixel(x: x, y: y)) } }
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
    for index in pixels.indices where pixels[index] != other.pixels[index] {
      let most = Snapshot.distance(pixels[index], other.pixels[index])
      largest = max(largest, most)
      guard most > tolerance else { continue }
      count += 1
      if first == nil { first = (index % size.width, index / size.width) }
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
