/// A host that stands between a window and its content: it hands everything to `window`, except what it declares itself.
///
/// The only place where requests are forwarded. `WindowHost` has no defaults, so a member that is missing here does not
/// compile.
@MainActor public protocol ForwardingHost: WindowHost {
  /// The host that everything is handed to; nil while there is no window.
  var window: (any WindowHost)? { get }
}

extension ForwardingHost {
  /// The window's time; zero without one.
  public var now: MonotonicTime { window?.now ?? .zero }
  /// As the window; false without one.
  public var isFullscreen: Bool { window?.isFullscreen ?? false }
  /// As the window's output; upright without one.
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
  /// Asks the window; false without one.
  public func setClipboard(_ text: String) -> Bool { window?.setClipboard(text) ?? false }
  /// Asks the window; false without one.
  public func canPaste(for seat: SeatID) -> Bool { window?.canPaste(for: seat) ?? false }
  /// Asks the window.
  public func requestPaste(for seat: SeatID) { window?.requestPaste(for: seat) }
  /// Tells the window.
  public func setTextInput(_ state: TextInputState?) { window?.setTextInput(state) }
  /// Asks the window; nil without one.
  public func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? { window?.showPopup(content, at: placement, by: touch) }
  /// Asks the window.
  public func showMenu(at point: Point, by touch: TouchID) { window?.showMenu(at: point, by: touch) }
}
