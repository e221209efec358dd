/// One or more fingers that rest for a while. The gesture begins while they are down, changes with their moves, and ends when
/// one of them is lifted.
open class LongPressGestureRecognizer: GestureRecognizer {
  /// The time for which the fingers must rest.
  public var minimumPressDuration = Duration.milliseconds(500)
  /// The distance in points that a resting finger may move; after the gesture began it may move freely.
  public var allowableMovement = 10.0
  /// The number of fingers; less than 1 counts as 1.
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

  open override func touchesEnded(_ touches: [Touch]) {
    guard numberOfTouches < max(numberOfTouchesRequired, 1) else { return }
    transition(to: state == .possible ? .failed : .ended)
  }

  open override func wakeUp() { transition(to: .began) }
}
