import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

/// Commits that wait for a refresh (wp_fifo_v1) or for their time (wp_commit_timer_v1).
@MainActor @Suite(.serialized) struct WaitingCommitTests {
  private let stage = Stage()

  /// A window that shows 60 x 40 pixels, with a fifo object and a timer.
  private func make() throws -> (actor: RuleActor, window: RawWindow, fifo: WpFifoV1, timer: WpCommitTimerV1) {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let fifo = actor.keep(try actor.global(WpFifoManagerV1.self).getFifo(surface: window.surface))
    return (actor, window, fifo, try actor.timer(window.surface))
  }

  private var surface: StageSurface { stage.toplevel.surface }
  private var colour: UInt32? { surface.picture?.pixel(x: 0, y: 0) }

  /// A buffer of one colour.
  private func buffer(_ actor: RuleActor, _ colour: UInt32) throws -> RawBuffer {
    let made = try actor.buffer(60, 40)
    made.fill(colour)
    return made
  }

  /// Shows a picture with a barrier, and commits another, which waits for it. Returns the latter's buffer.
  private func showTwo(_ actor: RuleActor, _ window: RawWindow, _ fifo: WpFifoV1) throws -> RawBuffer {
    fifo.setBarrier()
    window.show(try buffer(actor, 0xff00_0001))
    fifo.waitBarrier()
    let waiting = try buffer(actor, 0xff00_0002)
    window.show(waiting)
    return waiting
  }

  private func refresh(_ actor: RuleActor) {
    stage.nextRefresh()
    actor.settle()
  }

  /// Gives the next commit a time from now on.
  private func set(_ timer: WpCommitTimerV1, in delay: Duration) {
    let (seconds, rest) = (stage.clock.now + delay).nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    timer.setTimestamp(tvSecHi: 0, tvSecLo: UInt32(seconds), tvNsec: UInt32(rest))
  }

  @Test func `a commit that waits for a barrier applies after the next refresh, and is shown with the one after`()
    throws
  {
    let (actor, window, fifo, _) = try make()
    fifo.setBarrier()
    window.show(try buffer(actor, 0xff00_0001))
    fifo.waitBarrier()
    window.show(try buffer(actor, 0xff00_0002), frame: true)
    #expect(colour == 0xff00_0001 && surface.waitingCommits == 1 && surface.contentCommits.count == 2)
    refresh(actor)
    #expect(colour == 0xff00_0002 && surface.waitingCommits == 0 && window.frames == 0)
    let record = try #require(surface.contentCommits.last)
    #expect(record.applied == stage.clock.now && record.time < record.applied)
    refresh(actor)
    #expect(window.frames == 1)
    #expect(stage.violations == [])
  }

  @Test func `without a barrier nothing waits, and a barrier holds only who waits for it`() throws {
    let (actor, window, fifo, _) = try make()
    fifo.waitBarrier()
    window.show(try buffer(actor, 0xff00_0001))
    #expect(colour == 0xff00_0001)
    fifo.setBarrier()
    window.show(try buffer(actor, 0xff00_0002))
    window.show(try buffer(actor, 0xff00_0003))
    #expect(colour == 0xff00_0003 && stage.violations == [])
  }

  @Test func `commits that each set a barrier and wait for it are shown one a refresh, in their order`() throws {
    let (actor, window, fifo, _) = try make()
    for colour in 1...4 as ClosedRange<UInt32> {
      fifo.setBarrier()
      fifo.waitBarrier()
      window.show(try buffer(actor, 0xff00_0000 | colour), frame: true)
    }
    for shown in 1...4 as ClosedRange<UInt32> {
      #expect(colour == 0xff00_0000 | shown && surface.waitingCommits == 4 - Int(shown))
      refresh(actor)
    }
    // Queued on purpose: nobody is told to wait for frame callbacks.
    #expect(window.frames == 4 && stage.violations == [])
  }

  @Test func `a later commit without a constraint waits for those before it`() throws {
    let (actor, window, _, timer) = try make()
    set(timer, in: .milliseconds(40))
    window.show(try buffer(actor, 0xff00_0001))
    window.show(try buffer(actor, 0xff00_0002))
    #expect(surface.waitingCommits == 2)
    stage.clock.advance(by: .milliseconds(41))
    actor.settle()
    #expect(colour == 0xff00_0002 && surface.contentCommits.count == 3 && stage.violations == [])
  }

  @Test func `a commit with a time is shown with the first refresh that is not before it`() throws {
    let (actor, window, _, timer) = try make()
    set(timer, in: .milliseconds(40))
    window.show(try buffer(actor, 0xff00_0001), frame: true)
    let due = try #require(stage.clock.now + .milliseconds(40) as MonotonicTime?)
    refresh(actor)
    refresh(actor)
    #expect(stage.clock.now < due && colour == 0xff20_4060 && window.frames == 0)
    refresh(actor)
    #expect(stage.clock.now >= due && colour == 0xff00_0001 && window.frames == 1)
    #expect(surface.contentCommits.last?.target == due)
    set(timer, in: .milliseconds(-5))
    window.show(try buffer(actor, 0xff00_0002))
    #expect(colour == 0xff00_0002, "a time that is past holds nothing")
    timer.setTimestamp(tvSecHi: .max, tvSecLo: .max, tvNsec: 0)
    window.show(try buffer(actor, 0xff00_0003))
    refresh(actor)
    #expect(surface.waitingCommits == 1 && stage.violations == [])
  }

