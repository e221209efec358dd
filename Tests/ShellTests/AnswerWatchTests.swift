import Testing
import UICore

@testable import Shell

/// Tests of when the compositor is asked, and when it counts as frozen.
@MainActor @Suite struct AnswerWatchTests {
  private func time(_ milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  /// The events, millisecond by millisecond, until `end`: each question is answered after `delay(its number)` milliseconds, or
  /// never where that is nil.
  private func play(
    _ watch: inout AnswerWatch, from start: Int = 0, until end: Int, delay: (Int) -> Int?
  ) -> [(time: Int, step: AnswerWatch.Step)] {
    var steps: [(time: Int, step: AnswerWatch.Step)] = []
    var answers: [Int] = []
    func note(_ step: AnswerWatch.Step, _ now: Int) {
      guard step != .nothing else { return }
      steps.append((now, step))
      guard step == .ask else { return }
      if let wait = delay(steps.count(where: { $0.step == .ask }) - 1) { answers.append(now + wait) }
    }
    for now in start...end {
      while answers.first.map({ $0 <= now }) == true {
        answers.removeFirst()
        note(watch.noteAnswer(at: time(now)), now)
      }
      note(watch.advance(to: time(now)), now)
    }
    return steps
  }

  @Test func `nobody is asked while nobody needs answers`() {
    var watch = AnswerWatch()
    #expect(watch.nextTime == nil && watch.advance(to: time(10_000)) == .nothing)
    watch.setNeeded(true, at: time(10_000))
    #expect(watch.nextTime == time(10_100))
    watch.setNeeded(false, at: time(10_050))
    #expect(watch.nextTime == nil && watch.advance(to: time(20_000)) == .nothing)
  }

  @Test func `a compositor that answers is asked a hundred milliseconds after each answer, and never twice at once`() {
    var watch = AnswerWatch()
    watch.setNeeded(true, at: time(0))
    let steps = play(&watch, until: 1000) { _ in 20 }
    #expect(
      steps.map(\.step).allSatisfy { $0 == .ask } && steps.map(\.time) == [100, 220, 340, 460, 580, 700, 820, 940])
    #expect(!watch.isFrozen)
  }

  @Test(arguments: [(300, 300), (100, 100), (2000, 2000), (1, 100), (60_000, 2000)])
  func `without an answer the compositor is frozen when the limit has passed since the last one`(
    limit: Int, milliseconds: Int
  ) {
    var watch = AnswerWatch()
    watch.limit = .milliseconds(limit)
    watch.setNeeded(true, at: time(0))
    let steps = play(&watch, until: 3000) { _ in nil }
    // A limit that three does not divide is met within a millisecond, the pace of the test.
    #expect(steps.map(\.step) == [.ask, .freeze] && abs((steps.last?.time ?? 0) - milliseconds) <= 1 && watch.isFrozen)
    #expect(watch.nextTime == nil, "a frozen compositor is waited for without waking up")
  }

  @Test(arguments: [(199, false), (200, false), (201, true)])
  func `an answer counts until two hundred milliseconds after its question`(delay: Int, isFrozen: Bool) {
    var watch = AnswerWatch()
    watch.setNeeded(true, at: time(0))
    let steps = play(&watch, until: 299 + 3 * 300) { $0 < 3 ? delay : 10 }
    #expect(steps.contains { $0.step == .freeze } == isFrozen)
  }

  @Test func `a program that was held up itself gives the compositor its time to answer`() {
    var watch = AnswerWatch()
    watch.setNeeded(true, at: time(0))
    // The loop did not turn for a second; the question goes out only now.
    #expect(watch.advance(to: time(1000)) == .ask && watch.advance(to: time(1199)) == .nothing)
    #expect(watch.noteAnswer(at: time(1199)) == .nothing && !watch.isFrozen)
  }

  @Test(arguments: [(300, false), (301, true), (1000, true)])
  func `an answer that is read after the limit is a freeze, even if it is read before the time is looked at`(
    delay: Int, isFrozen: Bool
  ) {
    var watch = AnswerWatch()
    watch.setNeeded(true, at: time(0))
    #expect(watch.advance(to: time(100)) == .ask)
    // Program and compositor were stopped together: the answer is the first that the program finds.
    #expect(watch.noteAnswer(at: time(100 + delay)) == (isFrozen ? .freezeAndAsk : .nothing))
    #expect(watch.isFrozen == isFrozen)
    guard isFrozen else { return }
    #expect(watch.noteAnswer(at: time(110 + delay)) == .nothing && !watch.isFrozen, "the second answer is in time")
    // At rest nobody waits for answers, so none is late.
    #expect(watch.advance(to: time(2000)) == .ask)
    watch.setNeeded(false, at: time(2050))
    #expect(watch.noteAnswer(at: time(5000)) == .nothing && !watch.isFrozen)
  }

