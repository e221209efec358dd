import ScreenshotTesting
import UICore

/// Many images of a scene on one, for little room: an image shows only the blocks in which it differs from an earlier image of the sheet.
///
/// So a sheet of a dozen losses is hardly larger than one of them. A block has 16 pixels a side, and counts as different where a pixel
/// differs by more than the tolerance of the comparison twice, so that another version of the font renderer gives the same blocks.
nonisolated public struct SceneSheet {
  private static let block = 16
  private static let ground: UInt32 = 0xff80_8080
  private static let gap = 4

  /// The width of the sheet in pixels.
  private let width: Int
  /// The next image's place, and the height of the row that it lies in.
  private var (x, y, rowHeight) = (0, 0, 0)
  private var tiles: [(image: Snapshot, x: Int, y: Int)] = []

  /// An empty sheet of `width` pixels.
  public init(width: Int) { self.width = width }

  /// Adds the part `area` of `image` beside the last one, or in the next row where there is no room; with `base`, which has the same
  /// size, only the blocks that differ from it.
  public mutating func add(_ image: Snapshot, over base: Snapshot? = nil, area: PixelRect? = nil) {
    let area = area ?? PixelRect(image.size)
    if x > 0, x + area.width > width { nextRow() }
    var part = Snapshot(size: PixelSize(width: area.width, height: area.height))
    for top in stride(from: 0, to: area.height, by: Self.block) {
      for left in stride(from: 0, to: area.width, by: Self.block) {
        let (bottom, right) = (min(top + Self.block, area.height), min(left + Self.block, area.width))
        let isShown =
          base.map { Self.differs(image, $0, area.x + left..<area.x + right, area.y + top..<area.y + bottom) } ?? true
        for row in top..<bottom {
          let (target, source) = (row * area.width, (area.y + row) * image.size.width + area.x)
          for column in left..<right {
            part.pixels[target + column] = isShown ? image.pixels[source + column] : Self.ground
          }
        }
      }
    }
    tiles.append((part, x, y))
    x += area.width + Self.gap
    rowHeight = max(rowHeight, area.height)
  }

  /// Begins a row.
  public mutating func nextRow() {
    guard rowHeight > 0 else { return }
    (x, y, rowHeight) = (0, y + rowHeight + Self.gap, 0)
  }

  /// The sheet as one image.
  public var image: Snapshot {
    var image = Snapshot(size: PixelSize(width: width, height: y + rowHeight))
    for index in image.pixels.indices { image.pixels[index] = Self.ground }
    for tile in tiles {
      for row in 0..<tile.image.size.height {
        let (target, source) = ((tile.y + row) * width + tile.x, row * tile.image.size.width)
        image.pixels.replaceSubrange(
          target..<target + tile.image.size.width, with: tile.image.pixels[source..<source + tile.image.size.width])
      }
    }
    return image
  }

  /// True when a pixel of the block differs by more than 4 levels of any colour.
  private static func differs(_ a: Snapshot, _ b: Snapshot, _ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
    for row in rows {
      let start = row * a.size.width
      for index in start + columns.lowerBound..<start + columns.upperBound where a.pixels[index] != b.pixels[index] {
        let (one, other) = (a.pixels[index], b.pixels[index])
        for shift in [UInt32(0), 8, 16] {
          if abs(Int32(one >> shift & 255) - Int32(other >> shift & 255)) > 4 { return true }
        }
      }
    }
    return false
  }
}
