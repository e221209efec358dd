import JSON
import Stage

extension StepKind {
  /// What compositors may do, and seldom do.
  static let troubleSteps: [StepKind] = [
    StepKind(
      "release", "Changes when buffers are released.",
      [
        StepParameter(
          "buffers", .choice(policies.map(\.name)), isRequired: true,
          "`at-frame` (the default of a script): with the next refresh; `when-replaced`: once another is shown; `immediately`: right after the commit; `never`: until a later step says so"
        )
      ], ClientRun.release),
    StepKind(
      "cut",
      "Closes the client's connection without a word, as a compositor that crashes; does nothing if the client has left.",
      allowsAbsence: true, ClientRun.cut),
  ]

  static let policies: [(name: String, policy: ReleasePolicy)] = [
    ("at-frame", .atFrame), ("when-replaced", .whenReplaced), ("immediately", .immediately), ("never", .byHand),
  ]
}

extension ClientRun {
  func release(_ arguments: StepArguments) throws(StepFailure) {
    stage.releasePolicy = StepKind.policies.first { $0.name == arguments.text("buffers") }?.policy ?? .atFrame
    // The other policies release the held buffers later.
    if stage.releasePolicy == .immediately { stage.releaseBuffers() }
  }

  func cut(_ arguments: StepArguments) throws(StepFailure) {
    guard isClientPresent else { return }
    isCut = true
    for client in stage.clients where client.end == nil { client.hangUp() }
  }
}
