/// The track of a switch, and its knob at either end.
nonisolated public struct SwitchGeometry: Hashable, Sendable {
  /// The size that suits a switch, in points; others are drawn in its proportions.
  public static let preferredSize = Size(width: 51, height: 31)

  /// The track, in the middle of the bounds and as large as its proportions allow.
  public let track: Rect
  /// Which way "on" is.
  public let direction: LayoutDirection

  /// The parts of a switch of `size`.
  public init(size: Size, direction: LayoutDirection = .leftToRight) {
    let whole = Self.preferredSize
    self.direction = direction
    guard size.width.isFinite, size.height.isFinite, !size.isEmpty else {
      track = .zero
      return
    }
    let factor = min(size.width / whole.width, size.height / whole.height)
    let (width, height) = (whole.width * factor, whole.height * factor)
    track = Rect(x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
  }

  /// Where the knob's middle goes, from off to on.
  public var axis: SliderAxis {
    let (low, high) = (track.minX + track.height / 2, track.maxX - track.height / 2)
    return direction == .leftToRight
      ? SliderAxis(start: low, extent: high - low) : SliderAxis(start: high, extent: low - high)
  }

  /// The square of a knob that is `fraction` of the way from off to on.
  public func knob(at fraction: Double) -> Rect {
    let middle = axis.start + axis.extent * fraction
    return Rect(x: middle - track.height / 2, y: track.minY, width: track.height, height: track.height)
  }
}
