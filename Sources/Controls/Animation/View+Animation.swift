/// An animation of a view under a key, with the receiver of its value. It may run again.
final class RunningAnimation {
  let key: String
  let apply: (Double) -> Void
  fileprivate(set) var animation = Animation(duration: .zero)
  fileprivate(set) var start = MonotonicTime.zero
  fileprivate var completion: ((Bool) -> Void)?
  fileprivate(set) var moment = Animation.Moment(value: 0, velocity: 0, isFinished: true)
  /// False before it begins, and from its end on.
  fileprivate(set) var isRunning = false
  /// Whether `apply` does nothing but redraw the view: such a run needs no frames while the view is out of sight.
  fileprivate(set) var onlyDraws = false

  fileprivate static var isCompleting = false
  /// The key of placeholders that deliver a completion in the next frame.
  fileprivate static let deferredCompletion = "\u{0}"

  init(key: String, apply: @escaping (Double) -> Void) {
    self.key = key
    self.apply = apply
  }

  fileprivate func end(finished: Bool) {
    if let completion = halt() { Self.complete(completion, finished) }
  }

  /// Ends the run. Returns the completion, which the caller must call.
  fileprivate func halt() -> ((Bool) -> Void)? {
    defer { (isRunning, completion) = (false, nil) }
    return completion
  }

  fileprivate static func complete(_ completion: (Bool) -> Void, _ finished: Bool) {
    let wasCompleting = isCompleting
    isCompleting = true
    completion(finished)
    isCompleting = wasCompleting
  }

  /// Whether the run needs frames on `view`. An endless one does not while the view cannot be seen. The view's own position and
  /// opacity are ignored unless the run only draws, since they may be what it changes.
  fileprivate func needsFrames(on view: View) -> Bool {
    guard isRunning else { return false }
    guard animation.repeats == .forever else { return true }
    return onlyDraws ? !view.visiblePixels.isEmpty : !view.isHidden && view.superview?.visiblePixels.isEmpty != true
  }
}

extension View {
  /// Runs `animation` under `key`, calling `apply` with its value in every frame; `completion` reports whether it came to its
  /// end. A running animation under the same key is replaced and its value left as it is, so that an animation can be
  /// interrupted.
  ///
  /// It begins now, on the root's clock. A view without a root, or in a window in the background, has no frames: there an
  /// animation with an end is applied at its end at once, and an endless one is not started.
  ///
  /// A completion that would be called from within a completion is called with the next frame instead, so an animation may
  /// restart itself in its completion.
  public func addAnimation(
    _ animation: Animation, forKey key: String, apply: @escaping (Double) -> Void,
    completion: ((_ finished: Bool) -> Void)? = nil
  ) {
    begin(RunningAnimation(key: key, apply: apply), animation, completion)
  }

  /// Begins `animation` in place of the one that runs under the same key.
  func begin(_ running: RunningAnimation, _ animation: Animation, _ completion: ((Bool) -> Void)? = nil) {
    // The completion of the old one may begin another under the key, and must find this one to replace.
    let replaced = takeAnimation(running.key)?.halt()
    defer { if let replaced { complete(replaced, false) } }
    guard let root, !root.isInBackground else {
      guard animation.repeats != .forever else { return }
      running.apply(animation.autoreverses ? animation.from : animation.to)
      if let completion { complete(completion, true) }
      return
    }
    (running.animation, running.start, running.completion) = (animation, root.now, completion)
    (running.moment, running.isRunning) = (animation.moment(at: 0), true)
    if !animations.contains(where: { $0 === running }) { animations.append(running) }
    root.animator.add(self)
  }

  /// Calls `completion`; from within a completion, only with the next frame, because a chain of animations without frames would
  /// never return.
  private func complete(_ completion: @escaping (Bool) -> Void, _ finished: Bool) {
    guard RunningAnimation.isCompleting else { return RunningAnimation.complete(completion, finished) }
    let placeholder = RunningAnimation(key: RunningAnimation.deferredCompletion) { _ in }
    placeholder.completion = { _ in completion(finished) }
    placeholder.isRunning = true
    animations.append(placeholder)
    root?.animator.add(self)
  }

  /// Like `addAnimation`, but an animation that already runs under `key` continues undisturbed, so that starting twice changes
  /// nothing. Returns true if this one was started.
  @discardableResult public func addAnimationIfAbsent(
    _ animation: Animation, forKey key: String, apply: @escaping (Double) -> Void,
    completion: ((_ finished: Bool) -> Void)? = nil
  ) -> Bool {
    guard !hasAnimation(forKey: key) else { return false }
    addAnimation(animation, forKey: key, apply: apply, completion: completion)
    return hasAnimation(forKey: key)
  }

  /// The same for an animation that `onlyDraws`.
  func addDrawingAnimationIfAbsent(_ animation: Animation, forKey key: String, apply: @escaping (Double) -> Void) {
    guard !hasAnimation(forKey: key) else { return }
    let running = RunningAnimation(key: key, apply: apply)
    running.onlyDraws = true
    begin(running, animation)
  }

  /// True while an animation runs under `key`.
  public func hasAnimation(forKey key: String) -> Bool { animation(forKey: key) != nil }

  /// The value and speed of the animation under `key` in the last frame, with which a spring that takes over begins.
  /// Nil when none runs.
  public func animationMotion(forKey key: String) -> Spring.Motion? {
    guard let running = animation(forKey: key) else { return nil }
    return Spring.Motion(value: running.moment.value, velocity: running.moment.velocity)
  }

  /// Ends the animation under `key` early; its `removal` decides its value.
  public func removeAnimation(forKey key: String) {
    if let running = takeAnimation(key) { finishEarly(running) }
  }

  /// Ends the animation under `key` early and leaves its value as it is, whatever its `removal`; for a value that another
  /// animation or a finger takes over.
  public func stopAnimation(forKey key: String) {
    if let completion = takeAnimation(key)?.halt() { complete(completion, false) }
  }

  /// Ends all the view's animations early.
  public func removeAllAnimations() {
    let old = animations
    animations = []
    for running in old where running.isRunning { finishEarly(running) }
  }

  private func animation(forKey key: String) -> RunningAnimation? {
    animations.first { $0.isRunning && $0.key == key }
  }

  private func takeAnimation(_ key: String) -> RunningAnimation? {
    guard let running = animation(forKey: key) else { return nil }
    animations.removeAll { $0 === running }
    return running
  }

  private func finishEarly(_ running: RunningAnimation) {
    let value = running.animation.removedValue
    running.isRunning = false
    if let value { running.apply(value) }
    running.end(finished: false)
  }

  /// Advances the view's animations to `time`. Those that ended are removed after the loop, in which the list would be copied.
  func advanceAnimations(to time: MonotonicTime) {
    for running in animations where running.isRunning {
      running.moment = running.animation.moment(at: (time - running.start).inSeconds)
      running.apply(running.moment.value)
      // Its own step may have stopped it, or begun it again.
      if running.moment.isFinished, running.isRunning { running.end(finished: true) }
    }
    animations.removeAll { !$0.isRunning }
  }
}

/// The views of one root that have running animations.
final class Animator {
  private var entries: [Weak<View>] = []

  var isAnimating: Bool {
    entries.contains { entry in
      entry.object.map { view in view.animations.contains { $0.needsFrames(on: view) } } ?? false
    }
  }

  func add(_ view: View) {
    if !entries.contains(where: { $0.object === view }) { entries.append(Weak(object: view)) }
  }

  func remove(_ view: View) { entries.removeAll { $0.object === view } }

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
