import CompositorLab
import Testing

extension CompositorKind: CustomTestStringConvertible {
  /// The compositors that most tests run on. Those left out are printed, so that silence is not taken for success.
  static let tested: [CompositorKind] = [weston, sway, kwin].filter { kind in
    if !kind.isTested { print("skipped: \(kind.reasonToSkip)") }
    return kind.isTested
  }

  /// Its name.
  public var testDescription: String { rawValue }
}

extension Trait where Self == ConditionTrait {
  /// For a test of one compositor. A skipped test says what is missing.
  static func needs(_ kind: CompositorKind) -> Self {
    .enabled(if: kind.isTested, Comment(rawValue: kind.reasonToSkip))
  }
}
