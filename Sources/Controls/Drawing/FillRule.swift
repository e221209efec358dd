// Owns which parts of a path that crosses itself count as inside.
// Must not know how areas are found.

/// Which parts of a path that crosses itself, or has several parts, are filled.
nonisolated public enum FillRule: Hashable, Sendable {
  /// Inside is what the outline runs around, whichever way.
  case nonZero
  /// Inside is what an odd number of outlines run around: a part within a part is a hole.
  case evenOdd

  var rasterRule: Rasterizer.Rule { self == .nonZero ? .nonZero : .evenOdd }
}
