internal import CCairo
import UICore

/// Compositing of small rectangles by our own loops, because a pixman call costs as much as a hundred pixels.
///
/// Each result depends on its source and target pixel alone, and is rounded as pixman does it, so any split into rectangles
/// gives the same bytes. Sources are premultiplied, so no sum exceeds 255.
nonisolated extension Bitmap {
  /// Composites a premultiplied colour over the pixels of `rect`, which must lie inside.
  package func composite(_ pixel: UInt32, over rect: PixelRect) {
    if pixel >> 24 == 255 { return set(pixel, in: rect) }
    check(rect)
    for y in rect.rows { unsafe row(y).composite(pixel, over: rect.x..<rect.maxX) }
  }

  /// Composites `other`, whose pixel (0, 0) is at (`x`, `y`), weakened to `fraction` 255ths, over the pixels of `rect`, which
  /// must lie inside both.
  package func composite(_ other: Bitmap, x: Int, y: Int, over rect: PixelRect, fraction: UInt32 = 255) {
    check(rect)
    other.check(rect.moved(x: -x, y: -y))
    let limit = min(size.width, x + other.size.width)
    for line in rect.rows {
      unsafe row(line).composite(other.row(line - y) - x, fraction: fraction, over: rect.x..<rect.maxX, limit: limit)
    }
  }

  /// Composites premultiplied colours through the fractions of `mask`, whose pixel (0, 0) is at (`x`, `y`), over the pixels of
  /// `rect`, which must lie inside both. The first colour is for the first row of `rect`, and each row below uses the colour
  /// `step` further on. Without a mask all of a colour is composited.
  func composite(
    _ colors: UnsafePointer<UInt32>, step: Int, through mask: Bitmap?, x: Int, y: Int, over rect: PixelRect
  ) {
    check(rect)
    mask?.check(rect.moved(x: -x, y: -y))
    for line in rect.rows {
      let color = unsafe colors[(line &- rect.y) &* step]
      guard let mask else {
        unsafe row(line).composite(color, over: rect.x..<rect.maxX)
        continue
      }
      // The columns where four of mask and pixels may be read at once.
      let limit = min(size.width, x + mask.stride)
      let levels = unsafe (mask.base + (line - y) * mask.stride).assumingMemoryBound(to: UInt8.self) - x
      var x = rect.x
      while x < rect.maxX {
        // Most of a large shape's mask is clear or covered wholly.
        let (start, level) = unsafe (x, levels[x])
        if level == 0 || level == 255 {
          x += 1
          let eight = level == 0 ? 0 : UInt64.max
          while x &+ 8 <= rect.maxX, unsafe UnsafeRawPointer(levels + x).loadUnaligned(as: UInt64.self) == eight {
            x &+= 8
          }
          while x < rect.maxX, unsafe levels[x] == level { x &+= 1 }
          if level == 255 { unsafe row(line).composite(color, over: start..<x) }
        } else {
          while x < rect.maxX, unsafe levels[x] != 0, unsafe levels[x] != 255 { x &+= 1 }
          unsafe row(line).composite(color, levels, over: start..<x, limit: limit)
        }
      }
    }
  }

  /// Composites colours through `coverage`, whose pixel (0, 0) is at (`x`, `y`), over the pixels of `rect`, which must lie
  /// inside. The first colour is for its first row, and each row below uses the colour `step` further on.
  func composite(
    _ colors: UnsafePointer<UInt32>, step: Int, through coverage: borrowing Coverage, x: Int, y: Int,
    over rect: PixelRect
  ) {
    let (first, limit) = (coverage.rows.lowerBound, size.width - x)
    unsafe forEachPart(of: coverage.spans, x: x, y: y, in: rect) { row, line, columns, levels, isShared in
      let color = unsafe colors[(line &- first) &* step]
      if isShared {
        let level = unsafe UInt32(levels[columns.lowerBound])
        unsafe row.composite(level == 255 ? color : color.times(level), over: columns)
      } else {
        unsafe row.composite(color, levels, over: columns, limit: limit)
      }
    }
  }

  /// Composites `drawing`, whose pixel (0, 0) is at (`x`, `y`), over the pixels of `rect`, which must lie inside.
  func composite(_ drawing: SpanBitmap, x: Int, y: Int, over rect: PixelRect) {
    let limit = size.width - x
    unsafe forEachPart(of: drawing.spans, x: x, y: y, in: rect) { row, _, columns, pixels, isShared in
      if isShared {
        unsafe row.composite(pixels[columns.lowerBound], over: columns)
      } else {
        unsafe row.composite(pixels, over: columns, limit: limit)
      }
    }
  }

  func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
    unsafe (base + y &* stride).assumingMemoryBound(to: UInt32.self)
  }

  /// Calls `body` with each part of `spans` inside `rect`. Its arguments are the pixels here from the spans' column 0 on, the
  /// spans' row, the part's columns, the values from column 0 on, and true if all columns share the value of the first.
  @inline(__always) private func forEachPart<Value>(
    of spans: borrowing Spans<Value>, x: Int, y: Int, in rect: PixelRect,
    _ body: (UnsafeMutablePointer<UInt32>, Int, Range<Int>, UnsafeMutablePointer<Value>, _ isShared: Bool) -> Void
  ) {
    check(rect)
    let (left, right) = (rect.x - x, rect.maxX - x)
    for line in rect.moved(x: 0, y: -y).rows.clamped(to: spans.rows) {
      let pixels = unsafe row(line &+ y) + x
      let row = unsafe spans[line]
      for index in row.indices {
        let span = unsafe row[index]
        if Int(span.end) <= left { continue }
        if Int(span.start) >= right { break }
        var x = max(Int(span.start), left)
        let (end, sharedStart, sharedEnd) = (min(Int(span.end), right), Int(span.sharedStart), Int(span.sharedEnd))
        var values = unsafe spans.values(of: span) - Int(span.start)
        func part(before limit: Int, isShared: Bool) {
          guard x < limit else { return }
          unsafe body(pixels, line, Range(uncheckedBounds: (x, min(limit, end))), values, isShared)
          x = min(limit, end)
        }
        part(before: sharedStart, isShared: false)
        if x >= end { continue }
        unsafe values += sharedStart &- x
        part(before: sharedEnd, isShared: true)
        unsafe values = unsafe spans.values(of: span) - (Int(span.start) &+ sharedEnd &- sharedStart &- 1)
        part(before: end, isShared: false)
      }
    }
  }
}

