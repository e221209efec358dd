/// A decoration with the content in it, for compositors that draw none: the user moves, resizes and closes the window by it.
///
/// The drawn area extends beyond the window by `overhang`, which holds invisible handles. Positions of input events and of
/// damage are relative to the corner of the drawn area.
@MainActor public protocol WindowDecoration: WindowContent {
  /// The window's title.
  var title: String { get set }

  /// The window's state as the compositor reports it. A change may change `insets` and `overhang`; the window then calls
  /// `resize`.
  var state: WindowState { get set }

  /// The width of the decoration inside the window at each side in the present state, in whole logical points.
  var insets: EdgeInsets { get }

  /// The extent of the drawn area beyond the window at each side in the present state, in whole logical points.
  var overhang: EdgeInsets { get }

  /// A rectangle in which every pixel of every frame is opaque, in logical points; may be empty.
  var opaqueArea: Rect { get }
}
