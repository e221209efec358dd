/// Follows inputs to the commits and the screens that answer them, for `LatencyStatistics`.
///
/// It is pure, like the model whose events and effects it observes, and its memory is fixed. Inputs are numbered as they arrive. Two numbers
/// divide them: those below `shown` were committed, those below `arrived` wait for content's answer. An input that changes nothing
/// returns its number. Each frame has the inputs that it answers, because the compositor may tell of frames in another order than that
/// of their commits: it tells at once of one that is replaced, and of the one before only when the display has shown it.
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
    /// Counts the commits.
    var number: Int
    var committed: MonotonicTime
    /// The numbers of the inputs that it answers.
    var inputs: Range<Int>
    /// The time since which what it shows had waited.
    var since: MonotonicTime

    /// Answers what an older frame would have answered if it had been visible.
    mutating func inherit(_ older: Frame) {
      inputs = min(inputs.lowerBound, older.inputs.lowerBound)..<inputs.upperBound
      since = min(since, older.since)
    }
  }

  private(set) var statistics = LatencyStatistics()
  private var inputs = [Input](repeating: Input(), count: 2 * room)
  private var (shown, arrived) = (0, 0)
  /// The time since which content has needed a frame, in an animation the coming one; nil while it needs none.
  private var waitingSince: MonotonicTime?
  /// What was committed and replaced before it was visible, until a newer frame answers it.
  private var unseen: Frame?
  /// The latest commit, until the compositor is asked about it.
  private var latest: Frame?
  /// The frames that the compositor was asked about, by slot.
  private var asked = [Frame?](repeating: nil, count: slots)
  /// The newest commit that was visible.
  private var lastPresented: (number: Int, time: MonotonicTime)?
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
    var frame = Frame(
      number: statistics.commits, committed: now, inputs: shown..<arrived, since: waitingSince ?? now)
    if let unseen { frame.inherit(unseen) }
    (latest, unseen) = (frame, nil)
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
    latest = nil
    for slot in asked.indices { asked[slot] = nil }
    unseen = nil
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
    recordPhotons(of: frame, at: time)
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

  /// Records that the inputs of `frame` were answered at `time`, those that are still remembered.
  private mutating func recordPhotons(of frame: Frame, at time: MonotonicTime) {
    let first = max(frame.inputs.lowerBound, shown - LatencyMeter.room)
    for number in first..<max(first, frame.inputs.upperBound) {
      let input = inputs[number % inputs.count]
      statistics.arrivalToPhotons.record(time - input.arrival)
      if let happened = input.happened { statistics.eventToPhotons.record(time - happened) }
    }
  }

  /// `frame` was not visible: the next newer one answers what it would have answered.
  private mutating func leaveUnseen(_ frame: Frame) {
    if let lastPresented, lastPresented.number > frame.number {
      return recordPhotons(of: frame, at: lastPresented.time)
    }
    var heir: Int?
    for slot in asked.indices {
      guard let number = asked[slot]?.number, number > frame.number else { continue }
      if heir.flatMap({ asked[$0] }).map({ $0.number > number }) ?? true { heir = slot }
    }
    if let heir {
      asked[heir]?.inherit(frame)
    } else if let number = latest?.number, number > frame.number {
      latest?.inherit(frame)
    } else {
      var frame = frame
      if let unseen { frame.inherit(unseen) }
      unseen = frame
    }
  }

  /// Counts the refreshes before `time` that could have shown the change but did not show an image of ours. The first image of
  /// a window that was not visible before misses none.
  private mutating func noteWait(of frame: Frame, until time: MonotonicTime, refresh: Duration?) {
    let lead = min(self.lead ?? time - frame.committed, time - frame.committed)
    self.lead = lead
    // What was missed before a newer frame was counted with that.
    if let lastPresented, lastPresented.number > frame.number { return }
    let before = lastPresented?.time
    lastPresented = (frame.number, time)
    guard let before else { return }
    statistics.longestWait = max(statistics.longestWait, time - max(frame.since, before))
    guard let refresh else { return }
    // Half a refresh of tolerance: the refresh that showed the image before is not a missed one, however unsteady its time.
    let earliest = max(frame.since + lead, before + refresh / 2)
    statistics.missed += max(0, Int((time - earliest).inNanoseconds / refresh.inNanoseconds))
  }
}
