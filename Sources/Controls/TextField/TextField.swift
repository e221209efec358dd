// Owns a line of text as a control's value.
// Must not know how it is edited.

/// A line of text that a person edits with a keyboard; `LineField` says how.
public final class TextField: LineField {
  /// The text committed last; line ends become blanks. Setting it sends no event and leaves a draft alone that is being edited.
  @Inspectable(.display, normalise: TextEditModel.line) public var text = ""

  /// Makes a committed text one that the field takes; nil refuses it, and the old one comes back.
  public var validate: ((String) -> String?)?

  /// Makes an empty field at `frame`, in points of the future superview.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
  }

  override var valueText: String { text }

  override func accept(_ draft: String) -> Bool {
    guard let accepted = validate.map({ $0(draft) }) ?? draft else { return false }
    let old = text
    text = accepted
    return text != old
  }

  /// Another text shows.
  public override func inspectableDidChange(_ property: any AnyInspectable) {
    super.inspectableDidChange(property)
    if property === _text { valueTextDidChange() }
  }

  /// The text, and what is edited, for people and tools.
  public override var inspection: Inspection {
    var inspection = super.inspection
    inspection.values["text"] = .text(text)
    return inspection
  }
}
