extension View {
  /// True when keys go to this view first.
  public var isFirstResponder: Bool { root?.firstResponder === self }

  /// Makes this view the first responder. Returns false if it cannot be (`canBecomeFirstResponder`), is not shown, or another
  /// view has all input (`RootView.modalView`).
  @discardableResult public func becomeFirstResponder() -> Bool {
    guard let root, canBecomeFirstResponder, isShown, isEffectivelyEnabled, root.admitsFocus(self) else { return false }
    root.setFirstResponder(self)
    return true
  }

  /// Whether neither the view nor an ancestor is a disabled control, which blocks all input inside.
  var isEffectivelyEnabled: Bool { chain.allSatisfy(\.isEnabledItself) }

  private var isEnabledItself: Bool { (self as? Control)?.isEnabled ?? true }

  /// Whether fingers may reach the view or its descendants, by its own settings.
  var isTouchable: Bool { isUserInteractionEnabled && !isHidden && storedAlpha > 0.01 }

  /// Whether keys may reach the view or its descendants, by its own settings.
  var takesKeys: Bool { isTouchable && isEnabledItself }

  /// Makes the root the first responder again, if this view was.
  public func resignFirstResponder() {
    if isFirstResponder { root?.setFirstResponder(nil) }
  }
}
