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
  /// True while the window covers its output.
  public var isFullscreen = false
  /// True while the window is maximised.
  public var isMaximized = false
  /// The compositor's hint that the window is in use. It may change the appearance, and whether devices count that the compositor does not know.
  public var isActivated = false
  /// The sides at which the window adjoins another window or the edge of the screen. The window cannot be resized there.
  public var tiledSides: Set<WindowEdge> = []
  /// The requests that the compositor supports; a button for any other would do nothing. All, until the compositor says which.
  public var capabilities = Set(WindowCapability.allCases)

  /// A floating window that is not activated.
  public init() {}

  /// Whether the user can resize the window at `side`.
  public func canResize(at side: WindowEdge) -> Bool { !isFullscreen && !isMaximized && !tiledSides.contains(side) }
}
