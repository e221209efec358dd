// Owns the arithmetic of pixels: scaling by a byte and laying one pixel over another.
// Must not know shapes or memory.

/// Pixels are 0xAARRGGBB, colours premultiplied by alpha.
nonisolated enum Blend {
  /// Every part of `pixel` times `factor` / 255, rounded.
  @inline(__always) static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
    let low = (pixel & 0x00ff_00ff) &* factor &+ 0x0080_0080
    let high = ((pixel >> 8) & 0x00ff_00ff) &* factor &+ 0x0080_0080
    let lowDone = ((low &+ ((low >> 8) & 0x00ff_00ff)) >> 8) & 0x00ff_00ff
    let highDone = (high &+ ((high >> 8) & 0x00ff_00ff)) & 0xff00_ff00
    return lowDone | highDone
  }

  /// `source` laid over `under`.
  @inline(__always) static func over(_ source: UInt32, _ under: UInt32) -> UInt32 {
    source &+ scaled(under, by: 255 &- (source >> 24))
  }

  /// `a` times `b` / 255, rounded; both 0...255.
  @inline(__always) static func product(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let value = a &* b &+ 128
    return (value &+ (value >> 8)) >> 8
  }

  /// A colour as a pixel.
  static func pixel(_ color: Color, alpha: Double = 1) -> UInt32 {
    let opacity = Color.clamped(color.alpha) * Color.clamped(alpha)
    func byte(_ value: Double) -> UInt32 { UInt32(value * 255 + 0.5) }
    return byte(opacity) << 24 | byte(Color.clamped(color.red) * opacity) << 16
      | byte(Color.clamped(color.green) * opacity) << 8 | byte(Color.clamped(color.blue) * opacity)
  }
}
