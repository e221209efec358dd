/// The version of each global; nil is not announced. Start from a preset and change what a test is about.
nonisolated public struct StageGlobals: Hashable, Sendable {
  /// wl_compositor.
  public var compositor: Int32? = 6
  /// wl_shm.
  public var shm: Int32? = 1
  /// wl_output.
  public var output: Int32? = 4
  /// wl_seat.
  public var seat: Int32? = 10
  /// xdg_wm_base.
  public var windowBase: Int32? = 6
  /// wp_viewporter.
  public var viewporter: Int32? = 1
  /// wp_fractional_scale_manager_v1.
  public var fractionalScale: Int32? = 1
  /// wp_presentation.
  public var presentation: Int32? = 1
  /// zxdg_decoration_manager_v1.
  public var decoration: Int32? = 1
  /// wp_cursor_shape_manager_v1.
  public var cursorShape: Int32? = 1
  /// zwp_tablet_manager_v2.
  public var tablets: Int32? = 1
  /// xdg_activation_v1.
  public var activation: Int32? = 1
  /// zwp_idle_inhibit_manager_v1.
  public var idleInhibit: Int32? = 1
  /// wl_data_device_manager.
  public var dataDevices: Int32? = 3

  /// Everything that the stage can speak, at its newest.
  public static let everything = StageGlobals()

  /// Only what a window and its input can't do without.
  public static let minimal = StageGlobals(
    compositor: 4, seat: 5, windowBase: 1, viewporter: nil, fractionalScale: nil, presentation: nil, decoration: nil,
    cursorShape: nil, tablets: nil, activation: nil, idleInhibit: nil, dataDevices: nil)

  /// What weston 10 offers.
  public static let weston10 = StageGlobals(
    compositor: 4, seat: 7, windowBase: 3, fractionalScale: nil, decoration: nil, cursorShape: nil, tablets: nil,
    activation: nil,
    idleInhibit: nil)

  /// What sway 1.7 offers.
  public static let sway17 = StageGlobals(
    compositor: 4, seat: 7, windowBase: 2, fractionalScale: nil, cursorShape: nil)

  /// What KWin 5.27 offers.
  public static let kwin527 = StageGlobals(compositor: 5, seat: 8, windowBase: 4, presentation: nil, cursorShape: nil)
}
