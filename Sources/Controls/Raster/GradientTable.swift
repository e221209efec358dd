// Owns a gradient made ready for pixels: a table of colours and the map from pixels to places in it.
// Must not know shapes or memory.

/// Colours of a gradient, 16 bits a part, with the dither that keeps dark gradients free of visible steps.
///
/// The colour of a pixel depends on the pixel alone, never on where a run began, so that a repaired part equals the whole.
nonisolated struct GradientTable {
  private static let count = 1024
  /// An 8 x 8 ordered dither: each of 0...63 once, neighbours far apart.
  private static let dither: [UInt16] = (0..<64).map { index in
    let (x, y) = (index & 7, index >> 3)
    var value = 0
    for bit in 0..<3 {
      let (xb, yb) = ((x >> bit) & 1, (y >> bit) & 1)
      value |= ((xb ^ yb) << 1 | yb) << (2 * (2 - bit))
    }
    return UInt16(value)
  }

  /// Where the offset comes from.
  private enum Kind {
    case linear
    case radial
  }

  private var kind = Kind.linear
  /// Linear: offset = x * a + y * b + c. Radial: (x, y) mapped back to the gradient's own plane.
  private var a = 0.0
  private var b = 0.0
  private var c = 0.0
  private var back = Transform.identity
  private var table: [SIMD4<UInt16>]
  /// True when the colour depends on the row alone (and the dither).
  private(set) var isConstantInRow = false

  /// What a table of colours was made from.
  private struct Key: Hashable {
    var stops: [Gradient.Stop]
    var alpha: Double
  }

  /// Tables made lately: the same few gradients are drawn in every frame.
  @MainActor private static var made: [Key: [SIMD4<UInt16>]] = [:]

  /// `toPixels` maps the gradient's coordinates to pixels; `alpha` (0...1) weakens every colour.
  @MainActor init(_ gradient: Gradient, toPixels: Transform, alpha: Double) {
    table = Self.colors(Key(stops: gradient.stops, alpha: Color.clamped(alpha)), gradient)
    let inverse = toPixels.inverse ?? .identity
    let last = Double(Self.count - 1)
    switch gradient.shape {
    case .linear(let start, let end):
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let length = dx * dx + dy * dy
      guard length > 1e-12, length.isFinite else { return }
      // The pixel's centre goes back to the gradient's plane, then onto its line.
      a = (inverse.a * dx + inverse.b * dy) / length * last
      b = (inverse.c * dx + inverse.d * dy) / length * last
      c = ((inverse.tx - start.x) * dx + (inverse.ty - start.y) * dy) / length * last + (a + b) / 2
      isConstantInRow = a == 0
    case .radial(let center, let inner, let outer):
      kind = .radial
      let span = outer - inner
      a = abs(span) > 1e-9 ? last / span : 0
      b = -inner * a
      back = inverse.then(.translation(x: -center.x, y: -center.y))
      back.tx += (inverse.a + inverse.c) / 2
      back.ty += (inverse.b + inverse.d) / 2
    }
  }

  @MainActor private static func colors(_ key: Key, _ gradient: Gradient) -> [SIMD4<UInt16>] {
    if let table = made[key] { return table }
    let table = (0..<count).map { index in
      let color = gradient.premultiplied(at: Double(index) / Double(count - 1)) * (key.alpha * 255 * 64)
      return SIMD4<UInt16>(
        UInt16(color.x + 0.5), UInt16(color.y + 0.5), UInt16(color.z + 0.5), UInt16(color.w + 0.5))
    }
    if made.count >= 32 { made.removeAll() }
    made[key] = table
    return table
  }

  /// The gradient's pixel at (`x`, `y`).
  @inline(__always) func pixel(x: Int, y: Int) -> UInt32 {
    let offset: Double
    switch kind {
    case .linear: offset = Double(x) * a + Double(y) * b + c
    case .radial:
      let dx = Double(x) * back.a + Double(y) * back.c + back.tx
      let dy = Double(x) * back.b + Double(y) * back.d + back.ty
      offset = (dx * dx + dy * dy).squareRoot() * a + b
    }
    let clamped = offset > 0 ? min(offset, Double(Self.count - 1)) : 0
    let color = table[Int(clamped + 0.5)]
    // Every part gets the same threshold, so that none exceeds its alpha.
    let rounded = (color &+ SIMD4(repeating: Self.dither[(y & 7) << 3 | (x & 7)])) &>> 6
    return UInt32(rounded.w) << 24 | UInt32(rounded.z) << 16 | UInt32(rounded.y) << 8 | UInt32(rounded.x)
  }
}
