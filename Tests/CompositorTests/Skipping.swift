// Which compositors the tests run on: in CI and under `./dev test` all of them, elsewhere those that are installed.

import CompositorLab
import Testing

extension CompositorKind: CustomTestStringConvertible {
  /// Those that tests run on. What is left out is named, so that nobody takes silence for success.
  static let tested: [CompositorKind] = allCases.filter { kind in
    if !kind.isTested { print("skipped: \(kind.reasonToSkip)") }
    return kind.isTested
  }

  /// Its name.
  public var testDescription: String { rawValue }
}
