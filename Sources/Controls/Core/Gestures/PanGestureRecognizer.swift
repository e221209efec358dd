/// One finger or more that drag. The drag begins where they went 10 points from where they came down; those are not part
/// of its translation, so that nothing jumps.
///
/// A drag that begins on a view inside that uses such drags itself (`dragAxes`), like a slider, is that view's; so is a finger that
/// a control inside holds when another finger comes, which then drags alone.
open class PanGestureRecognizer: GestureRecognizer {
  /// The least number of fingers.
  public var minimumNumberOfTouches = 1
  /// The greatest number of fingers; more before it begins make it fail, more after it are welcome.
  public var maximumNumberOfTouches = Int.max
  /// The ways it may begin: along other axes it fails.
  public var axes = Axes.both

  private var model = PanModel()
  /// Whether it failed because the fingers drag something else.
  private var isOthersDrag = false

  /// The distance of the drag since it began, in points.
  public var translation: Point { model.translation }

  /// Makes the present place of the fingers the one that is `translation` away from the beginning.
  public func setTranslation(_ translation: Point) { model.setTranslation(translation) }

  /// The fingers' speed now, or at the end, in points per second; 0 if they rested.
  public private(set) var velocity = Point.zero

  /// The axis of the drag; neither before the fingers moved.
  public var axis: Axes { model.travel == .zero ? [] : .dominant(of: model.travel) }

  /// True: whose drag it is is seen when it begins.
  open override func canReceive(_ touch: Touch) -> Bool { true }

  /// True if a drag along `axis` may begin with `touch`; false if a view inside uses such drags itself.
  open func canBegin(_ touch: Touch, along axis: Axes) -> Bool { dragAxes(around: touch).isDisjoint(with: axis) }

  override var startsOver: Bool { isOthersDrag }

  /// Whether a control inside tracks the finger.
  private func isHeldInside(_ touch: Touch) -> Bool {
    var inner = touch.view
    while let current = inner, current !== view {
      if (current as? Control)?.isTracking(touch) ?? false { return true }
      inner = current.superview
    }
    return false
  }

  /// Counts the fingers.
  open override func touchesBegan(_ touches: [Touch]) {
    let held = sequence.filter(isHeldInside)
    if state == .possible, pending == nil, minimumNumberOfTouches <= 1, !held.isEmpty {
      drop(held)
      model = PanModel()
    }
    if state == .possible && numberOfTouches > maximumNumberOfTouches { return transition(to: .failed) }
    model.middle = location(in: nil)
  }

  /// Begins the drag once it goes far enough along an axis that it may, and follows it.
  open override func touchesMoved(_ touches: [Touch]) {
    let now = touches.map { time(of: $0) }.max() ?? .zero
    model.move(to: location(in: nil), at: now)
    velocity = model.velocity(at: now)
    if state.isActive { return transition(to: .changed) }
    guard model.isFarEnough else { return }
    let axis = axis
    guard axes.contains(axis), self.touches.allSatisfy({ canBegin($0, along: axis) }) else {
      isOthersDrag = true
      return transition(to: .failed)
    }
    guard numberOfTouches >= max(minimumNumberOfTouches, 1) else { return }
    if pending == nil { model.recognize() }
    transition(to: .began)
  }

  /// Ends the drag with the last finger that it needs.
  open override func touchesEnded(_ touches: [Touch]) {
    let left = numberOfTouches
    if state.isActive && left < max(minimumNumberOfTouches, 1) {
      velocity = model.velocity(at: touches.map { time(of: $0) }.max() ?? .zero)
      return transition(to: .ended)
    }
    if left == 0 { return transition(to: .failed) }
    model.middle = Self.middle(of: self.touches)
  }

  /// Forgets the drag.
  open override func reset() {
    model = PanModel()
    velocity = .zero
    isOthersDrag = false
  }
}

/// A drag, told of the middle of all fingers: `middle` is set whenever their number changes, `move` called whenever they move.
nonisolated struct PanModel: Sendable {
  /// The distance in points from which a motion counts as a drag.
  static let slop = 10.0

  /// The distance since the drag was recognised, in points; fingers that come and go move nothing.
  private(set) var translation = Point.zero
  /// The distance since the first finger came down.
  private(set) var travel = Point.zero
  private(set) var isRecognized = false
  /// The middle of the fingers, to be set when others come or go; nil without fingers.
  var middle: Point?
  private var velocities = VelocityTracker()

  /// The fingers moved at `time`.
  mutating func move(to middle: Point, at time: MonotonicTime) {
    guard let old = self.middle else { return }
    let step = middle - old
    self.middle = middle
    travel = travel + step
    if isRecognized { translation = translation + step }
    velocities.add(travel, at: time)
  }

  /// True once the fingers went far enough.
  var isFarEnough: Bool { travel.distance(to: .zero) >= Self.slop }

  /// Begins the drag at the place where the fingers passed the slop: the rest of a fast first move counts.
  mutating func recognize() {
    let distance = travel.distance(to: .zero)
    isRecognized = true
    guard distance > 0 else { return }
    let beyond = max(distance - Self.slop, 0) / distance
    translation = Point(x: travel.x * beyond, y: travel.y * beyond)
  }

  /// Makes the present place the one that counts as `translation`.
  mutating func setTranslation(_ translation: Point) {
    if translation.isFinite { self.translation = translation }
  }

  /// The speed at `time` in points per second; 0 where the fingers rested before.
  func velocity(at time: MonotonicTime) -> Point { velocities.velocity(at: time) }
}
