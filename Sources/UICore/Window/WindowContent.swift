/// The content of a window. It takes input, lays itself out, reports damage and draws into memory.
///
/// Order for a frame: any number of events, then `prepareFrame(for:)`, `takeDamage()`, `draw(_:into:)`. `resize` comes
/// before the first frame and before the first frame of every new size or scale.
@MainActor public protocol WindowContent: AnyObject {
  /// The window that shows the content, set by the window; hold it weakly.
  var host: (any WindowHost)? { get set }

  /// True if every pixel of every frame is opaque. The window then reports this to the compositor.
  var isOpaque: Bool { get }

  /// The smallest size in logical points at which the content can be used.
  var minimumSize: Size { get }

  /// The areas that take input, in logical points; elsewhere the input goes to other windows. nil means the whole window. The
  /// window reads this with each frame.
  var inputArea: [Rect]? { get }

  /// True while anything must be drawn: damage, layout, or a running animation. The window checks it before each wait, so a
  /// change needs no notification.
  var needsFrame: Bool { get }

  /// True while an animation runs, so that another frame is due after this one without any event.
  var isAnimating: Bool { get }

  /// Sets a new size (whole logical points) and scale. Everything is damaged afterwards.
  func resize(to size: Size, scale: Scale)

  /// Handles one event of fingers, keys, pointer or input method; the window delivers them in order.
  func handle(_ event: InputEvent)

  /// Handles a step of the window's lifecycle.
  func handle(_ event: LifecycleEvent)

  /// Wraps the content in a decoration for moving, resizing and closing the window, because the compositor draws none; nil if
  /// the content has no decoration. From then on the window shows the decoration in place of the content.
  func makeDecoration() -> (any WindowDecoration)?

  /// Called when the time requested with `setWake(at:)` has come.
  func handleWake(at time: MonotonicTime)

  /// Lays out and advances animations to `time`, the expected time at which the coming frame becomes visible.
  func prepareFrame(for time: MonotonicTime)

  /// Returns the region that changed since the last call, in buffer pixels, and resets it.
  func takeDamage() -> Region

  /// Draws `region` of the current state, and nothing outside it. The pixels there may have any value before the call.
  func draw(_ region: Region, into buffer: PixelBuffer)
}

extension WindowContent {
  /// No decoration.
  public func makeDecoration() -> (any WindowDecoration)? { nil }
  /// The whole window.
  public var inputArea: [Rect]? { nil }
  /// Does nothing, for content that never asks to be woken.
  public func handleWake(at time: MonotonicTime) {}
}

/// Content that reports the frames of its parts, for the overlay of bounds.
@MainActor package protocol OutlinedContent: WindowContent {
  /// The frames of all visible parts, in logical points from the content's corner, the backmost first.
  var outlines: [Rect] { get }
}
