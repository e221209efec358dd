/// A short touch, or several in a row, with one finger or more.
open class TapGestureRecognizer: GestureRecognizer {
  /// The greatest distance of a finger from its beginning, in points.
  public static let slop = 10.0
  /// The greatest distance between two taps of a row, in points.
  public static let reach = 44.0
  /// The longest time from down to up.
  public static let longestPress = Duration.milliseconds(750)
  /// The longest time from one tap of a row to the next.
  public static let longestPause = Duration.milliseconds(350)

  /// The number of taps in a row; less than 1 counts as 1.
  public var numberOfTapsRequired = 1
  /// The number of fingers at once; less than 1 counts as 1.
  public var numberOfTouchesRequired = 1

  private var tapsDone = 0
  private var firstPlace: Point?
  private var began = MonotonicTime.zero
  /// True once all fingers of the present tap were down together.
  private var isComplete = false
  /// True once one of the fingers is lifted.
  private var isLifting = false

  open override var isWaiting: Bool { tapsDone > 0 && state == .possible }

  /// A tap on a control is the control's, unless the recogniser watches that very control.
  open override func canReceive(_ touch: Touch) -> Bool { !viewsInside(around: touch).contains { $0 is Control } }

  /// A single tap lets a double tap still happen.
  open override func canPrevent(_ other: GestureRecognizer) -> Bool {
    (other as? TapGestureRecognizer).map { $0.numberOfTapsRequired <= numberOfTapsRequired } ?? true
  }

  open override func touchesBegan(_ touches: [Touch]) {
    let needed = max(numberOfTouchesRequired, 1)
    guard !isLifting, numberOfTouches <= needed else { return transition(to: .failed) }
    if numberOfTouches == touches.count, let first = touches.first {
      began = time(of: first)
      setWake(after: Self.longestPress)
    }
    guard numberOfTouches == needed else { return }
    isComplete = true
    let place = location(in: nil)
    if let firstPlace, firstPlace.distance(to: place) > Self.reach { return transition(to: .failed) }
    firstPlace = firstPlace ?? place
  }

  open override func touchesMoved(_ touches: [Touch]) { checkStrays(touches) }

  open override func touchesEnded(_ touches: [Touch]) {
    guard isComplete, let last = touches.last else { return transition(to: .failed) }
    checkStrays(touches)
    guard state == .possible else { return }
    isLifting = true
    guard numberOfTouches == 0 else { return }
    guard time(of: last) - began <= Self.longestPress else { return transition(to: .failed) }
    (isComplete, isLifting) = (false, false)
    tapsDone += 1
    if tapsDone >= max(numberOfTapsRequired, 1) {
      transition(to: .recognized)
    } else {
      setWake(after: Self.longestPause)
    }
  }

  private func checkStrays(_ touches: [Touch]) {
    if touches.contains(where: { $0.windowLocation.distance(to: $0.startWindowLocation) > Self.slop }) {
      transition(to: .failed)
    }
  }

  /// Fails, because the press or the pause took too long.
  open override func wakeUp() { transition(to: .failed) }

  open override func reset() {
    tapsDone = 0
    firstPlace = nil
    (isComplete, isLifting) = (false, false)
  }
}
