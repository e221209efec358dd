// Owns writing spans of paint into pixels.
// Must not know shapes, views or transforms.

/// Where spans get their colour.
nonisolated enum Paint {
  /// One pixel value everywhere.
  case solid(UInt32)
  /// A colour by place.
  case gradient(GradientTable)
}

/// Memory being drawn into, for the time of one drawing.
nonisolated struct Surface {
  /// The pixels that the memory holds, in the coordinates of everything drawn.
  let rect: PixelRect
  /// Pixels from one row to the next.
  private let pitch: Int
  private let pixels: UnsafeMutablePointer<UInt32>

  /// Memory whose first pixel is (`x`, `y`); nil where rows do not lie on whole pixels.
  init?(_ buffer: PixelBuffer, x: Int = 0, y: Int = 0) {
    guard !buffer.size.isEmpty, buffer.stride % 4 == 0, let base = buffer.bytes.baseAddress else { return nil }
    rect = PixelRect(x: x, y: y, width: buffer.size.width, height: buffer.size.height)
    pitch = buffer.stride / 4
    pixels = base.assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always) private func row(x: Int, y: Int) -> UnsafeMutablePointer<UInt32> {
    pixels + ((y - rect.y) * pitch + x - rect.x)
  }

  /// Lays `paint` over `length` pixels from (`x`, `y`) with `coverage` 1...255; all must lie inside.
  @inline(__always) func fill(x: Int, y: Int, length: Int, coverage: UInt32, paint: Paint) {
    let row = row(x: x, y: y)
    switch paint {
    case .solid(let color):
      let source = coverage == 255 ? color : Blend.scaled(color, by: coverage)
      if source >> 24 == 255 {
        for index in 0..<length { row[index] = source }
      } else if source != 0 {
        for index in 0..<length { row[index] = Blend.over(source, row[index]) }
      }
    case .gradient(let table):
      if table.isConstantInRow && length >= 16 {
        // The dither repeats every 8 pixels.
        var cycle = SIMD8<UInt32>()
        for index in 0..<8 {
          let color = table.pixel(x: x + index, y: y)
          cycle[index] = coverage == 255 ? color : Blend.scaled(color, by: coverage)
        }
        for index in 0..<length { Self.put(cycle[index & 7], row + index) }
      } else {
        for index in 0..<length {
          let color = table.pixel(x: x + index, y: y)
          Self.put(coverage == 255 ? color : Blend.scaled(color, by: coverage), row + index)
        }
      }
    }
  }

  @inline(__always) private static func put(_ source: UInt32, _ pixel: UnsafeMutablePointer<UInt32>) {
    pixel.pointee = source >> 24 == 255 ? source : Blend.over(source, pixel.pointee)
  }

  /// The same with a mask's share for every pixel.
  func fill(x: Int, y: Int, length: Int, coverage: UInt32, paint: Paint, mask: Mask) {
    for index in x..<(x + length) {
      let share = Blend.product(coverage, UInt32(mask[index, y]))
      if share > 0 { fill(x: index, y: y, length: 1, coverage: share, paint: paint) }
    }
  }

  /// Lays `color` over `length` pixels from (`x`, `y`), each by its share in `shares`, and in `mask` if there is one.
  func fill(_ shares: UnsafePointer<UInt8>, x: Int, y: Int, length: Int, color: UInt32, mask: Mask?) {
    let row = row(x: x, y: y)
    for index in 0..<length where shares[index] != 0 {
      var share = UInt32(shares[index])
      if let mask { share = Blend.product(share, UInt32(mask[x + index, y])) }
      row[index] = Blend.over(Blend.scaled(color, by: share), row[index])
    }
  }

  /// Lays `length` pixels from `source` over the row from (`x`, `y`), weakened by `alpha` 0...255.
  @inline(__always) func copy(
    _ source: UnsafePointer<UInt32>, x: Int, y: Int, length: Int, alpha: UInt32, isOpaque: Bool
  ) {
    let row = row(x: x, y: y)
    if alpha == 255 {
      if isOpaque { return row.update(from: source, count: length) }
      for index in 0..<length {
        let pixel = source[index]
        // Most of a picture with a clear ground is clear.
        if pixel != 0 { row[index] = Blend.over(pixel, row[index]) }
      }
    } else {
      for index in 0..<length { row[index] = Blend.over(Blend.scaled(source[index], by: alpha), row[index]) }
    }
  }

  /// Makes `length` pixels from (`x`, `y`) transparent.
  func clear(x: Int, y: Int, length: Int) {
    row(x: x, y: y).update(repeating: 0, count: length)
  }
}
