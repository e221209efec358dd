/// At which side a text stands.
nonisolated public enum TextAlignment: String, CaseIterable, InspectableValue {
  /// Where reading begins: at the left, from right to left at the right.
  case natural
  /// At the left, whatever the direction.
  case left
  /// In the middle.
  case center
  /// At the right, whatever the direction.
  case right

  /// Which share of the free room is left of the text, where people read in `direction`.
  public func share(in direction: LayoutDirection) -> Double {
    switch self {
    case .natural: direction == .leftToRight ? 0 : 1
    case .left: 0
    case .center: 0.5
    case .right: 1
    }
  }
}

/// How heavy letters are, by name.
nonisolated public enum TextWeight: String, CaseIterable, InspectableValue {
  case light
  case regular
  case medium
  case semibold
  case bold

  /// The weight as fonts know it.
  public var fontWeight: Font.Weight {
    switch self {
    case .light: .light
    case .regular: .regular
    case .medium: .medium
    case .semibold: .semibold
    case .bold: .bold
    }
  }
}

extension Theme.TextStyle: InspectableValue {}
