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

  /// Plays the whole script. Throws if the client can't be started.
  func report() throws(CommandError) -> Report {
    let run = try ClientRun(command, setup: script.setup, folders: folders)
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
    return Report(
      script: script, outcomes: outcomes, findings: run.judgedFindings, death: death, isStable: isStable)
  }
}

extension ClientRun {
  /// Carries out a step.
  func carryOut(_ step: Step) -> Report.Outcome {
    do throws(StepFailure) {
      return .done(try step.kind.perform(self)(step.arguments))
    } catch {
      return .failed(error.message)
    }
  }

  /// Why the client can't take part in the next step; nil if it can.
  var absence: String? {
    guard !isCut else { return nil }
    if let disconnection { return disconnection }
    if process.status == nil, !stage.clients.isEmpty, stage.clients.allSatisfy({ $0.end != nil }) {
      // A client that has closed its connection usually ends right after that.
      _ = wait(within: .milliseconds(200)) { process.status != nil }
      if process.status == nil { return "the client has closed its connection" }
    }
    return process.exitCode.map(ClientRun.end)
  }

  /// How the client died by itself before the script was over; nil if it is alive, or has ended in order.
  var deathAtEnd: String? {
    process.reap()
    guard !isCut, !hasExpectedExit else { return nil }
    if let disconnection { return disconnection }
    guard let code = process.exitCode, code != 0 else { return nil }
    return ClientRun.end(code)
  }

  /// The protocol error by which the client was disconnected, in words; nil if it was not.
  private var disconnection: String? {
    protocolError.map { "the client was disconnected with the error \($0.code) of \($0.interface): \($0.message)" }
  }

  /// The end of a process in words.
  static func end(_ code: Int) -> String {
    code > 128 ? "the client was ended by the signal \(code - 128)" : "the client ended with \(code)"
  }

  /// The findings to report. A broken rule for which the client was disconnected is never mere advice, and a client that crashes
  /// cannot destroy its objects.
  var judgedFindings: [Finding] {
    let hasLeftInOrder = process.exitCode == 0
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
