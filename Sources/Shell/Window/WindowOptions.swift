import DebugOverlay

/// The role of a window among others.
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

  /// An ordinary window that the user moves, resizes and closes.
  case window
  /// A surface of a car's display, with the number that identifies it in the car's layout (ivi_application).
  case ivi(id: UInt32)
  /// A strip along a side of the screen, over the windows there, as long as the side and as thick as the window's size. It
  /// takes input only within the content's `inputArea` (wlr-layer-shell).
  case strip(Side)
}

/// The requested properties of a new window. The compositor may override them.
public struct WindowOptions: Sendable {
  /// The title that the user sees.
  public var title: String
  /// The base name of the application's desktop file, reverse-DNS, which identifies its icon.
  public var applicationID: String
  /// The size in whole logical points, if the compositor leaves it open.
  public var size: Size
  /// The role among other windows. A compositor that does not support it shows an ordinary window.
  public var role = WindowRole.window
  /// True to cover the output from the start.
  public var isFullscreen = false
  /// A scale in place of the compositor's. Without viewporter it is rounded up to a whole number.
  public var scale: Scale?
  /// True for a decoration drawn by the program if the compositor draws none; content may offer none.
  public var hasDecoration = true
  /// True for content that keeps running while the window is hidden: it never enters the background, and while animated it is
  /// updated ten times a second. Held input is cancelled all the same.
  public var keepsRunningHidden = false
  /// The token by which the window may take the focus when it is first shown (xdg-activation). Nil uses the one that the
  /// program was started with (XDG_ACTIVATION_TOKEN), which the first window consumes.
  public var activationToken: String?
  /// The debug marks over the content, for tests; by default those that the environment names.
  package var overlays = Environment.overlays

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
  /// The time from the start of layout to the commit.
  public var painting: Duration
  /// The time at which the frame was expected to be visible.
  public var presentation: MonotonicTime
}

extension Environment {
  /// The debug marks that the environment asks for. Unknown words are logged in one line.
  fileprivate static let overlays: Set<Overlay.Kind> = {
    let (kinds, mistake) = Overlay.read(overlay.value ?? "", of: overlay.rawValue)
    if let mistake { Log.write(.window, .error, mistake) }
    return kinds
  }()
}
