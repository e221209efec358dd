import UICore

/// A key's way to move a thumb (R-D11).
nonisolated enum SliderKey: Hashable, Sendable {
  /// By so many hundredths of the limits' length.
  case step(Double)
  /// To an end.
  case end(upwards: Bool)

  /// What `key` does in a slider whose values grow in `direction` where it lies; nil for keys that do nothing. Up is more,
  /// whichever way it lies.
  init?(_ key: Key, direction: LayoutDirection) {
    switch direction.key(key) {
    case .right, .up: self = .step(1)
    case .left, .down: self = .step(-1)
    case .pageUp: self = .step(10)
    case .pageDown: self = .step(-10)
    case .home: self = .end(upwards: false)
    case .end: self = .end(upwards: true)
    default: return nil
    }
  }
}
