/// Opaque pixels, row by row.
public struct ScreenPicture: Equatable, Sendable {
  /// The difference between two pictures of the same size.
  public struct Difference: Equatable, Sendable {
    /// The largest difference of one channel.
    public var largest = 0
    /// The number of pixels that differ by more than the tolerance.
    public var pixels = 0
    /// The first such pixel; nil if no pixel differs so much.
    public var first: Place?
  }

  /// The position of a pixel.
  public struct Place: Equatable, Sendable {
    /// The distance from the left edge.
    public var x: Int
    /// The distance from the top edge.
    public var y: Int
  }

  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// 0xffRRGGBB each.
  public let pixels: [UInt32]

  init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(pixels.count == width * height, "a picture of \(width) x \(height) has another number of pixels")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The pixel at a position, 0xffRRGGBB.
  public subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }

  /// The colours in it.
  public var colours: Set<UInt32> {
    var colours: Set<UInt32> = []
    pixels.withUnsafeBufferPointer { pixels in
      var last: UInt32?
      for pixel in pixels where pixel != last {
        colours.insert(pixel)
        last = pixel
      }
    }
    return colours
  }

  /// The part of the given size whose upper left corner is at (x, y).
  public func cropped(x: Int, y: Int, width: Int, height: Int) -> ScreenPicture {
    ScreenPicture(
      width: width, height: height,
      pixels: (y..<y + height).flatMap { row in pixels[row * self.width + x..<row * self.width + x + width] })
  }

  /// The difference from another picture; nil if the sizes differ. Pixels count if a channel differs by more than `tolerance`.
  public func difference(from other: ScreenPicture, tolerance: Int = 0) -> Difference? {
    guard width == other.width, height == other.height else { return nil }
    var difference = Difference()
    pixels.withUnsafeBufferPointer { mine in
      other.pixels.withUnsafeBufferPointer { others in
        for index in mine.indices where mine[index] != others[index] {
          let apart = Self.distance(mine[index], others[index])
          difference.largest = max(difference.largest, apart)
          guard apart > tolerance else { continue }
          difference.pixels += 1
          difference.first = difference.first ?? Place(x: index % width, y: index / width)
        }
      }
    }
    return difference
  }

  private static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    func channel(_ shift: UInt32) -> Int { abs(Int(a >> shift & 0xff) - Int(b >> shift & 0xff)) }
    return max(channel(0), channel(8), channel(16))
  }
}
