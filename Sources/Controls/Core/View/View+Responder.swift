extension View {
  /// True when keys go to this view first.
  public var isFirstResponder: Bool { root?.firstResponder === self }

  /// Makes keys go to this view first. False when it cannot be (`canBecomeFirstResponder`), or is not shown.
  @discardableResult public func becomeFirstResponder() -> Bool {
    guard let root, canBecomeFirstResponder, isShown, isEffectivelyEnabled else { return false }
    root.setFirstResponder(self)
    return true
  }

  /// Whether neither the view nor a view around it is a disabled control, which keeps all input from what is inside.
  var isEffectivelyEnabled: Bool {
    var view: View? = self
    while let current = view {
      if !current.isEnabledItself { return false }
      view = current.superview
    }
    return true
  }

  /// False for a disabled control.
  private var isEnabledItself: Bool { (self as? Control)?.isEnabled ?? true }

  /// Whether fingers may reach the view or what is inside, as far as it is its own matter.
  var isTouchable: Bool { isUserInteractionEnabled && !isHidden && storedAlpha > 0.01 }

  /// Whether keys may go to the view or what is inside, as far as it is its own matter.
  var takesKeys: Bool { isTouchable && isEnabledItself }

  /// Lets keys go to the root again, if they went to this view.
  public func resignFirstResponder() {
    if isFirstResponder { root?.setFirstResponder(nil) }
  }
}
