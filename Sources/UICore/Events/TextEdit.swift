/// A text change by an input method or an on-screen keyboard, or a pasted text. Apply its parts in the order of declaration.
/// Lengths and positions are bytes of UTF-8.
public struct TextEdit: Hashable, Sendable {
  /// The origin of a text change.
  public enum Source: String, Hashable, Sendable {
    /// An input method, or an on-screen keyboard.
    case inputMethod
    /// What the user copied or cut last, here or in another program.
    case clipboard
    /// The primary selection: what the user selected last, pasted by the middle button.
    case primarySelection
  }

  /// The seat whose text changes.
  public var seat: SeatID
  /// The origin of the change.
  public var source: Source
  /// The number of bytes to delete before the caret or the selection.
  public var deletedBefore: Int
  /// The number of bytes to delete behind the caret or the selection.
  public var deletedAfter: Int
  /// Text that replaces the selection, or is inserted at the caret; the caret moves behind it. Empty if nothing is inserted.
  public var inserted: String
  /// The text that is being composed. It is shown at the caret but is not part of the text yet. Empty while nothing is
  /// composed.
  public var preedit: String
  /// The caret position in `preedit`, or the emphasised range; nil hides the caret.
  public var preeditSelection: Range<Int>?
  /// Where the text is to be inserted, in the content's points, if not at the caret of the text with the keys.
  public var place: Point?

  /// A change of a seat's text. A change without parts ends composing.
  public init(
    seat: SeatID, source: Source = .inputMethod, deletedBefore: Int = 0, deletedAfter: Int = 0, inserted: String = "",
    preedit: String = "", preeditSelection: Range<Int>? = nil, place: Point? = nil
  ) {
    self.seat = seat
    self.source = source
    self.deletedBefore = deletedBefore
    self.deletedAfter = deletedAfter
    self.inserted = inserted
    self.preedit = preedit
    self.preeditSelection = preeditSelection
    self.place = place
  }
}
