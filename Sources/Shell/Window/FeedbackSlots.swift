import Wayland

/// A window's requests for presentation feedback. Ended ones are used again, so that a frame allocates nothing for them.
final class FeedbackSlots {
  /// Called with each answer and its slot.
  var onEvent: ((WpPresentationFeedback.Event, _ slot: Int) -> Void)?
  private let presentation: WpPresentation
  /// A limited number at a time: a compositor may be slow to answer, or never do.
  private var requests = [WpPresentationFeedback?](repeating: nil, count: LatencyMeter.slots)

  init(_ presentation: WpPresentation) { self.presentation = presentation }

  /// Asks when the next commit of `surface` is visible. Returns the slot of the answer; nil if too many answers are outstanding.
  func ask(about surface: WlSurface) -> Int? {
    guard let slot = requests.firstIndex(where: { $0?.isAlive != true }) else { return nil }
    if presentation.feedback(surface: surface, into: &requests[slot]) {
      requests[slot]?.onEvent = { [unowned self] in onEvent?($0, slot) }
    }
    return slot
  }

  func end() {
    for request in requests { request?.discard() }
    requests.removeAll()
  }
}
