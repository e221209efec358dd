/// Withholds a finger from the views inside as long as it may still scroll: until it rested for a moment, moved in another
/// direction, or was lifted. A finger that comes down while the content moves catches it, and is never delivered to the
/// content; what hardly moves any more it stops, and is for the content.
final class ScrollHoldRecognizer: GestureRecognizer {
  /// The time that a finger must rest before it is delivered to the content.
  static let delay = Duration.milliseconds(150)

  /// Stops the motion; returns true if there was any that a user could see.
  var catches: (() -> Bool)?
  /// Called when a finger that caught a motion is lifted.
  var released: (() -> Void)?

  override func canReceive(_ touch: Touch) -> Bool { true }

  /// A finger that was delivered to the content does not prevent others from being withheld.
  override var startsOver: Bool { true }

  /// The drag of a scroll view may follow.
  override func allowsSimultaneous(with other: GestureRecognizer) -> Bool { other is PanGestureRecognizer }

  override func touchesBegan(_ touches: [Touch]) {
    guard state == .possible, numberOfTouches == touches.count else { return }
    if catches?() ?? false { return transition(to: .began) }
    setWake(after: Self.delay)
  }

  override func touchesMoved(_ touches: [Touch]) {
    guard state == .possible else { return }
    let isDrag = touches.contains { $0.windowLocation.distance(to: $0.startWindowLocation) >= PanModel.slop }
    if isDrag { transition(to: .failed) }
  }

  override func touchesEnded(_ touches: [Touch]) {
    guard state != .possible else { return transition(to: .failed) }
    guard numberOfTouches == 0 else { return }
    transition(to: .ended)
    released?()
  }

  override func touchesCancelled(_ touches: [Touch]) {
    let wasActive = state != .possible
    super.touchesCancelled(touches)
    if wasActive { released?() }
  }

  override func wakeUp() { transition(to: .failed) }
}
