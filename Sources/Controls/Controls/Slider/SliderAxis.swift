/// The line along which a slider's thumbs run, in points from the control's left edge, or from its top edge when it stands.
nonisolated public struct SliderAxis: Hashable, Sendable {
  /// Where the minimum is.
  public let start: Double
  /// The points from the minimum to the maximum: negative where values grow leftwards or upwards, 0 where there is no room
  /// (R-D6).
  public let extent: Double

  /// An axis from its parts; one that is not finite counts as 0.
  public init(start: Double, extent: Double) {
    self.start = start.isFinite ? start : 0
    self.extent = extent.isFinite ? extent : 0
  }
}
