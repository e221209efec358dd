/// Where a text, or something else with room beside it, stands between left and right.
nonisolated public enum HorizontalAlignment: String, CaseIterable, InspectableValue {
  /// Where reading begins.
  case leading
  /// In the middle.
  case center
  /// Where reading ends.
  case trailing
  /// At the left, whatever the direction.
  case left
  /// At the right, whatever the direction.
  case right

  /// Which fraction of the free room is left of what stands there, where people read in `direction`.
  public func fraction(in direction: LayoutDirection) -> Double {
    switch self {
    case .leading: direction == .leftToRight ? 0 : 1
    case .center: 0.5
    case .trailing: direction == .leftToRight ? 1 : 0
    case .left: 0
    case .right: 1
    }
  }

  /// Which fraction of the free room lies before it, seen from where reading begins in `direction`.
  func leadingFraction(in direction: LayoutDirection) -> Double {
    let left = fraction(in: direction)
    return direction == .leftToRight ? left : 1 - left
  }

  /// The case of that name; layout files may also say `natural` for `leading`.
  public init(json: JSONValue) throws(InspectableError) {
    let json = json == .string("natural") ? .string(Self.leading.rawValue) : json
    self = try Self.choice(json, among: Self.allCases.map { ($0.rawValue, $0) })
  }
}

/// Where something stands between top and bottom.
nonisolated public enum VerticalAlignment: String, CaseIterable, InspectableValue {
  /// At the top.
  case top
  /// In the middle.
  case center
  /// At the bottom.
  case bottom

  /// Which fraction of the free room is above.
  public var fraction: Double {
    switch self {
    case .top: 0
    case .center: 0.5
    case .bottom: 1
    }
  }
}
