import Stage
import Testing
import UICore

@testable import Shell

/// The histogram of latencies, against the sorted durations.
@Suite struct LatencyHistogramTests {
  @Test func `percentiles are within 1.6 percent of the sorted durations', the longest is exact`() throws {
    var random = SeededRandom(seed: 22)
    // Microseconds and whole seconds alike.
    let durations = (0..<20_000).map { _ in
      Duration.nanoseconds(Int64(random.next() % 1_000_000) << Int64(random.next() % 14))
    }
    var histogram = LatencyHistogram()
    for duration in durations { histogram.record(duration) }
    let sorted = durations.sorted()
    for fraction in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999] {
      let true_ = sorted[Int((fraction * Double(sorted.count)).rounded(.up)) - 1].inSeconds
      let told = try #require(histogram.percentile(fraction)).inSeconds
      #expect(abs(told - true_) <= true_ / 60 + 1e-6, "\(fraction): \(told), not \(true_)")
    }
    #expect(histogram.count == sorted.count && histogram.most == sorted.last)
    #expect(histogram.percentile(1) == sorted.last)
  }

  @Test func `every bucket begins where the one before it ends`() throws {
    var last = Duration.zero
    var microseconds = 0
    while microseconds < 20_000_000 {
      var histogram = LatencyHistogram()
      histogram.record(.microseconds(microseconds))
      histogram.record(.seconds(60))
      let told = try #require(histogram.percentile(0.5))
      #expect(told >= last, "\(microseconds)")
      if microseconds < 16_000_000 {
        #expect(abs(told.inNanoseconds - Int64(microseconds) * 1000) <= max(500, Int64(microseconds) * 16))
      }
      last = told
      microseconds += 1 + microseconds / 200
    }
  }

  @Test func `one duration is every percentile, none has none, and two histograms add up to one of both`() {
    var histogram = LatencyHistogram()
    #expect(histogram.percentile(0.5) == nil && histogram.most == .zero)
    histogram.record(.milliseconds(3))
    for fraction in [-1, 0, 0.01, 0.5, 1, 2, .nan] {
      #expect(abs((histogram.percentile(fraction) ?? .zero).inSeconds - 0.003) < 0.000_05, "\(fraction)")
    }
    var other = LatencyHistogram()
    other.record(.milliseconds(-5))
    other.record(.seconds(90))
    #expect(other.percentile(0.5) == .nanoseconds(500))
    other.add(histogram)
    #expect(other.count == 3 && other.most == .seconds(90))
    #expect((other.percentile(0.5) ?? .zero) < .microseconds(3050))
  }
}

/// The meter as tables: no window, no compositor.
@MainActor @Suite struct LatencyMeterTests {
  private let refresh = Duration.milliseconds(16)