  @Test func `a question from before nobody drove does not freeze the next drive`() {
    var watch = AnswerWatch()
    watch.setNeeded(true, at: time(0))
    #expect(watch.advance(to: time(100)) == .ask)
    watch.setNeeded(false, at: time(150))
    watch.setNeeded(true, at: time(5000))
    #expect(watch.advance(to: time(5199)) == .nothing && watch.advance(to: time(5200)) == .freeze)
  }

  @Test func `a need that comes and goes by itself does not hide a freeze`() {
    var watch = AnswerWatch()
    watch.setNeeded(true, at: time(0))
    var steps: [AnswerWatch.Step] = []
    for now in 1...1000 {
      if now % 50 == 0 { watch.setNeeded(now % 100 == 0, at: time(now)) }
      steps.append(watch.advance(to: time(now)))
      if watch.isFrozen {
        #expect((300...450).contains(now))
        break
      }
    }
    #expect(steps.filter { $0 != .nothing } == [.ask, .freeze])
  }

  @Test func `two answers bring it back, the second one within the limit`() {
    var watch = AnswerWatch()
    watch.setNeeded(true, at: time(0))
    _ = play(&watch, until: 400) { _ in nil }
    watch.setNeeded(false, at: time(400))
    // Thawed: the first answer only says that it runs. The second is late, the third is not.
    #expect(watch.noteAnswer(at: time(5000)) == .ask && watch.isFrozen)
    #expect(watch.noteAnswer(at: time(5300)) == .ask && watch.isFrozen)
    #expect(watch.noteAnswer(at: time(5599)) == .nothing && !watch.isFrozen)
    #expect(watch.nextTime == nil, "nobody needs answers any more")
  }

  @Test func `a new connection begins without questions`() {
    var watch = AnswerWatch()
    watch.setNeeded(true, at: time(0))
    _ = play(&watch, until: 400) { _ in nil }
    watch.reset()
    #expect(!watch.isFrozen && watch.nextTime == nil)
    watch.setNeeded(true, at: time(1000))
    #expect(watch.nextTime == time(1100))
  }
}

/// Input that begins while the compositor has frozen.
@MainActor @Suite struct UntoldInputTests {
  private let seat = SeatID(1)

  private func touches(_ phases: (Int32, TouchPoint.Phase)...) -> InputEvent {
    .touches(
      phases.map {
        TouchPoint(id: TouchID(seat: seat, contact: .finger($0.0)), phase: $0.1, location: .zero, time: .zero)
      })
  }

  private func key(_ phase: KeyEvent.Phase, _ key: UInt32 = 0x61) -> InputEvent {
    .key(KeyEvent(seat: seat, phase: phase, key: Key(rawValue: key), text: "", modifiers: [], time: .zero))
  }

  @Test func `of a finger that came down while it was frozen nothing is told up to its end, also after the thaw`() {
    var untold = UnreportedInput()
    #expect(untold.rest(of: touches((1, .began)), isFrozen: false) == touches((1, .began)))
    #expect(untold.rest(of: touches((2, .began), (1, .moved)), isFrozen: true) == touches((1, .moved)))
    #expect(untold.rest(of: touches((2, .moved)), isFrozen: true) == nil)
    #expect(untold.rest(of: touches((2, .moved), (3, .began)), isFrozen: false) == touches((3, .began)))
    #expect(untold.rest(of: touches((2, .ended), (1, .ended)), isFrozen: false) == touches((1, .ended)))
    #expect(untold.rest(of: touches((2, .began)), isFrozen: false) == touches((2, .began)))
    #expect(untold.rest(of: touches((2, .moved)), isFrozen: false) == touches((2, .moved)))
  }

  @Test
  func `of a key that went down meanwhile neither repeats nor its end are told; one that was told repeats no more`() {
    var untold = UnreportedInput()
    #expect(untold.rest(of: key(.down, 0x62), isFrozen: false) != nil)
    #expect(
      untold.rest(of: key(.down), isFrozen: true) == nil && untold.rest(of: key(.repeated), isFrozen: true) == nil)
    #expect(untold.rest(of: key(.repeated, 0x62), isFrozen: true) == nil, "nobody sees what it does")
    #expect(untold.rest(of: key(.repeated), isFrozen: false) == nil)
    #expect(untold.rest(of: key(.repeated, 0x62), isFrozen: false) != nil)
    #expect(
      untold.rest(of: key(.up), isFrozen: false) == nil && untold.rest(of: key(.up, 0x62), isFrozen: false) != nil)
    #expect(untold.rest(of: key(.down), isFrozen: false) != nil && untold.rest(of: key(.up), isFrozen: false) != nil)
  }

  @Test func `losses and the focus are always told`() {
    var untold = UnreportedInput()
    for event in [InputEvent.lost(InputLoss(.hidden)), .keyboardFocus(seat, true), .hover(seat, nil)] {
      #expect(untold.rest(of: event, isFrozen: true) == event)
    }
  }
}
