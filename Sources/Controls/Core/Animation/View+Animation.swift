/// An animation that runs.
final class RunningAnimation {
  let key: String
  let animation: Animation
  let start: MonotonicTime
  let apply: (Double) -> Void
  let completion: ((Bool) -> Void)?
  var moment: Animation.Moment
  var isRemoved = false

  init(
    key: String, animation: Animation, start: MonotonicTime, apply: @escaping (Double) -> Void,
    completion: ((Bool) -> Void)?
  ) {
    self.key = key
    self.animation = animation
    self.start = start
    self.apply = apply
    self.completion = completion
    moment = animation.moment(at: 0)
  }
}

extension View {
  /// Runs `animation` under `key`, calling `apply` with its value in every frame; `completion` says whether it came to
  /// its end. One that runs under the same key is replaced, its value left as it is: so an animation can be interrupted.
  ///
  /// It begins now, on the root's clock. A view without a root, or in a window in the background, has no frames: there
  /// an animation with an end is applied at its end at once, and an endless one is not started.
  public func addAnimation(
    _ animation: Animation, forKey key: String, apply: @escaping (Double) -> Void,
    completion: ((_ finished: Bool) -> Void)? = nil
  ) {
    stopAnimation(forKey: key)
    guard let root, !root.isInBackground else {
      guard animation.repeats != .forever else { return }
      apply(animation.autoreverses ? animation.from : animation.to)
      completion?(true)
      return
    }
    let running = RunningAnimation(
      key: key, animation: animation, start: root.now, apply: apply, completion: completion)
    animations.append(running)
    root.animator.add(self)
  }

  /// The same, but an animation that runs under `key` goes on undisturbed, so that starting twice changes nothing. True
  /// when this one was started.
  @discardableResult public func addAnimationIfAbsent(
    _ animation: Animation, forKey key: String, apply: @escaping (Double) -> Void,
    completion: ((_ finished: Bool) -> Void)? = nil
  ) -> Bool {
    guard !hasAnimation(forKey: key) else { return false }
    addAnimation(animation, forKey: key, apply: apply, completion: completion)
    return hasAnimation(forKey: key)
  }

  /// True while an animation runs under `key`.
  public func hasAnimation(forKey key: String) -> Bool { animations.contains { $0.key == key } }

  /// The value and speed of the animation under `key` in the last frame, with which a spring that takes over begins.
  /// Nil when none runs.
  public func animationMotion(forKey key: String) -> Spring.Motion? {
    guard let running = animations.first(where: { $0.key == key }) else { return nil }
    return Spring.Motion(value: running.moment.value, velocity: running.moment.velocity)
  }

  /// Ends the animation under `key` early; its value goes where its `removal` says.
  public func removeAnimation(forKey key: String) {
    if let running = takeAnimation(key) { finishEarly(running) }
  }

  /// Ends the animation under `key` early, and leaves its value as it is, whatever its `removal` says: for a value that
  /// another animation or a finger takes over.
  public func stopAnimation(forKey key: String) { takeAnimation(key)?.completion?(false) }

  /// Ends all the view's animations early.
  public func removeAllAnimations() {
    let old = animations
    animations = []
    for running in old where !running.isRemoved {
      running.isRemoved = true
      finishEarly(running)
    }
  }

  private func takeAnimation(_ key: String) -> RunningAnimation? {
    guard let index = animations.firstIndex(where: { $0.key == key }) else { return nil }
    let running = animations.remove(at: index)
    running.isRemoved = true
    return running
  }

  private func finishEarly(_ running: RunningAnimation) {
    if let value = running.animation.removedValue { running.apply(value) }
    running.completion?(false)
  }

  /// Brings the view's animations to `time`.
  func advanceAnimations(to time: MonotonicTime) {
    for running in animations where !running.isRemoved {
      let moment = running.animation.moment(at: (time - running.start).inSeconds)
      running.moment = moment
      running.apply(moment.value)
      guard moment.isFinished, !running.isRemoved else { continue }
      running.isRemoved = true
      animations.removeAll { $0 === running }
      running.completion?(true)
    }
  }
}

/// The views of one root that have running animations.
final class Animator {
  private var entries: [Weak<View>] = []

  /// True while any animation runs.
  var isAnimating: Bool { entries.contains { !($0.object?.animations.isEmpty ?? true) } }

  func add(_ view: View) {
    if !entries.contains(where: { $0.object === view }) { entries.append(Weak(object: view)) }
  }

  func advance(to time: MonotonicTime) {
    guard !entries.isEmpty else { return }
    for entry in entries { entry.object?.advanceAnimations(to: time) }
    entries.removeAll { $0.object?.animations.isEmpty ?? true }
  }

  func removeAll() {
    let old = entries
    entries = []
    for entry in old { entry.object?.removeAllAnimations() }
  }
}
