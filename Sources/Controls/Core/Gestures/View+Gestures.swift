extension View {
  /// Has `recognizer` watch the fingers that come down on the view and inside. One that watched another view leaves it.
  public func addGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view !== self else { return }
    recognizer.view?.removeGestureRecognizer(recognizer)
    recognizer.view = self
    storedRecognizers = gestureRecognizers + [recognizer]
  }

  /// Ends watching; a gesture on its way is cancelled.
  public func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view === self else { return }
    recognizer.cancel()
    root?.touchDispatcher.forget(recognizer)
    recognizer.view = nil
    storedRecognizers?.removeAll { $0 === recognizer }
  }

  /// False where nobody may make gestures: on a disabled control.
  var allowsGestures: Bool { (self as? Control)?.isEnabled ?? true }

  /// The recognisers that watch the view, in the order in which they were added.
  public var gestureRecognizers: [GestureRecognizer] { storedRecognizers ?? [] }
}
