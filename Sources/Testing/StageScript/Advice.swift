import Stage

extension Violation.Rule {
  /// Whether the specification permits what breaks the rule. Such findings are advice: they cost pixels, power, memory or a sharp
  /// image, but no compositor may refuse them, and so they fail a script only if it is strict. For wrongSize that is true of windows
  /// that are neither maximised nor fullscreen, whose size is a hint; the others are disconnected, which is never advice.
  nonisolated var isAdvice: Bool {
    switch self {
    case .bufferNotImportable, .damageWithoutBuffer, .wrongBufferSize, .commitBeforeFrameCallback, .ackWithoutCommit,
      .wrongSize, .toplevelBeforePopup, .textInputDisabled, .objectsLeft, .memoryLeft:
      true
    default: false
    }
  }
}
