/// A host between a window and its content. It forwards everything to `window` except the members that it declares itself.
///
/// Requests are forwarded here only. `WindowHost` has no defaults, so a member that is missing here does not compile.
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

  /// Asks the window.
  public func setWake(at time: MonotonicTime?) { window?.setWake(at: time) }
  /// Asks the window.
  public func setCursor(_ shape: CursorShape, for seat: SeatID) { window?.setCursor(shape, for: seat) }
  /// Asks the window.
  public func setFullscreen(_ fullscreen: Bool) { window?.setFullscreen(fullscreen) }
  /// Asks the window.
  public func close() { window?.close() }
  /// Asks the window.
  public func requestClose() { window?.requestClose() }
  /// Asks the window.
  public func minimize() { window?.minimize() }
  /// Asks the window.
  public func setMaximized(_ maximized: Bool) { window?.setMaximized(maximized) }
  /// Asks the window.
  public func beginMove(by touch: TouchID) { window?.beginMove(by: touch) }
  /// Asks the window.
  public func beginResize(from edge: WindowEdge, by touch: TouchID) { window?.beginResize(from: edge, by: touch) }
  /// Forwards to the window; false without a window.
  public func setClipboard(_ text: String) -> Bool { window?.setClipboard(text) ?? false }
  /// Forwards to the window; false without a window.
  public func canPaste(for seat: SeatID) -> Bool { window?.canPaste(for: seat) ?? false }
  /// Asks the window.
  public func requestPaste(for seat: SeatID) { window?.requestPaste(for: seat) }
  /// Forwards to the window.
  public func setTextInput(_ state: TextInputState?) { window?.setTextInput(state) }
  /// Forwards to the window; nil without a window.
  public func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? { window?.showPopup(content, at: placement, by: touch) }
  /// Asks the window.
  public func showMenu(at point: Point, by touch: TouchID) { window?.showMenu(at: point, by: touch) }
}
