/// The content of a window: takes input, lays itself out, reports damage, draws into memory.
///
/// Order for a frame: any number of events, then `prepareFrame(for:)`, `takeDamage()`, `draw(_:into:)`. `resize` comes
/// before the first frame and before the first frame of every new size or scale.
@MainActor public protocol WindowContent: AnyObject {
  /// The window that shows the content, set by the window; hold it weakly.
  var host: (any WindowHost)? { get set }

  /// True when every pixel of every frame is opaque: the window then promises so to the compositor.
  var isOpaque: Bool { get }

  /// The smallest size in logical points at which the content can be used.
  var minimumSize: Size { get }

  /// The places that take input, in logical points, for a window that leaves the rest to those beneath it; nil for everywhere.
  /// Read with each frame.
  var inputArea: [Rect]? { get }

  /// True while something waits to be drawn: damage, layout, or an animation that runs. The window looks each time
  /// before it waits, so a change needs no notice.
  var needsFrame: Bool { get }

  /// True while an animation runs, so that another frame is due after this one without any event.
  var isAnimating: Bool { get }

  /// Takes a new size (whole logical points) and scale; everything is damaged after it.
  func resize(to size: Size, scale: Scale)

  /// Takes input.
  func handle(_ event: InputEvent)

  /// Takes a step of the window's life.
  func handle(_ event: LifecycleEvent)

  /// The content within a decoration by which people move, resize and close the window, for compositors that draw none;
  /// nil for content that goes without. The window shows it in place of the content from then on.
  func makeDecoration() -> (any WindowDecoration)?

  /// The time that the content asked for with `setWake(at:)` has come.
  func handleWake(at time: MonotonicTime)

  /// Lays out and advances animations to `time`, when the coming frame is expected to be seen.
  func prepareFrame(for time: MonotonicTime)

  /// The region that changed since the last call, in buffer pixels; the content then counts it as shown.
  func takeDamage() -> Region

  /// Draws `region` of the current state, and nothing outside it. The old pixels there may be anything.
  func draw(_ region: Region, into buffer: PixelBuffer)
}

extension WindowContent {
  /// No decoration.
  public func makeDecoration() -> (any WindowDecoration)? { nil }
  /// Everywhere.
  public var inputArea: [Rect]? { nil }
  /// Nothing: for content that never asks.
  public func handleWake(at time: MonotonicTime) {}
}

/// Content that says where its parts lie, for the overlay of bounds.
@MainActor package protocol OutlinedContent: WindowContent {
  /// The rectangles of all parts that are shown, in logical points from the content's corner, the back first.
  var outlines: [Rect] { get }
}
