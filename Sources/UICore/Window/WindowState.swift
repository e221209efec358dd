/// A request about a window that a compositor may or may not answer.
public enum WindowCapability: Hashable, Sendable, CaseIterable {
  /// It shows a menu for the window.
  case menu
  /// It maximises the window.
  case maximize
  /// It lets the window cover an output.
  case fullscreen
  /// It minimises the window.
  case minimize
}

/// A window as its decoration shows it.
public struct WindowState: Hashable, Sendable {
  /// Sides of a window.
  public struct Sides: OptionSet, Hashable, Sendable {
    /// One bit a side.
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
  /// True while the window fills the room that there is for windows.
  public var isMaximized = false
  /// The compositor's hint that the window is the one that is used: for looks only (behaviour 22).
  public var isActivated = false
  /// The sides at which the window meets another one or the end of the screen; it is not resized there.
  public var tiledSides: Sides = []
  /// The requests that the compositor answers: a button for another one would do nothing. All, as long as it does not say which.
  public var capabilities = Set(WindowCapability.allCases)

  /// A window of its own size that is not activated.
  public init() {}

  /// The sides at which people can resize the window.
  public var resizableSides: Sides {
    isFullscreen || isMaximized ? [] : Sides.all.subtracting(tiledSides)
  }
}
