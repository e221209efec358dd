// What becomes of a control's value when the finger leaves it.
// A choice only; the models that honour it know how.

/// What a lever does when nothing holds it any more (G28, G-D7).
nonisolated public enum ReleasePolicy: Hashable, Sendable {
  /// It stays where it was left.
  case latch
  /// It returns to neutral: a dead-man's lever.
  case neutral
}