  @Test func `hidden windows get on, and a frozen compositor goes on after it`() throws {
    let (actor, window, fifo, timer) = try make()
    stage.toplevel.suspend()
    actor.settle()
    window.ack()
    window.surface.commit()
    fifo.setBarrier()
    window.show(try buffer(actor, 0xff00_0001))
    fifo.setBarrier()
    fifo.waitBarrier()
    window.show(try buffer(actor, 0xff00_0002), frame: true)
    #expect(colour == 0xff00_0001)
    refresh(actor)
    #expect(colour == 0xff00_0002 && window.frames == 0)
    fifo.waitBarrier()
    set(timer, in: .milliseconds(5))
    window.show(try buffer(actor, 0xff00_0003))
    stage.freeze()
    stage.nextRefresh()
    stage.step()
    #expect(colour == 0xff00_0002)
    stage.thaw()
    stage.step()
    #expect(colour == 0xff00_0002, "there was no refresh")
    refresh(actor)
    #expect(colour == 0xff00_0003 && stage.violations == [])
  }

  @Test(arguments: [ReleasePolicy.atFrame, .whenReplaced, .immediately])
  func `the buffer of a commit that waits is held, and not released before it was shown`(policy: ReleasePolicy) throws {
    stage.releasePolicy = policy
    let (actor, window, fifo, _) = try make()
    let waiting = try showTwo(actor, window, fifo)
    stage.releaseBuffers()
    actor.settle()
    #expect(waiting.releases == 0)
    refresh(actor)
    #expect(waiting.releases == (policy == .immediately ? 1 : 0) && colour == 0xff00_0002)
    refresh(actor)
    #expect(waiting.releases == (policy == .whenReplaced ? 0 : 1) && stage.violations == [])
  }

  @Test func `a buffer that waits may not be written`() throws {
    let (actor, window, fifo, _) = try make()
    let waiting = try showTwo(actor, window, fifo)
    waiting.fill(0xff00_0003)
    actor.settle()
    #expect(stage.violations.map(\.rule) == [.heldBufferWritten])
    refresh(actor)
    #expect(colour == 0xff00_0002, "shown is what was committed")
  }

  @Test func `a commit that waits is judged when it is made, against the one before it`() throws {
    let (actor, window, fifo, _) = try make()
    fifo.setBarrier()
    window.show(try buffer(actor, 0xff00_0001))
    for (red, damage) in [(2, 40), (2, 1), (3, 39)] as [(UInt32, Int)] {
      fifo.setBarrier()
      fifo.waitBarrier()
      window.show(try buffer(actor, 0xff00_0000 | red), damage: [PixelRect(x: 0, y: 0, width: 60, height: damage)])
    }
    #expect(surface.waitingCommits == 3)
    let violation = try #require(stage.violations.first)
    #expect(stage.violations.map(\.rule) == [.damageLies] && violation.request?.name == "commit")
    #expect(violation.time == surface.contentCommits.last?.time)
  }

  @Test func `an acknowledgement counts with the commit that waits`() throws {
    let (actor, window, fifo, _) = try make()
    fifo.setBarrier()
    window.show(try buffer(actor, 0xff00_0001))
    fifo.waitBarrier()
    stage.toplevel.configure(60, 40, [.maximized])
    actor.settle()
    window.ack()
    window.show(try buffer(actor, 0xff00_0002))
    // Not maximised any more: the commit that waits was right when it was made.
    stage.toplevel.configure(30, 20, [.maximized])
    actor.settle()
    window.ack()
    fifo.waitBarrier()
    let small = try actor.buffer(30, 20)
    window.show(small)
    #expect(surface.waitingCommits == 2)
    refresh(actor)
    #expect(surface.logicalSize == Size(width: 30, height: 20) && stage.violations == [])
    #expect(surface.contentCommits.suffix(2).allSatisfy { $0.acknowledged != nil })
  }

  @Test func `a window that ends drops what waits, and gives its buffers back`() throws {
    let (actor, window, fifo, _) = try make()
    let waiting = try showTwo(actor, window, fifo)
    window.toplevel.end()
    actor.settle()
    #expect(waiting.releases == 1)
    refresh(actor)
    #expect(stage.surfaces.allSatisfy { !$0.isMapped && $0.waitingCommits == 0 } && stage.violations == [])
  }

  @Test func `a synchronized subsurface waits for no barrier, and its time holds the parent's commit`() throws {
    let (actor, window, _, _) = try make()
    let part = try actor.surface()
    let role = actor.keep(try actor.global(WlSubcompositor.self).getSubsurface(surface: part, parent: window.surface))
    let fifo = actor.keep(try actor.global(WpFifoManagerV1.self).getFifo(surface: part))
    let timer = try actor.timer(part)
    func child() -> StageSurface? { surface.subsurfaces.first?.surface }
    fifo.setBarrier()
    actor.show(try actor.buffer(), on: part)
    window.surface.commit()
    fifo.waitBarrier()
    actor.show(try actor.buffer(7, 7), on: part)
    window.surface.commit()
    actor.settle()
    #expect(child()?.logicalSize == Size(width: 7, height: 7))
    set(timer, in: .milliseconds(40))
    actor.show(try actor.buffer(6, 6), on: part)
    window.show(try buffer(actor, 0xff00_0001))
    // Made while the others wait, and thus after them.
    role.setDesync()
    actor.show(try actor.buffer(5, 5), on: part)
    actor.settle()
    #expect(colour == 0xff20_4060 && child()?.logicalSize == Size(width: 7, height: 7))
    stage.clock.advance(by: .milliseconds(41))
    actor.settle()
    #expect(colour == 0xff00_0001 && child()?.logicalSize == Size(width: 5, height: 5))
    #expect(child()?.contentCommits.map(\.bufferSize.width) == [8, 7, 6, 5] && stage.violations == [])
  }
}
