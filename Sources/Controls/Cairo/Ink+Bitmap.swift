// Owns finding out which pixels of a finished picture are other than clear.
// Must not know what drew them.

extension Ink {
  /// Looks at every pixel of `bitmap`: exact but for the bands' coarseness. For pictures that are drawn once and laid over
  /// others in every frame, such as a ring whose inside is clear.
  init(lookingAt bitmap: Bitmap) {
    self.init()
    reset(bitmap.size)
    let width = bitmap.size.width
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: width) { columns in
      var top = 0
      while top < bitmap.size.height {
        columns.update(repeating: 0)
        for y in top..<min(top + Ink.bandHeight, bitmap.size.height) {
          let row = (bitmap.base + y * bitmap.stride).assumingMemoryBound(to: UInt32.self)
          for x in 0..<width { columns[x] |= row[x] }
        }
        noteRuns(of: columns, band: top / Ink.bandHeight)
        top += Ink.bandHeight
      }
    }
  }

  private mutating func noteRuns(of columns: UnsafeMutableBufferPointer<UInt32>, band: Int) {
    var start: Int?
    for x in columns.indices {
      if columns[x] != 0 {
        if start == nil { start = x }
      } else if let from = start {
        add(band: band, from: from, to: x)
        start = nil
      }
    }
    if let start { add(band: band, from: start, to: columns.count) }
  }
}
