import JSON
import Linux
import Stage

extension StepKind {
  /// Time, and waiting for the client.
  static let timeSteps: [StepKind] = [
    StepKind(
      "advance",
      "Moves virtual time on, refresh by refresh. After each refresh that the client waits for, real time passes until the client is at rest.",
      [StepParameter("ms", .number(0...86_400_000), isRequired: true, "milliseconds of virtual time")],
      ClientRun.advance),
    StepKind(
      "refresh", "Performs refreshes, each at its virtual time.",
      [StepParameter("count", .whole(1...100_000), "how many; 1 by default")], ClientRun.refresh),
    StepKind(
      "idle",
      "Pings the client, and fails unless it answers and then rests, or draws all the time; `frames` finds out which. Refreshes that it waits for go on meanwhile.",
      [StepParameter("within", .number(1...600_000), "milliseconds of real time; 1000 by default")], ClientRun.idle),
    StepKind(
      "freeze",
      "Answers nothing and sends nothing for `ms`, as a compositor that hangs, and then goes on; real time passes too.",
      [StepParameter("ms", .number(1...60_000), isRequired: true, "milliseconds, virtual and real")], ClientRun.freeze),
    StepKind(
      "late", "Reads the client's messages late from now on, and thus answers late; input is sent in time.",
      [StepParameter("ms", .number(0...60_000), isRequired: true, "milliseconds of virtual time; 0 ends it")],
      ClientRun.late),
  ]
}

extension ClientRun {
  func advance(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    advance(by: arguments.milliseconds("ms", or: 0))
    return [:]
  }

  func refresh(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    for _ in 0..<arguments.whole("count", or: 1) { refresh() }
    return [:]
  }

  func idle(_ arguments: StepArguments) throws(StepFailure) -> StepKind.Reply {
    let limit = arguments.milliseconds("within", or: 1000)
    guard !stage.isFrozen, stage.answerDelay == .zero else { throw StepFailure("the compositor itself answers late") }
    awaitRest(within: limit)
    stage.ping()
    stage.exchange()
    // Some clients read nothing while they wait for a frame callback.
    guard wait(within: limit, until: { stage.unansweredPings == 0 }) else {
      throw StepFailure("the client has not answered a ping")
    }
    guard awaitRest(within: limit) else { throw StepFailure("the client is not at rest") }
    return [:]
  }

  func freeze(_ arguments: StepArguments) throws(StepFailure) {
    let length = arguments.milliseconds("ms", or: 0)
    stage.freeze()
    stage.clock.advance(by: length)
    let end = MonotonicTime.system + length
    while MonotonicTime.system < end, process.status == nil { wait(end - MonotonicTime.system) }
    stage.thaw()
  }

  func late(_ arguments: StepArguments) throws(StepFailure) {
    stage.answerDelay = arguments.milliseconds("ms", or: 0)
  }
}
