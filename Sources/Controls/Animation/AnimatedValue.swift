/// A number of a view that moves to its goals, such as the glow of a lamp. It keeps what an animation needs, so starting it
/// allocates nothing.
public final class AnimatedValue {
  /// The value in the last frame.
  public private(set) var value: Double
  /// The value at rest.
  public private(set) var goal: Double
  private weak var view: View?
  // Weak: an animation that runs belongs to the view, which may live longer.
  private lazy var running = RunningAnimation(key: key) { [weak self] value in
    self?.value = value
    self?.didChange(value)
  }
  private let key: String
  private let didChange: (Double) -> Void

  /// A value of `view`, which holds it; its animation runs under `key`. Each change of the value is passed to `didChange`,
  /// which must not hold the view.
  public init(_ value: Double, of view: View, forKey key: String, didChange: @escaping (Double) -> Void) {
    (self.value, goal) = (value, value)
    (self.view, self.key, self.didChange) = (view, key, didChange)
  }

  /// Moves to `goal` within `duration`, from the present value. It is set at once with a duration of 0, and in a view that has
  /// no frames: without a root, or in the background.
  public func move(to goal: Double, duration: Duration = .milliseconds(200), curve: TimingCurve = .easeInOut) {
    guard goal.isFinite, goal != self.goal, let view else { return }
    guard duration > .zero else { return jump(to: goal) }
    self.goal = goal
    view.begin(running, Animation(from: value, to: goal, duration: duration, curve: curve))
  }

  /// Moves to `goal` on `spring` with the value's present speed, until within `tolerance`, in units of the value. It is set at
  /// once in a view that has no frames.
  public func move(to goal: Double, spring: Spring, tolerance: Double = 0.001) {
    guard goal.isFinite, goal != self.goal, let view else { return }
    self.goal = goal
    let velocity = isMoving ? running.moment.velocity : 0
    view.begin(running, Animation(from: value, to: goal, spring: spring, velocity: velocity, tolerance: tolerance))
  }

  /// Is at `goal` at once.
  public func jump(to goal: Double) {
    guard goal.isFinite, let view else { return }
    self.goal = goal
    view.stopAnimation(forKey: key)
    running.apply(goal)
  }

  /// True until the value has come to rest.
  public var isMoving: Bool { running.isRunning }
}
