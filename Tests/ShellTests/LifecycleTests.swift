import Shell
import Stage
import Testing
import UICore

/// Being seen: lifecycle events from facts.
@MainActor @Suite(.serialized) struct LifecycleTests {
  private let shown: [LifecycleEvent] = [.willEnterForeground, .didBecomeActive]
  private let hidden: [LifecycleEvent] = [.willResignActive, .didEnterBackground]

  @Test func `a window's life in order`() throws {
    let content = TestContentKeeper()
    try play { show in
      content.content = show.content
      show.settle()
      #expect(show.content.life == shown)
    }
    #expect(content.content?.life == shown + hidden + [.willTerminate])
  }

  @Test func `behaviour 20: suspended hides, its end shows again, and a hidden window draws nothing`() throws {
    try play { show in
      show.calm()
      show.content.isAnimating = true
      show.refresh()
      show.content.forget()
      show.toplevel.suspend()
      show.settle()
      #expect(show.content.life == hidden)
      show.surface.forgetCommits()
      show.content.paint(PixelRect(x: 0, y: 0, width: 5, height: 5))
      for _ in 0..<5 { show.refresh() }
      show.pass(.seconds(10))
      #expect(show.surface.contentCommits.isEmpty)
      show.toplevel.resume()
      show.settle()
      #expect(show.content.life == hidden + shown)
      show.refresh()
      #expect(show.surface.picture?.pixel(x: 0, y: 4) == 0xffff_ffff)
    }
  }

  @Test func `behaviour 20: saying suspended twice, or never having said it, changes nothing`() throws {
    try play { show in
      show.calm()
      show.toplevel.resume()
      show.settle()
      show.toplevel.suspend()
      show.settle()
      show.toplevel.suspend()
      show.settle()
      #expect(show.content.life == hidden)
    }
  }

  @Test func `behaviour 20: the frame callback of a commit from before it was suspended does not show a window`() throws
  {
    try play { show in
      show.calm()
      show.content.isAnimating = true
      show.refresh()
      #expect(show.surface.waitsForFrame)
      show.content.forget()
      // The refresh happens, and right after it the window is covered: both arrive together.
      show.stage.nextRefresh()
      show.toplevel.suspend()
      show.settle()
      #expect(show.content.life == hidden)
      // Or the other way round: the answer to the old commit comes late.
      show.toplevel.resume()
      show.settle()
      show.content.forget()
      show.toplevel.suspend()
      show.settle()
      show.stage.starve(show.surface, false)
      for _ in 0..<3 { show.refresh() }
      #expect(show.content.life == hidden && show.window?.isVisible == false)
    }
  }

  @Test(arguments: [StageGlobals.weston10, .kwin527, .everything])
  func `behaviour 20: a second without a frame callback hides, with suspended and without`(
    globals: StageGlobals
  ) throws {
    try play(globals) { show in
      show.calm()
      show.content.isAnimating = true
      show.settle()
      show.surface.forgetCommits()
      show.pass(.milliseconds(999))
      #expect(show.content.life.isEmpty)
      show.pass(.milliseconds(2))
      #expect(show.content.life == hidden)
      show.pass(.seconds(30))
      #expect(show.surface.commits.isEmpty)
      show.refresh()
      #expect(show.content.life == hidden + shown)
      show.refresh()
      #expect(!show.surface.contentCommits.isEmpty)
    }
  }

  @Test func `an idle window is not hidden for want of callbacks`() throws {
    try play(.weston10) { show in
      show.calm()
      show.pass(.seconds(100))
      #expect(show.content.life.isEmpty)
    }
  }

  @Test(arguments: [StageGlobals.weston10, .everything])
  func
    `behaviour 20: a still window that needs answers requests a callback a second, and notices a cover`(
      globals: StageGlobals
    ) throws
  {
    try play(globals) { show in
      show.calm()
      show.window?.needsAnswers = true
      // No wake-up comes from input: it lies there as a lever does that stays where it was put.
      var asked = 0
      for _ in 0..<10 {
        show.pass(.milliseconds(1001))
        asked += show.surface.commits.count
        #expect(show.surface.commits.allSatisfy { $0.asksForFrame && !$0.hasContent })
        show.surface.forgetCommits()
        show.refresh()
      }
      #expect((9...10).contains(asked) && show.content.calls.isEmpty)
      show.stage.starve(show.surface, true)
      for _ in 0..<21 { show.pass(.milliseconds(100)) }
      #expect(show.content.calls == ["lost hidden", "willResignActive", "didEnterBackground"])
      show.stage.starve(show.surface, false)
      show.refresh()
      #expect(show.window?.isVisible == true)
      show.window?.needsAnswers = false
      show.calm()
      show.pass(.seconds(100))
      #expect(show.surface.commits.isEmpty && show.content.life.isEmpty)
    }
  }

