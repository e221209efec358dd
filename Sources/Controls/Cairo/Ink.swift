// Owns a rough account of which pixels were drawn on.
// Must not know shapes, colours or memory.

/// Which pixels of a picture may be other than clear: for every band of rows a few runs of columns that do not overlap.
///
/// It says at most too much, never too little. Adding to it costs the same however much was added before, so that three
/// thin spokes in a large square are three thin rows of boxes, found in a few microseconds.
nonisolated struct Ink {
  /// Rows of a band.
  static let bandHeight = 16
  /// Runs that a band holds apart; more are joined with their neighbours.
  private static let slots = 6
  /// Runs with fewer columns between them are one.
  private static let gap = 8

  private struct Run {
    var start: Int32
    var end: Int32
  }

  private(set) var size = PixelSize.zero
  private var runs: [Run] = []
  private var counts: [UInt8] = []
  /// The bands of `size`; the lists may have room for more.
  private var bandCount = 0
  /// The bands that hold anything.
  private var bands = 0..<0

  var isEmpty: Bool { bands.isEmpty }

  /// Forgets everything; from now on pixels of a picture of `size` are noted.
  mutating func reset(_ size: PixelSize) {
    for band in bands { counts[band] = 0 }
    bands = 0..<0
    guard size != self.size else { return }
    self.size = size
    bandCount = (size.height + Self.bandHeight - 1) / Self.bandHeight
    guard bandCount > counts.count else { return }
    counts = Array(repeating: 0, count: bandCount)
    runs = Array(repeating: Run(start: 0, end: 0), count: bandCount * Self.slots)
  }

  /// Makes it the same as `other`, keeping its own storage.
  mutating func replace(by other: Ink) {
    reset(other.size)
    for band in other.bands {
      counts[band] = other.counts[band]
      let first = band * Self.slots
      for index in first..<(first + Int(counts[band])) { runs[index] = other.runs[index] }
    }
    bands = other.bands
  }

  /// Notes the pixels of `rect`.
  mutating func add(_ rect: PixelRect) {
    let inside = rect.intersection(PixelRect(size))
    guard !inside.isEmpty else { return }
    for band in (inside.y / Self.bandHeight)...((inside.maxY - 1) / Self.bandHeight) {
      add(band: band, from: inside.x, to: inside.maxX)
    }
  }

  /// Notes what `other` holds; it must be of the same size.
  mutating func add(_ other: Ink) {
    for band in other.bands {
      let first = band * Self.slots
      for run in other.runs[first..<(first + Int(other.counts[band]))] {
        add(band: band, from: Int(run.start), to: Int(run.end))
      }
    }
  }

  /// Notes the columns `start` up to, not including, `end` of a band; both must lie inside.
  mutating func add(band: Int, from start: Int, to end: Int) {
    guard start < end, band < bandCount else { return }
    bands = bands.isEmpty ? band..<(band + 1) : min(bands.lowerBound, band)..<max(bands.upperBound, band + 1)
    var new = Run(start: Int32(start), end: Int32(end))
    let gap = Int32(Self.gap)
    let first = band * Self.slots
    var kept = first
    for index in first..<(first + Int(counts[band])) {
      let run = runs[index]
      if run.start > new.end + gap || run.end < new.start - gap {
        runs[kept] = run
        kept += 1
      } else {
        new = Run(start: min(run.start, new.start), end: max(run.end, new.end))
      }
    }
    if kept == first + Self.slots {
      // Full: the nearest run takes it in. Nothing lies between the two.
      func distance(_ run: Run) -> Int32 { max(run.start - new.end, new.start - run.end) }
      var nearest = first
      for index in (first + 1)..<kept where distance(runs[index]) < distance(runs[nearest]) { nearest = index }
      new = Run(start: min(runs[nearest].start, new.start), end: max(runs[nearest].end, new.end))
      kept -= 1
      runs[nearest] = runs[kept]
    }
    runs[kept] = new
    counts[band] = UInt8(kept + 1 - first)
  }

  /// Calls `body` with rectangles that do not overlap: all that was noted inside `rect`.
  func forEach(in rect: PixelRect, _ body: (PixelRect) -> Void) {
    let inside = rect.intersection(PixelRect(size))
    guard !inside.isEmpty, !bands.isEmpty else { return }
    let top = max(inside.y / Self.bandHeight, bands.lowerBound)
    let bottom = min((inside.maxY - 1) / Self.bandHeight + 1, bands.upperBound)
    guard top < bottom else { return }
    for band in top..<bottom where counts[band] > 0 {
      let first = band * Self.slots
      let y = max(band * Self.bandHeight, inside.y)
      let height = min((band + 1) * Self.bandHeight, inside.maxY) - y
      for index in first..<(first + Int(counts[band])) {
        let x = max(Int(runs[index].start), inside.x)
        let end = min(Int(runs[index].end), inside.maxX)
        if x < end { body(PixelRect(x: x, y: y, width: end - x, height: height)) }
      }
    }
  }
}
