/// A change of a value from one number to another.
nonisolated public struct Animation: Hashable, Sendable {
  /// The course of the value.
  public enum Motion: Hashable, Sendable {
    /// Within `duration`, along a curve.
    case curve(TimingCurve, duration: Duration)
    /// On a spring, from a velocity in units per second, until it is within `tolerance` of its goal and slow.
    case spring(Spring, velocity: Double = 0, tolerance: Double = 0.001)
  }

  /// The number of runs.
  public enum Repeat: Hashable, Sendable {
    /// This many times; less than 1 counts as 1.
    case times(Int)
    /// Without end, until removed.
    case forever
  }

  /// The treatment of the value when the animation is removed before its end: by `removeAnimation`, in the background,
  /// or with its view.
  public enum Removal: Hashable, Sendable {
    /// It moves to the end value (for an endless animation, to the start value).
    case finish
    /// It returns to the start value.
    case reset
    /// It stays where it is.
    case keep
  }

  /// The value at the start.
  public var from: Double
  /// The value at the end.
  public var to: Double
  /// The course of the value.
  public var motion: Motion
  /// The wait before it begins; the value stays unchanged.
  public var delay = Duration.zero
  /// The number of runs.
  public var repeats = Repeat.times(1)
  /// True if it runs back each time; a run and its way back count as one.
  public var autoreverses = false
  /// The treatment of the value when the animation is removed before its end.
  public var removal: Removal

  /// An animation along a curve.
  public init(
    from: Double = 0, to: Double = 1, duration: Duration, curve: TimingCurve = .easeInOut, delay: Duration = .zero,
    repeats: Repeat = .times(1), autoreverses: Bool = false, removal: Removal = .finish
  ) {
    (self.from, self.to, self.delay, self.removal) = (from, to, delay, removal)
    (self.repeats, self.autoreverses) = (repeats, autoreverses)
    motion = .curve(curve, duration: duration)
  }

  /// An animation on a spring; `velocity` is in units of the value per second, `tolerance` in units of the value.
  public init(
    from: Double, to: Double, spring: Spring, velocity: Double = 0, tolerance: Double = 0.001,
    removal: Removal = .finish
  ) {
    (self.from, self.to, self.removal) = (from, to, removal)
    motion = .spring(spring, velocity: velocity, tolerance: tolerance)
  }

  struct Moment: Hashable {
    var value: Double
    var velocity: Double
    var isFinished: Bool
  }

  func moment(at elapsed: Double) -> Moment {
    let time = elapsed - delay.inSeconds
    switch motion {
    case .spring(let spring, let velocity, let tolerance):
      let now = spring.motion(at: time, from: from, to: to, velocity: velocity)
      // The 30 s are a backstop: a spring with an unreachable tolerance must end too.
      if time > 0 && spring.isSettled(now, at: to, tolerance: max(tolerance, 1e-9)) || time > 30 {
        return Moment(value: to, velocity: 0, isFinished: true)
      }
      return Moment(value: now.value, velocity: now.velocity, isFinished: false)
    case .curve(let curve, let duration):
      let length = max(duration.inSeconds, 1e-6)
      if time <= 0 { return Moment(value: from, velocity: 0, isFinished: false) }
      let runs = time / length
      let perRepeat = autoreverses ? 2.0 : 1.0
      if case .times(let count) = repeats, runs >= perRepeat * Double(max(count, 1)) - 1e-12 {
        return Moment(value: autoreverses ? from : to, velocity: 0, isFinished: true)
      }
      let whole = runs.rounded(.down)
      let isBackwards = autoreverses && whole.truncatingRemainder(dividingBy: 2) == 1
      let fraction = isBackwards ? 1 - (runs - whole) : runs - whole
      let value = from + (to - from) * curve.progress(at: fraction)
      let ahead = from + (to - from) * curve.progress(at: min(fraction + 0.001, 1))
      let velocity = (ahead - value) / (0.001 * length) * (isBackwards ? -1 : 1)
      return Moment(value: value, velocity: velocity, isFinished: false)
    }
  }

  /// The value after an early removal, or nil to leave it.
  var removedValue: Double? {
    switch removal {
    case .keep: return nil
    case .reset: return from
    case .finish: return repeats == .forever || autoreverses ? from : to
    }
  }
}