  @Test func `behaviour 20: a hidden window stays hidden when it is configured, and when suspended comes late`() throws
  {
    try play { show in
      show.calm()
      show.content.isAnimating = true
      show.settle()
      show.pass(.seconds(1))
      #expect(show.content.life == hidden)
      show.toplevel.suspend()
      show.settle()
      #expect(show.content.life == hidden)
      show.toplevel.resume()
      show.settle()
      #expect(show.content.life == hidden + shown)
    }
  }

  @Test func `a frame is drawn at once though the window asks for callbacks without one`() throws {
    try play(.weston10) { show in
      show.calm()
      show.window?.needsAnswers = true
      show.pass(.milliseconds(800))
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      show.pass(.milliseconds(300))
      show.content.paint(PixelRect(x: 0, y: 0, width: 5, height: 5))
      show.settle()
      #expect(show.surface.commits.map(\.hasContent) == [true], "input has proved that the window is seen")
    }
  }

  @Test func `behaviour 21: input shows a window whose suspension was never taken back`() throws {
    try play { show in
      show.toplevel.suspend()
      show.settle()
      show.content.forget()
      show.surface.forgetCommits()
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.content.paint(PixelRect(x: 0, y: 0, width: 5, height: 5))
      show.settle()
      #expect(show.content.life == shown)
      #expect(show.content.touches == ["0 began 1.0,1.0"])
      #expect(show.surface.contentCommits.count == 1)
    }
  }

  @Test func `behaviour 21: so does a pointer over a window that is hidden for want of callbacks`() throws {
    try play(.weston10) { show in
      show.seat.pointerEnter(3, 3)
      show.calm()
      show.content.isAnimating = true
      show.settle()
      show.pass(.seconds(2))
      #expect(show.content.life == hidden)
      show.seat.pointerMotion(4, 4)
      show.settle()
      #expect(show.content.life == hidden + shown)
    }
  }

  @Test func `a hidden window takes a new size and scale without showing more than it must`() throws {
    try play { show in
      show.calm()
      show.toplevel.suspend()
      show.settle()
      show.surface.forgetCommits()
      show.surface.prefer(Scale(2))
      show.settle()
      #expect(show.surface.contentCommits.isEmpty, "nobody sees the new scale")
      show.toplevel.configure(80, 60, [.suspended, .maximized])
      show.settle()
      #expect(show.surface.commits.count == 1, "the order to be 80 x 60 is honoured")
      show.toplevel.resume()
      show.settle()
      show.calm()
      #expect(show.surface.buffer?.size == PixelSize(width: 160, height: 120))
    }
  }

  @Test func `behaviour 37: thousands of cycles of hiding, outputs and scales leave nothing behind`() throws {
    try play { show in
      show.calm()
      let objects = try #require(show.application?.liveObjectCount) - show.stage.bufferCount
      for round in 0..<2000 {
        show.toplevel.suspend()
        show.turn()
        let output = show.stage.addOutput(scale: 1 + round % 3)
        show.stage.step()
        show.turn()
        show.surface.enter(output)
        show.stage.step()
        show.turn()
        show.stage.remove(output)
        show.toplevel.resume()
        show.stage.step()
        show.turn()
        if round % 10 == 0 {
          show.content.paint(PixelRect(x: round % 60, y: 1, width: 2, height: 2))
          show.stage.nextRefresh()
        }
        show.stage.step()
      }
      show.calm()
      let buffers = show.stage.bufferCount
      #expect(show.application?.liveObjectCount == objects + buffers)
      #expect(buffers <= 3)
      #expect(show.window?.isVisible == true)
    }
  }

  @Test func `behaviour 38: without the focus a window goes on at full rate, sharply, and takes touch`() throws {
    try play(prepare: { stage, _ in stage.scale = Scale(2) }) { show in
      show.calm()
      show.content.isAnimating = true
      show.seat.keyboardEnter()
      show.settle()
      show.seat.keyboardLeave()
      show.toplevel.set(.activated, false)
      show.calm()
      for _ in 0..<30 { show.refresh() }
      #expect((29...31).contains(show.surface.contentCommits.count))
      #expect(show.surface.contentCommits.allSatisfy { $0.bufferSize == PixelSize(width: 128, height: 96) })
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches == ["0 began 1.0,1.0"])
      #expect(show.content.life.isEmpty)
    }
  }

  @Test func `behaviour 36: no output at all, and outputs that vanish between announcement and binding`() throws {
    try play(stage: Stage(output: nil)) { show in
      show.content.paint(PixelRect(x: 0, y: 0, width: 5, height: 5))
      show.calm()
      #expect(show.surface.isMapped)
      for _ in 0..<10 {
        let output = show.stage.addOutput()
        show.stage.step()
        show.stage.remove(output)
        show.stage.step()
        show.turn()
      }
      show.settle()
      #expect(show.failure == nil)
    }
  }
}

/// Holds content past its show.
@MainActor final class TestContentKeeper {
  var content: TestContent?
}
