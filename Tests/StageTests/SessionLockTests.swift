import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

/// The lock of a session: when it is locked, what is shown then, and what becomes of it when its client dies.
@MainActor @Suite(.serialized) struct SessionLockTests {
  private let stage = Stage(globals: .desktop)

  @Test func `a session is locked with the next refresh, and only lock surfaces get frames until it is unlocked`()
    throws
  {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let lock = try actor.lock()
    var events: [String] = []
    lock.onEvent = { events.append("\($0)") }
    let cover = try actor.lockSurface(lock, try actor.surface())
    actor.settle()
    cover.ack()
    window.show(try actor.buffer(60, 40), frame: true)
    actor.show(try actor.buffer(1280, 720), on: cover.surface)
    var covered = 0
    actor.keep(cover.surface.frame()).onEvent = { _ in covered += 1 }
    cover.surface.commit()
    actor.settle()
    #expect(events.isEmpty && !stage.isLocked)
    actor.locked()
    #expect(events == ["locked"] && stage.isLocked && window.frames == 0 && covered == 1)
    #expect(stage.sessionLock?.surfaces.map(\.surface.logicalSize) == [Size(width: 1280, height: 720)])
    lock.unlockAndDestroy()
    actor.locked()
    #expect(!stage.isLocked && window.frames == 1 && stage.violations == [])
  }

  @Test func `a second lock is refused`() throws {
    let actor = try RuleActor(stage)
    let first = try actor.lock()
    let second = try actor.lock()
    var events: [String] = []
    second.onEvent = { events.append("\($0)") }
    actor.locked()
    #expect(events == ["finished"])
    second.destroy()
    first.unlockAndDestroy()
    actor.settle()
    #expect(!stage.isLocked && stage.violations == [])
  }

  @Test func `a session whose client dies stays locked, and another client can take it over`() throws {
    let actor = try RuleActor(stage)
    _ = try actor.lock()
    actor.locked()
    actor.client.close()
    #expect(stage.isLocked)
    let other = try RuleActor(stage)
    let lock = try other.lock()
    other.settle()
    #expect(stage.isLocked, "until the new lock is locked too")
    other.locked()
    #expect(stage.isLocked)
    lock.unlockAndDestroy()
    other.settle()
    #expect(!stage.isLocked)
  }
}
