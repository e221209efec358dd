/// One view is in front of the others and wants an answer first: a dialog, or a sheet.
///
/// While it is shown, fingers, pointers, keys, the focus and assistive technology stay inside it, also if it covers only a part of the window.
/// Several may lie over each other; the newest has the input.
struct Modality {
  weak var view: View?
  /// The view that had the focus before.
  weak var focusBefore: View?
  /// False for a view that lies in front and leaves the input to those around it.
  var takesInput = true
  /// True from its end until it has disappeared.
  var isEnded = false
}

extension RootView {
  /// The view that fingers, keys, the focus and assistive technology are confined to; nil for none.
  public var modalView: View? { modals.last { $0.takesInput && $0.isShown(in: self) }?.view }

  /// The newest dialog or sheet that is seen, whether it has all input, has not, or still disappears; nil for none.
  package var viewInFront: View? { modals.last { $0.isShown(in: self) }?.view }

  /// Notes that `view`, which is shown, lies in front of the others: whatever fingers and keys hold behind it is cancelled first, as the system
  /// does, so that nothing stays held. Unless it leaves the input to others, the focus goes to `focus`, or to the view's first stop.
  func beginModal(_ view: View, focus: View? = nil, takesInput: Bool = true) {
    guard view.root === self, !modals.contains(where: { $0.view === view && !$0.isEnded }) else { return }
    closePresentations()
    modals.removeAll { $0.view == nil || $0.view === view }
    modals.append(Modality(view: view, focusBefore: firstResponder, takesInput: takesInput))
    cancelInput()
    modalDidOpen()
    // Who lost a finger by that may have closed it, or opened another.
    if modalView === view { setFirstResponder(focus ?? view.keyStops.first { $0 !== view }) }
    note(.tree(self))
  }

  /// Ends that, though `view` may be seen until `forgetModal`. The focus goes back to where it was, if it can.
  func endModal(_ view: View) {
    guard let index = modals.firstIndex(where: { $0.view === view && !$0.isEnded }) else { return }
    let modality = modals[index]
    let focus = modality.focusBefore
    (modals[index].takesInput, modals[index].isEnded) = (false, true)
    inputLost(by: view, keepsFocus: true)
    if firstResponder?.isDescendant(of: view) ?? modality.takesInput {
      let isThere = focus?.root === self && focus?.canBecomeFirstResponder == true && focus?.isShown == true
      setFirstResponder(isThere ? focus : nil)
    }
    note(.tree(self))
  }

  /// `view` has disappeared.
  func forgetModal(_ view: View) { modals.removeAll { $0.view == nil || $0.isEnded && $0.view === view } }

  /// True if `view` may have the focus, as far as modality is concerned.
  func admitsFocus(_ view: View) -> Bool { modalView.map { view.isDescendant(of: $0) } ?? true }

  /// `hit`, which lies at a point, or the view that has all input if that keeps the point's input from it. What was opened from inside it, as a
  /// menu, what types into it, and what must be reached wherever the input is, are in front.
  func confined(_ hit: View?) -> View? {
    guard let modal = modalView, let hit, !hit.isDescendant(of: modal) else { return hit }
    let isInFront =
      presentations.contains { hit.isDescendant(of: $0.view) } || ViewChain(hit).contains(where: \.keepsFocusElsewhere)
      || reachableOverModals().contains { hit.isDescendant(of: $0) }
    return isInFront ? hit : modal
  }

  /// True if assistive technology may ask something of `view`: a view of another tree, such as the window's title bar, is always reached, and
  /// so are those that must be reached wherever the input is, and the keyboard that types into the view with all input.
  func isReachedByAssistance(_ view: View) -> Bool {
    guard let modal = modalView, view.root === self else { return true }
    return view.isOpened(inside: modal) || ViewChain(view).contains(where: \.keepsFocusElsewhere)
      || reachableOverModals().contains { view.isDescendant(of: $0) }
  }
}

extension Modality {
  fileprivate func isShown(in root: RootView) -> Bool { view?.root === root && view?.isShown == true }
}
