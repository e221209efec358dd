import Shell
import Stage
import Testing
import UICore

/// Content that goes on while it is hidden, because it was asked for.
@MainActor @Suite(.serialized) struct HiddenTests {
  @Test(arguments: [StageGlobals.everything, .weston10])
  func `behaviour 21: content that keeps running is never told of being hidden, and goes on ten times a second`(
    globals: StageGlobals
  ) throws {
    try play(globals, prepare: { _, options in options.keepsRunningHidden = true }) { show in
      show.content.isAnimating = true
      show.refresh()
      show.seat.touchDown(0, 5, 5)
      show.seat.touchFrame()
      show.settle()
      show.toplevel.suspend()
      for _ in 0..<30 { show.pass(.milliseconds(50)) }
      #expect(show.content.touches.last == "0 cancelled", "who can't see it can't hold it")
      show.surface.forgetCommits()
      show.content.forget()
      for _ in 0..<100 { show.pass(.milliseconds(50)) }
      #expect((45...51).contains(show.content.times.count), "\(show.content.times.count) in five seconds")
      #expect(show.surface.contentCommits.isEmpty, "nothing is drawn")
      #expect(show.content.life.isEmpty && show.content.touches.isEmpty)
      #expect(show.window?.isVisible == false)
      show.toplevel.resume()
      show.seat.touchDown(1, 6, 6)
      show.seat.touchFrame()
      show.settle()
      #expect(!show.surface.contentCommits.isEmpty, "drawn at once when it is seen again")
      #expect(show.content.life.isEmpty && show.content.touches == ["1 began 6.0,6.0"])
      show.content.isAnimating = false
    }
  }

  @Test func `content that stands still is not woken, and one that closes hidden is told everything in order`() throws {
    try play(prepare: { _, options in options.keepsRunningHidden = true }) { show in
      show.calm()
      show.toplevel.suspend()
      show.settle()
      for _ in 0..<20 { show.pass(.milliseconds(100)) }
      #expect(show.content.times.isEmpty)
      show.content.isAnimating = true
      for _ in 0..<10 { show.pass(.milliseconds(100)) }
      #expect(show.content.times.count >= 8, "what begins while hidden runs too")
      show.content.forget()
      show.window?.close()
      #expect(show.content.life == [.willResignActive, .didEnterBackground, .willTerminate])
      show.content.isAnimating = false
    }
  }

  @Test
  func `a window whose output went is hidden without a callback, and drawn anew by the callback after one came back`()
    throws
  {
    try play { show in
      show.content.isAnimating = true
      show.refresh()
      show.stage.remove(show.stage.output)
      for _ in 0..<30 { show.pass(.milliseconds(50)) }
      #expect(show.window?.isVisible == false)
      show.surface.forgetCommits()
      show.surface.enter(show.stage.addOutput())
      show.refresh()
      #expect(show.window?.isVisible == true)
      #expect(!show.surface.contentCommits.isEmpty)
      show.content.isAnimating = false
    }
  }

  @Test func `without the wish hidden content enters the background`() throws {
    try play { show in
      show.content.forget()
      show.toplevel.suspend()
      show.settle()
      #expect(show.content.life == [.willResignActive, .didEnterBackground])
    }
  }
}
