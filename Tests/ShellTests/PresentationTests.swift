import Stage
import Testing
import UICore

@testable import Shell

/// Presentation times as compositors send them, and wrong ones.
@MainActor @Suite(.serialized) struct PresentationTests {
  private let now = MonotonicTime(nanoseconds: 50_000_000_000)
  private let refresh = Duration.milliseconds(16)

  private func clock(_ seconds: UInt64, _ nanoseconds: UInt32) -> PresentationTimes {
    var clock = PresentationTimes()
    clock.note(seconds: seconds, nanoseconds: nanoseconds, refresh: refresh, now: now)
    return clock
  }

  @Test func `the next refresh lies within one refresh from now, wherever the last one was`() throws {
    for nanoseconds: UInt32 in [0, 1, 100_000_000, 999_999_999] {
      for seconds: UInt64 in [49, 50] {
        guard let next = clock(seconds, nanoseconds).nextRefresh(after: now) else { continue }
        #expect(next > now && next - now <= refresh, "\(seconds) \(nanoseconds)")
        #expect((next.nanoseconds - Int64(seconds) * 1_000_000_000 - Int64(nanoseconds)) % refresh.inNanoseconds == 0)
      }
    }
    #expect(clock(49, 999_000_000).nextRefresh(after: now)?.nanoseconds == 50_015_000_000)
    #expect(clock(50, 40_000_000).nextRefresh(after: now)?.nanoseconds == 50_008_000_000)
  }

  nonisolated static let farTimes: [(UInt64, UInt32)] = [
    (.max, .max), (1 << 63, 0), (UInt64(Int64.max), 0), (9_223_372_036, 854_775_807), (0, 0), (51, 0),
    (48, 999_999_999),
    (50, .max), (1_000_000, 0),
  ]

  @Test(arguments: farTimes) func `a time far from now is none`(seconds: UInt64, nanoseconds: UInt32) {
    #expect(clock(seconds, nanoseconds).nextRefresh(after: now) == nil)
  }

  @Test func `whatever presentation times a compositor tells, frames are prepared for the coming refresh`() throws {
    try play { show in
      show.calm()
      var random = SeededRandom(seed: 11)
      show.stage.presentationTime = { now in
        let seconds = UInt64(now.nanoseconds / 1_000_000_000)
        let odd: [UInt64] = [0, 1, .max, 1 << 63, 1 << 62, seconds + 1000, seconds - 5]
        return PresentationTime(
          seconds: odd[Int(random.next() % UInt64(odd.count))], nanoseconds: UInt32(truncatingIfNeeded: random.next()),
          refresh: UInt32(truncatingIfNeeded: random.next()))
      }
      show.content.isAnimating = true
      for _ in 0..<200 {
        show.content.forget()
        show.refresh()
        for time in show.content.times {
          #expect(time >= show.stage.clock.now - .milliseconds(20) && time - show.stage.clock.now < .milliseconds(250))
        }
      }
      #expect(show.failure == nil)
    }
  }

  @Test func `on two outputs the faster one's refreshes count, and the slower one's when it goes`() throws {
    var globals = StageGlobals.everything
    globals.presentation = nil
    try play(globals) { show in
      show.calm()
      let fast = show.stage.addOutput(refresh: 120_000)
      show.settle()
      show.surface.enter(fast)
      show.settle()
      show.content.isAnimating = true
      show.settle()
      @MainActor func ahead() -> Duration? {
        show.stage.nextRefresh()
        let time = show.stage.clock.now
        show.settle()
        return show.content.times.last.map { $0 - time }
      }
      #expect(ahead() == .nanoseconds(8_333_333))
      show.stage.remove(fast)
      show.settle()
      #expect(ahead() == .nanoseconds(16_666_666))
    }
  }
}
