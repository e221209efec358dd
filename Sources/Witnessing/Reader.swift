import Glyphs

/// Reads cells of pictures: which text is there, whether it can be read, and whether its lamp is lit.
///
/// A text is recognised by its shape. The pixels of a cell are explained, by least squares, as a background plus a colour times the coverage of
/// a text; what stays unexplained, as a part of what is explained, is small only for the text that is really there. So neither colours nor
/// themes have to be known, only that the text differs from its background.
public struct Reader {
  /// The least contrast of a text to its background (WCAG) that counts as readable.
  public static let leastContrast = 3.0
  /// The greatest unexplained part of a text that is there. The edges of a text that is drawn right differ by a quarter of that
  /// at most; the most similar other text, 108 for 103, by three times as much.
  static let mostResidual = 0.006
  /// The least contrast of a lit lamp to what is around it.
  static let litContrast = 1.5
  /// The same of an unlit lamp's outline from its inside, at least, and of a lit one's edge, at most.
  static let (outlineContrast, noOutlineContrast) = (1.5, 1.25)
  /// The number of pixels of a cell that are looked at; of larger cells every second, third, ... row, in each frame others.
  private static let mostPixels = 6000

  private struct Key: Hashable {
    let text: String
    let size: Double
    let weight: Int
    let x, y: Double
    let area: PixelArea
  }
  /// The coverages of a text, and the turn in which they were last needed.
  private struct Expectation {
    let coverages: [Coverage]
    var turn: Int
    var bytes: Int { coverages.reduce(0) { $0 + $1.values.count } }
  }
  private var expectations: [Key: Expectation] = [:]
  private var turn = 0
  /// The memory for coverages; those of the last turns are kept in any case.
  static let mostBytes = 256 << 10
  private static let keptTurns = 64
  /// The memory that coverages take.
  var keptBytes: Int { expectations.values.reduce(0) { $0 + $1.bytes } }

  /// A reader that has read nothing yet.
  public init() {}

  /// Reads `cell` in `pixels`, which hold a picture of `shape`: 32 bits each, blue in the lowest eight, then green and red.
  public mutating func read(_ cell: Cell, in pixels: borrowing Span<UInt32>, _ shape: FrameShape) -> Reading {
    turn &+= 1
    guard shape.fits(pixels.count), Self.isInside(cell.area, shape), cell.size.isFinite, cell.size >= 6,
      cell.size <= 4000
    else { return .unreadable }
    var best = Fit()
    for coverage in coverage(of: cell.text, in: cell) {
      let fit = Fit(coverage, in: pixels, shape, every: step(cell.area), from: turn)
      if fit.residual < best.residual { best = fit }
    }
    guard best.residual <= Self.mostResidual else {
      let seen = cell.others.first { other in
        coverage(of: other, in: cell).contains {
          Fit($0, in: pixels, shape, every: 1, from: 0).residual <= Self.mostResidual
        }
      }
      return seen != nil || best.isVisible ? .other(seen) : .unreadable
    }
    guard best.contrast >= Self.leastContrast else { return .unreadable }
    guard cell.lamp.width > 0 else { return .right }
    guard let isLit = isLit(cell.lamp, inside: best.background, in: pixels, shape) else { return .unreadable }
    return isLit == cell.isLit ? .right : .otherLight
  }

  /// How much of `text` stays unexplained in the pixels of `cell`; for tests of the limit.
  mutating func residual(
    of text: String, in cell: Cell, _ pixels: borrowing Span<UInt32>, _ shape: FrameShape
  ) -> Double {
    var least = Double.infinity
    for coverage in coverage(of: text, in: cell) {
      least = min(least, Fit(coverage, in: pixels, shape, every: 1, from: 0).residual)
    }
    return least
  }

  private func step(_ area: PixelArea) -> Int { area.width * area.height / Self.mostPixels + 1 }

  private static func isInside(_ area: PixelArea, _ shape: FrameShape) -> Bool {
    area.x >= 0 && area.y >= 0 && area.width >= 8 && area.height >= 6 && area.width <= shape.width - area.x
      && area.height <= shape.height - area.y
  }

  // MARK: Expectation

  /// The coverage of `text` in the middle of `cell`: at whole pixels vertically and quarters horizontally, as texts are drawn. At a tie both
  /// neighbours count.
  private mutating func coverage(of text: String, in cell: Cell) -> [Coverage] {
    let key = Key(text: text, size: cell.size, weight: cell.weight, x: cell.x, y: cell.y, area: cell.area)
    if let index = expectations.index(forKey: key) {
      expectations.values[index].turn = turn
      return expectations.values[index].coverages
    }
    var made: [Coverage] = []
    if let line = GlyphLine(text, weight: cell.weight), let ink = line.ink, cell.x.isFinite, cell.y.isFinite {
      let left = (cell.x - (ink.upper.x + ink.lower.x) / 2 * cell.size) * 4
      let baseline = cell.y + GlyphLine.capitalHeight / 2 * cell.size
      for y in Self.nearest(baseline) {
        for x in Self.nearest(left) {
          made.append(Coverage(line, size: cell.size, x: x / 4, y: y, in: cell.area))
        }
      }
    }
    expectations[key] = Expectation(coverages: made, turn: turn)
    // A resized window, and digits of another speed, leave the old ones behind.
    if keptBytes > Self.mostBytes {
      expectations = expectations.filter { turn - $0.value.turn < Self.keptTurns }
    }
    return made
  }

  private static func nearest(_ value: Double) -> [Double] {
    let whole = value.rounded()
    guard abs(abs(value - whole) - 0.5) < 1e-6 else { return [whole] }
    return [value.rounded(.down), value.rounded(.up)]
  }

  // MARK: Lamps

  /// Whether a lamp is lit: its inside differs from its corners, which its round ends leave free, and reaches its edge. An unlit lamp has an
  /// outline that differs from its inside, whatever is behind it. Nil if neither can be seen.
  private func isLit(
    _ lamp: PixelArea, inside: RGB, in pixels: borrowing Span<UInt32>, _ shape: FrameShape
  ) -> Bool? {
    guard Self.isInside(lamp, shape), lamp.width > lamp.height else { return nil }
    func contrast(_ x: Int, _ y: Int) -> Double {
      RGB(pixels[shape.offset + y * shape.stride + x]).contrast(to: inside)
    }
    let inset = max(lamp.height / 16, 1)
    var corners: [Double] = []
    for y in [lamp.y + inset, lamp.y + lamp.height - 1 - inset] {
      for x in [lamp.x + inset, lamp.x + lamp.width - 1 - inset] { corners.append(contrast(x, y)) }
    }
    corners.sort()
    // The straight parts of the edge.
    var edge: [Double] = []
    for y in [lamp.y, lamp.y + lamp.height - 1] {
      for part in 0..<8 {
        edge.append(contrast(lamp.x + lamp.height / 2 + (lamp.width - lamp.height) * part / 8, y))
      }
    }
    edge.sort()
    if edge[2] >= Self.outlineContrast { return false }
    return edge[13] <= Self.noOutlineContrast && corners[1] >= Self.litContrast ? true : nil
  }
}
