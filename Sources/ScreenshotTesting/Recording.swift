/// What happens to references in this run.
nonisolated public enum Recording: Hashable, Sendable {
  /// Pictures are compared; a missing reference is a failure.
  case off
  /// Pictures without a reference become it; the others are compared.
  case missing
  /// Every picture becomes its reference.
  case all

  /// What `environment` asks for: `SCREENSHOT_RECORD` is `all` (also `1`, `true`, `record`) or `missing`; anything else
  /// compares. `COCKPIT_GOLDEN=record` means `all` too.
  public init(environment: [String: String]) {
    switch environment["SCREENSHOT_RECORD"] {
    case "all", "1", "true", "record": self = .all
    case "missing": self = .missing
    default: self = environment["COCKPIT_GOLDEN"] == "record" ? .all : .off
    }
  }
}
