/// A type whose values can be gone between.
nonisolated public protocol Animatable {
  /// The value `fraction` of the way to `other`: 0 is this one, 1 the other; a spring may ask beyond both.
  func mixed(with other: Self, _ fraction: Double) -> Self
}

nonisolated extension Double: Animatable {
  /// The number `fraction` of the way to `other`.
  public func mixed(with other: Double, _ fraction: Double) -> Double { self + (other - self) * fraction }
}

nonisolated extension Point: Animatable {
  /// The point `fraction` of the way to `other`.
  public func mixed(with other: Point, _ fraction: Double) -> Point {
    Point(x: x.mixed(with: other.x, fraction), y: y.mixed(with: other.y, fraction))
  }
}

nonisolated extension Size: Animatable {
  /// The size `fraction` of the way to `other`.
  public func mixed(with other: Size, _ fraction: Double) -> Size {
    Size(width: width.mixed(with: other.width, fraction), height: height.mixed(with: other.height, fraction))
  }
}

nonisolated extension Rect: Animatable {
  /// The rectangle `fraction` of the way to `other`.
  public func mixed(with other: Rect, _ fraction: Double) -> Rect {
    Rect(origin: origin.mixed(with: other.origin, fraction), size: size.mixed(with: other.size, fraction))
  }
}

nonisolated extension EdgeInsets: Animatable {
  /// The insets `fraction` of the way to `other`.
  public func mixed(with other: EdgeInsets, _ fraction: Double) -> EdgeInsets {
    EdgeInsets(
      top: top.mixed(with: other.top, fraction), left: left.mixed(with: other.left, fraction),
      bottom: bottom.mixed(with: other.bottom, fraction), right: right.mixed(with: other.right, fraction))
  }
}

nonisolated extension Color: Animatable {}

nonisolated extension ClosedRange: Animatable where Bound == Double {
  /// The range `fraction` of the way to `other`; bounds that a spring crosses meet in the middle.
  public func mixed(with other: ClosedRange<Double>, _ fraction: Double) -> ClosedRange<Double> {
    let lower = lowerBound.mixed(with: other.lowerBound, fraction)
    let upper = upperBound.mixed(with: other.upperBound, fraction)
    return lower <= upper ? lower...upper : (lower + upper) / 2...(lower + upper) / 2
  }
}

nonisolated extension Optional: Animatable where Wrapped: Animatable {
  /// Between two values, the one `fraction` of the way; there is no way between a value and none: it becomes `other` at
  /// once.
  public func mixed(with other: Wrapped?, _ fraction: Double) -> Wrapped? {
    guard fraction > 0, let self, let other else { return fraction > 0 ? other : self }
    return self.mixed(with: other, fraction)
  }
}
