import UICore

/// Both axes' ways.
struct ScrollFlight {
  let x: ScrollMotion
  let y: ScrollMotion
  /// True when somebody asked for the goal, and may ask for one further on.
  var isWished = false

  var end: Point { Point(x: x.end, y: y.end) }
  var duration: Double { max(x.duration, y.duration) }

  func offset(at time: Double) -> Point { Point(x: x.offset(at: time), y: y.offset(at: time)) }
}

extension ScrollView {
  private static let flightKey = "scroll"

  /// Goes to `offset`, or to the end next to it; animated, it takes about a third of a second, unless people asked for less
  /// motion.
  public func setContentOffset(_ offset: Point, animated: Bool) {
    guard offset.isFinite else { return }
    layoutIfNeeded()
    let goal = model.clamped(offset)
    guard animated, let root, !root.prefersReducedMotion else {
      contentOffset = goal
      return
    }
    go(to: goal)
  }

  /// Scrolls as little as needed to show `rect`, in the content's coordinates.
  public func scrollRectToVisible(_ rect: Rect, animated: Bool) {
    guard rect.isFinite else { return }
    layoutIfNeeded()
    let offset = model.offset(showing: rect, from: flight?.isWished == true ? flight?.end ?? exactOffset : exactOffset)
    if !offset.isNear(exactOffset) { setContentOffset(offset, animated: animated) }
  }

  /// Goes to `goal` on a spring that takes over from whatever moves.
  func go(to goal: Point) {
    let velocity = currentVelocity
    fly(
      ScrollFlight(
        x: ScrollMotion(from: exactOffset.x, velocity: velocity.x, to: goal.x),
        y: ScrollMotion(from: exactOffset.y, velocity: velocity.y, to: goal.y), isWished: true))
  }

  /// Lets the content go on by itself, at first with `velocity` in points per second. True when it moves.
  @discardableResult func settle(velocity: Point, from start: Point? = nil) -> Bool {
    let (model, start) = (model, start ?? exactOffset)
    let flight = ScrollFlight(
      x: model.motion(.horizontal, from: exactOffset.x, velocity: velocity.x, start: start.x),
      y: model.motion(.vertical, from: exactOffset.y, velocity: velocity.y, start: start.y))
    return fly(flight)
  }

  /// How fast the content moves by itself, in points per second.
  private var currentVelocity: Point {
    guard let flight, let time = animationMotion(forKey: Self.flightKey)?.value else { return .zero }
    return Point(x: flight.x.velocity(at: time), y: flight.y.velocity(at: time))
  }

  @discardableResult private func fly(_ flight: ScrollFlight) -> Bool {
    let wasFlying = self.flight != nil
    self.flight = nil
    removeAnimation(forKey: Self.flightKey)
    guard flight.duration > 0 else {
      move(to: flight.end)
      if wasFlying { events.tell(.didEndDecelerating) }
      return false
    }
    self.flight = flight
    // The animation's value is the time that has passed.
    let animation = Animation(
      from: 0, to: flight.duration, duration: .seconds(flight.duration), curve: .linear, removal: .keep)
    addAnimation(animation, forKey: Self.flightKey) { [weak self] time in
      self?.move(to: flight.offset(at: time))
    } completion: { [weak self] finished in
      // Ended early by itself: in the background, or with the view.
      if !finished, self?.flight != nil { self?.move(to: flight.end) }
      self?.landed()
    }
    return self.flight != nil
  }

  private func landed() {
    guard flight != nil else { return }
    flight = nil
    events.tell(.didEndDecelerating)
  }

  /// Stops what moves by itself, where it is.
  func stop() {
    wheelEnd?.cancel()
    wheelEnd = nil
    guard flight != nil else { return }
    flight = nil
    removeAnimation(forKey: Self.flightKey)
    events.tell(.didEndDecelerating)
  }
}
