/// A number of a view that moves to its goals, such as the glow of a lamp. It keeps what an animation needs, so setting it
/// off allocates nothing, however often that happens in a drive.
public final class AnimatedValue {
  /// The value in the last frame.
  public private(set) var value: Double
  /// The value when it has come to rest.
  public private(set) var goal: Double
  private weak var view: View?
  // Weak: an animation that runs belongs to the view, which may live longer.
  private lazy var running = RunningAnimation(key: key) { [weak self] value in
    self?.value = value
    self?.didChange(value)
  }
  private let key: String
  private let didChange: (Double) -> Void

  /// A value of `view`, which holds it; its animation runs under `key`. Each change of the value is told to `didChange`, which must
  /// not hold the view.
  public init(_ value: Double, of view: View, forKey key: String, didChange: @escaping (Double) -> Void) {
    (self.value, goal) = (value, value)
    (self.view, self.key, self.didChange) = (view, key, didChange)
  }

  /// Goes to `goal` within `duration`, from where the value is; at once with a duration of 0, and in a view that has no
  /// frames: without a root, or in the background.
  public func move(to goal: Double, duration: Duration = .milliseconds(200), curve: TimingCurve = .easeInOut) {
    guard goal.isFinite, goal != self.goal, let view else { return }
    self.goal = goal
    guard duration > .zero else {
      view.stopAnimation(forKey: key)
      return running.apply(goal)
    }
    view.begin(running, Animation(from: value, to: goal, duration: duration, curve: curve))
  }
}
