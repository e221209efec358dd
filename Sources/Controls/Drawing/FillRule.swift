// Owns which parts of a path that crosses itself count as inside.
// Must not know how areas are found.

internal import CCairo

/// Which parts of a path that crosses itself, or has several parts, are filled.
nonisolated public enum FillRule: Hashable, Sendable {
  /// Inside is what the outline runs around, whichever way.
  case nonZero
  /// Inside is what an odd number of outlines run around: a part within a part is a hole.
  case evenOdd

  var cairo: cairo_fill_rule_t { self == .nonZero ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD }
}
