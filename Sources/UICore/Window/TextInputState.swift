/// The text that receives key input, as shown to an input method and an on-screen keyboard.
public struct TextInputState: Hashable, Sendable {
  /// The kind of text, from which an on-screen keyboard chooses its keys.
  public enum Purpose: Hashable, Sendable {
    /// Any text; a number with a sign and a decimal point; a URL; an email address; a name; a password, whose text is told to nobody.
    case normal, number, url, email, name, password
  }

  /// The identity of the edited text. When it changes, an input method discards its composition, and an on-screen keyboard that
  /// was closed opens again.
  public var session: Int
  /// The text, without the text that is being composed; of a long one the part around the caret. Empty for a password.
  public var text: String
  /// The caret position in bytes of UTF-8.
  public var caret: Int
  /// The other end of the selection in bytes of UTF-8; equal to `caret` if nothing is selected.
  public var anchor: Int
  /// The caret's frame in logical points of the content. Input methods show their windows beside it.
  public var caretArea: Rect
  /// What the text is for; an on-screen keyboard shows the keys for it.
  public var purpose: Purpose
  /// True if the input method itself made the latest change.
  public var isByInputMethod: Bool
  /// True if a finger began the session: a program's own keyboard opens for it.
  public var isByFinger: Bool
  /// True for a text of several lines, in which the key Return begins one.
  public var hasLines: Bool

  /// The state of a text.
  public init(
    session: Int, text: String, caret: Int, anchor: Int, caretArea: Rect, purpose: Purpose = .normal,
    isByInputMethod: Bool = false, isByFinger: Bool = false, hasLines: Bool = false
  ) {
    self.session = session
    self.text = text
    self.caret = caret
    self.anchor = anchor
    self.caretArea = caretArea
    self.purpose = purpose
    self.isByInputMethod = isByInputMethod
    self.isByFinger = isByFinger
    self.hasLines = hasLines
  }
}

/// Whether anybody else types for a window: what is known of input methods and on-screen keyboards.
public enum TextService: String, Hashable, Sendable {
  /// Nobody is told what the window's text is.
  case none
  /// The compositor is told. Whether anybody hears it is unknown.
  case silent
  /// An input method has changed a text.
  case answering
}
