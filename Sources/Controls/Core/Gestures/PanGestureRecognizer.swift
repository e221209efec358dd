/// One finger or more that drag. The drag begins where they went 10 points from where they came down; those are not part
/// of its translation, so that nothing jumps.
///
/// A drag that begins on a view inside that uses such drags itself (`dragAxes`), like a slider, is that view's.
open class PanGestureRecognizer: GestureRecognizer {
  /// The least number of fingers.
  public var minimumNumberOfTouches = 1
  /// The greatest number of fingers; more before it begins make it fail, more after it are welcome.
  public var maximumNumberOfTouches = Int.max
  /// The ways it may begin: along other axes it fails.
  public var axes = Axes.both

  private var model = PanModel()

  /// A recogniser that calls `action` at every new state.
  public convenience init(_ action: @escaping (PanGestureRecognizer) -> Void) {
    self.init()
    addAction(action)
  }

  /// How far the fingers went since the drag began, in points.
  public var translation: Point { model.translation }

  /// Makes the present place of the fingers the one that is `translation` away from the beginning.
  public func setTranslation(_ translation: Point) { model.setTranslation(translation) }

  /// How fast the fingers are now, or were at the end, in points per second; 0 where they rested.
  public private(set) var velocity = Point.zero

  /// The axis of the drag; neither before the fingers moved.
  public var axis: Axes { model.travel == .zero ? [] : .dominant(of: model.travel) }

  /// True: whose drag it is is seen when it begins.
  open override func canReceive(_ touch: Touch) -> Bool { true }

  /// Whether a drag along `axis` may begin with `touch`; false where a view inside uses such drags itself.
  open func canBegin(_ touch: Touch, along axis: Axes) -> Bool { dragAxes(around: touch).isDisjoint(with: axis) }

  open override func touchesBegan(_ touches: [Touch]) {
    if state == .possible && numberOfTouches > maximumNumberOfTouches { return transition(to: .failed) }
    model.setFingers(middle: location(in: nil))
  }

  open override func touchesMoved(_ touches: [Touch]) {
    let now = touches.map { time(of: $0) }.max() ?? .zero
    model.move(to: location(in: nil), at: now)
    velocity = model.velocity(at: now)
    if state.isActive { return transition(to: .changed) }
    guard model.isFarEnough else { return }
    let axis = axis
    guard axes.contains(axis), self.touches.allSatisfy({ canBegin($0, along: axis) }) else {
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
    model.setFingers(middle: middle)
  }

  private var middle: Point? {
    let down = touches
    guard !down.isEmpty else { return nil }
    let sum = down.reduce(Point.zero) { $0 + $1.windowLocation }
    return Point(x: sum.x / Double(down.count), y: sum.y / Double(down.count))
  }

  open override func reset() {
    model = PanModel()
    velocity = .zero
  }
}
