import Stage
import Testing
import UICore
import Wayland

@testable import Shell

/// The versions at which globals are bound.
@MainActor @Suite struct GlobalTests {
  @Test func `no global is bound at a version that the bindings lack`() throws {
    let row = GlobalRequirement(WlSeat.self, preferred: 1_000)
    #expect(try row.version(offered: 2_000) == UInt32(WlSeat.interface.version))
    #expect(try row.version(offered: 3) == 3)
  }

  @Test(arguments: [1, nil]) func `the registry is destroyed with the rest, where the compositor can be asked`(
    fixes: Int32?
  ) throws {
    var globals = StageGlobals.everything
    globals.fixes = fixes
    let stage = Stage(globals: globals)
    try play(stage: stage) { show in #expect(show.stage.registriesEnded == 0) }
    #expect(stage.registriesEnded == (fixes ?? 0))
  }

  @Test(arguments: [1, nil]) func `a window rings the desktop's bell, where there is one`(bell: Int32?) throws {
    var globals = StageGlobals.everything
    globals.systemBell = bell
    try play(stage: Stage(globals: globals)) { show in
      #expect(show.window?.ringBell() == (bell != nil))
      show.settle()
      #expect(show.stage.bells.count == (bell == nil ? 0 : 1))
      #expect(show.stage.bells.allSatisfy { $0 === show.surface })
    }
  }
}
