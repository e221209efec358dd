import JSON
import Linux
import Stage

/// Carries out a script on a client.
struct ScriptRun {
  var script: Script
  let command: [String]
  let folders: ClientRun.Folders
  /// Whether the report leaves out what may differ from run to run.
  var isStable = false
  /// Who makes the film and the page; nil if neither is asked for.
  var watcher: RunWatcher?

  /// Plays the whole script. Throws if the client can't be started.
  func report() throws(CommandError) -> Report {
    let run = try ClientRun.start(command, setup: script.setup, folders: folders, watcher: watcher)
    var outcomes: [Report.Outcome] = []
    var death: String?
    for (index, step) in script.steps.enumerated() {
      run.step = index
      if !step.kind.allowsAbsence, let words = run.absence {
        death = words
        break
      }
      let outcome = run.carryOut(step)
      outcomes.append(outcome)
      if case .failed = outcome { break }
    }
    run.step = nil
    if death == nil { death = run.deathAtEnd }
    run.finish()
    let findings = run.judgedFindings
    // The page has what may differ from run to run.
    let page = Report(script: script, outcomes: outcomes, findings: findings, death: death)
    watcher?.save(RunWatcher.Ending(exitCode: page.exitCode, findings: findings, death: death))
    return isStable
      ? Report(script: script, outcomes: outcomes, findings: findings, death: death, isStable: true) : page
  }
}

extension ClientRun {
  /// Carries out a step.
  func carryOut(_ step: Step) -> Report.Outcome {
    watcher?.begin(step, stage)
    let outcome: Report.Outcome
    do throws(StepFailure) {
      outcome = .done(try step.kind.perform(self)(step.arguments))
    } catch {
      outcome = .failed(error.message)
    }
    watcher?.end(outcome, stage)
    return outcome
  }

  /// Why the client can't take part in the next step; nil if it can.
  var absence: String? {
    guard !isCut else { return nil }
    if let disconnection { return disconnection }
    if isEnding {
      awaitEnd()
      if process.status == nil { return "the client has closed its connection" }
    }
    return process.ending?.words
  }

  /// Whether the client's end has begun: it has closed its connection, or the system writes down what it had in memory when it crashed.
  private var isEnding: Bool {
    process.reap()
    guard process.status == nil else { return false }
    return !stage.clients.isEmpty && stage.clients.allSatisfy { $0.end != nil } || process.isDumping
  }

  /// Waits until a client whose end has begun has ended, at most for ten seconds: what handles crashes may take its time.
  private func awaitEnd() {
    _ = wait(within: .seconds(10)) { process.status != nil }
  }

  /// How the client died by itself before the script was over; nil if it is alive, or has ended in order.
  var deathAtEnd: String? {
    process.reap()
    guard !isCut, !hasExpectedExit else { return nil }
    if let disconnection { return disconnection }
    if isEnding { awaitEnd() }
    guard let ending = process.ending, ending != .code(0) else { return nil }
    return ending.words
  }

  /// The protocol error by which the client was disconnected, in words; nil if it was not.
  private var disconnection: String? {
    protocolError.map { "the client was disconnected with the error \($0.code) of \($0.interface): \($0.message)" }
  }

  /// The findings to report. A broken rule for which the client was disconnected is never mere advice, and a client that crashes
  /// cannot destroy its objects.
  var judgedFindings: [Finding] {
    let hasLeftInOrder = process.ending == .code(0)
    return findings.compactMap { finding in
      let rule = finding.violation.rule
      if !hasLeftInOrder, rule == .objectsLeft || rule == .memoryLeft { return nil }
      // libwayland cuts the text of errors.
      let words = String(decoding: "\(rule.rawValue): \(finding.violation.message)".utf8.prefix(100), as: UTF8.self)
      let isFatal = protocolError?.message.hasPrefix(words) == true
      return Finding(
        violation: finding.violation, step: finding.step, isAdvice: finding.isAdvice && !isFatal,
        isExpected: finding.isExpected)
    }
  }
}