/// A row of target pixels.
nonisolated extension UnsafeMutablePointer<UInt32> {
  /// Composites `pixel` over those of `columns`.
  func composite(_ pixel: UInt32, over columns: Range<Int>) {
    var (x, end) = (columns.lowerBound, columns.upperBound)
    let rest = 255 &- pixel >> 24
    if rest == 0 { return unsafe (self + x).fill(pixel, count: end &- x) }
    let (pixels, rests) = (PixelQuad(pixel: pixel), PixelQuad(repeating: UInt16(truncatingIfNeeded: rest)))
    while x &+ 4 <= end {
      unsafe put(pixels &+ four(x).times(rests), x)
      x &+= 4
    }
    while x < end {
      unsafe self[x] = unsafe self[x].under(pixel)
      x &+= 1
    }
  }

  /// Composites the pixels of `source`, weakened to `fraction` 255ths, over those of `columns`. Left of column `limit` four of
  /// both may be read, and written back unchanged.
  @inline(__always) func composite(
    _ source: UnsafeMutablePointer<UInt32>, fraction: UInt32 = 255, over columns: Range<Int>, limit: Int
  ) {
    var (x, end) = (columns.lowerBound, columns.upperBound)
    let fractions = PixelQuad(repeating: UInt16(truncatingIfNeeded: fraction))
    while x < end {
      guard x &+ 4 <= limit else {
        unsafe self[x] = unsafe self[x].under(fraction < 255 ? source[x].times(fraction) : source[x])
        x &+= 1
        continue
      }
      var words = unsafe UnsafeRawPointer(source + x).loadUnaligned(as: SIMD2<UInt64>.self)
      if x &+ 4 > end {
        let rest = end &- x
        words &= SIMD2(rest == 1 ? 0xffff_ffff : .max, rest == 3 ? 0xffff_ffff : 0)
      }
      // Most of a drawing is clear or opaque.
      if words[0] | words[1] != 0 {
        var pixels = unsafe unsafeBitCast(words, to: PixelQuad.self)
        if fraction < 255 { pixels = pixels.times(fractions) }
        let isOpaque = fraction == 255 && words[0] & words[1] | 0xff_ffff_00ff_ffff == .max
        unsafe put(isOpaque ? pixels : four(x).under(pixels), x)
      }
      x &+= 4
    }
  }

  /// Composites `pixel` through the levels of `columns`. Left of column `limit` four levels and pixels may be read, and written as they
  /// were.
  fileprivate func composite(_ pixel: UInt32, _ levels: UnsafePointer<UInt8>, over columns: Range<Int>, limit: Int) {
    var (x, end) = (columns.lowerBound, columns.upperBound)
    let pixels = PixelQuad(pixel: pixel)
    while x < end {
      guard x &+ 4 <= limit else {
        unsafe self[x] = unsafe self[x].under(pixel.times(UInt32(levels[x])))
        x &+= 1
        continue
      }
      var bits = unsafe UnsafeRawPointer(levels + x).loadUnaligned(as: UInt32.self)
      if x &+ 4 > end { bits &= .max &>> UInt32(truncatingIfNeeded: 8 &* (x &+ 4 &- end)) }
      if bits != 0 {
        unsafe put(four(x).under(pixels.times(PixelQuad(bytes: bits))), x)
      }
      x &+= 4
    }
  }

  /// Sets `count` pixels to `pixel`; the C library knows the widest stores.
  @inline(__always) func fill(_ pixel: UInt32, count: Int) {
    unsafe cockpit_fill(self, pixel, count)
  }

  @inline(__always) private func four(_ x: Int) -> PixelQuad {
    unsafe UnsafeRawPointer(self + x).loadUnaligned(as: PixelQuad.self)
  }

  @inline(__always) private func put(_ four: PixelQuad, _ x: Int) {
    unsafe UnsafeMutableRawPointer(self + x).storeBytes(of: four, as: PixelQuad.self)
  }
}

