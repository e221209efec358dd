import UICore

/// Who set the value of a lever or a wheel.
///
/// A program that drives a real machine obeys a value by its origin, whatever way it took: see `Hand`.
nonisolated public enum ValueOrigin: Hashable, Sendable {
  /// Nobody: the value at rest, with which the control begins.
  case rest
  /// A finger, a button or a key, and the swing of a wheel after it. The hand is the proof of its device, nil for events that scripts, records
  /// and tests make.
  case input(Hand?)
  /// A sensor that the wheel follows.
  case sensor
  /// Program code, a file, an animation or assistive technology.
  case code
}
