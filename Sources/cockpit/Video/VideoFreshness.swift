import UICore
import VideoLink

/// How old the picture on the screen is, by everything that is known of it: a value, which is told what arrives and asked at any time.
///
/// Three clocks run: since the last complete picture, since the last picture that differs from the one before it, and, where the source
/// stamps its pictures, since the picture was taken. The oldest counts.
nonisolated struct VideoFreshness: Sendable {
  /// What a driver can rely on. Everything but `live` ends a drive.
  enum State: String, CaseIterable, Sendable {
    /// The picture is younger than the limit.
    case live
    /// Complete pictures arrive, but they have been the same for longer than the limit.
    case repeating
    /// No picture arrives, or what arrives was taken too long ago.
    case stale
    /// Complete pictures arrive that cannot be decoded.
    case undecodable
    /// The source is gone, or has never shown a picture.
    case lost
  }

  /// What stamps of a source's own are taken for.
  enum Stamps: String, CaseIterable, Sendable {
    /// Stamps of a wall clock are ages; those of another clock show only how an age changes.
    case ages
    /// All stamps show only how an age changes: the clocks do not agree.
    case differences
    /// Stamps are ignored.
    case ignored
  }

  /// The greatest age of a picture that can be driven by.
  let limit: Duration
  let stamps: Stamps
  private var source = VideoSourceState.connecting
  private var completed: MonotonicTime?
  private var changed: MonotonicTime?
  /// When the last picture that differed arrived, and its age then, if it was not shown: a repeat of it may be.
  private var unshown: (arrival: MonotonicTime, age: StampedAge?)?
  /// True if the last complete picture had the bytes of the one before it.
  private var isRepeating = false
  /// The age at its arrival of the picture that is shown, by its stamp; nil if it has none.
  private var arrivalAge: StampedAge?
  private var clock = SourceClock()
  /// When the last pictures that differ arrived, for their number in a second.
  private var arrivals: [MonotonicTime] = []

  init(limit: Duration, stamps: Stamps = .ages) {
    (self.limit, self.stamps) = (limit, stamps)
    arrivals.reserveCapacity(Self.mostArrivals)
  }

  private static let mostArrivals = 256
  /// So much two wall clocks that agree may differ, and two readings of one.
  private static let leastDisagreement = Duration.milliseconds(5)
  /// The farthest that two wall clocks may disagree before their difference is no age.
  private static let mostDisagreement = Duration.seconds(3600)

  // MARK: What arrives

  /// Records what the helper says of the source.
  mutating func note(_ state: VideoSourceState) {
    source = state
    // A source that begins anew may have a clock that begins anew.
    if state == .connecting || state == .ended || state == .refused { clock = SourceClock() }
  }

  /// Records that nobody fetches the picture any more.
  mutating func noteHelperGone() { note(.ended) }

  /// Records a complete picture. `isShown` is true if it was given to the compositor; a picture that came and is not shown makes what is on
  /// the screen no younger. `wall` is nanoseconds since 1970 at `frame.arrival`.
  mutating func note(_ frame: VideoFrame, isShown: Bool, wall: Int64, now: MonotonicTime) {
    // No stamp of the helper's lies in the future, whatever it says.
    let arrival = min(MonotonicTime(nanoseconds: frame.arrival), now)
    if source != .undecodable { source = .receiving }
    completed = max(completed ?? arrival, arrival)
    isRepeating = frame.isRepeat
    let new = frame.isRepeat ? unshown : (arrival, frame.stamp.flatMap { age(of: $0, arrival: arrival, wall: wall) })
    unshown = isShown ? nil : new
    guard isShown, let new else { return }
    source = .receiving
    changed = max(changed ?? new.arrival, new.arrival)
    arrivalAge = new.age
    arrivals.removeAll { arrival - $0 > .seconds(1) }
    if arrivals.count < Self.mostArrivals { arrivals.append(new.arrival) }
  }

  /// An age by a stamp. It is not `whole` if only its growth is known: then it leaves out the quickest way that a picture had so far.
  private struct StampedAge: Hashable, Sendable {
    var age: Duration
    var isWhole: Bool
  }

  private mutating func age(of stamp: VideoStamp, arrival: MonotonicTime, wall: Int64) -> StampedAge? {
    let taken = stamp.nanoseconds
    switch (stamps, stamp.kind) {
    case (.ignored, _): return nil
    case (.ages, .wall):
      let (age, hasOverflow) = wall.subtractingReportingOverflow(taken)
      if !hasOverflow, .nanoseconds(age) >= .zero - Self.leastDisagreement, .nanoseconds(age) < Self.mostDisagreement {
        return StampedAge(age: .nanoseconds(max(age, 0)), isWhole: true)
      }
    case (.ages, .strip):
      // Milliseconds modulo 2^22, about 70 minutes; half of them are the future.
      let turn: Int64 = 1 << 22
      let age = ((wall / 1_000_000 - taken / 1_000_000) % turn + turn) % turn
      if age < turn / 2 { return StampedAge(age: .milliseconds(age), isWhole: true) }
    case (.differences, _), (_, .steady): break
    }
    return clock.lag(taken: taken, arrival: arrival).map { StampedAge(age: $0, isWhole: false) }
  }

  // MARK: What is known

  /// True if the source says when it took its pictures, so that `age` includes the way from the camera.
  var knowsAge: Bool { arrivalAge?.isWhole == true }

  /// The age of the picture on the screen; nil if there was none.
  func age(at now: MonotonicTime) -> Duration? {
    guard let completed, let changed else { return nil }
    let stamped = arrivalAge.map { $0.age + (now - changed) } ?? .zero
    return max(now - completed, now - changed, stamped)
  }

  /// The state at `now`.
  func state(at now: MonotonicTime) -> State {
    guard let age = age(at: now), let completed else { return source == .undecodable ? .undecodable : .lost }
    guard age > limit else { return .live }
    switch source {
    case .connecting, .ended, .refused: return .lost
    case .undecodable: return .undecodable
    case .receiving: break
    }
    return isRepeating && now - completed <= limit ? .repeating : .stale
  }

  /// When the state changes if nothing arrives; nil if it stays. The picture is too old right after it.
  var deadline: MonotonicTime? {
    guard let completed, let changed else { return nil }
    let stamped = arrivalAge.map { changed + limit - $0.age } ?? changed + limit
    return min(completed + limit, changed + limit, stamped)
  }

  /// The number of different pictures in the second before `now`.
  func framesPerSecond(at now: MonotonicTime) -> Int { arrivals.count { now - $0 <= .seconds(1) } }
}

