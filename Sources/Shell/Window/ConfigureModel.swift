/// Gathers xdg_toplevel.configure and xdg_surface.configure into the state that the next commit must honour.
///
/// xdg-shell: a configure is acknowledged only together with the commit that honours it, and every acknowledgement is followed
/// by a commit; a window never invents a size if the compositor gives one.
nonisolated struct ConfigureModel: Sendable {
  /// The window's preferred size in whole logical points, if the compositor leaves it open.
  private(set) var preferred: Size
  /// The size that was configured last, applied or not.
  private(set) var size: Size
  /// The window by the compositor, as its decoration shows it. It has all capabilities until xdg_toplevel.wm_capabilities
  /// (version 5) says which.
  private(set) var state = WindowState()
  /// True while the compositor reports the window as not visible (xdg_toplevel.state suspended, version 6).
  private(set) var isSuspended = false
  /// The serial that the next commit acknowledges.
  private(set) var pendingSerial: UInt32?
  /// False until the first xdg_surface.configure; before it no buffer may be attached.
  private(set) var isConfigured = false
  /// The space available to a floating window (xdg_toplevel.configure_bounds, version 4); nil if unknown.
  private(set) var bounds: Size?
  /// The insets of the decoration, as `preferred` contains them.
  private var insets = EdgeInsets.zero
  private var incoming: (width: Int32, height: Int32, states: [UInt32])?

  /// The largest accepted side in points; larger sizes are clamped.
  static let maximumSide = 32_767.0

  init(preferred: Size) {
    self.preferred = preferred
    size = preferred
  }

  /// The size of the content in a floating window, in points: that of the next window that shows it.
  var contentSize: Size {
    Size(width: preferred.width - insets.left - insets.right, height: preferred.height - insets.top - insets.bottom)
  }

  /// A decoration of these insets was put around the content, or removed (zero). The content keeps its size, so the window's
  /// own size changes. The insets are those of a floating window, whatever its present state, because `preferred` is the size
  /// of a floating one.
  mutating func decorationChanged(_ new: EdgeInsets) {
    let content = contentSize
    insets = new
    preferred = Size(
      width: max(content.width + new.left + new.right, 1), height: max(content.height + new.top + new.bottom, 1))
    if !isConfigured { size = preferred }
  }

  /// xdg_toplevel.configure.
  mutating func toplevelConfigure(width: Int32, height: Int32, states: [UInt32]) {
    incoming = (width, height, states)
  }

  /// xdg_toplevel.wm_capabilities; unknown numbers are ignored.
  mutating func noteCapabilities(_ numbers: [UInt32]) {
    let known: [UInt32: WindowCapability] = [1: .menu, 2: .maximize, 3: .fullscreen, 4: .minimize]
    state.capabilities = Set(numbers.compactMap { known[$0] })
  }

  /// xdg_toplevel.configure_bounds; zero means unknown.
  mutating func noteBounds(width: Int32, height: Int32) {
    bounds = width > 0 && height > 0 ? Size(width: Double(width), height: Double(height)) : nil
  }

  /// xdg_surface.configure: the preceding toplevel state applies from now on.
  mutating func surfaceConfigure(serial: UInt32) {
    pendingSerial = serial
    isConfigured = true
    guard let incoming else { return }
    self.incoming = nil
    note(incoming.states)
    // Zero leaves a side to the client, which then uses its size before it was maximised, as far as there is space.
    size = Size(
      width: side(incoming.width, fallback: min(preferred.width, bounds?.width ?? .infinity)),
      height: side(incoming.height, fallback: min(preferred.height, bounds?.height ?? .infinity)))
    if !state.isMaximized, !state.isFullscreen, state.tiledSides.isEmpty { preferred = size }
  }

  /// Applies the states by their numbers on the wire (xdg_toplevel.state, version 6); others are ignored.
  private mutating func note(_ states: [UInt32]) {
    state.isMaximized = states.contains(1)
    state.isFullscreen = states.contains(2)
    state.isActivated = states.contains(4)
    let tiled: [UInt32: WindowEdge] = [5: .left, 6: .right, 7: .top, 8: .bottom]
    state.tiledSides = Set(states.compactMap { tiled[$0] })
    isSuspended = states.contains(9)
  }

  /// The commit that honours the pending configure is being made: its serial, to acknowledge it just before.
  mutating func takeSerial() -> UInt32? {
    defer { pendingSerial = nil }
    return pendingSerial
  }

  private func side(_ wire: Int32, fallback: Double) -> Double {
    wire > 0 ? min(Double(wire), ConfigureModel.maximumSide) : fallback
  }
}
