extension View {
  /// True when keys go to this view first.
  public var isFirstResponder: Bool { root?.firstResponder === self }

  /// Makes keys go to this view first. False when it cannot be (`canBecomeFirstResponder`), or is not shown.
  @discardableResult public func becomeFirstResponder() -> Bool {
    guard let root, canBecomeFirstResponder, isShown else { return false }
    root.setFirstResponder(self)
    return true
  }

  /// Lets keys go to the root again, if they went to this view.
  public func resignFirstResponder() {
    if isFirstResponder { root?.setFirstResponder(nil) }
  }
}
