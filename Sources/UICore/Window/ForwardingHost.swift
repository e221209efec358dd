// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Members inherit the docstrings of the requirements that they fulfil; scripts/symbols.py demands one of each public symbol.

/// A host between a window and its content. It forwards everything to `window` except the members that it declares itself;
/// without a window, requests do nothing and return false or nil.
///
/// Requests are forwarded only by the extension below. `WindowHost` has no defaults, so a member that is missing there does not
/// compile.
@MainActor public protocol ForwardingHost: WindowHost {
  /// The host that receives the requests; nil while there is no window.
  var window: (any WindowHost)? { get }
}

extension ForwardingHost {
  public var now: MonotonicTime { window?.now ?? .zero }
  public var isFullscreen: Bool { window?.isFullscreen ?? false }
  public var outputTransform: OutputTransform { window?.outputTransform ?? .normal }

  public func setWake(at time: MonotonicTime?) { window?.setWake(at: time) }
  public func setCursor(_ shape: CursorShape, for seat: SeatID) { window?.setCursor(shape, for: seat) }
  public func setFullscreen(_ fullscreen: Bool) { window?.setFullscreen(fullscreen) }
  public func close() { window?.close() }
  public func requestClose() { window?.requestClose() }
  public func minimize() { window?.minimize() }
  public func setMaximized(_ maximized: Bool) { window?.setMaximized(maximized) }
  public func beginMove(by touch: TouchID) { window?.beginMove(by: touch) }
  public func beginResize(from edge: WindowEdge, by touch: TouchID) { window?.beginResize(from: edge, by: touch) }
  public func setClipboard(_ text: String) -> Bool { window?.setClipboard(text) ?? false }
  public func canPaste(for seat: SeatID) -> Bool { window?.canPaste(for: seat) ?? false }
  public func requestPaste(for seat: SeatID) { window?.requestPaste(for: seat) }
  public func setTextInput(_ state: TextInputState?) { window?.setTextInput(state) }
  public func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? { window?.showPopup(content, at: placement, by: touch) }
  public func showMenu(at point: Point, by touch: TouchID) { window?.showMenu(at: point, by: touch) }
}
