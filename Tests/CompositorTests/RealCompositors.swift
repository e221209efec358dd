import CompositorLab
import Glibc
import Testing

/// How often a compositor is killed under the cockpit; set COCKPIT_KILLS for more.
let killCount = getenv("COCKPIT_KILLS").flatMap { Int(String(cString: $0)) } ?? 5

/// Tests on real compositors.
///
/// The time limit ends tests that hang. It starts when a test is ready to run, before it has a thread. Every wait within a test has its
/// own limit.
@Suite(
  .serialized, .timeLimit(.minutes(killCount > 10 ? 60 : 10)),
  // A test without arguments to run with passes. So the suite is disabled if no compositor is tested, or it would look
  // successful.
  .enabled(
    if: CompositorKind.allCases.contains(where: \.isTested), "no compositor is installed; ./dev test installs them"))
enum RealCompositors {}
