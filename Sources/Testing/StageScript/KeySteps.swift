import JSON
import Stage

extension StepKind {
  /// The keyboard, text input and the clipboard.
  static let keySteps: [StepKind] = [
    StepKind("focus", "Gives a window the keyboard focus, and its text inputs.", [window], ClientRun.focus),
    StepKind("unfocus", "Takes the keyboard focus away.", [], ClientRun.unfocus),
    StepKind(
      "key", "Presses or releases a key; modifiers follow. Without the keyboard focus, the window gets it first.",
      [
        StepParameter(
          "key", .choice(KeyTable.all.map(\.name)), isRequired: true,
          "its name: a letter, a digit or another character of the US layout without Shift, `f1` to `f12`, or "
            + KeyTable.all.map(\.name).filter { $0.count > 3 }.map { "`\($0)`" }.joined(separator: ", ")
            + ", `end`, `tab`, `alt`, `up`"),
        StepParameter("action", .choice(["press", "release", "tap"]), "`tap`, the default, does both"), window,
      ], ClientRun.key),
    StepKind(
      "text", "Enters text as an input method does, into the text input that the client has enabled.",
      [
        StepParameter("commit", .text, "text to enter"),
        StepParameter("preedit", .text, "text that is being composed, with the caret at its end"),
        StepParameter("delete", .whole(0...4000), "bytes to delete before the caret"), window,
      ], ClientRun.text),
    StepKind(
      "shortcuts", "Acts as a user who wants the compositor's shortcuts back from a client that inhibits them.",
      [StepParameter("inhibited", .flag, "true to give them up again")], ClientRun.shortcuts),
    StepKind(
      "clipboard", "Puts a text of another client on the clipboard.",
      [
        StepParameter("text", .text, isRequired: true, "the text"),
        StepParameter("type", .text, "its MIME type; `text/plain;charset=utf-8` by default"),
      ], ClientRun.clipboard),
  ]
}

extension ClientRun {
  func focus(_ arguments: StepArguments) throws(StepFailure) {
    focus(try toplevel(arguments), try seat(with: .keyboard))
  }

  func unfocus(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat(with: .keyboard)
    for input in seat.textInputs where input.focus != nil { input.leave() }
    seat.keyboardLeave()
    heldKeys = []
  }

  func key(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat(with: .keyboard)
    guard let key = arguments.text("key").flatMap(KeyTable.named) else { return }
    let action = arguments.text("action") ?? "tap"
    if seat.keyboardFocus == nil { focus(try toplevel(arguments), seat) }
    if action != "release" {
      guard !heldKeys.contains(key.code) else { throw StepFailure("\(key.name) is held already") }
      heldKeys.append(key.code)
      send(key, true, seat)
    }
    if action == "tap" { awaitRest() }
    if action != "press" {
      guard heldKeys.contains(key.code) else { throw StepFailure("\(key.name) is not held") }
      heldKeys.removeAll { $0 == key.code }
      send(key, false, seat)
    }
  }

  private func send(_ key: KeyTable.Key, _ isPressed: Bool, _ seat: StageSeat) {
    seat.key(key.code, isPressed)
    if key.modifier != 0 {
      seat.modifiers(KeyTable.all.reduce(0) { heldKeys.contains($1.code) ? $0 | $1.modifier : $0 })
    }
  }

  func text(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat(with: .keyboard)
    if seat.keyboardFocus == nil {
      focus(try toplevel(arguments), seat)
      awaitRest()
    }
    guard let input = seat.textInputs.first(where: { $0.state != nil }) else {
      throw StepFailure("the client has enabled no text input")
    }
    if let count = arguments.whole("delete") { input.delete(before: count) }
    if let text = arguments.text("commit") { input.commit(text) }
    if let text = arguments.text("preedit") { input.preedit(text, caret: text.utf8.count..<text.utf8.count) }
    input.done()
  }

  func shortcuts(_ arguments: StepArguments) throws(StepFailure) {
    let (seat, isInhibited) = (try seat(with: .keyboard), arguments.flag("inhibited"))
    guard isInhibited || seat.inhibitsShortcuts else { throw StepFailure("the client inhibits no shortcuts") }
    seat.overruleInhibitors(!isInhibited)
  }

  func clipboard(_ arguments: StepArguments) throws(StepFailure) {
    stage.copyElsewhere(arguments.text("text") ?? "", as: arguments.text("type") ?? "text/plain;charset=utf-8")
  }

  private func focus(_ window: StageToplevel, _ seat: StageSeat) {
    guard seat.keyboardFocus !== window.surface else { return }
    for input in seat.textInputs where input.focus != nil { input.leave() }
    seat.keyboardLeave()
    heldKeys = []
    seat.keyboardEnter(on: window.surface)
    for input in seat.textInputs where input.isAlive { input.enter(window.surface) }
  }
}
