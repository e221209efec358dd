import DebugOverlay

/// The contents that a window shows: the program's, with a decoration around it if the program draws one, and under debug marks if there are
/// any.
final class ShownContent {
  let content: any WindowContent
  private(set) var decoration: (any WindowDecoration)?
  private let marked: OverlaidContent?

  /// Shows `content`, under the marks of `overlays`.
  init(_ content: any WindowContent, overlays: Set<Overlay.Kind>, refresh: @escaping () -> Duration) {
    self.content = content
    marked = OverlaidContent(content, kinds: overlays, refresh: refresh)
  }

  /// The content that the window lays out and draws, and that takes its input.
  var whole: any WindowContent { marked ?? decoration ?? content }

  var state: WindowModel.Content {
    let whole = whole
    return WindowModel.Content(
      needsFrame: whole.needsFrame, isAnimating: whole.isAnimating,
      decoration: decoration.map { DecorationExtent(insets: $0.insets, overhang: $0.overhang) })
  }

  /// The part of a surface of `size` that can be promised to be opaque.
  func opaqueArea(of size: Size) -> Rect {
    let area = Rect(origin: .zero, size: size)
    if let decoration { return decoration.opaqueArea.intersection(area) }
    return content.isOpaque ? area : .zero
  }

  /// Puts a decoration around the content, or removes it. Returns its insets around a floating window; nil if nothing changed.
  func decorate(_ isWanted: Bool, for window: Window, state: WindowState) -> EdgeInsets? {
    guard isWanted != (decoration != nil) else { return nil }
    guard isWanted else {
      decoration?.host = nil
      show(nil, for: window)
      return .zero
    }
    guard let made = content.makeDecoration() else { return nil }
    // Before it knows the window's state: in fullscreen it has no insets.
    let insets = DecorationExtent(insets: made.insets, overhang: made.overhang).insets
    (made.title, made.state) = (window.title, state)
    show(made, for: window)
    return insets
  }

  /// The window has ended: nothing refers to it any more.
  func end(_ window: Window) {
    decoration?.host = nil
    decoration = nil
    if content.host === window { content.host = nil }
  }

  private func show(_ decoration: (any WindowDecoration)?, for window: Window) {
    self.decoration = decoration
    let shown = decoration ?? content
    marked?.content = shown
    shown.host = window
  }
}
