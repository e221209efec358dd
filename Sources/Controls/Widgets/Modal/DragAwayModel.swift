/// How far something is dragged away, such as a sheet downwards or a page towards the trailing edge, and whether it goes when it is let go.
nonisolated struct DragAwayModel: Hashable, Sendable {
  /// The speed of the drag, in points per second, that sends it away wherever it is.
  static let fling = 800.0
  /// The part of its length beyond which it goes.
  static let threshold = 0.4

  /// The distance of its whole way, in points.
  let length: Double
  /// The distance by which it is dragged, from 0 to its length.
  private(set) var offset = 0.0

  init(length: Double) { self.length = max(length, 1) }

  /// The part of it that is seen, from 0 to 1.
  var shown: Double { 1 - offset / length }

  /// The finger is `translation` points away from the place where the drag began.
  mutating func drag(by translation: Double) { offset = translation.isFinite ? translation.clamped(to: 0...length) : 0 }

  /// True if it goes when it is let go at `velocity` points per second, positive away.
  func goes(at velocity: Double) -> Bool {
    velocity > Self.fling || (velocity > -Self.fling && offset > length * Self.threshold)
  }
}
