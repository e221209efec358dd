/// A window request that a compositor may support or not.
public enum WindowCapability: Hashable, Sendable, CaseIterable {
  /// The compositor shows a menu for the window.
  case menu
  /// The compositor maximises the window.
  case maximize
  /// The compositor lets the window cover an output.
  case fullscreen
  /// The compositor minimises the window.
  case minimize
}

/// The state of a window as its decoration shows it.
public struct WindowState: Hashable, Sendable {
  /// Sides of a window, by the bits of `WindowEdge`.
  public struct Sides: OptionSet, Hashable, Sendable {
    /// One bit per side.
    public let rawValue: UInt8

    /// The sides of the bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The upper side.
    public static let top = Sides(rawValue: 1)
    /// The lower side.
    public static let bottom = Sides(rawValue: 2)
    /// The left side.
    public static let left = Sides(rawValue: 4)
    /// The right side.
    public static let right = Sides(rawValue: 8)
    /// All four.
    public static let all: Sides = [.top, .bottom, .left, .right]
  }

  /// True while the window covers its output.
  public var isFullscreen = false
  /// True while the window is maximised.
  public var isMaximized = false
  /// The compositor's hint that the window is in use. It may change the appearance only.
  public var isActivated = false
  /// The sides at which the window adjoins another window or the edge of the screen. The window cannot be resized there.
  public var tiledSides: Sides = []
  /// The requests that the compositor supports; a button for any other would do nothing. All, until the compositor says which.
  public var capabilities = Set(WindowCapability.allCases)

  /// A floating window that is not activated.
  public init() {}

  /// The sides at which the user can resize the window.
  public var resizableSides: Sides {
    isFullscreen || isMaximized ? [] : Sides.all.subtracting(tiledSides)
  }
}
