import Testing
import UICore

@testable import Shell

/// The frame clock and the rhythm of input as tables: no window, no compositor.
@MainActor @Suite struct FrameClockTests {
  private let refresh: Duration = .milliseconds(16)

  private func time(_ milliseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1e6))
  }

  private func clock() -> FrameClock {
    var clock = FrameClock()
    clock.refresh = refresh
    return clock
  }

  @Test func `nothing dirty is not drawn, a pending callback is waited for`() {
    var clock = clock()
    #expect(clock.decide(now: time(0), needsFrame: false) == .nothing)
    #expect(clock.decide(now: time(0), needsFrame: true) == .draw)
    clock.noteCommit(now: time(1), painting: .milliseconds(1))
    #expect(clock.decide(now: time(2), needsFrame: true) == .nothing)
    #expect(clock.pendingSince == time(1))
    clock.noteCallback(now: time(16))
    #expect(clock.decide(now: time(16), needsFrame: true) == .draw)
  }

  @Test func `a frame waits for input that the rhythm promises, and for none that comes too late`() {
    // Commits were in time until 14 ms: with painting of 1 ms, input may come until 13.
    for (offset, waits) in [(2.0, true), (8, true), (11, true), (13, true), (13.1, false), (14.5, false)] {
      var clock = clock()
      // As many frames as it takes to know painting.
      for cycle in 3 - PaintTimes.memory..<3 {
        let start = Double(cycle) * 16
        clock.noteCallback(now: time(start))
        clock.noteInput(at: time(start + offset))
        #expect(clock.decide(now: time(start + offset), needsFrame: true) == .draw)
        clock.noteCommit(now: time(start + 14), painting: .milliseconds(1))
      }
      clock.noteCallback(now: time(48))
      let decision = clock.decide(now: time(48), needsFrame: true)
      if waits {
        guard case .wait(let until) = decision else {
          Issue.record("\(offset): \(decision)")
          continue
        }
        #expect(until >= time(48 + offset) && until <= time(48 + offset + 2), "\(offset)")
        clock.noteInput(at: time(48 + offset))
        #expect(clock.decide(now: time(48 + offset), needsFrame: true) == .draw)
      } else {
        #expect(decision == .draw, "\(offset)")
      }
    }
  }

  /// Frames that are due at the callbacks and take 1 ms, with input `offset` after each.
  private func late(by offset: Double, from first: Int = 0, _ clock: inout FrameClock) {
    for cycle in first..<first + PaintTimes.memory {
      let start = Double(cycle) * 16
      clock.noteCallback(now: time(start))
      clock.noteCommit(now: time(start + 1), painting: .milliseconds(1))
      clock.noteInput(at: time(start + offset))
    }
  }

  private func isHeld(_ clock: inout FrameClock, at now: Double) -> Bool {
    if case .wait = clock.decide(now: time(now), needsFrame: true) { return true }
    return false
  }

  @Test func `without a later commit that was in time, a frame waits within the first half of its refresh`() {
    for (offset, waits) in [(1.5, true), (7, true), (7.1, false), (12, false)] {
      var clock = clock()
      late(by: offset, &clock)
      clock.noteCallback(now: time(16 * Double(PaintTimes.memory)))
      #expect(isHeld(&clock, at: 16 * Double(PaintTimes.memory)) == waits, "\(offset)")
    }
  }

  @Test func `a wait counts from the refresh, not from a callback that was read late`() {
    var clock = clock()
    late(by: 5, &clock)
    let start = 16 * Double(PaintTimes.memory)
    clock.noteCallback(now: time(start + 4))
    guard case .wait(let until) = clock.decide(now: time(start + 4), needsFrame: true) else {
      Issue.record("not held")
      return
    }
    #expect(until > time(start + 5) && until < time(start + 7.3), "7 ms at the latest, and a sixteenth of the delay")
  }

  @Test func `after a frame that missed its refresh because it waited, none waits for a minute`() {
    var clock = clock()
    late(by: 5, &clock)
    var cycle = PaintTimes.memory
    clock.noteCallback(now: time(16 * Double(cycle)))
    #expect(isHeld(&clock, at: 16 * Double(cycle)))
    clock.noteInput(at: time(16 * Double(cycle) + 5))
    clock.noteCommit(now: time(16 * Double(cycle) + 18), painting: .milliseconds(13))
    cycle += 2
    let trusted = cycle + PaintTimes.distrust
    while cycle < trusted {
      clock.noteCallback(now: time(16 * Double(cycle)))
      #expect(!isHeld(&clock, at: 16 * Double(cycle)))
      clock.noteCommit(now: time(16 * Double(cycle) + 1), painting: .milliseconds(1))
      clock.noteInput(at: time(16 * Double(cycle) + 5))
      cycle += 1
    }
    clock.noteCallback(now: time(16 * Double(cycle)))
    #expect(isHeld(&clock, at: 16 * Double(cycle)))
  }

  @Test func `a commit in time moves the deadline at once, a missed one before it too, and then it rises slowly`() {
    var deadline = CommitDeadline()
    func latest() -> Duration { deadline.latest(refresh: refresh) }
    #expect(latest() == .milliseconds(8))
    deadline.note(.milliseconds(14), isMissed: true, refresh: refresh)
    #expect(latest() == .milliseconds(8), "later than the deadline")
    deadline.note(.milliseconds(13), isMissed: false, refresh: refresh)
    #expect(latest() == .milliseconds(13))
    deadline.note(.milliseconds(12), isMissed: true, refresh: refresh)
    #expect(latest() == .milliseconds(11))
    for _ in 0..<60 { deadline.note(.milliseconds(13), isMissed: false, refresh: refresh) }
    #expect(latest() == .microseconds(11_250), "once in time is not always in time")
    for _ in 0..<240 { deadline.note(.milliseconds(5), isMissed: false, refresh: refresh) }
    #expect(latest() == .milliseconds(12))
    deadline.note(.milliseconds(40), isMissed: false, refresh: refresh)
    #expect(latest() == refresh)
  }

  @Test func `a commit after idle time teaches nothing`() {
    var clock = clock()
    late(by: 5, &clock)
    clock.noteCallback(now: time(16 * Double(PaintTimes.memory)))
    #expect(isHeld(&clock, at: 16 * Double(PaintTimes.memory)))
    // It is not the frame that waited: that was never drawn.
    clock.reset()
    clock.noteCommit(now: time(1000), painting: .milliseconds(1))
    clock.noteCallback(now: time(1040))
    late(by: 5, from: 65, &clock)
    clock.noteCallback(now: time(16 * Double(65 + PaintTimes.memory)))
    #expect(isHeld(&clock, at: 16 * Double(65 + PaintTimes.memory)))
  }

  @Test func `frames are expected at the refresh after the last callback's`() {
    var clock = clock()
    #expect(clock.predictedPresentation(now: time(3)) == time(19))
    clock.noteCallback(now: time(10))
    #expect(clock.predictedPresentation(now: time(12)) == time(26))
    #expect(clock.predictedPresentation(now: time(27)) == time(42))
    #expect(clock.predictedPresentation(now: time(60)) == time(76))
  }

  @Test func `a rhythm needs two refreshes with input at about the same place`() {
    var rhythm = InputRhythm()
    #expect(rhythm.next(after: time(0), refresh: refresh) == nil)
    rhythm.note(time(4))
    #expect(rhythm.next(after: time(16), refresh: refresh) == nil)
    rhythm.note(time(21))
    #expect(rhythm.next(after: time(32), refresh: refresh) == time(37))
    #expect(rhythm.next(after: time(38), refresh: refresh) == nil, "it stopped")
  }

  @Test func `input at half the refresh's rate is no rhythm, at twice its rate the next of the two is`() {
    var slow = InputRhythm()
    for cycle in 0..<4 { slow.note(time(Double(cycle) * 32 + 3)) }
    #expect(slow.next(after: time(100), refresh: refresh) == nil)
    var fast = InputRhythm()
    for cycle in 0..<8 { fast.note(time(Double(cycle) * 8 + 3)) }
    #expect(fast.next(after: time(64), refresh: refresh) == time(67))
  }

  @Test func `two fingers' motions at two places are both known`() {
    var rhythm = InputRhythm()
    for cycle in 0..<3 {
      rhythm.note(time(Double(cycle) * 16 + 3))
      rhythm.note(time(Double(cycle) * 16 + 10))
    }
    #expect(rhythm.next(after: time(48), refresh: refresh) == time(51))
    #expect(rhythm.next(after: time(52), refresh: refresh) == time(58))
  }
}
