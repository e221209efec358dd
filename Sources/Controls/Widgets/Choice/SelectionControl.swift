/// The base of the controls that choose one of several names (`ChoiceControl`, `PopUpButton`): the names, the choice, and the
/// accessibility of both.
///
/// Only a changed choice by the user sends `valueChanged`.
@ListsProperties
public class SelectionControl: Control {
  /// The names, with a vertical bar between them: `Low|Medium|High`. In a name a bar is written `\|`, and a backslash `\\`.
  @Inspectable(.layout, then: SelectionControl.choicesDidChange) public var choices = ""
  /// The index of the chosen name, from 0; an index out of range selects nothing. Setting it sends no event.
  @Inspectable(.display, isReported: true, then: SelectionControl.selectionDidChange) public var selectedIndex = 0

  public override var ownEvents: Event { .valueChanged }

  /// The names, one by one.
  public var titles: [String] {
    get { ChoiceTitles.titles(choices) }
    set { choices = ChoiceTitles.text(newValue) }
  }

  /// The chosen name; nil if `selectedIndex` is out of range.
  public var selectedTitle: String? {
    let titles = titles
    return titles.indices.contains(selectedIndex) ? titles[selectedIndex] : nil
  }

  /// Chooses on behalf of the user.
  final func choose(_ index: Int) {
    guard index != selectedIndex, isEnabled else { return }
    willChoose()
    selectedIndex = index
    sendActions(for: .valueChanged)
  }

  func choicesDidChange() {}

  func selectionDidChange() {}

  func willChoose() {}

  public override var accessibilityRole: AccessibilityRole { .choice }
  public override var accessibilityValue: AccessibilityValue? {
    let last = titles.count - 1
    guard last >= 0 else { return nil }
    return AccessibilityValue(Double(selectedIndex), in: 0...Double(last), step: 1, text: selectedTitle ?? "")
  }
  public override var accessibilityActions: [AccessibilityAction] {
    titles.enumerated().map { index, title in
      AccessibilityAction("choose \(index)", title: title) { [unowned self] in choose(index) }
    }
  }

  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    guard let index = Int(exactly: number.rounded()), titles.indices.contains(index) else {
      throw AccessibilityRefusal(AccessibilityWords.current.isImpossible)
    }
    choose(index)
  }

  public override var inspection: Inspection {
    super.inspection.adding(["selected": selectedTitle.map { .string($0) }])
  }
}

/// Names separated by vertical bars. In a name, a bar or a backslash is preceded by a backslash.
nonisolated enum ChoiceTitles {
  /// The names in `text`; none if it is empty. A backslash before any other character stands for itself.
  static func titles(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var titles = [""]
    var rest = text[...]
    while let character = rest.popFirst() {
      let isEscape = character == "\\" && (rest.first == "|" || rest.first == "\\")
      if character == "|" {
        titles.append("")
      } else {
        titles[titles.count - 1].append(isEscape ? rest.removeFirst() : character)
      }
    }
    return titles
  }

  /// The text from which `titles` restores `names`.
  static func text(_ names: [String]) -> String {
    names.map { name in
      name.reduce(into: "") { $0 += $1 == "|" || $1 == "\\" ? "\\\($1)" : String($1) }
    }.joined(separator: "|")
  }
}
