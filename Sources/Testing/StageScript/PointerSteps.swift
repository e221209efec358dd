import JSON
import Stage

extension StepKind {
  /// Moves, buttons and wheel of a mouse.
  static let pointerSteps: [StepKind] = [
    StepKind(
      "pointer-move", "Moves the pointer; it enters and leaves surfaces on its way.", place + [window],
      ClientRun.pointerMove),
    StepKind(
      "pointer-button", "Presses or releases a button where the pointer is.",
      [
        StepParameter("button", .choice(buttons.map(\.name)), "`left` by default"),
        StepParameter(
          "action", .choice(["press", "release", "click"]),
          "`click`, the default, does both, 50 ms of virtual time apart"),
      ], ClientRun.pointerButton),
    StepKind(
      "pointer-scroll", "Scrolls where the pointer is: with a wheel, or else with fingers on a touchpad.",
      [
        StepParameter("dx", .number(-10_000...10_000), "logical points to the right; 0 by default"),
        StepParameter("dy", .number(-10_000...10_000), "logical points down; 0 by default"),
        StepParameter(
          "clicks", .number(-100...100),
          "the wheel's steps, of which version 8 of wl_pointer knows fractions (`axis_value120`)"),
        StepParameter("inverted", .flag, "true for natural scrolling"),
        StepParameter("stop", .flag, "true to end a touchpad's scroll after it"),
      ], ClientRun.pointerScroll),
    StepKind("pointer-leave", "Moves the pointer away from the client.", [], ClientRun.pointerLeave),
  ]

  /// The buttons by name, with their evdev codes.
  static let buttons: [(name: String, code: UInt32)] = [
    ("left", 0x110), ("right", 0x111), ("middle", 0x112), ("back", 0x116), ("forward", 0x115),
  ]
}

extension ClientRun {
  func pointerMove(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat(with: .pointer)
    let target = try aim(at: arguments.place, arguments)
    if seat.pointerFocus === target.surface {
      seat.pointerMotion(target.point.x, target.point.y)
    } else {
      seat.pointerLeave()
      seat.pointerEnter(target.point.x, target.point.y, on: target.surface)
    }
  }

  func pointerButton(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try focusedSeat()
    let button = StepKind.buttons.first { $0.name == arguments.text("button") ?? "left" }?.code ?? StageSeat.leftButton
    let action = arguments.text("action") ?? "click"
    if action != "release" { seat.pointerButton(true, button: button) }
    if action == "click" {
      awaitRest()
      // A client that waits for a frame reads the press with the next refresh.
      advance(by: .milliseconds(50))
    }
    if action != "press" { seat.pointerButton(false, button: button) }
  }

  func pointerScroll(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try focusedSeat()
    let dx = arguments.number("dx", or: 0), dy = arguments.number("dy", or: 0)
    seat.pointerAxis(dx: dx, dy: dy, clicks: arguments.number("clicks"), isInverted: arguments.flag("inverted"))
    if arguments.flag("stop") { seat.pointerAxisStop(horizontal: dx != 0, vertical: dy != 0) }
  }

  func pointerLeave(_ arguments: StepArguments) throws(StepFailure) {
    try seat(with: .pointer).pointerLeave()
  }

  func focusedSeat() throws(StepFailure) -> StageSeat {
    let seat = try seat(with: .pointer)
    guard seat.pointerFocus != nil else { throw StepFailure("the pointer is on no surface: move it first") }
    return seat
  }
}
