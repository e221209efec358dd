/// Follows inputs to the commits and the screens that answer them, for `LatencyStatistics`.
///
/// It is pure, like the model whose events and effects it observes, and its memory is fixed. Inputs are numbered as they arrive. Three numbers
/// divide them: those below `seen` were visible, those below `shown` were committed, those below `arrived` wait for content's
/// answer. An input that changes nothing returns its number.
nonisolated struct LatencyMeter: Sendable {
  /// The number of frames whose answer can be outstanding.
  static let slots = 4
  /// The number of inputs that may wait, and of those committed that are remembered: two refreshes at 20 Hz of a mouse of 1000 Hz.
  private static let room = 128

  private struct Input {
    var arrival = MonotonicTime.zero
    /// The input's own time; nil if that is on a different clock.
    var happened: MonotonicTime?
  }

  private struct Frame {
    var committed: MonotonicTime
    /// The number of the first input that it does not answer.
    var end: Int
    /// The time since which what it shows had waited.
    var since: MonotonicTime
  }

  private(set) var statistics = LatencyStatistics()
  private var inputs = [Input](repeating: Input(), count: 2 * room)
  private var (seen, shown, arrived) = (0, 0, 0)
  /// The time since which content has needed a frame, in an animation the coming one; nil while it needs none.
  private var waitingSince: MonotonicTime?
  /// The same for images that were committed and replaced before they were visible.
  private var unseenSince: MonotonicTime?
  /// The latest commit, until the compositor is asked about it.
  private var latest: Frame?
  /// The frames that the compositor was asked about, by slot.
  private var asked = [Frame?](repeating: nil, count: slots)
  private var lastPresented: MonotonicTime?
  /// The shortest time from a commit to the screen.
  private var lead: Duration?

  init(feedback: LatencyStatistics.Feedback) {
    statistics.feedback = feedback
  }

  /// Takes what happened to the window, and what followed from it.
  mutating func observe(_ event: WindowModel.Event, _ effects: ArraySlice<WindowModel.Effect>) {
    switch event {
    case .input(let input, false, let now) where input.isAction:
      noteInput(arrival: now, happened: input.happened(within: 1000, before: now))
    case .turn(let content, let now): noteTurn(needsFrame: content.needsFrame, now: now)
    case .painted(let content, false, _, _, let now): noteUnchanged(now: now, needsFrame: content.needsFrame)
    // The commit of a hidden window asks for no callback.
    case .painted(let content, _, _, _, let now) where effects.contains(.askForCallback):
      noteCommit(now: now, needsFrame: content.needsFrame)
    default: break
    }
    if effects.contains(.forgetCallback) { interrupt() }
  }

  // MARK: From input to commit

  mutating func noteInput(arrival: MonotonicTime, happened: MonotonicTime?) {
    // The oldest have waited longest: they are kept.
    guard arrived - shown < LatencyMeter.room else { return }
    inputs[arrived % inputs.count] = Input(arrival: arrival, happened: happened)
    arrived += 1
  }

  /// Content has received every input; `needsFrame` says whether it needs a frame.
  mutating func noteTurn(needsFrame: Bool, now: MonotonicTime) {
    guard needsFrame else { return rest() }
    let since = shown < arrived ? inputs[shown % inputs.count].arrival : waitingSince ?? now
    waitingSince = min(waitingSince ?? since, since)
  }

  /// A frame with a new image is committed; `needsFrame` says whether the content already needs a further frame.
  mutating func noteCommit(now: MonotonicTime, needsFrame: Bool) {
    for number in shown..<arrived {
      let input = inputs[number % inputs.count]
      statistics.arrivalToCommit.record(now - input.arrival)
      if let happened = input.happened { statistics.eventToCommit.record(now - happened) }
    }
    statistics.commits += 1
    if let latest { leaveUnseen(latest) }
    latest = Frame(committed: now, end: arrived, since: waitingSince ?? now)
    shown = arrived
    waitForNext(needsFrame, now)
  }

  /// A frame is identical to the image before, so no input changed anything.
  mutating func noteUnchanged(now: MonotonicTime, needsFrame: Bool) {
    rest()
    waitForNext(needsFrame, now)
  }

  /// An animation's next image is due one refresh after this one.
  private mutating func waitForNext(_ needsFrame: Bool, _ now: MonotonicTime) {
    waitingSince = needsFrame ? now + (statistics.refresh ?? .zero) : nil
  }

  /// The window is visible again, or its surface is new: nothing is known of the time between.
  mutating func interrupt() {
    rest()
    seen = shown
    latest = nil
    for slot in asked.indices { asked[slot] = nil }
    unseenSince = nil
    lastPresented = nil
  }

  /// Notes that no input waits to be shown.
  private mutating func rest() {
    arrived = shown
    waitingSince = nil
  }

  // MARK: From commit to photons

  /// The compositor was asked about the latest commit; its answer will have this slot, which no other outstanding request uses.
  mutating func noteAsked(slot: Int) {
    asked[slot] = latest
    latest = nil
  }

  mutating func noteUnreadableClock() { statistics.feedback = .unreadableClock }

  /// The frame of `slot` was visible at `time`; nil for an invalid time. `refresh` is nil if it is unknown or not constant.
  mutating func notePresented(
    slot: Int, at time: MonotonicTime?, refresh: Duration?, isSynchronized: Bool, isZeroCopy: Bool
  ) {
    guard let frame = take(slot) else { return }
    guard let time, time >= frame.committed else { return leaveUnseen(frame) }
    statistics.presented += 1
    if isSynchronized { statistics.synchronized += 1 }
    if isZeroCopy { statistics.zeroCopy += 1 }
    statistics.refresh = refresh
    let first = max(seen, shown - LatencyMeter.room)
    for number in first..<max(first, frame.end) {
      let input = inputs[number % inputs.count]
      statistics.arrivalToPhotons.record(time - input.arrival)
      if let happened = input.happened { statistics.eventToPhotons.record(time - happened) }
    }
    seen = max(seen, frame.end)
    noteWait(of: frame, until: time, refresh: refresh)
  }

  /// The frame of `slot` was replaced before it was visible by a newer one, which then answers its inputs.
  mutating func noteDiscarded(slot: Int) {
    guard let frame = take(slot) else { return }
    statistics.discarded += 1
    leaveUnseen(frame)
  }

  private mutating func take(_ slot: Int) -> Frame? {
    defer { asked[slot] = nil }
    return asked[slot]
  }

  private mutating func leaveUnseen(_ frame: Frame) {
    unseenSince = min(unseenSince ?? frame.since, frame.since)
  }

  /// Counts the refreshes before `time` that could have shown the change but did not show an image of ours. The first image of
  /// a window that was not visible before misses none.
  private mutating func noteWait(of frame: Frame, until time: MonotonicTime, refresh: Duration?) {
    let since = min(frame.since, unseenSince ?? frame.since)
    unseenSince = nil
    let lead = min(self.lead ?? time - frame.committed, time - frame.committed)
    self.lead = lead
    defer { lastPresented = time }
    guard let lastPresented else { return }
    statistics.longestWait = max(statistics.longestWait, time - max(since, lastPresented))
    guard let refresh else { return }
    // Half a refresh of tolerance: the refresh that showed the image before is not a missed one, however unsteady its time.
    let earliest = max(since + lead, lastPresented + refresh / 2)
    statistics.missed += max(0, Int((time - earliest).inNanoseconds / refresh.inNanoseconds))
  }
}
