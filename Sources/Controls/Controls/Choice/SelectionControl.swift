/// The base of the controls that choose one of several names (`ChoiceControl`, `PopUpButton`): the names, the choice, and what
/// assistive technology is told of both.
///
/// Only another choice sends `valueChanged`, and only a person's.
public class SelectionControl: Control {
  /// The names, with a vertical bar between them: `Low|Medium|High`. In a name a bar is written `\|`, and a backslash `\\`.
  @Inspectable public var choices = ""
  /// Which name is chosen, the first being 0; an index out of range selects nothing. Setting it sends no event.
  @Inspectable public var selectedIndex = 0

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("choices", \SelectionControl.choices, .layout, then: { $0.choicesDidChange() }),
      Property("selectedIndex", \SelectionControl.selectedIndex, .display, isTold: true),
    ]
  }

  /// The names, one by one.
  public var titles: [String] {
    get { ChoiceTitles.titles(choices) }
    set { choices = ChoiceTitles.text(newValue) }
  }

  /// The name chosen; nil for none.
  public var selectedTitle: String? {
    let titles = titles
    return titles.indices.contains(selectedIndex) ? titles[selectedIndex] : nil
  }

  /// A person chooses.
  final func choose(_ index: Int) {
    guard index != selectedIndex, isEnabled else { return }
    willChoose()
    selectedIndex = index
    sendActions(for: .valueChanged)
  }

  /// Called when the names are others.
  func choicesDidChange() {}

  /// Called before a person's choice counts.
  func willChoose() {}

  /// One of a few names.
  public override var accessibilityRole: AccessibilityRole { .choice }
  /// The number of the chosen name, from 0, and the name; nil without names.
  public override var accessibilityValue: AccessibilityValue? {
    let last = titles.count - 1
    guard last >= 0 else { return nil }
    return AccessibilityValue(Double(selectedIndex), in: 0...Double(last), step: 1, text: selectedTitle ?? "")
  }
  /// Each name chooses itself.
  public override var accessibilityActions: [AccessibilityAction] {
    titles.enumerated().map { index, title in
      AccessibilityAction("choose \(index)", title: title) { [unowned self] in choose(index) }
    }
  }

  /// Chooses the name of that number.
  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    guard let index = Int(exactly: number.rounded()), titles.indices.contains(index) else {
      throw AccessibilityRefusal(AccessibilityWords.current.isImpossible)
    }
    choose(index)
  }

  /// The choice, for people and tools.
  public override var inspection: Inspection {
    super.inspection.adding(["selected": selectedTitle.map { .text($0) }])
  }
}

/// Names with a vertical bar between them. In a name, a bar and a backslash stand behind a backslash.
nonisolated enum ChoiceTitles {
  /// The names in `text`: none in an empty one. A backslash before anything else is itself.
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

  /// The text from which `titles` gives `names` again.
  static func text(_ names: [String]) -> String {
    names.map { name in
      name.reduce(into: "") { $0 += $1 == "|" || $1 == "\\" ? "\\\($1)" : String($1) }
    }.joined(separator: "|")
  }
}
