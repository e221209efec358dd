/// Runs a view's value from one number to another, again and again, as long as it is wanted and the window is seen.
///
/// An endless animation is removed in the background (K13). This one starts again when the content becomes active, and
/// however often that is told, or it is asked to start, it runs once (K-D4). While its view is out of sight it asks for no frames.
public final class Pulse {
  /// What runs again and again; another one runs from its start, which is now.
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
  private unowned let view: View
  private let apply: (Double) -> Void
  private weak var observedRoot: RootView?
  private var tokens: [Observation?] = []

  /// A pulse of `view`, which owns it and calls `update()` when it came to a root or left it. `key` is the animation's;
  /// `apply` gets each value.
  public init(
    of view: View, key: String = "pulse", _ animation: Animation, isMotion: Bool = true,
    apply: @escaping (Double) -> Void
  ) {
    (self.view, self.key, self.animation, self.isMotion, self.apply) = (view, key, animation, isMotion, apply)
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
    var animation = animation
    (animation.repeats, animation.removal) = (.forever, .reset)
    view.addDrawingAnimationIfAbsent(animation, forKey: key, apply: apply)
  }

  private func end() {
    if isRunning { view.removeAnimation(forKey: key) }
  }
}
