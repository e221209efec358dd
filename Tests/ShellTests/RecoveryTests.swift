import CLinux
import Glibc
import Shell
import Stage
import Testing
import UICore

/// A compositor that crashes, restarts, or ends the connection: the content stays, and everything else is made anew.
@MainActor @Suite(.serialized) struct RecoveryTests {
  private let shown: [LifecycleEvent] = [.willEnterForeground, .didBecomeActive]
  private let hidden: [LifecycleEvent] = [.willResignActive, .didEnterBackground]

  private func show(
    _ reconnection: Reconnection = .tries(for: nil), globals: StageGlobals = .everything
  ) throws -> Show {
    var options = WindowOptions(title: "Test", applicationID: "org.example.Test", size: Size(width: 64, height: 48))
    options.isFullscreen = false
    return try Show(Stage(globals: globals), options: options, reconnection: reconnection)
  }

  /// The client's present connection breaks, and the stage forgets it.
  private func hangUp(_ show: Show) {
    show.stage.clients.last?.hangUp()
    show.turn()
    show.turn()
  }

  /// Passes time in steps of so many milliseconds while `condition` holds; returns how many passed, at most `limit`.
  private func pass(_ show: Show, step: Int = 10, atMost limit: Int = 10_000, while condition: () -> Bool) -> Int {
    var passed = 0
    while condition(), passed < limit {
      show.stage.clock.advance(by: .milliseconds(step))
      show.turn()
      passed += step
    }
    return passed
  }

  private func end(_ show: Show) {
    show.quit()
    #expect(show.stage.clients.allSatisfy { $0.end != nil })
    _ = show.stage.finish()
  }

  @Test func `behaviour 29: the window is there again, of the size it had, painted whole, and takes input`() throws {
    let show = try show()
    show.toplevel.configure(80, 60)
    show.settle()
    let first = show.window
    show.seat.touchDown(0, 5, 5)
    show.seat.touchFrame()
    show.settle()
    hangUp(show)
    #expect(show.content.touches.last == "0 cancelled" && show.content.life == shown + hidden)
    #expect(show.content.host == nil && show.application?.windows.isEmpty == true && show.failure == nil)
    #expect(first?.isOpen != true)
    show.pass(.milliseconds(20))
    show.settle()
    #expect(show.content.life == shown + hidden + shown)
    #expect(show.window !== first && show.application?.windows.count == 1)
    // The compositor leaves the size open: it is the one from before.
    #expect(show.surface.logicalSize == Size(width: 80, height: 60))
    let commit = try #require(show.surface.contentCommits.first)
    #expect(commit.damagedFraction == 1)
    show.seat.touchDown(3, 6, 6)
    show.seat.touchFrame()
    show.settle()
    #expect(show.content.touches.last == "3 began 6.0,6.0")
    end(show)
  }