  private func time(_ milliseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1e6))
  }

  /// One frame: a change at `change`, committed at `commit` and seen at `seen`; nil for replaced unseen.
  private func frame(_ meter: inout LatencyMeter, change: Double, commit: Double, seen: Double?) {
    meter.noteInput(arrival: time(change), happened: nil)
    meter.noteTurn(needsFrame: true, now: time(change))
    meter.noteCommit(now: time(commit), needsFrame: false)
    meter.noteAsked(slot: 2)
    if let seen { present(&meter, slot: 2, at: seen) } else { meter.noteDiscarded(slot: 2) }
  }

  private func present(_ meter: inout LatencyMeter, slot: Int, at seen: Double) {
    meter.notePresented(slot: slot, at: time(seen), refresh: refresh, isSynchronized: true, isZeroCopy: false)
  }

  /// The refreshes are at 0, 16, 32 and so on; a commit takes at least 2 ms to the screen.
  @Test func `a refresh is missed when a change could have been shown by it and no new picture was`() {
    for (change, commit, seen, missed) in [
      (20.0, 21.0, 32.0, 0), (20, 33, 48, 1), (20, 70, 80, 3), (29, 30, 32, 0), (31, 31.5, 48, 0), (29, 31, 48, 1),
      (100, 101, 112, 0), (100, 113, 128, 1),
    ] {
      var meter = LatencyMeter(feedback: .reported)
      frame(&meter, change: 13, commit: 14, seen: 16)
      frame(&meter, change: change, commit: commit, seen: seen)
      #expect(meter.statistics.missed == missed, "\(change), \(commit), \(seen)")
    }
  }

  @Test func `the first picture misses no refresh, whenever it comes`() {
    var meter = LatencyMeter(feedback: .reported)
    frame(&meter, change: 0, commit: 70, seen: 80)
    #expect(meter.statistics.missed == 0 && meter.statistics.longestWait == .zero)
    meter.interrupt()
    frame(&meter, change: 1000, commit: 1070, seen: 1072)
    #expect(meter.statistics.missed == 0 && meter.statistics.presented == 2)
  }

  @Test func `at a steady rate nothing is missed, wherever in the refresh the change is and however its time trembles`()
  {
    for offset in [0.1, 4, 8, 12, 15] {
      var meter = LatencyMeter(feedback: .reported)
      for cycle in 0..<100 {
        let start = Double(cycle) * 16
        let seen = start + 32 + (cycle % 2 == 0 ? 0.9 : -0.9)
        frame(&meter, change: start + offset, commit: start + offset + 0.5, seen: seen)
      }
      #expect(meter.statistics.missed == 0 && meter.statistics.presented == 100, "\(offset)")
    }
  }

  @Test func `an animation misses the refreshes between its pictures, and none while it changes nothing`() {
    var meter = LatencyMeter(feedback: .reported)
    meter.noteTurn(needsFrame: true, now: time(1))
    for (commit, seen) in [(2.0, 16.0), (17, 32), (33, 64)] {
      meter.noteCommit(now: time(commit), needsFrame: true)
      meter.noteAsked(slot: 0)
      present(&meter, slot: 0, at: seen)
    }
    #expect(meter.statistics.missed == 1)
    for commit in stride(from: 65.0, to: 640, by: 16) { meter.noteUnchanged(now: time(commit), needsFrame: true) }
    meter.noteCommit(now: time(641), needsFrame: false)
    meter.noteAsked(slot: 0)
    present(&meter, slot: 0, at: 656)
    #expect(meter.statistics.missed == 1 && meter.statistics.longestWait == .milliseconds(31))
  }

  @Test func `what was replaced unseen is answered by the next picture, and waited since its own change`() {
    var meter = LatencyMeter(feedback: .reported)
    frame(&meter, change: -20, commit: -19, seen: -16)
    frame(&meter, change: 0, commit: 1, seen: nil)
    frame(&meter, change: 20, commit: 21, seen: 32)
    #expect(meter.statistics.discarded == 1 && meter.statistics.presented == 2)
    #expect(meter.statistics.arrivalToPhotons.count == 3 && meter.statistics.arrivalToPhotons.most == .milliseconds(32))
    #expect(meter.statistics.longestWait == .milliseconds(32) && meter.statistics.missed == 1)
  }

  @Test func `a picture that the compositor was not asked about counts with the next`() {
    var meter = LatencyMeter(feedback: .reported)
    meter.noteInput(arrival: time(0), happened: nil)
    meter.noteTurn(needsFrame: true, now: time(0))
    meter.noteCommit(now: time(1), needsFrame: false)
    frame(&meter, change: 16, commit: 17, seen: 32)
    #expect(meter.statistics.commits == 2 && meter.statistics.presented == 1)
    #expect(meter.statistics.arrivalToPhotons.most == .milliseconds(32))
  }

  /// Two frames that wait for their answers: what the first shows changed at 0, what the second shows at 17, right after the refresh.
  /// No input led to the frame before them.
  private func twoAsked(_ meter: inout LatencyMeter) {
    meter.noteTurn(needsFrame: true, now: time(-50))
    meter.noteCommit(now: time(-50), needsFrame: false)
    meter.noteAsked(slot: 2)
    present(&meter, slot: 2, at: -16)
    for (slot, change) in [0.0, 17].enumerated() {
      meter.noteInput(arrival: time(change), happened: nil)
      meter.noteTurn(needsFrame: true, now: time(change))
      meter.noteCommit(now: time(change + 1), needsFrame: false)
      meter.noteAsked(slot: slot)
    }
  }

  @Test
  func `a picture replaced while an older one is still on its way is answered by the newer one, since its own change`()
  {
    var meter = LatencyMeter(feedback: .reported)
    twoAsked(&meter)
    meter.noteCommit(now: time(31), needsFrame: false)
    meter.noteAsked(slot: 2)
    meter.noteDiscarded(slot: 1)
    present(&meter, slot: 0, at: 32)
    #expect(meter.statistics.arrivalToPhotons.count == 1 && meter.statistics.missed == 0)
    // The change at 17 could have been shown at 48: 31 from a commit to the screen are enough.
    present(&meter, slot: 2, at: 64)
    #expect(meter.statistics.arrivalToPhotons.count == 2 && meter.statistics.missed == 1)
    #expect(meter.statistics.arrivalToPhotons.most == .milliseconds(47) && meter.statistics.discarded == 1)
  }

  @Test func `answers in another order than the commits' belong each to its own commit`() {
    for (first, second) in [(32.0, 48.0), (16, 32)] {
      var meter = LatencyMeter(feedback: .reported)
      twoAsked(&meter)
      present(&meter, slot: 1, at: second)
      #expect(meter.statistics.presented == 2 && meter.statistics.arrivalToPhotons.count == 1)
      present(&meter, slot: 0, at: first)
      #expect(meter.statistics.presented == 3 && meter.statistics.arrivalToPhotons.count == 2)
      #expect(meter.statistics.arrivalToPhotons.most == .milliseconds(max(first, second - 17)), "\(first)")
      // The older one's answer is not taken for that of the latest picture on the screen.
      let missed = meter.statistics.missed
      frame(&meter, change: second - 14, commit: second + 2, seen: second + 16)
      #expect(meter.statistics.missed == missed, "\(first)")
    }
  }

  @Test func `a picture told to be replaced after the newer one was seen was answered by that one`() {
    var meter = LatencyMeter(feedback: .reported)
    twoAsked(&meter)
    present(&meter, slot: 1, at: 32)
    meter.noteDiscarded(slot: 0)
    #expect(meter.statistics.presented == 2 && meter.statistics.discarded == 1)
    #expect(meter.statistics.arrivalToPhotons.count == 2 && meter.statistics.arrivalToPhotons.most == .milliseconds(32))
    frame(&meter, change: 40, commit: 41, seen: 48)
    #expect(meter.statistics.arrivalToPhotons.count == 3)
  }

  @Test func `inputs that change nothing are not counted`() {
    var meter = LatencyMeter(feedback: .reported)
    meter.noteInput(arrival: time(0), happened: time(0))
    meter.noteTurn(needsFrame: false, now: time(0))
    meter.noteInput(arrival: time(1), happened: time(1))
    meter.noteTurn(needsFrame: true, now: time(1))
    meter.noteUnchanged(now: time(2), needsFrame: false)
    frame(&meter, change: 10, commit: 11, seen: 16)
    #expect(meter.statistics.arrivalToCommit.count == 1 && meter.statistics.eventToCommit.count == 0)
    #expect(meter.statistics.arrivalToPhotons.most == .milliseconds(6))
  }

  @Test func `of a storm of inputs the oldest are kept, and memory is that of the start`() {
    var meter = LatencyMeter(feedback: .reported)
    for number in 0..<10_000 {
      meter.noteInput(arrival: time(Double(number)), happened: nil)
      meter.noteTurn(needsFrame: true, now: time(Double(number)))
    }
    meter.noteCommit(now: time(10_000), needsFrame: false)
    meter.noteAsked(slot: 0)
    present(&meter, slot: 0, at: 10_010)
    #expect(meter.statistics.arrivalToCommit.count == 128 && meter.statistics.arrivalToCommit.most == .seconds(10))
    #expect(meter.statistics.arrivalToPhotons.count == 128)
  }

  @Test func `a time before the commit, and an answer to nothing, are no measurements`() {
    var meter = LatencyMeter(feedback: .reported)
    frame(&meter, change: 10, commit: 11, seen: 10.5)
    present(&meter, slot: 2, at: 20)
    meter.noteDiscarded(slot: 3)
    #expect(meter.statistics.presented == 0 && meter.statistics.discarded == 0)
    frame(&meter, change: 20, commit: 21, seen: 32)
    #expect(meter.statistics.arrivalToPhotons.count == 2, "the next picture answers both")
  }
}

