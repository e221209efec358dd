/// The texts of gearbox, wheel, horn and gauge for assistive technology, in one language. A `%` stands for a number.
nonisolated public struct VehicleWords: Hashable, Sendable {
  /// A forward gear.
  public var gear = "gear %"
  /// The lever's N.
  public var neutral = "neutral"
  /// The lever's R.
  public var reverse = "reverse"
  /// An angle of the wheel to the left.
  public var left = "% degrees left"
  /// An angle of the wheel to the right.
  public var right = "% degrees right"
  /// The wheel in the middle.
  public var straight = "straight"
  /// The action of the horn.
  public var sound = "sound"
  /// The action of the lever towards the highest gear.
  public var shiftUp = "shift up"
  /// The action of the lever towards R.
  public var shiftDown = "shift down"
  /// The action that puts the lever in N.
  public var brake = "brake"
  /// The action of the wheel to the left.
  public var turnLeft = "turn left"
  /// The action of the wheel to the right.
  public var turnRight = "turn right"
  /// The action that brings the wheel to the middle.
  public var center = "straighten"
  /// The reason for refusing R to a lever that has not rested in N.
  public var reverseNeedsNeutral = "Reverse opens from neutral only"
  /// The value of a gauge that nobody knows.
  public var unknown = "unknown"

  /// English.
  public init() {}

  /// The texts in the user's language; English unless the program sets others.
  @MainActor public static var current = VehicleWords()

  /// `pattern` with `number` in place of its `%`.
  public func text(_ pattern: KeyPath<VehicleWords, String>, _ number: Int) -> String {
    self[keyPath: pattern].split(separator: "%", omittingEmptySubsequences: false).joined(separator: "\(number)")
  }
}
