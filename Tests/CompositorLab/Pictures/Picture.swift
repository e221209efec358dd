/// Pixels, opaque, row by row.
public struct Picture: Equatable, Sendable {
  /// How far two pictures of one size are apart.
  public struct Difference: Equatable, Sendable {
    /// The largest difference of one channel.
    public var largest = 0
    /// How many pixels differ by more than was tolerated.
    public var pixels = 0
    /// The first such pixel.
    public var first: Place?
  }

  /// Where a pixel is.
  public struct Place: Equatable, Sendable {
    /// From the left.
    public var x: Int
    /// From the top.
    public var y: Int
  }

  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// 0xffRRGGBB each.
  public let pixels: [UInt32]

  init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(pixels.count == width * height, "a picture of \(width) x \(height) has another number of pixels")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The pixel at a place, 0xffRRGGBB.
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

  /// The part of it that begins at a place.
  public func cropped(x: Int, y: Int, width: Int, height: Int) -> Picture {
    Picture(
      width: width, height: height,
      pixels: (y..<y + height).flatMap { row in pixels[row * self.width + x..<row * self.width + x + width] })
  }

  /// What differs from another picture; a channel may be apart by `tolerance`. Nil if the sizes differ.
  public func difference(from other: Picture, tolerance: Int = 0) -> Difference? {
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