/// Relates a source's clock, whose zero nobody knows, to the time at which its pictures arrive: how much later a picture came than the
/// quickest one so far.
private nonisolated struct SourceClock: Sendable {
  /// The least difference between arrival and stamp, in nanoseconds, and when it was taken.
  private var least: (Int64, MonotonicTime)?
  private var last: Int64?

  /// Clocks of cameras differ by up to 100 parts in a million: by so much a difference may grow that is no lag.
  private static let drift: Int64 = 10_000

  mutating func lag(taken: Int64, arrival: MonotonicTime) -> Duration? {
    let (difference, hasOverflow) = arrival.nanoseconds.subtractingReportingOverflow(taken)
    guard !hasOverflow else { return nil }
    // A stamp before the last one is of a clock that has begun anew.
    if let last, taken < last { least = nil }
    last = taken
    guard let (value, time) = least else {
      least = (difference, arrival)
      return .zero
    }
    let allowed = value &+ (arrival - time).inNanoseconds / Self.drift
    if difference <= allowed {
      least = (difference, arrival)
      return .zero
    }
    let (lag, overflows) = difference.subtractingReportingOverflow(allowed)
    return overflows ? nil : .nanoseconds(lag)
  }
}

/// What the screen says of a picture: rounded, so that it changes seldom. Records keep it.
nonisolated struct VideoNotice: Hashable, Sendable {
  var state: VideoFreshness.State
  /// The picture's age in milliseconds; nil if there was none.
  var age: Int?
  /// False if the age leaves out the way from the camera to this machine, which the source does not say.
  var isAgeKnown = false
  var framesPerSecond = 0
  /// The milliseconds to the vehicle and back; nil without answers.
  var link: Int?
  /// The camera's name; empty for the only one.
  var camera = ""
}
