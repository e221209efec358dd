/// The editing commands of a field's menu and its keys.
nonisolated enum EditCommand: Hashable, Sendable {
  case cut, copy, paste, selectAll

  /// The commands that would have an effect now and their titles, in the menu's order; a secret text is not copied.
  @MainActor static func possible(
    on model: TextEditModel, canPaste: Bool, isSecret: Bool = false
  ) -> [(command: EditCommand, title: String)] {
    let (words, canCopy) = (AccessibilityWords.current, !model.selection.isEmpty && !isSecret)
    let rows: [(command: EditCommand, title: String, isPossible: Bool)] = [
      (.cut, words.cut, canCopy), (.copy, words.copy, canCopy), (.paste, words.paste, canPaste),
      (.selectAll, words.selectAll, model.selection.count < model.count),
    ]
    return rows.filter(\.isPossible).map { ($0.command, $0.title) }
  }
}
