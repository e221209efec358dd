/// A steering wheel that any number of fingers turn by their travel round its centre.
///
/// Rim and spokes take fingers; the gaps and the hub do not, because the hub belongs to the `Horn`. A turn by a user, and the
/// swing after the wheel is released, send `valueChanged`; setting `angle` in code sends nothing. The first finger sends
/// `editingDidBegin`, the last one that is lifted `editingDidEnd`, or `editingDidCancel` if the system cancelled it.
@ListsProperties
public final class SteeringWheel: Control {
  /// The two directions in which a held key steers.
  public enum Direction: Hashable, Sendable {
    /// Counter-clockwise.
    case left
    /// Clockwise.
    case right
  }

  static let swingKey = "swing"
  private let litEdge = WheelLitEdge()
  private var madeShape: WheelShape?
  private(set) var model = WheelModel()
  /// The angle that is drawn, or will be in the next frame.
  private var shownAngle = 0.0
  private(set) var heldDirection: Direction?
  /// The steering keys that are down, the latest last.
  private var heldKeys: [(seat: SeatID, key: Key, hand: Hand?)] = []
  /// Who holds the wheel to `heldDirection`.
  private var directionOrigin = ValueOrigin.code
  /// True while a gamepad holds the wheel.
  public private(set) var isTurned = false
  /// The wheel angle that a sensor requests; nil if there is no sensor.
  var sensedAngle: Double?

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isMultipleTouchEnabled = true
    addSubview(litEdge)
  }

  // MARK: Value

  /// The angle in degrees, right positive: within `lock` to either side at rest, a little more while held past it. Setting it
  /// ends a swing, clamps to the lock and sends no event; NaN changes nothing.
  @Inspectable(
    \SteeringWheel.turn, .none, group: "Wheel", limits: -3600...3600, reach: -450...450,
    limitedBy: [\SteeringWheel.lock], isReported: true)
  public var angle: Double

  private var turn: Double {
    get { model.angle }
    set {
      endSwing()
      syncGeometry()
      if model.set(angle: newValue) { showAngle() }
    }
  }

  /// Puts the wheel straight at once, as it began: its origin is then `rest`. Sends no event.
  public func straighten() {
    endSwing()
    syncGeometry()
    if model.straighten() { showAngle() }
  }

  /// Who turned the wheel to where it is.
  public var origin: ValueOrigin { model.origin }

  /// The steering position: -1 (fully left) to 1 (fully right).
  public var steering: Double { model.steering }

  /// The greatest angle to either side in degrees, within 10...3600; 450 by default. NaN changes nothing.
  @Inspectable(\SteeringWheel.rules.lock, .none, group: "Wheel", limits: 10...3600) public var lock: Double

  /// Whether the wheel returns to the centre when released; true by default.
  @Inspectable(\SteeringWheel.rules.springsBack, .none, group: "Wheel") public var springsBack: Bool

  /// The model, through which code sets its rules: shows and reports the changes.
  private var rules: WheelModel {
    get { model }
    set {
      let old = model
      model = newValue
      if model.angle != old.angle { showAngle() }
      if model.lock != old.lock { didChange(\SteeringWheel.lock) }
      if model.springsBack != old.springsBack { didChange(\SteeringWheel.springsBack) }
    }
  }

  /// The spring that returns the wheel: 0.55 s by default, without passing the centre.
  public var returnSpring = Spring(response: 0.55, dampingRatio: 1)

  /// The spring by which a held key pulls the wheel to the lock. It is slow at first, so that a tap is a small correction.
  public var keySpring = Spring(response: 2.2, dampingRatio: 1)

  /// The spring by which the wheel follows a sensor: 0.12 s by default, so that 50 samples a second look like one motion.
  public var sensorSpring = Spring(response: 0.12, dampingRatio: 1)

  // MARK: Geometry

  /// The geometry of rim, spokes and hub in the current bounds.
  public var geometry: WheelGeometry { WheelGeometry(size: bounds.size) }

  /// The square around the hub, in the superview's coordinates, for a `Horn` in front of the wheel.
  public var hubFrame: Rect {
    let (center, radius) = (self.center, geometry.hubRadius)
    return Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius)
  }

  public override func sizeThatFits(_ size: Size) -> Size { size.largestSquare ?? ownSize }

  public override func point(inside point: Point) -> Bool {
    switch geometry.part(at: point, angle: model.angle) {
    case .rim, .spoke: true
    case .hub, nil: false
    }
  }

  private func syncGeometry() {
    model.geometry = geometry
  }

  // MARK: Touches

  public override var staysHighlightedOutside: Bool { true }

  public override var cursor: CursorShape { isEnabled ? (isTracking ? .closedHand : .openHand) : .arrow }

  public override var isBeingEdited: Bool { isTracking }

  public override var ownEvents: Event { .edits }

  public override func beginTracking(_ touch: Touch) -> Bool {
    // The first hand keeps the wheel.
    guard !isTurned else { return false }
    syncGeometry()
    endSwing()
    model.grab(touch.id, at: touch.location(in: self), time: touch.time, by: touch.hand)
    return true
  }

  public override func continueTracking(_ touch: Touch) -> Bool {
    syncGeometry()
    if model.move(touch.id, to: touch.location(in: self), time: touch.time) { angleChanged() }
    return true
  }

  public override func endTracking(_ touch: Touch) {
    let swing = model.lift(touch.id, time: touch.time)
    if !model.isHeld { swingOn(swing) }
  }

  /// Releases a lost finger; after the last one the wheel swings back without the finger's speed. Nil is a lost key, which is
  /// released as by `steer(nil)`.
  public override func cancelTracking(_ touch: Touch?) {
    guard let touch else { return steer(nil) }
    let swing = model.cancel(touch.id)
    if !model.isHeld { swingOn(swing) }
  }

  // MARK: Keys

  /// Steers for as long as a key is held, towards the lock in `direction`; nil releases the key. Fingers on the wheel take
  /// precedence; the key takes over when the last one is lifted. Calling it again with the same direction changes nothing. `origin` is who
  /// holds the key.
  public func steer(_ direction: Direction?, by origin: ValueOrigin = .code) {
    guard !isTurned || direction == nil else { return }
    guard direction != heldDirection, isEnabled || direction == nil else { return }
    (heldDirection, directionOrigin) = (direction, origin)
    guard !model.isHeld else { return }
    swingOn(model.swing(velocity: swingVelocity))
  }

  /// Steers by the left and right arrow keys while they are held. The latest of several keys steers; when it is released, the one
  /// before steers again.
  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard event.key == .left || event.key == .right else { return false }
    let isHeld = heldKeys.contains { $0.seat == event.seat && $0.key == event.key }
    switch event.phase {
    case .down:
      guard takesKey(event) else { return false }
      // The first hand keeps the wheel.
      if isTurned { return true }
      if !isHeld { heldKeys.append((event.seat, event.key, event.hand)) }
    case .repeated: return true
    case .up, .cancelled:
      guard isHeld else { return true }
      heldKeys.removeAll { $0.seat == event.seat && $0.key == event.key }
    }
    let last = heldKeys.last
    steer(last.map { $0.key == .left ? .left : .right }, by: .input(last?.hand))
    return true
  }

  // MARK: Gamepads

  /// Turns the wheel at once to the steering of a gamepad, -1 (left lock) to 1 (right lock), and holds it there; nil lets it go, and it returns as
  /// after a finger. Fingers, keys and a sensor cannot turn it meanwhile. Returns false if a finger or key has it. `origin` is who turns.
  @discardableResult
  public func turn(to steering: Double?, by origin: ValueOrigin) -> Bool {
    guard let steering else {
      guard isTurned else { return true }
      isTurned = false
      swingOn(model.swing(velocity: 0))
      return true
    }
    guard isEnabled, !model.isHeld, heldDirection == nil, !steering.isNaN else { return false }
    if !isTurned {
      endSwing()
      isTurned = true
    }
    syncGeometry()
    if model.turn(to: steering * model.lock, by: origin) { angleChanged() }
    return true
  }

  // MARK: Accessibility

  private static let assistanceStep = 15.0

  public override var accessibilityRole: AccessibilityRole { .dial }

  public override var accessibilityValue: AccessibilityValue? {
    let words = VehicleWords.current
    let whole = Int(angle.rounded())
    let text =
      whole == 0 ? words.straight : words.text(whole < 0 ? \.left : \.right, abs(whole))
    let limits = -lock...lock
    return AccessibilityValue(angle.clamped(to: limits), in: limits, step: Self.assistanceStep, text: text)
  }

  public override var accessibilityActions: [AccessibilityAction] {
    let words = VehicleWords.current
    func turn(_ degrees: Double) -> () throws(AccessibilityRefusal) -> Void {
      { [unowned self] () throws(AccessibilityRefusal) in try setAccessibilityValue(angle + degrees) }
    }
    return [
      AccessibilityAction("turn left", title: words.turnLeft, turn(-Self.assistanceStep)),
      AccessibilityAction("turn right", title: words.turnRight, turn(Self.assistanceStep)),
      AccessibilityAction("straighten", title: words.center) { [unowned self] () throws(AccessibilityRefusal) in
        try setAccessibilityValue(0)
      },
    ]
  }

  /// Turns the wheel to `number` degrees, within the lock, by `returnSpring`; it then stays there until the user turns it.
  /// Fingers, held keys and a sensor take precedence: while one of them steers, the request is refused.
  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    guard !model.isHeld, !isTurned, heldDirection == nil, sensedAngle == nil else {
      throw AccessibilityRefusal(AccessibilityWords.current.isHeld)
    }
    syncGeometry()
    let velocity = swingVelocity
    endSwing()
    run(to: number.clamped(to: -model.lock...model.lock), returnSpring, velocity: velocity, by: .code)
  }

  // MARK: Swings

  /// Moves a wheel that no finger holds: to the lock if a key is held, otherwise to a sensor's angle, otherwise as `swing` says.
  func swingOn(_ swing: WheelModel.Swing?) {
    guard !isTurned else { return }
    let velocity = swingVelocity
    endSwing()
    if let heldDirection {
      run(
        to: heldDirection == .left ? -model.lock : model.lock, keySpring, velocity: swing?.velocity ?? velocity,
        by: directionOrigin)
    } else if let sensedAngle, isEnabled {
      run(to: sensedAngle, sensorSpring, velocity: swing?.velocity ?? velocity, by: .sensor)
    } else if let swing {
      run(to: swing.goal, returnSpring, velocity: swing.velocity)
    }
  }

  /// Moves the wheel to `goal` by `spring`, which `origin` draws, nil for whoever let the wheel go.
  func run(to goal: Double, _ spring: Spring, velocity: Double, by origin: ValueOrigin? = nil) {
    let animation = Animation(from: model.angle, to: goal, spring: spring, velocity: velocity, tolerance: 0.05)
    addAnimation(animation, forKey: Self.swingKey) { [weak self] angle in
      if let self, model.swing(to: angle, by: origin) { angleChanged() }
    }
  }

  private var swingVelocity: Double { animationMotion(forKey: Self.swingKey)?.velocity ?? 0 }

  private func endSwing() { stopAnimation(forKey: Self.swingKey) }

  // MARK: Display

  private func angleChanged() {
    showAngle()
    sendActions(for: .valueChanged)
  }

  private func showAngle() {
    guard model.angle != shownAngle else { return }
    shownAngle = model.angle
    setNeedsDisplay()
    didChange(\SteeringWheel.angle)
  }

  /// The outlines of the turning parts, created once for each size.
  private var shape: WheelShape {
    if let madeShape, madeShape.geometry == geometry { return madeShape }
    let made = WheelShape(geometry)
    madeShape = made
    return made
  }

  public override var focusRingCornerRadius: Double? { min(bounds.width, bounds.height) / 2 }

  public override var hasStaticDrawing: Bool { true }

  private var fade: Double { isEnabled ? 1 : 0.4 }

  public override func drawStatic(_ canvas: Canvas) {
    let geometry = geometry
    let (center, radius, inner) = (geometry.center, geometry.outerRadius, geometry.rimInnerRadius)
    guard radius > 0 else { return }
    let colors = WheelColors.matching(theme)
    func strokeCircle(_ radius: Double, _ color: Color, width: Double) {
      canvas.stroke(circleAt: center, radius: radius, color, width: width)
    }
    canvas.multiplyAlpha(fade)
    let width = radius - inner
    var ring = Path(circleAt: center, radius: radius)
    ring.addCircle(center: center, radius: inner)
    // One gradient for the light from above. The tube's roundness is drawn by plain circles: a second gradient through the
    // ring's mask would cost more than all of them, since cairo then composites the whole square.
    canvas.fill(ring, WheelColors.light(colors.rim, on: center, radius: radius), rule: .evenOdd)
    for (place, fraction, alpha) in [(0.06, 0.12, 0.5), (0.17, 0.12, 0.22), (0.84, 0.14, 0.2), (0.955, 0.09, 0.5)] {
      strokeCircle(inner + width * place, Color(white: 0, alpha: alpha * colors.roundness), width: width * fraction)
    }
    strokeCircle(inner + width * 0.5, Color(white: 1, alpha: 0.05), width: width * 0.22)
    strokeCircle(radius - 0.75, Color(white: 1, alpha: 0.16), width: 1.5)
    strokeCircle(inner + 0.75, Color(white: 1, alpha: 0.34), width: 1.5)
    canvas.fill(Path(circleAt: center, radius: geometry.hubRadius), colors.hub[1])
    strokeCircle(geometry.hubRadius - 0.75, Color(white: 1, alpha: 0.2), width: 1.5)
    drawCap(on: canvas, colors)
  }

  /// Draws the cap of a hub that no `Horn` covers: a disc lit from above with a raised middle. It leaves out the hub's edge,
  /// which would show through that of a horn.
  private func drawCap(on canvas: Canvas, _ colors: WheelColors) {
    let (center, hub) = (geometry.center, geometry.hubRadius)
    guard hub > 4 else { return }
    for (radius, colors) in [(hub - 2, colors.hub), (hub * 0.62, colors.hub.reversed())] {
      canvas.fill(Path(circleAt: center, radius: radius), WheelColors.light(colors, on: center, radius: radius))
    }
    canvas.stroke(circleAt: center, radius: hub * 0.62, Color(white: 1, alpha: 0.16), width: 1.5)
  }

  /// True: the spokes and the mark are large and turn in every frame of a drag.
  public override var drawsPlainFills: Bool { true }

  /// Draws spokes and mark with two fills, since each goes through all the wheel's rows. Views behind the wheel show through
  /// the spokes' slots.
  public override func draw(_ canvas: Canvas) {
    let shape = shape
    guard shape.geometry.outerRadius > 0 else { return }
    canvas.multiplyAlpha(fade)
    shape.turn(to: shownAngle)
    let colors = WheelColors.matching(theme)
    canvas.fill(shape.spokes, colors.spokes, rule: .evenOdd)
    canvas.fill(shape.mark, colors.mark)
  }

  /// Lights the rim's inner edge while the wheel is held, dims a disabled wheel and releases its keys.
  public override func stateDidChange(from old: State) {
    if state.contains(.disabled) != old.contains(.disabled) {
      if !isEnabled {
        // A key that is still held steers again only after a new press.
        heldKeys.removeAll()
        turn(to: nil, by: .code)
        steer(nil)
      }
      return setNeedsStaticDisplay()
    }
    litEdge.isLit = state.contains(.highlighted)
  }

  public override func layoutSubviews() {
    litEdge.frame = bounds
  }

  public override var inspection: Inspection {
    super.inspection.adding(["steering": .number(steering)])
  }

  /// Turns the wheel towards an `angle` from a sensor, in degrees, right positive, clamped to the lock. Nil releases the wheel,
  /// which returns as after a finger. Fingers and held keys take precedence; when the last of them is released, the wheel moves
  /// to the latest angle. Each step sends `valueChanged`. An angle that is not finite, or that comes while the wheel is disabled,
  /// changes nothing.
  public func steer(toward angle: Double?) {
    if let angle, !angle.isFinite || !isEnabled { return }
    let goal = angle?.clamped(to: -model.lock...model.lock)
    guard goal != sensedAngle else { return }
    sensedAngle = goal
    guard !model.isHeld, !isTurned, heldDirection == nil else { return }
    swingOn(model.swing(velocity: swingVelocity))
  }

  /// Whether a sensor steers: while it requests an angle and no finger or key takes precedence.
  public var followsSensor: Bool { sensedAngle != nil && !model.isHeld && !isTurned && heldDirection == nil }
}