/// A window's latency on a scripted compositor, with a manual clock.
@MainActor @Suite(.serialized) struct WindowLatencyTests {
  /// Plays with a window that measures and whose content changes with each touch, after `painting` of drawing.
  private func measure(
    _ globals: StageGlobals = .everything, painting: Duration = .milliseconds(3),
    _ script: (Show, Window) throws -> Void
  ) throws {
    try play(globals) { show in
      let window = try #require(show.window)
      var number = 0
      show.content.onInput = { [unowned show] event in
        guard case .touches = event else { return }
        number += 1
        show.content.paint(PixelRect(x: number % 40, y: 2, width: 4, height: 4), UInt32(0xff00_0000 + number))
      }
      show.calm()
      window.measuresLatency = true
      show.content.onDraw = { [unowned show] in show.stage.clock.advance(by: painting) }
      try script(show, window)
      show.content.onInput = nil
      show.content.onDraw = nil
    }
  }

  private func touch(_ show: Show) {
    show.seat.touchDown(0, 5, 5)
    show.seat.touchFrame()
  }

  private func move(_ show: Show, _ x: Double) {
    show.seat.touchMotion(0, x, 5)
    show.seat.touchFrame()
  }

  private func statistics(_ window: Window) throws -> LatencyStatistics { try #require(window.latency) }

  @Test func `an input is followed from its own time over its arrival to the commit and to the screen`() throws {
    try measure { show, window in
      show.stage.nextRefresh()
      touch(show)
      // On its way for 4 ms.
      show.stage.clock.advance(by: .milliseconds(4))
      let arrival = show.stage.clock.now
      show.settle()
      var told = try statistics(window)
      #expect(told.arrivalToCommit.count == 1 && told.arrivalToCommit.most == .milliseconds(3))
      #expect(told.eventToCommit.count == 1 && abs(told.eventToCommit.most.inSeconds - 0.007) <= 0.001)
      #expect(told.arrivalToPhotons.count == 0 && told.presented == 0)
      show.stage.nextRefresh()
      show.settle()
      told = try statistics(window)
      #expect(told.arrivalToPhotons.most == show.stage.clock.now - arrival)
      #expect(told.eventToPhotons.count == 1 && told.presented == 1 && told.missed == 0)
      #expect(told.refresh == .nanoseconds(16_666_666) && told.synchronized == 1 && told.zeroCopy == 0)
    }
  }

  @Test func `each frame of a drag is asked about, and none is missed`() throws {
    try measure { show, window in
      show.surface.forgetCommits()
      touch(show)
      for x in 0..<60 {
        show.stage.nextRefresh()
        show.settle()
        show.stage.clock.advance(by: .milliseconds(4))
        move(show, Double(x))
        show.settle()
      }
      for _ in 0..<2 { show.refresh() }
      let told = try statistics(window)
      #expect(told.commits >= 59 && told.presented == told.commits && told.missed == 0)
      #expect(told.arrivalToPhotons.count == told.arrivalToCommit.count && told.arrivalToPhotons.count == 61)
      #expect(!show.surface.contentCommits.contains { !$0.asksForFeedback })
    }
  }

  @Test func `a frame that took too long to paint misses its refresh`() throws {
    try measure { show, window in
      touch(show)
      show.settle()
      show.stage.nextRefresh()
      show.settle()
      // Just before a refresh, to learn how short the way to the screen is.
      show.stage.clock.advance(by: .milliseconds(12))
      move(show, 10)
      show.settle()
      show.stage.nextRefresh()
      show.settle()
      var told = try statistics(window)
      #expect(told.missed == 0)
      show.content.onDraw = { [unowned show] in show.stage.clock.advance(by: .milliseconds(20)) }
      move(show, 20)
      show.settle()
      show.stage.nextRefresh()
      show.settle()
      told = try statistics(window)
      #expect(told.missed == 1 && told.presented == 3)
      #expect(abs(told.longestWait.inSeconds - 2 / 60) < 0.000_001)
    }
  }

  @Test func `a picture that another size replaces is discarded, and its input seen with the next`() throws {
    try measure { show, window in
      show.stage.nextRefresh()
      touch(show)
      show.settle()
      show.toplevel.configure(80, 60)
      show.settle()
      show.stage.nextRefresh()
      show.settle()
      let told = try statistics(window)
      #expect(told.commits == 2 && told.discarded == 1 && told.presented == 1)
      #expect(told.arrivalToCommit.count == 1 && told.arrivalToPhotons.count == 1)
    }
  }

  @Test func `on a display that flips, several commits wait for their answers, and each input is seen with its own`()
    throws
  {
    try measure { show, window in
      show.stage.showsOneRefreshLater = true
      let start = try statistics(window).presented
      show.stage.nextRefresh()
      show.settle()
      var arrivals: [MonotonicTime] = []
      var seen: [Duration] = []
      touch(show)
      for turn in 0..<20 {
        show.stage.clock.advance(by: .milliseconds(turn % 4 * 3 + 1))
        if turn > 0 { move(show, Double(turn)) }
        arrivals.append(show.stage.clock.now)
        show.settle()
        show.stage.nextRefresh()
        show.settle()
        // This refresh showed the picture before, and answered the callback of the last one.
        if turn > 0 { seen.append(show.stage.clock.now - arrivals[turn - 1]) }
        let told = try statistics(window)
        #expect(told.presented - start == seen.count && told.arrivalToPhotons.count == seen.count)
        #expect(told.arrivalToPhotons.most == seen.max() ?? .zero)
      }
      #expect(try statistics(window).missed == 0)
    }
  }

  @Test
  func
    `a picture replaced while the one before is being flipped to is discarded first, and its input seen with the next`()
    throws
  {
    try measure { show, window in
      show.stage.showsOneRefreshLater = true
      show.stage.nextRefresh()
      touch(show)
      show.settle()
      show.stage.nextRefresh()
      show.settle()
      move(show, 10)
      let arrival = show.stage.clock.now
      show.settle()
      show.toplevel.configure(80, 60)
      show.settle()
      var told = try statistics(window)
      #expect(told.commits == 3 && told.discarded == 1 && told.presented == 0)
      show.stage.nextRefresh()
      show.settle()
      told = try statistics(window)
      #expect(told.presented == 1 && told.arrivalToPhotons.count == 1)
      show.stage.nextRefresh()
      show.settle()
      told = try statistics(window)
      #expect(told.presented == 2 && told.arrivalToPhotons.count == 2)
      #expect(told.arrivalToPhotons.most == show.stage.clock.now - arrival)
    }
  }

  @Test func `the time in which a window is hidden is none of its latency`() throws {
    try measure { show, window in
      touch(show)
      show.settle()
      show.toplevel.suspend()
      show.settle()
      show.pass(.seconds(5))
      show.toplevel.resume()
      show.settle()
      show.refresh()
      let told = try statistics(window)
      #expect(told.longestWait < .milliseconds(100) && told.arrivalToPhotons.most < .milliseconds(100))
    }
  }

  @Test func `without wp_presentation, or with its times on an unknown clock, only the way to the commit is known`()
    throws
  {
    var without = StageGlobals.everything
    without.presentation = nil
    var unreadable = StageGlobals.everything
    unreadable.presentationClock = 99
    for (globals, words) in [(without, "has no wp_presentation"), (unreadable, "on a clock that can't be read")] {
      try measure(globals) { show, window in
        touch(show)
        show.refresh()
        let told = try statistics(window)
        #expect(told.arrivalToCommit.count == 1 && told.presented == 0 && told.refresh == nil)
        #expect(told.description.contains("input to photons and missed refreshes: unknown, the compositor"))
        #expect(told.description.contains(words) && !told.description.contains("refreshes: 0"))
      }
    }
  }

  @Test func `a display without a constant rate has no missed refreshes`() throws {
    try measure { show, window in
      show.stage.presentationTime = { PresentationTime($0, refresh: 0) }
      touch(show)
      show.refresh()
      show.content.onDraw = { [unowned show] in show.stage.clock.advance(by: .milliseconds(100)) }
      move(show, 10)
      for _ in 0..<2 { show.refresh() }
      let told = try statistics(window)
      #expect(told.presented == 2 && told.missed == 0 && told.refresh == nil)
      #expect(told.description.contains("reports no constant refresh rate"))
    }
  }

  @Test func `times on another clock than the inputs' own are left out, and that is said`() throws {
    try measure { show, window in
      let now = show.stage.clock.now
      show.stage.clock.now = MonotonicTime(nanoseconds: now.nanoseconds + 3_600_000_000_000)
      touch(show)
      show.stage.clock.now = now
      show.settle()
      let told = try statistics(window)
      #expect(told.arrivalToCommit.count == 1 && told.eventToCommit.count == 0)
      #expect(told.description.contains("another clock than CLOCK_MONOTONIC"))
    }
  }

  @Test func `a window that does not measure has no statistics, and keeps them after its end if it does`() throws {
    var kept: Window?
    try play { show in
      let window = try #require(show.window)
      #expect(window.latency == nil && !window.measuresLatency)
      window.measuresLatency = true
      show.content.paint(PixelRect(x: 1, y: 1, width: 2, height: 2))
      show.refresh()
      kept = window
    }
    #expect(kept?.latency?.commits == 1)
    kept?.measuresLatency = false
    #expect(kept?.latency == nil)
  }

  @Test func `the table has a row for each way, in milliseconds`() {
    var statistics = LatencyStatistics()
    statistics.arrivalToCommit.record(.microseconds(1234))
    (statistics.commits, statistics.presented, statistics.synchronized) = (3, 2, 2)
    statistics.arrivalToPhotons.record(.milliseconds(12))
    (statistics.refresh, statistics.missed) = (.nanoseconds(16_666_667), 4)
    statistics.longestWait = .milliseconds(50)
    var twice = statistics
    twice.add(statistics)
    #expect(
      twice.description == """
        latency in ms                              p50      p99     most   inputs
        input to commit, since its arrival        1.23     1.23     1.23        2
        input to commit, since its own time          -        -        -        0
        input to photons, since its arrival      11.90    11.90    12.00        2
        input to photons, since its own time         -        -        -        0
        frames: 6 committed, 4 seen (4 without tearing, 0 without a copy), 0 replaced unseen
        refreshes: 8 missed at 60.00 Hz; longest wait for a picture 50.00 ms
        inputs left out under "own time": those of another clock than CLOCK_MONOTONIC, or without a time

        """)
  }
}