  @Test func `a compositor that stays away is tried again and again, with growing waits, for ever`() throws {
    let show = try show()
    show.accepts = false
    hangUp(show)
    var waits: [Int] = []
    var last = show.attempts
    for millisecond in 1...3000 {
      show.stage.clock.advance(by: .milliseconds(1))
      show.turn()
      if show.attempts != last {
        last = show.attempts
        waits.append(millisecond)
      }
    }
    #expect(waits.prefix(6) == [10, 30, 70, 150, 310, 560])
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 - $0 <= 250 } && waits.count > 12)
    for _ in 0..<100 { show.pass(.seconds(60)) }
    #expect(show.failure == nil)
    show.accepts = true
    show.pass(.milliseconds(250))
    show.settle()
    #expect(show.content.life == shown + hidden + shown && show.surface.contentCommits.count == 1)
    end(show)
  }

  @Test func `a connection that lived for a while has the next loss tried again at once`() throws {
    let show = try show()
    /// Milliseconds from the loss of a connection to the next attempt; it is made, and there is a window.
    func wait() -> Int {
      hangUp(show)
      let before = show.attempts
      let waited = pass(show, step: 1, atMost: 1000) { show.attempts == before }
      show.settle()
      return waited
    }
    show.pass(.seconds(5))
    #expect(wait() == 10)
    show.pass(.milliseconds(1900))
    #expect(wait() == 20)
    #expect(wait() == 40)
    show.pass(.milliseconds(2000))
    #expect(wait() == 10)
    end(show)
  }

  @Test func `whoever keeps windows that have ended keeps no connection`() throws {
    let show = try show()
    var kept: [Window] = []
    func restart() throws {
      let window = try #require(show.window)
      // A handler that keeps its window, too.
      window.onFrame = { _ in withExtendedLifetime(window) {} }
      kept.append(window)
      hangUp(show)
      show.pass(.milliseconds(250))
      show.settle()
    }
    for _ in 0..<5 { try restart() }
    let sockets = openDescriptors()["socket:", default: 0]
    for _ in 0..<95 { try restart() }
    let more = openDescriptors()["socket:", default: 0] - sockets
    // Other tests of the process open and close some meanwhile; one for each window would be 95 more.
    #expect(more < 60, "\(more) more sockets")
    #expect(kept.count == 100 && kept.allSatisfy { !$0.isOpen && $0.onFrame == nil })
    end(show)
    show.drop()
    for window in kept {
      window.close()
      window.setWake(at: window.now)
      window.setCursor(.arrow, for: SeatID(1))
      window.setFullscreen(true)
      window.title = "gone"
      window.inhibitsIdle = true
      #expect(!window.setClipboard("x") && !window.isFullscreen)
    }
  }

  @Test func `with a limit the loss is the failure when the time is over, and each loss has its own`() throws {
    let show = try show(.tries(for: .seconds(5)))
    hangUp(show)
    show.pass(.milliseconds(100))
    show.settle()
    show.accepts = false
    show.pass(.seconds(20))
    hangUp(show)
    let passed = pass(show) { show.failure == nil }
    #expect((5000...5020).contains(passed))
    guard case .connectionLost = show.failure else {
      Issue.record("\(String(describing: show.failure))")
      return
    }
    show.drop()
  }

  @Test
  func `a compositor that hangs up each time while it is greeted is tried until the limit, with waits, and no longer`()
    throws
  {
    let show = try show(.tries(for: .seconds(5)))
    show.pass(.seconds(20))
    hangUp(show)
    let before = show.attempts
    let passed = pass(show) {
      if show.stage.clients.last?.end == nil { show.stage.clients.last?.hangUp() }
      return show.failure == nil
    }
    #expect(
      (4990...5300).contains(passed) && show.attempts - before < 40, "\(passed) ms, \(show.attempts - before) attempts")
    guard case .connectionLost = show.failure else {
      Issue.record("\(String(describing: show.failure))")
      return
    }
    show.drop()
  }

  @Test func `a compositor that takes the connection and tells nothing is tried again, until it answers`() throws {
    let show = try show()
    show.stage.freeze()
    hangUp(show)
    for _ in 0..<30 { show.pass(.seconds(1)) }
    #expect((4...7).contains(show.attempts) && show.failure == nil, "\(show.attempts) connections in half a minute")
    show.stage.thaw()
    for _ in 0..<4 { show.pass(.milliseconds(250)) }
    #expect(show.surface.isMapped && show.content.life == shown + hidden + shown)
    end(show)
  }

  @Test func `with a limit silence ends the program too`() throws {
    let show = try show(.tries(for: .seconds(12)))
    show.stage.freeze()
    hangUp(show)
    for _ in 0..<20 { show.pass(.seconds(1)) }
    #expect(show.failure != nil && show.attempts <= 4)
    show.drop()
  }

  @Test func `without a policy a compositor that answers nothing is a loss after five seconds`() throws {
    let stage = Stage()
    stage.freeze()
    let options = WindowOptions(title: "Test", applicationID: "org.example.Test", size: Size(width: 64, height: 48))
    let show = try Show(stage, options: options)
    show.pass(.milliseconds(4900))
    #expect(show.failure == nil)
    show.pass(.milliseconds(200))
    #expect(show.failure == .connectionLost(errno: ETIMEDOUT) && show.attempts == 0)
    show.drop()
  }

  @Test func `without a policy a compositor that answers in time is waited for`() throws {
    let stage = Stage()
    stage.freeze()
    let options = WindowOptions(title: "Test", applicationID: "org.example.Test", size: Size(width: 64, height: 48))
    let show = try Show(stage, options: options)
    show.pass(.milliseconds(4900))
    stage.thaw()
    show.settle()
    show.pass(.seconds(60))
    #expect(show.window?.isOpen == true && show.failure == nil)
    show.quit()
    _ = stage.finish()
  }

  @Test func `a compositor that stops before it answers the question of a report is a loss`() throws {
    let show = try show(.never)
    var reports = 0
    show.stage.freeze()
    show.application?.inspectCompositor { _ in reports += 1 }
    show.pass(.milliseconds(4900))
    #expect(show.failure == nil)
    show.pass(.milliseconds(200))
    #expect(show.failure == .connectionLost(errno: ETIMEDOUT) && reports == 0)
    show.drop()
  }

  @Test func `a window that is kept after its end takes a need for answers, and does nothing`() throws {
    let show = try show()
    let window = try #require(show.window)
    window.needsAnswers = true
    end(show)
    window.needsAnswers = false
    window.inhibitsIdle = true
    window.title = "late"
    window.close()
    #expect(!window.isOpen)
  }

  @Test func `a protocol error is told once, whatever follows from it, and another one again`() throws {
    let show = try show()
    var told: [ShellError] = []
    show.application?.onConnectionLoss = { told.append($0) }
    show.stage.onViolation = nil
    for round in 0..<10 {
      show.stage.postProtocolError(code: 6, "for the test")
      show.settle()
      show.pass(.milliseconds(300))
      show.settle()
      #expect(show.surface.isMapped && told.count == 1, "round \(round)")
    }
    guard case .protocolError("xdg_wm_base", _, 6, "for the test") = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(told.first?.description.hasSuffix("(for the test)") == true)
    show.stage.postProtocolError(code: 4, "for the test")
    show.settle()
    #expect(told.count == 2)
    hangUp(show)
    show.pass(.milliseconds(300))
    show.settle()
    hangUp(show)
    // Each lost connection is reported.
    #expect(told.count == 3 || told.count == 4)
    show.pass(.milliseconds(300))
    show.settle()
    show.quit()
    _ = show.stage.finish()
  }

  @Test func `a compositor that dies while it is greeted, or lacks what is needed, is tried again`() throws {
    let show = try show()
    hangUp(show)
    for _ in 0..<5 {
      show.stage.clock.advance(by: .milliseconds(250))
      show.turn()
      show.stage.clients.last?.hangUp()
      show.turn()
    }
    #expect(show.failure == nil)
    show.pass(.milliseconds(250))
    show.settle()
    #expect(show.surface.isMapped && show.content.life == shown + hidden + shown)
    end(show)
  }

  @Test func `without a compositor the application ends in an orderly way, and its content is told`() throws {
    let show = try show()
    show.accepts = false
    hangUp(show)
    show.pass(.seconds(1))
    show.application?.closeAll()
    #expect(show.content.life == shown + hidden + [.willTerminate])
    show.drop()
    #expect(show.stage.finish().isEmpty)
  }

  @Test func `a content that closes its window when the connection goes is not shown again`() throws {
    let show = try show()
    show.content.onLife = { [weak show] in if $0 == .didEnterBackground { show?.window?.close() } }
    hangUp(show)
    show.pass(.seconds(1))
    #expect(show.stage.toplevels.isEmpty && show.content.life.last != .didBecomeActive)
    show.drop()
  }

  @Test(arguments: [StageGlobals.everything, .kwin527, .sway17, .weston10])
  func `a hundred restarts leave nothing behind`(globals: StageGlobals) throws {
    let show = try show(globals: globals)
    func restart() {
      show.seat.keyboardEnter()
      show.seat.pointerEnter(3, 3)
      show.seat.touchDown(0, 5, 5)
      show.seat.touchFrame()
      show.content.paint(PixelRect(x: 0, y: 0, width: 4, height: 4))
      show.settle()
      hangUp(show)
      show.pass(.milliseconds(250))
      show.settle()
      show.surface.forgetCommits()
      show.content.forget()
    }
    for _ in 0..<5 { restart() }
    let (descriptors, objects) = (openDescriptors(), show.application?.liveObjectCount)
    for _ in 0..<95 { restart() }
    #expect(show.application?.liveObjectCount == objects)
    // Other tests of the process open and close some meanwhile; one that is left at each restart makes 95 more of its kind.
    for (kind, count) in openDescriptors() {
      #expect(count - descriptors[kind, default: 0] < 60, "\(kind): \(descriptors[kind, default: 0]), then \(count)")
    }
    #expect(show.content.touches.isEmpty && show.surface.isMapped)
    end(show)
  }

  /// The sockets, memory files and others that the process has open, by kind.
  private func openDescriptors() -> [String: Int] {
    guard let folder = opendir("/proc/self/fd") else { return [:] }
    defer { closedir(folder) }
    var counts: [String: Int] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var target = [CChar](repeating: 0, count: 256)
      guard readlink("/proc/self/fd/\(name)", &target, 255) > 0 else { continue }
      let kind = String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      counts[String(kind.prefix { $0 != "[" }), default: 0] += 1
    }
    return counts
  }
}
