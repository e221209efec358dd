/// A decoration with the content in it, for compositors that draw none: people move, resize and close the window by it
/// (behaviour 31).
///
/// The drawn area is larger than the window by `overhang`, where invisible handles lie. Locations of input events and of damage
/// count from the corner of the drawn area.
@MainActor public protocol WindowDecoration: WindowContent {
  /// The window's title.
  var title: String { get set }

  /// The window's state by the compositor. A change may change `insets` and `overhang`; the window then calls `resize`.
  var state: WindowState { get set }

  /// The decoration's width inside the window at each side in the present state, in whole logical points.
  var insets: EdgeInsets { get }

  /// The drawn area's reach beyond the window at each side in the present state, in whole logical points.
  var overhang: EdgeInsets { get }

  /// A rectangle in which every pixel of every frame is opaque, in logical points; may be empty.
  var opaqueArea: Rect { get }
}
