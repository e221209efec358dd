/// What a lever does when nothing holds it any more (G28, G-D7).
nonisolated public enum ReleasePolicy: String, CaseIterable, Hashable, Sendable, InspectableValue {
  /// It stays where it was left.
  case latch
  /// It returns to neutral: a dead-man's lever.
  case neutral
}
