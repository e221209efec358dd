/// The editing commands of a field's menu and its keys.
nonisolated enum EditCommand: Hashable, Sendable, CaseIterable {
  case cut, copy, paste, selectAll

  /// The commands that would have an effect now, in the menu's order.
  static func possible(on model: TextEditModel, canPaste: Bool) -> [EditCommand] {
    allCases.filter {
      switch $0 {
      case .cut, .copy: !model.selection.isEmpty
      case .paste: canPaste
      case .selectAll: model.selection.count < model.count
      }
    }
  }

  @MainActor var title: String {
    let words = AccessibilityWords.current
    return switch self {
    case .cut: words.cut
    case .copy: words.copy
    case .paste: words.paste
    case .selectAll: words.selectAll
    }
  }
}
