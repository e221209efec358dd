/// Animates a view's value from one number to another repeatedly, as long as it is wanted and the window is visible.
///
/// An endless animation is removed in the background. A pulse starts again when the content becomes active, and it runs once,
/// however often that is notified or it is asked to start. While its view is out of sight it requests no frames.
public final class Pulse {
  /// The repeating animation. A changed one starts now.
  public var animation: Animation {
    didSet {
      guard animation != oldValue, isRunning else { return }
      end()
      update()
    }
  }
  /// Set to false for fades: they run even with reduced motion.
  public let isMotion: Bool

  private let key: String
  private weak var view: View?
  private let apply: (Double) -> Void
  private weak var observedRoot: RootView?
  private var tokens: [ObservationToken?] = []

  /// A pulse of `view`, which owns it and calls `update()` when it entered or left a root. `key` is the animation's; `apply`
  /// receives each value.
  public init(
    of view: View, key: String = "pulse", _ animation: Animation, isMotion: Bool = true,
    apply: @escaping (Double) -> Void
  ) {
    (self.view, self.key, self.animation, self.isMotion, self.apply) = (view, key, animation, isMotion, apply)
  }

  /// True while the pulse should run.
  public var isWanted = false {
    didSet { if isWanted != oldValue { update() } }
  }

  /// True while it runs.
  public var isRunning: Bool { view?.hasAnimation(forKey: key) ?? false }

  /// Starts or stops it according to the present state; may be called any number of times.
  public func update() {
    let root = view?.root
    if observedRoot !== root {
      observedRoot = root
      tokens = [
        root?.observeLifecycle { [weak self] in if $0 == .didBecomeActive { self?.update() } },
        root?.motionObservers.add { [weak self] _ in self?.update() },
      ]
    }
    guard isWanted, let view, let root, root.isActive, !isMotion || !root.prefersReducedMotion else { return end() }
    var animation = animation
    (animation.repeats, animation.removal) = (.forever, .reset)
    view.addDrawingAnimationIfAbsent(animation, forKey: key, apply: apply)
  }

  private func end() { view?.removeAnimation(forKey: key) }
}

/// Evenly spaced rings that run outwards without end.
nonisolated public struct PulseModel: Hashable, Sendable {
  /// The number of rings that are visible at a time; at least 1, at most 100.
  public let ringCount: Int

  /// Pulses of `ringCount` rings.
  public init(ringCount: Int) {
    self.ringCount = ringCount.clamped(to: 1...100)
  }

  /// The state of one ring at a moment.
  public struct Ring: Hashable, Sendable {
    /// The progress of the ring, from 0 in the middle to 1 at the edge.
    public var way: Double
    /// The opacity of the ring, 0...1: it rises quickly and fades towards the edge.
    public var strength: Double
  }

  /// The rings at `phase`: 0 is the start of a period and 1 its end, which looks the same. NaN counts as 0.
  public func rings(at phase: Double) -> [Ring] {
    let phase = phase.isFinite ? phase : 0
    return (0..<ringCount).map { number in
      let place = phase + Double(number) / Double(ringCount)
      let way = place - place.rounded(.down)
      return Ring(way: way, strength: (1 - way) * min(way * 6, 1))
    }
  }
}
