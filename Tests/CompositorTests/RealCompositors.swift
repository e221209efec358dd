// The suite of all tests that start compositors: one after the other, since each test keeps the machine busy by itself.

import Testing

/// Tests on real compositors.
@Suite(.serialized, .timeLimit(.minutes(1))) enum RealCompositors {}
