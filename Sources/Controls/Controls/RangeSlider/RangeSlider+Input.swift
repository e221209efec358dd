import UICore

extension RangeSlider {
  private func position(of touch: Touch) -> Double { geometry.position(of: touch.location(in: self)) }

  /// A finger takes what is under it, without moving it; nothing is there to take where it returns false (O12, R13).
  func take(_ touch: Touch) -> Bool {
    syncGeometry()
    let position = position(of: touch)
    let part = model.part(
      at: position, thumbLength: geometry.thumbLength, touchLength: Self.minimumTouchSide)
    guard let part, model.grab(part, by: touch.id, at: position) else { return false }
    showHolds()
    return true
  }

  /// A finger moves what it holds. The first time it has come far enough, that is told before anything changes (O13).
  func move(_ touch: Touch) {
    syncGeometry()
    let position = position(of: touch)
    let wasDragging = isDragging
    if model.beginDrag(touch.id, at: position), !wasDragging {
      delegate?.rangeSliderWillBeginDragging(self)
      noteEditing()
    }
    // Who heard of it may have taken the finger away.
    guard model.isDragging(touch.id) else { return }
    let changed = change { $0.drag(touch.id, to: position) }
    showHolds()
    if changed { sendActions(for: .valueChanged) }
    if offsetTrend != 0 { delegate?.rangeSliderDidChangeOffsetTrend(self) }
  }

  /// A finger left or was taken away: first nothing is held or highlighted any more, then the end is told (O14, O-D7).
  func letGo(_ touch: Touch) {
    let wasDragging = isDragging
    model.release(touch.id)
    showHolds()
    if wasDragging, !isDragging { delegate?.rangeSliderDidEndDragging(self) }
  }

  /// A key changed while a thumb has the focus (R-D11).
  func handleKey(_ event: KeyEvent, on thumb: RangeModel.Thumb) -> Bool {
    switch event.phase {
    case .down, .repeated:
      guard isEnabled, event.modifiers.isDisjoint(with: [.control, .alt, .logo]),
        let key = SliderKey(event.key, direction: effectiveLayoutDirection)
      else { return false }
      heldKeys.insert(event.key)
      noteEditing()
      guard heldKeys.contains(event.key) else { return true }
      let changed =
        switch key {
        case .step(let steps): change { $0.step(thumb, by: steps) }
        case .end(let upwards): change { $0.stepToEnd(thumb, upwards: upwards) }
        }
      if changed { sendActions(for: .valueChanged) }
    case .up, .cancelled:
      guard heldKeys.remove(event.key) != nil else { return false }
      noteEditing(isCancelled: event.phase == .cancelled)
    }
    return true
  }
}
