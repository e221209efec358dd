/// The hold of a finger on a thumb: what it asks for follows from where it is and how it took hold, never from the steps
/// between. So nothing drifts, however often it moves, and past an end it finds the thumb again where it left it (R-D2,
/// O-D8).
nonisolated struct SliderGrip: Hashable, Sendable {
  /// The travel along the axis, in points, that makes a press a drag (O-D4).
  static let dragThreshold = 3.0

  /// Where the finger took hold, in points along the axis.
  let startPosition: Double
  /// Where it was last.
  var position: Double
  /// From the finger to the thumb's middle.
  private(set) var offset: Double
  /// The thumb's value when it was taken.
  private(set) var startValue: Double
  /// True once the finger has gone far enough to move something.
  var isDragging = false

  /// A finger at `position` takes what is at `value`.
  init(at position: Double, value: Double, limits: ValueLimits, axis: SliderAxis) {
    startPosition = position
    self.position = position
    offset = limits.position(of: value, on: axis) - position
    startValue = value
  }

  /// The finger has taken what is at `value` instead.
  mutating func take(_ value: Double, _ limits: ValueLimits, _ axis: SliderAxis) {
    offset = limits.position(of: value, on: axis) - startPosition
    startValue = value
  }

  /// True when `position` is far enough from the start to begin a drag.
  func begins(at position: Double) -> Bool { abs(position - startPosition) >= Self.dragThreshold }

  /// The value that the finger asks for, also outside of the limits; nil where there is no room to ask.
  func wanted(_ limits: ValueLimits, _ axis: SliderAxis) -> Double? {
    limits.value(at: position + offset, on: axis).map { limits.settled($0, near: startValue) }
  }
}
