import Stage

extension Violation.Rule {
  /// Whether the specification permits what breaks the rule. Such findings are advice: they cost pixels, power or a blurry window,
  /// but no compositor may refuse them, and so they fail a script only if it is strict.
  nonisolated var isAdvice: Bool {
    switch self {
    case .damageWithoutBuffer, .wrongBufferSize, .commitBeforeFrameCallback, .ackWithoutCommit, .configureUnanswered,
      .wrongSize, .toplevelBeforePopup, .textInputDisabled, .objectsLeft, .memoryLeft:
      true
    default: false
    }
  }
}
