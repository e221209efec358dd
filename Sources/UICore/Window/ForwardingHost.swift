/// A host between a window and its content. It forwards everything to `window` except the members that it declares itself.
///
/// Requests are forwarded only by the extension below. `WindowHost` has no defaults, so a member that is missing there does not
/// compile.
@MainActor public protocol ForwardingHost: WindowHost {
  /// The host that receives the requests; nil while there is no window.
  var window: (any WindowHost)? { get }
}

extension ForwardingHost {
  /// The window's time; zero without a window.
  public var now: MonotonicTime { window?.now ?? .zero }
  /// The window's value; false without a window.
  public var isFullscreen: Bool { window?.isFullscreen ?? false }
  /// The transform of the window's output; normal without a window.
  public var outputTransform: OutputTransform { window?.outputTransform ?? .normal }

  /// Forwards to the window; does nothing without a window.
  public func setWake(at time: MonotonicTime?) { window?.setWake(at: time) }
  /// Forwards to the window; does nothing without a window.
  public func setCursor(_ shape: CursorShape, for seat: SeatID) { window?.setCursor(shape, for: seat) }
  /// Forwards to the window; does nothing without a window.
  public func setFullscreen(_ fullscreen: Bool) { window?.setFullscreen(fullscreen) }
  /// Forwards to the window; does nothing without a window.
  public func close() { window?.close() }
  /// Forwards to the window; does nothing without a window.
  public func requestClose() { window?.requestClose() }
  /// Forwards to the window; does nothing without a window.
  public func minimize() { window?.minimize() }
  /// Forwards to the window; does nothing without a window.
  public func setMaximized(_ maximized: Bool) { window?.setMaximized(maximized) }
  /// Forwards to the window; does nothing without a window.
  public func beginMove(by touch: TouchID) { window?.beginMove(by: touch) }
  /// Forwards to the window; does nothing without a window.
  public func beginResize(from edge: WindowEdge, by touch: TouchID) { window?.beginResize(from: edge, by: touch) }
  /// Forwards to the window; false without a window.
  public func setClipboard(_ text: String) -> Bool { window?.setClipboard(text) ?? false }
  /// Forwards to the window; false without a window.
  public func canPaste(for seat: SeatID) -> Bool { window?.canPaste(for: seat) ?? false }
  /// Forwards to the window; does nothing without a window.
  public func requestPaste(for seat: SeatID) { window?.requestPaste(for: seat) }
  /// Forwards to the window; does nothing without a window.
  public func setTextInput(_ state: TextInputState?) { window?.setTextInput(state) }
  /// Forwards to the window; nil without a window.
  public func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? { window?.showPopup(content, at: placement, by: touch) }
  /// Forwards to the window; does nothing without a window.
  public func showMenu(at point: Point, by touch: TouchID) { window?.showMenu(at: point, by: touch) }
}
