extension View {
  /// The key that stands for this one in a record while a password is typed; any other view itself.
  package var veiledKey: View { (self as? KeyCap).flatMap { ($0.superview as? Keyboard)?.veiled($0) } ?? self }
}

/// Which input belongs to a text that its view keeps secret; for whoever writes input down.
extension RootView {
  /// True if the letters of keys go to such a view.
  package var keepsKeysSecret: Bool { firstResponder?.keepsTextSecret ?? false }

  /// True if the text of `edit` is for such a view.
  package func keepsSecret(_ edit: TextEdit) -> Bool {
    let target = edit.place.flatMap { $0.isFinite ? hitTest($0) : nil }
    return [firstResponder, pasteTarget, target].contains { view in
      ViewChain(view ?? nil).contains(where: \.keepsTextSecret)
    }
  }
}
