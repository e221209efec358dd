import UICore

/// A drawing of nothing but plain fills, kept as the coverage of its outlines in place of pixels.
final class FillList {
  private struct Fill {
    let coverage = Coverage()
    var pixel: UInt32 = 0
  }

  /// False once something else was drawn: then pixels must be kept.
  private(set) var isPlain = true
  /// The pixels that are filled.
  private(set) var ink = Region()
  private var size = PixelSize.zero
  /// The fills, and after them old ones, kept for their storage.
  private var fills: [Fill] = []
  private var count = 0
  private static let rasterizer = Rasterizer()

  /// Forgets everything, and takes a size.
  func begin(_ size: PixelSize) {
    self.size = size
    isPlain = true
    count = 0
    ink.removeAll()
  }

  /// Notes that something was drawn that is no plain fill.
  func refuse() { isPlain = false }

  /// Adds a fill of `path`, mapped by `transform` to the picture's pixels.
  func add(_ path: Path, _ transform: Transform, _ color: Color, _ rule: FillRule) {
    guard isPlain else { return }
    if count == fills.count { fills.append(Fill()) }
    fills[count].pixel = color.pixel
    fills[count].coverage.fill(path, transform, rule: rule, size: size, with: Self.rasterizer)
    fills[count].coverage.note(in: &ink)
    count += 1
  }

  /// Composites the drawing, whose pixel (0, 0) lies at (`x`, `y`), over the pixels of `rect` of `bitmap`.
  func composite(over bitmap: Bitmap, x: Int, y: Int, in rect: PixelRect) {
    for index in 0..<count {
      bitmap.composite(fills[index].pixel, through: fills[index].coverage, x: x, y: y, over: rect)
    }
  }
}
