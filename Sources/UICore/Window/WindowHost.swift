/// The cursor's image over a place, by the action that the place offers.
public enum CursorShape: Hashable, Sendable {
  /// Nothing special can be done.
  case arrow
  /// Something can be pressed.
  case pointingHand
  /// Text can be edited or selected.
  case text
  /// Something can be grabbed.
  case openHand
  /// Something is held.
  case closedHand
  /// A side can be pulled to the left and the right.
  case resizeHorizontal
  /// A side can be pulled up and down.
  case resizeVertical
  /// A corner can be pulled, between the upper left and the lower right.
  case resizeFalling
  /// A corner can be pulled, between the lower left and the upper right.
  case resizeRising
}

/// A place at a window's border by which it is resized; the raw values are the protocol's (xdg_toplevel.resize_edge).
public enum WindowEdge: UInt32, Hashable, Sendable, CaseIterable {
  /// The upper side.
  case top = 1
  /// The lower side.
  case bottom = 2
  /// The left side.
  case left = 4
  /// The right side.
  case right = 8
  /// The upper left corner.
  case topLeft = 5
  /// The upper right corner.
  case topRight = 9
  /// The lower left corner.
  case bottomLeft = 6
  /// The lower right corner.
  case bottomRight = 10
}

/// The window as its content sees it: the requests that content may make.
///
/// No member has a default: one that a host forgot would do nothing, in silence. A host between a window and its
/// content is a `ForwardingHost`.
@MainActor public protocol WindowHost: AnyObject {
  /// Has the content's `handleWake` called at `time`, or as soon after it as pending messages have been handled; nil
  /// cancels the wake-up. Only the last call counts, and each calls at most once. No frame is made for it.
  func setWake(at time: MonotonicTime?)

  /// Chooses the image of the seat's cursor while it is over the content.
  func setCursor(_ shape: CursorShape, for seat: SeatID)

  /// The current time on the clock of events and frames.
  var now: MonotonicTime { get }

  /// True while the window covers its output (xdg_toplevel fullscreen).
  var isFullscreen: Bool { get }

  /// The way in which the window's output turns its content; of several outputs the first that the window came to.
  var outputTransform: OutputTransform { get }

  /// Asks the compositor to enter or leave fullscreen; it may refuse.
  func setFullscreen(_ fullscreen: Bool)

  /// Closes the window, after the content has returned from the present call and has got every earlier event; the end
  /// of the last window ends the application.
  func close()

  /// Closes the window as its decoration's button does: the program is asked before, and may keep it open.
  func requestClose()

  /// Asks the compositor to minimise the window; it may refuse.
  func minimize()

  /// Asks the compositor to maximise the window, or to restore it; it may refuse.
  func setMaximized(_ maximized: Bool)

  /// Lets the compositor move the window with a contact that is down on it. The contact is the compositor's from then on:
  /// the content hears that it is cancelled.
  func beginMove(by touch: TouchID)

  /// Lets the compositor resize the window from `edge`, as `beginMove(by:)` moves it.
  func beginResize(from edge: WindowEdge, by touch: TouchID)

  /// Puts a text on the clipboard; false if there is no clipboard, or no press lately that allows it.
  func setClipboard(_ text: String) -> Bool

  /// True while there is a text on the seat's clipboard, as far as the compositor tells.
  func canPaste(for seat: SeatID) -> Bool

  /// Asks for the clipboard's text for the seat; it comes as `InputEvent.text`, or never.
  func requestPaste(for seat: SeatID)

  /// Tells input methods which text keys go to, after each change of it; nil for none: on-screen keyboards close then.
  func setTextInput(_ state: TextInputState?)

  /// Shows `content` in a popup over the window and beyond it; nil where the window can have none: then the content shows it itself.
  ///
  /// With a contact that is down on the content it is a menu: the contact goes on in it once it comes there, and the compositor ends it
  /// when somebody presses in another program. Keys stay those of the content that asked. Without a contact it is meant to take no
  /// input: `WindowContent.inputArea` says so.
  func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)?

  /// Shows the compositor's own menu for the window at a place of the content, for a contact that is down on it.
  func showMenu(at point: Point, by touch: TouchID)
}
