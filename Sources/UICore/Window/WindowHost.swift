/// The cursor image, named after the action that is possible at the pointer's position.
public enum CursorShape: Hashable, Sendable {
  /// No special action.
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

/// An edge or corner by which a window is resized. The raw values are the protocol's (xdg_toplevel.resize_edge).
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

/// The services that a window offers to its content.
///
/// No member has a default, because a host that omits a member would then silently do nothing. A host between a window and its
/// content is a `ForwardingHost`.
@MainActor public protocol WindowHost: AnyObject {
  /// Schedules one call of the content's `handleWake` at `time`, or as soon after it as pending messages have been handled; nil
  /// cancels the scheduled call, and a new time replaces the previous one. No frame is drawn for the call.
  func setWake(at time: MonotonicTime?)

  /// Sets the cursor image for the seat's pointer while it is over the content.
  func setCursor(_ shape: CursorShape, for seat: SeatID)

  /// The current time on the clock of events and frames.
  var now: MonotonicTime { get }

  /// True while the window covers its output (xdg_toplevel fullscreen).
  var isFullscreen: Bool { get }

  /// The transform of the window's output; with several outputs, the first one that the window entered.
  var outputTransform: OutputTransform { get }

  /// Asks the compositor to enter or leave fullscreen; it may refuse.
  func setFullscreen(_ fullscreen: Bool)

  /// Closes the window after the content has returned from the current call and has received every earlier event. Closing the
  /// last window ends the application.
  func close()

  /// Closes the window as its decoration's button does: the program is asked first, and may keep it open.
  func requestClose()

  /// Asks the compositor to minimise the window; it may refuse.
  func minimize()

  /// Asks the compositor to maximise the window, or to restore it; it may refuse.
  func setMaximized(_ maximized: Bool)

  /// Starts moving the window with a contact that is down on it. The compositor takes over the contact, and the content
  /// receives its cancellation.
  func beginMove(by touch: TouchID)

  /// Starts resizing the window from `edge` with a contact that is down on it, like `beginMove(by:)`.
  func beginResize(from edge: WindowEdge, by touch: TouchID)

  /// Puts a text on the clipboard. Returns false if there is no clipboard or no recent press that allows it.
  func setClipboard(_ text: String) -> Bool

  /// True while the seat's clipboard holds a text, as far as the compositor reports it.
  func canPaste(for seat: SeatID) -> Bool

  /// Requests the clipboard's text for the seat. It arrives as `InputEvent.text`, or never.
  func requestPaste(for seat: SeatID)

  /// Makes `text`, which the user has just selected, what a press of the middle button pastes. Returns false if the compositor
  /// has no such selection. The default does nothing.
  func setPrimarySelection(_ text: String) -> Bool

  /// Reports the text that receives key input to input methods, after each change. nil means that no text receives key input,
  /// which closes on-screen keyboards.
  func setTextInput(_ state: TextInputState?)

  /// Shows `content` in a popup that may extend beyond the window. Returns nil if the window cannot have a popup: then the
  /// content must show it itself.
  ///
  /// With a contact that is down on the content, the popup is a menu: the contact continues in the menu once it moves over it,
  /// and the compositor closes the menu when the user presses in another program. Keys still go to the content that opened it.
  /// Without a contact the popup should take no input; set `WindowContent.inputArea` accordingly.
  func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)?

  /// Shows the compositor's own window menu at a point of the content, for a contact that is down on it.
  func showMenu(at point: Point, by touch: TouchID)
}

extension WindowHost {
  /// Does nothing, for a host without such a selection.
  public func setPrimarySelection(_ text: String) -> Bool { false }
}
