/// The requests about a window that the compositor answers; a button for another one would do nothing.
public struct WindowCapabilities: OptionSet, Hashable, Sendable {
  /// One bit a request.
  public let rawValue: UInt8

  /// The capabilities of the bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// It shows a menu for the window.
  public static let menu = WindowCapabilities(rawValue: 1)
  /// It maximises the window.
  public static let maximize = WindowCapabilities(rawValue: 2)
  /// It lets the window cover an output.
  public static let fullscreen = WindowCapabilities(rawValue: 4)
  /// It minimises the window.
  public static let minimize = WindowCapabilities(rawValue: 8)
  /// All of them, as long as the compositor does not say which.
  public static let all: WindowCapabilities = [.menu, .maximize, .fullscreen, .minimize]
}
