/// One finger or more that rest for a while. It begins while they are down, changes with their moves, and ends when
/// one of them goes up.
open class LongPressGestureRecognizer: GestureRecognizer {
  /// How long the fingers must rest.
  public var minimumPressDuration = Duration.milliseconds(500)
  /// How far a finger may stray while it is to rest, in points; then it may move freely.
  public var allowableMovement = 10.0
  /// How many fingers; less than 1 counts as 1.
  public var numberOfTouchesRequired = 1

  open override func touchesBegan(_ touches: [Touch]) {
    let needed = max(numberOfTouchesRequired, 1)
    guard state == .possible else { return }
    if numberOfTouches > needed { return transition(to: .failed) }
    if numberOfTouches == needed { setWake(after: minimumPressDuration) }
  }

  open override func touchesMoved(_ touches: [Touch]) {
    if state != .possible { return transition(to: .changed) }
    if touches.contains(where: { $0.windowLocation.distance(to: $0.startWindowLocation) > allowableMovement }) {
      transition(to: .failed)
    }
  }

  open override func touchesEnded(_ touches: [Touch]) { transition(to: state == .possible ? .failed : .ended) }

  open override func wakeUp() { transition(to: .began) }
}
