import CompositorLab
import Testing

extension CompositorKind: CustomTestStringConvertible {
  /// Those that most tests run on. What is left out is named, so that nobody takes silence for success.
  static let tested: [CompositorKind] = [weston, sway, kwin].filter { kind in
    if !kind.isTested { print("skipped: \(kind.reasonToSkip)") }
    return kind.isTested
  }

  /// Its name.
  public var testDescription: String { rawValue }
}

extension Trait where Self == ConditionTrait {
  /// For a test of one compositor; where it is skipped it says what is missing.
  static func needs(_ kind: CompositorKind) -> Self {
    .enabled(if: kind.isTested, Comment(rawValue: kind.reasonToSkip))
  }
}
