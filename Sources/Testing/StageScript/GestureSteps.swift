import JSON
import Stage

extension StepKind {
  /// Gestures of fingers on a touchpad.
  static let gestureSteps: [StepKind] = [
    StepKind(
      "swipe", "Fingers on a touchpad move in one direction, where the pointer is, at an even pace with every refresh.",
      [fingers(3)] + way + [length, cancel], ClientRun.swipe),
    StepKind(
      "pinch", "Fingers on a touchpad move apart, together or around each other, in the same way.",
      [
        fingers(2),
        StepParameter("scale", .number(0.01...100), "their distance at the end, by that at first; 1 by default"),
        StepParameter("rotation", .number(-3600...3600), "degrees clockwise; 0 by default"),
      ] + way + [length, cancel], ClientRun.pinch),
    StepKind(
      "hold", "Fingers rest on a touchpad, where the pointer is.", [fingers(1), length, cancel], ClientRun.hold),
  ]

  private static func fingers(_ count: Int) -> StepParameter {
    StepParameter("fingers", .whole(1...10), "how many; \(count) by default")
  }

  private static let way = [
    StepParameter("dx", .number(-10_000...10_000), "logical points to the right; 0 by default"),
    StepParameter("dy", .number(-10_000...10_000), "logical points down; 0 by default"),
  ]
  private static let length = StepParameter("ms", .number(0...600_000), "how long in virtual time; 200 by default")
  private static let cancel = StepParameter(
    "cancelled", .flag, "true for a gesture that the compositor takes for another in the end")
}

extension ClientRun {
  func swipe(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try focusedSeat()
    try perform(.swipe, 3, arguments, seat) { part in
      seat.updateSwipe(dx: arguments.number("dx", or: 0) * part, dy: arguments.number("dy", or: 0) * part)
    }
  }

  func pinch(_ arguments: StepArguments) throws(StepFailure) {
    let (seat, scale) = (try focusedSeat(), arguments.number("scale", or: 1))
    var done = 0.0
    try perform(.pinch, 2, arguments, seat) { part in
      done += part
      seat.updatePinch(
        dx: arguments.number("dx", or: 0) * part, dy: arguments.number("dy", or: 0) * part,
        scale: 1 + (scale - 1) * done, rotation: arguments.number("rotation", or: 0) * part)
    }
  }

  func hold(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try focusedSeat()
    try perform(.hold, 1, arguments, seat) { _ in }
  }

  /// Plays a gesture; `move` gets the parts of its way, which add up to 1.
  private func perform(
    _ gesture: StageSeat.Gesture, _ fingers: Int, _ arguments: StepArguments, _ seat: StageSeat, move: (Double) -> Void
  ) throws(StepFailure) {
    guard seat.listens(for: gesture) else { throw StepFailure("the client listens for no such gesture") }
    seat.beginGesture(gesture, fingers: arguments.whole("fingers", or: fingers))
    awaitRest()
    let (start, length) = (stage.clock.now, arguments.milliseconds("ms", or: 200))
    var done = 0.0
    func go(to part: Double) {
      if part > done { move(part - done) }
      done = max(done, part)
    }
    advance(by: length) { go(to: min(1, (stage.clock.now - start).inSeconds / max(length.inSeconds, 1e-9))) }
    go(to: 1)
    seat.endGesture(gesture, isCancelled: arguments.flag("cancelled"))
  }
}
