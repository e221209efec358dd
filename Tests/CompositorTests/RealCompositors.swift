// The suite of all tests that start compositors: one after the other, since each test keeps the machine busy by itself.

import Glibc
import Testing

/// How often a compositor is killed under the cockpit; COCKPIT_KILLS asks for more.
let killCount = getenv("COCKPIT_KILLS").flatMap { Int(String(cString: $0)) } ?? 5

/// Tests on real compositors.
@Suite(.serialized, .timeLimit(.minutes(killCount > 10 ? 60 : 1))) enum RealCompositors {}