nonisolated extension PixelRect {
  /// The rows of the rectangle; empty if it is empty.
  var rows: Range<Int> { isEmpty ? 0..<0 : y..<maxY }
}

nonisolated extension UInt32 {
  /// Each of a pixel's four components times `fraction` 255ths, rounded.
  @inline(__always) fileprivate func times(_ fraction: UInt32) -> UInt32 {
    @inline(__always) func pair(_ parts: UInt32) -> UInt32 {
      let product = parts &* fraction &+ 0x80_0080
      return ((product &+ ((product >> 8) & 0xff_00ff)) >> 8) & 0xff_00ff
    }
    return pair(self & 0xff_00ff) | pair((self >> 8) & 0xff_00ff) << 8
  }

  /// The result of compositing `source` over this pixel.
  @inline(__always) fileprivate func under(_ source: UInt32) -> UInt32 { source &+ times(255 &- source >> 24) }
}

/// PixelQuad pixels: the low bytes of its elements hold blue and red, the high ones green and alpha. (The compiler would scalarise
/// elements of 32 bits.)
private typealias PixelQuad = SIMD8<UInt16>

nonisolated extension PixelQuad {
  /// Each of four pixels' components times its fraction in 255ths, which both elements contain, rounded.
  @inline(__always) fileprivate func times(_ fractions: PixelQuad) -> PixelQuad {
    let low = (self & 0xff) &* fractions &+ 0x80
    let high = (self &>> 8) &* fractions &+ 0x80
    return (low &+ low &>> 8) &>> 8 | (high &+ high &>> 8) & 0xff00
  }

  /// The result of compositing `source` over these pixels.
  @inline(__always) fileprivate func under(_ source: PixelQuad) -> PixelQuad {
    let alpha = unsafe unsafeBitCast(source, to: SIMD4<UInt32>.self) &>> 24
    return unsafe source &+ times(unsafeBitCast((alpha | alpha &<< 16) ^ 0xff_00ff, to: PixelQuad.self))
  }

  /// PixelQuad times the same pixel.
  @inline(__always) fileprivate init(pixel: UInt32) {
    self = unsafe unsafeBitCast(SIMD4(repeating: pixel), to: PixelQuad.self)
  }

  /// The fractions in four bytes, each of them twice.
  @inline(__always) fileprivate init(bytes: UInt32) {
    let bytes = UInt64(bytes)
    let (low, high) = (bytes & 0xff | (bytes & 0xff00) &<< 24, bytes &>> 16 & 0xff | (bytes &>> 24) &<< 32)
    self = unsafe unsafeBitCast(SIMD2(low &* 0x1_0001, high &* 0x1_0001), to: PixelQuad.self)
  }
}
