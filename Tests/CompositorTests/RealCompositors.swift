import CompositorLab
import Glibc
import Testing

/// How often a compositor is killed under the cockpit; COCKPIT_KILLS asks for more.
let killCount = getenv("COCKPIT_KILLS").flatMap { Int(String(cString: $0)) } ?? 5

/// Tests on real compositors.
///
/// The limit ends what hangs. It counts from when a test is ready to run: the first one then waits until the thousands of short tests
/// that are ready as well have had their turn, which takes a minute on a small machine. What a test waits for has limits of its own.
@Suite(
  .serialized, .timeLimit(.minutes(killCount > 10 ? 60 : 10)),
  // A test with arguments passes with none of them: where no compositor is tested, nothing may look as if it had been.
  .enabled(
    if: CompositorKind.allCases.contains(where: \.isTested), "no compositor is installed; ./dev test installs them"))
enum RealCompositors {}
