/// The place of a window among others.
nonisolated public enum WindowRole: Hashable, Sendable {
  /// A side of the screen.
  public enum Side: String, Hashable, Sendable, CaseIterable {
    /// The upper side.
    case top
    /// The lower side.
    case bottom
    /// The left side.
    case left
    /// The right side.
    case right
  }

  /// A window that people move, resize and close as they do others.
  case window
  /// A surface of a car's display with the number by which the car's layout knows it (ivi_application).
  case ivi(id: UInt32)
  /// A strip along a side of the screen, over the windows there: as long as the side, as thick as the window's size says. It takes
  /// input only within the content's `inputArea` (wlr-layer-shell).
  case strip(Side)
}

/// The wishes with which a window is opened; the compositor has the last word.
public struct WindowOptions: Sendable {
  /// The name that people see.
  public var title: String
  /// The base name of the application's desktop file, reverse-DNS, so that its icon is found (behaviour 34).
  public var applicationID: String
  /// The size in whole logical points, where the compositor leaves it open.
  public var size: Size
  /// The place among other windows; a compositor that does not know it shows an ordinary window.
  public var role = WindowRole.window
  /// True to cover the output from the start.
  public var isFullscreen = false
  /// A scale in place of the compositor's; without viewporter it is rounded up to a whole number.
  public var scale: Scale?
  /// True for a decoration of the program's own if the compositor draws none; content may offer none.
  public var hasDecoration = true
  /// True for content that goes on while the window is hidden: it never enters the background, and is brought up to
  /// date ten times a second as long as it is animated. Held input is cancelled all the same.
  public var keepsRunningHidden = false
  /// The token by which the window may take the focus when it is first shown (xdg-activation); nil for the one that the
  /// program was started with, in XDG_ACTIVATION_TOKEN, which the first window uses up.
  public var activationToken: String?
  /// The marks over the picture, for tests; those that the environment names.
  package var overlays = Overlay.wanted

  /// A window of `size`, as far as the compositor allows it.
  public init(title: String, applicationID: String, size: Size) {
    self.title = title
    self.applicationID = applicationID
    self.size = size
  }
}

/// Measurements of one frame, for statistics and tests.
public struct FrameReport: Sendable {
  /// Counted from 1.
  public var number: Int
  /// The frame's size in buffer pixels.
  public var size: PixelSize
  /// The number of pixels that were sent as damaged.
  public var damagedPixels: Int
  /// From the start of layout to the commit.
  public var painting: Duration
  /// The time at which the frame was expected to be seen.
  public var presentation: MonotonicTime
}
