/// One or more fingers that drag. The drag begins once they have moved 10 points; those are not part of its translation, so
/// that nothing jumps.
///
/// If a view inside uses such drags itself (`dragAxes`), like a slider, it keeps a drag that begins on it. If a control inside
/// holds a finger when another finger comes down, it keeps its finger, and the other drags alone.
open class PanGestureRecognizer: GestureRecognizer {
  /// The least number of fingers.
  public var minimumNumberOfTouches = 1
  /// The maximum number of fingers. More before it begins make it fail, more after it are accepted.
  public var maximumNumberOfTouches = Int.max
  /// The axes along which it may begin; along other axes it fails.
  public var axes = Axes.both

  /// Asked when a drag could begin, with the fingers' travel since they came down; false leaves the drag to others.
  final var mayBegin: ((_ travel: Point) -> Bool)?

  private var model = PanModel()
  /// Whether it failed because the fingers drag something else.
  private var isOthersDrag = false

  /// The distance of the drag since it began, in points.
  public var translation: Point { model.translation }

  /// Makes the fingers' present position count as `translation` from the beginning.
  public func setTranslation(_ translation: Point) { model.setTranslation(translation) }

  /// The fingers' velocity now, or at the end, in points per second; 0 if they rested.
  public private(set) var velocity = Point.zero

  /// The axis of the drag; neither before the fingers moved.
  public var axis: Axes { model.travel == .zero ? [] : .dominant(of: model.travel) }

  /// True: the owner of a drag is decided when it begins.
  open override func canReceive(_ touch: Touch) -> Bool { true }

  /// True if a drag along `axis` may begin with `touch`; false if a view inside uses such drags itself.
  open func canBegin(_ touch: Touch, along axis: Axes) -> Bool { dragAxes(around: touch).isDisjoint(with: axis) }

  override var startsOver: Bool { isOthersDrag }

  private func isHeldInside(_ touch: Touch) -> Bool {
    viewsInside(around: touch).contains { ($0 as? Control)?.isTracking(touch) ?? false }
  }

  open override func touchesBegan(_ touches: [Touch]) {
    let held = sequence.filter(isHeldInside)
    if state == .possible, pending == nil, minimumNumberOfTouches <= 1, !held.isEmpty {
      drop(held)
      model = PanModel()
    }
    if state == .possible && numberOfTouches > maximumNumberOfTouches { return transition(to: .failed) }
    model.middle = location(in: nil)
  }

  open override func touchesMoved(_ touches: [Touch]) {
    let now = touches.map { time(of: $0) }.max() ?? .zero
    model.move(to: location(in: nil), at: now)
    velocity = model.velocity(at: now)
    if state.isActive { return transition(to: .changed) }
    guard model.isFarEnough else { return }
    let axis = axis
    guard axes.contains(axis), self.touches.allSatisfy({ canBegin($0, along: axis) }), mayBegin?(model.travel) ?? true
    else {
      isOthersDrag = true
      return transition(to: .failed)
    }
    guard numberOfTouches >= max(minimumNumberOfTouches, 1) else { return }
    if pending == nil { model.recognize() }
    transition(to: .began)
  }

  open override func touchesEnded(_ touches: [Touch]) {
    let left = numberOfTouches
    if state.isActive && left < max(minimumNumberOfTouches, 1) {
      velocity = model.velocity(at: touches.map { time(of: $0) }.max() ?? .zero)
      return transition(to: .ended)
    }
    if left == 0 { return transition(to: .failed) }
    model.middle = Self.middle(of: self.touches)
  }

  open override func reset() {
    model = PanModel()
    velocity = .zero
    isOthersDrag = false
  }
}

/// A drag by the middle of all fingers: set `middle` whenever their number changes, and call `move` whenever they move.
nonisolated struct PanModel: Sendable {
  /// The distance in points from which a motion counts as a drag.
  static let slop = 10.0

  /// The distance since the drag was recognised, in points; fingers that come down or are lifted do not change it.
  private(set) var translation = Point.zero
  /// The distance since the first finger came down.
  private(set) var travel = Point.zero
  private(set) var isRecognized = false
  /// The middle of the fingers, to be set when their number changes; nil without fingers.
  var middle: Point?
  private var velocities = VelocityTracker()

  mutating func move(to middle: Point, at time: MonotonicTime) {
    guard let old = self.middle else { return }
    let step = middle - old
    self.middle = middle
    travel = travel + step
    if isRecognized { translation = translation + step }
    velocities.add(travel, at: time)
  }

  var isFarEnough: Bool { travel.distance(to: .zero) >= Self.slop }

  /// Begins the drag where the fingers passed the slop, so that the rest of a fast first move counts.
  mutating func recognize() {
    let distance = travel.distance(to: .zero)
    isRecognized = true
    guard distance > 0 else { return }
    let beyond = max(distance - Self.slop, 0) / distance
    translation = Point(x: travel.x * beyond, y: travel.y * beyond)
  }

  mutating func setTranslation(_ translation: Point) {
    if translation.isFinite { self.translation = translation }
  }

  /// The velocity at `time` in points per second; 0 if the fingers rested before.
  func velocity(at time: MonotonicTime) -> Point { velocities.velocity(at: time) }
}
