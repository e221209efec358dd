/// How an image is fitted into a view.
nonisolated public enum ContentMode: String, CaseIterable, InspectableValue {
  /// Stretched to the view's shape.
  case scaleToFill
  /// Scaled to the largest size at which all of it is visible, keeping its proportions.
  case aspectFit
  /// Scaled to the smallest size that fills the view, keeping its proportions; the excess is clipped.
  case aspectFill
  /// In its own size in the middle; the excess is clipped.
  case center

  /// The frame of content of `size` points in `bounds`; empty if either has no extent or is not finite.
  public func rect(for size: Size, in bounds: Rect) -> Rect {
    guard !size.isEmpty, size.width.isFinite, size.height.isFinite, !bounds.isEmpty, bounds.isFinite else {
      return .zero
    }
    let (x, y) = (bounds.width / size.width, bounds.height / size.height)
    let fitted: Size
    switch self {
    case .scaleToFill: fitted = bounds.size
    case .aspectFit, .aspectFill:
      // The side that fits exactly is used as it is, not as a product that may be slightly less.
      fitted =
        (self == .aspectFit ? x < y : x > y)
        ? Size(width: bounds.width, height: size.height * x) : Size(width: size.width * y, height: bounds.height)
    case .center: fitted = size
    }
    let rect = Rect(
      x: bounds.midX - fitted.width / 2, y: bounds.midY - fitted.height / 2, width: fitted.width, height: fitted.height)
    return rect.isFinite && !rect.isEmpty ? rect : .zero
  }
}
