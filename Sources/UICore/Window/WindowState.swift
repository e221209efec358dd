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
  /// The sides at which the window meets another one or the end of the screen: there it is not resized.
  public var tiledSides: Sides = []
  /// What the compositor can do with the window.
  public var capabilities = WindowCapabilities.all

  /// A window of its own size that is not activated.
  public init() {}

  /// The sides at which people can resize the window.
  public var resizableSides: Sides {
    isFullscreen || isMaximized ? [] : Sides.all.subtracting(tiledSides)
  }
}
