/// The moment at which a buffer is released; compositors differ, and a client must bear them all.
nonisolated public enum ReleasePolicy: Hashable, Sendable, CaseIterable {
  /// With the commit, as a compositor that copies at once.
  case immediately
  /// With the frame that first shows it, as a compositor that uploads when it repaints.
  case atFrame
  /// When another buffer takes its place, as a compositor that shows the memory itself.
  case whenReplaced
  /// When the script says so (`Stage.releaseBuffers()`), or never.
  case byHand
}
