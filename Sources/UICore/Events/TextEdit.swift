/// One change of a text by an input method or an on-screen keyboard, or a text that is pasted. Its parts happen in the order in which they
/// stand here. Lengths and places are bytes of UTF-8.
public struct TextEdit: Hashable, Sendable {
  /// The place that a change comes from.
  public enum Source: Hashable, Sendable {
    /// An input method, or an on-screen keyboard.
    case inputMethod
    /// The clipboard.
    case clipboard
  }

  /// Whose text it is.
  public var seat: SeatID
  /// The place that it comes from.
  public var source: Source
  /// The bytes that go before the caret, or before the selection.
  public var deletedBefore: Int
  /// The bytes that go behind the caret, or behind the selection.
  public var deletedAfter: Int
  /// Text that replaces the selection, or is inserted at the caret; the caret moves behind it. Empty if there is none.
  public var inserted: String
  /// The text that is being composed: shown at the caret, and not part of the text yet. Empty when nothing is.
  public var preedit: String
  /// The caret's place in `preedit`, or what is emphasised in it; nil hides the caret.
  public var preeditSelection: Range<Int>?

  /// A change of a seat's text; one without parts ends composing.
  public init(
    seat: SeatID, source: Source = .inputMethod, deletedBefore: Int = 0, deletedAfter: Int = 0, inserted: String = "",
    preedit: String = "", preeditSelection: Range<Int>? = nil
  ) {
    self.seat = seat
    self.source = source
    self.deletedBefore = deletedBefore
    self.deletedAfter = deletedAfter
    self.inserted = inserted
    self.preedit = preedit
    self.preeditSelection = preeditSelection
  }
}
