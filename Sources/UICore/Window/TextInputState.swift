/// The text that keys go to, as an input method and an on-screen keyboard see it.
public struct TextInputState: Hashable, Sendable {
  /// The kind of text: an on-screen keyboard shows the keys for it.
  public enum Purpose: Hashable, Sendable {
    /// Any text.
    case normal
    /// A number with sign and point.
    case number
    /// The address of a page.
    case url
    /// An address of electronic mail.
    case email
    /// A name.
    case name
  }

  /// Another number is another text: an input method forgets what it composed, and an on-screen keyboard that was closed opens again.
  public var session: Int
  /// The text, without what is being composed.
  public var text: String
  /// The caret's place in bytes of UTF-8.
  public var caret: Int
  /// The selection's other end in bytes of UTF-8; the caret's place when nothing is selected.
  public var anchor: Int
  /// The caret's place on the screen, in logical points of the content: what an input method shows lies beside it.
  public var caretArea: Rect
  /// The kind of text.
  public var purpose: Purpose
  /// True when the input method made the latest change itself.
  public var isByInputMethod: Bool

  /// The state of a text.
  public init(
    session: Int, text: String, caret: Int, anchor: Int, caretArea: Rect, purpose: Purpose = .normal,
    isByInputMethod: Bool = false
  ) {
    self.session = session
    self.text = text
    self.caret = caret
    self.anchor = anchor
    self.caretArea = caretArea
    self.purpose = purpose
    self.isByInputMethod = isByInputMethod
  }
}
