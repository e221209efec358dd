/// Per band of rows, the column range that a subpath touches, until it is recorded as ink.
nonisolated struct OutlineTrace {
  /// The rows of a band in small images; in images of more than 1024 rows bands are higher, so that there are never more than
  /// some dozens.
  static func bandHeight(_ size: PixelSize) -> Int { 16 * ((max(size.height, 1) + 1023) / 1024) }

  private var rows = 16
  private var low: [Double] = []
  private var high: [Double] = []
  private var bands = 0..<0
  private var count = 0

  /// Begins a trace in an image of `size`.
  mutating func begin(_ size: PixelSize) {
    rows = Self.bandHeight(size)
    let needed = (size.height + rows - 1) / rows
    if low.count < needed {
      low = Array(repeating: .infinity, count: needed)
      high = Array(repeating: -.infinity, count: needed)
      bands = 0..<0
    }
    count = needed
    forget()
  }

  /// Drops the trace.
  mutating func forget() {
    for band in bands {
      low[band] = .infinity
      high[band] = -.infinity
    }
    bands = 0..<0
  }

  /// Traces everything within `reach` of the line from `a` to `b`; all numbers must be finite.
  mutating func line(_ a: Point, _ b: Point, reach: Double) {
    let height = Double(rows)
    let (top, bottom) = (min(a.y, b.y), max(a.y, b.y))
    let first = max(((top - reach) / height).rounded(.down), 0)
    let last = min(((bottom + reach) / height).rounded(.down), Double(count - 1))
    guard first <= last else { return }
    let slope = bottom > top ? (b.x - a.x) / (b.y - a.y) : 0
    let isFlat = bottom - top < height
    for band in Int(first)...Int(last) {
      var (x0, x1) = (a.x, b.x)
      if !isFlat {
        // The part of the line near this band.
        let from = min(max(Double(band) * height - reach, top), bottom)
        let to = min(max(Double(band + 1) * height + reach, top), bottom)
        x0 = a.x + (from - a.y) * slope
        x1 = a.x + (to - a.y) * slope
      }
      low[band] = min(low[band], min(x0, x1) - reach)
      high[band] = max(high[band], max(x0, x1) + reach)
    }
    let new = Int(first)..<(Int(last) + 1)
    bands =
      bands.isEmpty
      ? new : min(bands.lowerBound, new.lowerBound)..<max(bands.upperBound, new.upperBound)
  }

  /// Traces a cubic curve: the hull of its points surrounds it.
  mutating func curve(_ a: Point, _ b: Point, _ c: Point, _ d: Point, reach: Double) {
    line(a, b, reach: reach)
    line(b, c, reach: reach)
    line(c, d, reach: reach)
    line(a, d, reach: reach)
    line(a, c, reach: reach)
    line(b, d, reach: reach)
  }

  /// Adds the trace to `ink`, as far as it lies in `clip`, and clears it.
  mutating func flush(into ink: inout Region, clip: PixelRect) {
    guard !clip.isEmpty else { return forget() }
    // Neighbouring bands of the same extent become one rectangle, because joining costs time for each rectangle.
    var tall = PixelRect.zero
    for band in bands {
      let (top, bottom) = (max(band * rows, clip.y), min((band + 1) * rows, clip.maxY))
      if top < bottom, low[band] <= high[band] {
        let start = Int(max(low[band].rounded(.down), Double(clip.x)))
        let end = Int(min(high[band].rounded(.up), Double(clip.maxX)))
        if start < end {
          let new = PixelRect(x: start, y: top, width: end - start, height: bottom - top)
          let both = tall.union(new)
          if both.area - tall.area - new.area <= Region.rectangleCost {
            tall = both
          } else {
            ink.join(tall)
            tall = new
          }
        }
      }
      low[band] = .infinity
      high[band] = -.infinity
    }
    ink.join(tall)
    bands = 0..<0
  }
}
