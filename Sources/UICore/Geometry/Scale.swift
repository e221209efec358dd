/// Buffer pixels per logical point, in 120ths as wp_fractional_scale_v1 sends it: 120 is 1, 180 is 1.5.
public struct Scale: Hashable, Comparable, Sendable {
  /// The factor times 120; from 1 to 12,000 (a hundredfold).
  public let in120ths: Int

  /// Clamps values to 1...12,000, so that no compositor can cause a buffer without pixels or an absurdly large one.
  public init(in120ths value: Int) {
    in120ths = min(max(value, 1), 12_000)
  }

  /// The nearest scale to `factor`; NaN gives 1.
  public init(_ factor: Double) {
    let scaled = (factor * 120).rounded()
    self.init(in120ths: scaled.isNaN ? 120 : Int(min(max(scaled, 1), 12_000)))
  }

  /// One pixel per point.
  public static let one = Scale(in120ths: 120)

  /// Pixels per point.
  public var factor: Double { Double(in120ths) / 120 }

  /// The scale rounded up to a whole number of pixels per point, for compositors with integer scales only.
  public var ceiling: Int { (in120ths + 119) / 120 }

  /// True if `a` has fewer pixels per point than `b`.
  public static func < (a: Scale, b: Scale) -> Bool { a.in120ths < b.in120ths }

  /// `length` whole logical points in pixels, rounded half away from zero (fractional-scale-v1, wp_fractional_scale_v1).
  public func pixels(_ length: Int) -> Int {
    let product = length * in120ths
    return product >= 0 ? (product + 60) / 120 : -((-product + 60) / 120)
  }

  /// The buffer size of a surface of `size` points: at least 1 x 1.
  public func pixelSize(_ size: Size) -> PixelSize {
    // The largest side of a buffer, as in `pixelRect(covering:)`.
    func length(_ points: Double) -> Int { max(1, pixels(min(Int(clamping: points.rounded()), 1_000_000))) }
    return PixelSize(width: length(size.width), height: length(size.height))
  }

  /// The smallest whole-pixel rectangle that covers `rect`; a pixel that `rect` overlaps by less than 1/1000 is omitted.
  public func pixelRect(covering rect: Rect) -> PixelRect {
    guard !rect.isEmpty, rect.isFinite else { return .zero }
    let limit = 1e6
    func clamped(_ value: Double) -> Int { Int(min(max(value, -limit), limit)) }
    let slack = 1e-3
    let x0 = clamped((rect.minX * factor + slack).rounded(.down))
    let y0 = clamped((rect.minY * factor + slack).rounded(.down))
    let x1 = clamped((rect.maxX * factor - slack).rounded(.up))
    let y1 = clamped((rect.maxY * factor - slack).rounded(.up))
    return PixelRect(left: x0, top: y0, right: x1, bottom: y1)
  }
}
