/// Runs a view's value from one number to another, again and again, as long as it is wanted and the window is seen.
///
/// An endless animation is removed in the background (K13). This one starts again when the content becomes active, and
/// however often that is told, or it is asked to start, it runs once (K-D4).
public final class Pulse {
  /// The value at the start of a period, and when nothing runs.
  public let from: Double
  /// The value at its end, or half-way where it runs back.
  public let to: Double
  /// True to run back each time; a period is the way there and back.
  public let autoreverses: Bool
  /// How the value follows time.
  public let curve: TimingCurve
  /// False for what counts as a fade, which people who want less motion still get.
  public let isMotion: Bool
  /// How long a period takes; a change shows from the next period's start, which is now.
  public var period: Duration {
    didSet {
      guard period != oldValue, isRunning else { return }
      end()
      update()
    }
  }

  private let key: String
  private unowned let view: View
  private let apply: (Double) -> Void
  private weak var observedRoot: RootView?
  private var tokens: [Observation?] = []

  /// A pulse of `view`, which owns it and calls `update()` when it came to a root or left it. `key` is the animation's;
  /// `apply` gets each value.
  public init(
    of view: View, key: String = "pulse", from: Double = 0, to: Double = 1, period: Duration,
    curve: TimingCurve = .linear, autoreverses: Bool = false, isMotion: Bool = true,
    apply: @escaping (Double) -> Void
  ) {
    self.view = view
    self.key = key
    self.from = from
    self.to = to
    self.period = period
    self.curve = curve
    self.autoreverses = autoreverses
    self.isMotion = isMotion
    self.apply = apply
  }

  /// True while somebody wants it.
  public var isWanted = false {
    didSet { if isWanted != oldValue { update() } }
  }

  /// True while it runs.
  public var isRunning: Bool { view.hasAnimation(forKey: key) }

  /// Starts or ends it, as things are now; any number of times.
  public func update() {
    if observedRoot !== view.root {
      observedRoot = view.root
      tokens = [
        view.root?.addLifecycleObserver { [weak self] in if $0 == .didBecomeActive { self?.update() } },
        view.root?.motionObservers.add { [weak self] _ in self?.update() },
      ]
    }
    let isStill = isMotion && (view.root?.prefersReducedMotion ?? false)
    guard isWanted, !isStill, view.root?.isActive ?? false else { return end() }
    let length = autoreverses ? .seconds(period.inSeconds / 2) : period
    let animation = Animation(
      from: from, to: to, duration: length, curve: curve, repeats: .forever, autoreverses: autoreverses,
      removal: .reset)
    view.addAnimationIfAbsent(animation, forKey: key, apply: apply)
  }

  private func end() {
    if isRunning { view.removeAnimation(forKey: key) }
  }
}
