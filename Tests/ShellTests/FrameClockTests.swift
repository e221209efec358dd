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
    for (offset, waits) in [(2.0, true), (8, true), (11, true), (14.5, false)] {
      var clock = clock()
      for cycle in 0..<3 {
        let start = Double(cycle) * 16
        clock.noteCallback(now: time(start))
        clock.noteInput(at: time(start + offset))
        clock.noteCommit(now: time(start + 15), painting: .milliseconds(1))
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

  @Test func `a missed refresh makes commits earlier at once, hits make them later again slowly`() {
    var clock = clock()
    clock.noteCallback(now: time(0))
    clock.noteCommit(now: time(12), painting: .milliseconds(1))
    clock.noteCallback(now: time(32))
    #expect(clock.latestCommit == .milliseconds(11))
    var start = 32.0
    for _ in 0..<60 {
      clock.noteCommit(now: time(start + 5), painting: .milliseconds(1))
      start += 16
      clock.noteCallback(now: time(start))
    }
    #expect(clock.latestCommit == .microseconds(11_250))
    clock.noteCommit(now: time(start + 13), painting: .milliseconds(1))
    clock.noteCallback(now: time(start + 16))
    #expect(clock.latestCommit == .milliseconds(13), "that it was in time is known now")
  }

  @Test func `a commit after idle time teaches nothing`() {
    var clock = clock()
    clock.noteCallback(now: time(0))
    clock.noteCommit(now: time(100), painting: .milliseconds(1))
    clock.noteCallback(now: time(140))
    #expect(clock.latestCommit == nil)
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
