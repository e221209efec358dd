/// One view is in front of the others and wants an answer first: a dialog, or a sheet.
///
/// While it is shown, keys, the focus and assistive technology stay inside it. Touches need no rule: the view covers what it must keep from
/// fingers. Several may lie over each other; the newest has the input.
struct Modality {
  weak var view: View?
  /// The view that had the focus before.
  weak var focusBefore: View?
}

extension RootView {
  /// The view that keys, the focus and assistive technology are confined to; nil for none.
  public var modalView: View? { modals.last { $0.view?.root === self && $0.view?.isShown == true }?.view }

  /// Confines the input to `view`, which is shown: whatever fingers and keys hold behind it is cancelled first, as the system does, so that
  /// nothing stays held. The focus goes to `focus`, or to the view's first stop.
  func beginModal(_ view: View, focus: View? = nil) {
    guard view.root === self, !modals.contains(where: { $0.view === view }) else { return }
    closePresentations()
    modals.removeAll { $0.view == nil }
    modals.append(Modality(view: view, focusBefore: firstResponder))
    cancelInput()
    modalDidOpen()
    // Who lost a finger by that may have closed it, or opened another.
    guard modalView === view else { return }
    setFirstResponder(focus ?? view.keyStops.first { $0 !== view })
    note(.tree(self))
  }

  /// Ends that. The focus goes back to where it was, if it can.
  func endModal(_ view: View) {
    guard let index = modals.firstIndex(where: { $0.view === view }) else { return }
    let focus = modals.remove(at: index).focusBefore
    inputLost(by: view, keepsFocus: true)
    if firstResponder?.isDescendant(of: view) ?? true {
      let isThere = focus?.root === self && focus?.canBecomeFirstResponder == true && focus?.isShown == true
      setFirstResponder(isThere ? focus : nil)
    }
    note(.tree(self))
  }

  /// True if `view` may have the focus, as far as modality is concerned.
  func admitsFocus(_ view: View) -> Bool { modalView.map { view.isDescendant(of: $0) } ?? true }

  /// True if assistive technology may ask something of `view`: a view of another tree, such as the window's title bar, is always reached, and
  /// so are those that must be reached wherever the input is.
  func isReachedByAssistance(_ view: View) -> Bool {
    guard let modal = modalView, view.root === self else { return true }
    return view.isOpened(inside: modal) || reachableOverModals().contains { view.isDescendant(of: $0) }
  }
}
