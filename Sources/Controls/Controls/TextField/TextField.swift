/// A line of text that a person edits with a keyboard; `LineField` says how.
public final class TextField: LineField {
  /// The text committed last; line ends become blanks. Setting it sends no event and leaves a draft alone that is being edited.
  @Inspectable public var text = ""

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property(
        "text", \TextField.text, .display, isTold: true, normalise: TextEditModel.line,
        then: { $0.valueTextDidChange() })
    ]
  }

  /// Makes a committed text one that the field takes; nil refuses it, and the old one comes back.
  public var validate: ((String) -> String?)?

  override var valueText: String { text }

  override func accept(_ draft: String) -> Bool {
    guard let accepted = validate.map({ $0(draft) }) ?? draft else { return false }
    let old = text
    text = accepted
    return text != old
  }
}
