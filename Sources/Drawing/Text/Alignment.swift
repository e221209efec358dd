/// The horizontal position of a text or item in free space.
nonisolated public enum HorizontalAlignment: String, CaseIterable, Sendable {
  /// At the leading side.
  case leading
  /// In the middle.
  case center
  /// At the trailing side.
  case trailing
  /// At the left, whatever the direction.
  case left
  /// At the right, whatever the direction.
  case right

  /// The fraction of the free space to the left of the item, in reading `direction`.
  public func fraction(in direction: LayoutDirection) -> Double {
    switch self {
    case .leading: direction == .leftToRight ? 0 : 1
    case .center: 0.5
    case .trailing: direction == .leftToRight ? 1 : 0
    case .left: 0
    case .right: 1
    }
  }

  /// The fraction of the free space before the item, from the leading side in `direction`.
  package func leadingFraction(in direction: LayoutDirection) -> Double {
    let left = fraction(in: direction)
    return direction == .leftToRight ? left : 1 - left
  }
}

/// The vertical position of an item in free space.
nonisolated public enum VerticalAlignment: String, CaseIterable, Sendable {
  /// All free space is below the item.
  case top
  /// In the middle.
  case center
  /// All free space is above the item.
  case bottom

  /// The fraction of the free space above.
  public var fraction: Double {
    switch self {
    case .top: 0
    case .center: 0.5
    case .bottom: 1
    }
  }
}
