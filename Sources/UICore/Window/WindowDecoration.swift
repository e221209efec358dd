/// Content with a decoration around it, for compositors that draw none: by the decoration people move, resize and close the window
/// (behaviour 31).
///
/// What the content draws is larger than the window by `overhang`: there are handles that nobody sees. Locations of input
/// events and of damage count from the corner of all that is drawn.
@MainActor public protocol WindowDecoration: WindowContent {
  /// The window's title.
  var title: String { get set }

  /// What the compositor has made of the window. A change may change `insets` and `overhang`; the window then calls
  /// `resize`.
  var state: WindowState { get set }

  /// What the decoration takes from the window at each side in the present state, in whole logical points.
  var insets: EdgeInsets { get }

  /// How far what is drawn reaches beyond the window at each side in the present state, in whole logical points.
  var overhang: EdgeInsets { get }

  /// A rectangle in which every pixel of every frame is opaque, in logical points; empty for none.
  var opaqueArea: Rect { get }
}
