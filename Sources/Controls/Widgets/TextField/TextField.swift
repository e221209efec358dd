/// A line of text that a user edits with a keyboard. `LineField` has the rules.
@ListsProperties
public final class TextField: LineField {
  /// The text committed last; line ends become blanks, and what follows the first 16,000 Unicode scalars is cut off. Setting it
  /// sends no event and does not change a draft that is being edited.
  @Inspectable(.display, isReported: true, normalise: TextEditModel.line, then: TextField.valueTextDidChange) public
    var text = ""

  /// Maps a committed text to one that the field accepts; nil refuses it, and the old text returns.
  public var validate: ((String) -> String?)?

  override var valueText: String { text }

  override func accept(_ draft: String) -> Bool {
    guard let accepted = validate.map({ $0(draft) }) ?? draft else { return false }
    let old = text
    text = accepted
    return text != old
  }
}
