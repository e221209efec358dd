import Testing
import Wayland

@testable import Shell

/// The versions at which globals are bound.
@MainActor @Suite struct GlobalTests {
  @Test func `no global is bound at a version that the bindings lack`() throws {
    let row = GlobalRequirement(WlSeat.self, preferred: 1_000)
    #expect(try row.version(offered: 2_000) == UInt32(WlSeat.interface.version))
    #expect(try row.version(offered: 3) == 3)
  }
}
