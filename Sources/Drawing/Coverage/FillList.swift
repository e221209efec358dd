import UICore

/// A drawing that consists only of fills and plain texts, cached as their coverage and colours in place of pixels.
///
/// A newer drawing is compared with the previous one, fill by fill in order. A fill of the same outline keeps its coverage, so
/// only new fills are rasterised, and only pixels with a different coverage or colour count as changed.
final class FillList {
  /// False once anything else was drawn: then pixels must be cached.
  private(set) var isPlain = true
  private var size = PixelSize.zero
  /// The fills, followed by unused ones that are kept for their storage.
  private var fills: [Fill] = []
  private var count = 0
  /// The fills of the drawing before.
  private var old: [Fill] = []
  private var oldCount = 0

  func begin(_ size: PixelSize) {
    swap(&fills, &old)
    oldCount = isPlain && size == self.size ? count : 0
    self.size = size
    isPlain = true
    count = 0
  }

  /// Records that something was drawn that is neither a fill nor a text.
  func refuse() { isPlain = false }

  /// Adds a fill of `path`, mapped by `transform` to the image's pixels.
  func add(_ path: Path, _ transform: Transform, _ color: Color, _ rule: FillRule) {
    guard isPlain else { return }
    let fill = outline(path, transform, rule)
    unsafe fill.colors[0] = color.pixel
    fill.hasRows = false
  }

  /// Adds a fill of `path`, mapped by `transform` to the image's pixels, with a gradient whose colours differ from row to row
  /// and not from column to column, weakened by `alpha`. Any other gradient makes `isPlain` false.
  func add(_ path: Path, _ transform: Transform, _ gradient: Gradient, alpha: Double, _ rule: FillRule) {
    guard isPlain else { return }
    guard let ramp = GradientRamp(gradient, transform, alpha: alpha) else { return refuse() }
    let fill = outline(path, transform, rule)
    let rows = fill.coverage.rows
    fill.colors.reserve(rows.count, keeping: 0)
    for row in rows { unsafe fill.colors[row - rows.lowerBound] = ramp.pixel(row) }
    fill.hasRows = true
  }

  /// Adds a text whose `mask` has its first pixel at (`x`, `y`).
  func add(_ mask: Bitmap, x: Int, y: Int, _ color: Color) {
    guard isPlain else { return }
    let fill = next()
    (fill.mask, fill.place) = (mask, mask.rect.moved(x: x, y: y))
    fill.isKept = before?.mask === mask && before?.place == fill.place
    unsafe fill.colors[0] = color.pixel
    fill.hasRows = false
  }

  private func next() -> Fill {
    if count == fills.count { fills.append(Fill()) }
    count += 1
    return fills[count - 1]
  }

  /// The previous drawing's counterpart of the fill just added.
  private var before: Fill? { count <= oldCount ? old[count - 1] : nil }

  private func outline(_ path: Path, _ transform: Transform, _ rule: FillRule) -> Fill {
    let fill = next()
    if let before, before.isOf(path, transform, rule) {
      fill.takeOutline(of: before)
    } else {
      fill.take(path, transform, rule, size, with: &Rasterizer.shared)
    }
    return fill
  }

  /// Adds the pixels that may differ from the previous drawing to `region`.
  func noteChanges(in region: inout Region) {
    for index in 0..<max(count, oldCount) {
      if index >= oldCount {
        fills[index].note(in: &region)
      } else if index >= count {
        old[index].note(in: &region)
      } else {
        fills[index].noteChanges(from: old[index], in: &region)
      }
    }
  }

  /// Composites the drawing, whose pixel (0, 0) is at (`x`, `y`), over the pixels of `rect` of `bitmap`.
  func composite(over bitmap: Bitmap, x: Int, y: Int, in rect: PixelRect) {
    for index in 0..<count {
      let fill = fills[index]
      let part = fill.place.moved(x: x, y: y).intersection(rect)
      if part.isEmpty { continue }
      if let mask = fill.mask {
        unsafe bitmap.composite(
          fill.colors.base, step: 0, through: mask, x: x + fill.place.x, y: y + fill.place.y, over: part)
      } else {
        unsafe bitmap.composite(
          fill.colors.base, step: fill.hasRows ? 1 : 0, through: fill.coverage, x: x, y: y, over: part)
      }
    }
  }
}

/// A fill of a drawing: an outline's coverage or a text's mask, and its colour.
private final class Fill {
  /// The outline of `coverage`, to recognise it.
  private var elements: [Path.Element] = []
  private var transform = Transform.identity
  private var rule = FillRule.nonZero
  private(set) var coverage = Coverage()
  /// A text's mask; nil for an outline.
  var mask: Bitmap?
  /// The pixels of the image that may be filled.
  var place = PixelRect.zero
  /// The colour, premultiplied, or one for each row of the coverage.
  var colors = Scratch<UInt32>(1)
  var hasRows = false
  /// True if the fill at the same index covered the same pixels in the previous drawing.
  var isKept = false

  /// True for the outline of `path`, mapped and filled in the same way.
  func isOf(_ path: Path, _ transform: Transform, _ rule: FillRule) -> Bool {
    mask == nil && rule == self.rule && transform == self.transform && path.elements == elements
  }

  /// Becomes the fill of an outline.
  func take(_ path: Path, _ transform: Transform, _ rule: FillRule, _ size: PixelSize, with raster: inout Rasterizer) {
    elements.replaceSubrange(0..., with: path.elements)
    (self.transform, self.rule) = (transform, rule)
    coverage.fill(path, transform, rule: rule, size: size, with: &raster)
    (mask, place, isKept) = (nil, coverage.bounds, false)
  }

  /// Takes over the outline of `other`, which gets this one's storage.
  func takeOutline(of other: Fill) {
    swap(&elements, &other.elements)
    swap(&coverage, &other.coverage)
    (transform, rule) = (other.transform, other.rule)
    (mask, place, isKept) = (nil, other.place, true)
  }

  func note(in region: inout Region) {
    if mask == nil { coverage.note(in: &region) } else { region.join(place) }
  }

  func noteChanges(from old: Fill, in region: inout Region) {
    if isKept {
      if !hasColors(of: old) { note(in: &region) }
    } else if mask == nil, old.mask == nil, !hasRows, hasColors(of: old) {
      coverage.note(in: &region, except: old.coverage)
    } else {
      note(in: &region)
      old.note(in: &region)
    }
  }

  private func hasColors(of old: Fill) -> Bool {
    hasRows == old.hasRows
      && (0..<(hasRows ? coverage.rows.count : 1)).allSatisfy { unsafe colors[$0] == old.colors[$0] }
  }
}
