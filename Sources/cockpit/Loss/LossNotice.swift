import DriveLink

/// Why nothing is commanded any more, for the person who drove.
nonisolated struct LossNotice: Hashable, Sendable {
  /// The reason that the line gives.
  var reason: DriveReason
  /// True when the last hold was a key, not a finger or a button.
  var isByKeys = false
  /// True while somebody still holds what is no longer obeyed: it counts only when it is let go and taken anew.
  var isStillHeld = false
}

/// The controls whose input counts for nothing at the moment.
nonisolated struct IgnoredControls: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// The gearbox.
  static let lever = IgnoredControls(rawValue: 1)
  /// The steering wheel.
  static let wheel = IgnoredControls(rawValue: 2)
}
