/// A round button that sounds for as long as it is held, by a finger, by Space or Enter, or by `hold`.
///
/// Only the circle in the middle of its bounds takes touches, even if the bounds are not square. While the horn is held, rings
/// of light run outwards; they stop when it is released or cancelled in any way. `valueChanged` reports that `isSounding`
/// changed.
@ListsProperties
public final class Horn: Control {
  private static let ringsKey = "rings"
  static let ringCount = 3
  /// The time that a ring takes from the horn mark to the edge.
  static let ringDuration = Duration.milliseconds(1500)

  /// The progress of the rings, 0...1; nil if none are shown.
  private(set) var ringPhase: Double?
  private var isHeldByCode = false

  /// The colour of mark and rings while it sounds; nil is teal, the colour of active elements.
  @Inspectable(.display) public var soundingColor: Color?

  /// Whether the horn sounds: while a finger, a key or `hold` holds it, and for `honkDuration` by assistive technology.
  public private(set) var isSounding = false

  /// Holds (true) or releases the horn, for a key that belongs to the whole window. It is independent of a finger that holds
  /// the horn at the same time.
  public func hold(_ isHeld: Bool) {
    guard isEnabled || !isHeld else { return }
    isHeldByCode = isHeld
    updateSound()
  }

  /// The duration of the sound for assistive technology, which can press but not hold.
  public static let honkDuration = Duration.milliseconds(600)
  private var honk: WakeUp?

  public override var accessibilityRole: AccessibilityRole { .button }
  public override var accessibilityIsOn: Bool? { isSounding }
  public override var accessibilityActions: [AccessibilityAction] {
    [
      AccessibilityAction("sound", title: VehicleWords.current.sound) {
        [unowned self] () throws(AccessibilityRefusal) in
        // In the background nothing would end the sound.
        guard let root, root.isActive else { throw AccessibilityRefusal(AccessibilityWords.current.isHidden) }
        honk?.cancel()
        honk = root.wake(at: root.now + Self.honkDuration) { [weak self] in self?.endHonk() }
        honkEnd = root.observeLifecycle { [weak self] _ in self?.endHonk() }
        updateSound()
      }
    ]
  }
  private var honkEnd: ObservationToken?

  private func endHonk() {
    honk?.cancel()
    (honk, honkEnd) = (nil, nil)
    updateSound()
  }

  // MARK: Geometry

  /// The radius of the circle in points.
  public var radius: Double { min(bounds.width, bounds.height) / 2 }

  public override func sizeThatFits(_ size: Size) -> Size { size.largestSquare ?? ownSize }

  public override func point(inside point: Point) -> Bool {
    super.point(inside: point) && point.distance(to: bounds.center) < radius
  }

  // MARK: Control

  public override var staysHighlightedOutside: Bool { true }

  public override var hasPrimaryAction: Bool { true }

  public override var ownEvents: Event { super.ownEvents.union(.valueChanged) }

  public override func stateDidChange(from old: State) {
    if state.contains(.disabled) != old.contains(.disabled) {
      if !isEnabled {
        isHeldByCode = false
        endHonk()
      }
      setNeedsStaticDisplay()
    }
    updateSound()
  }

  private func updateSound() {
    let sounds = isHighlighted || isHeldByCode || honk != nil
    guard sounds != isSounding else { return }
    isSounding = sounds
    setNeedsDisplay()
    rings.isWanted = sounds
    if !sounds { ringPhase = nil }
    sendActions(for: .valueChanged)
  }

  private lazy var rings = Pulse(
    of: self, key: Self.ringsKey, Animation(duration: Self.ringDuration, curve: .linear)
  ) { [unowned self] phase in
    ringPhase = phase
    setNeedsDisplay()
  }

  /// Continues the rings in the new root, and ends a sound by assistive technology.
  public override func didMoveToRoot() {
    // The timer that would end it belongs to the old root.
    if honk != nil { endHonk() }
    if isSounding { rings.update() }
  }

  // MARK: Drawing

  public override var focusRingCornerRadius: Double? { radius }

  public override var hasStaticDrawing: Bool { true }

  public override func drawStatic(_ canvas: Canvas) {
    guard radius > 0 else { return }
    let (center, colors) = (bounds.center, WheelColors.matching(theme))
    canvas.multiplyAlpha(isEnabled ? 1 : 0.4)
    canvas.fill(Path(circleAt: center, radius: radius), WheelColors.light(colors.hub, on: center, radius: radius))
    canvas.stroke(circleAt: center, radius: radius - 0.75, Color(white: 1, alpha: 0.24), width: 1.5)
    drawMark(on: canvas, colors.sign)
  }

  public override func draw(_ canvas: Canvas) {
    guard isSounding, radius > 0 else { return }
    let soundingColor = soundingColor ?? WheelColors.matching(theme).sounding
    if let ringPhase {
      for ring in PulseModel(ringCount: Self.ringCount).rings(at: ringPhase) {
        let circle = Path(circleAt: bounds.center, radius: radius * (0.42 + (0.96 - 0.42) * ring.way))
        canvas.stroke(circle, soundingColor.withAlpha(0.75 * ring.strength), width: radius * 0.035)
      }
    }
    canvas.stroke(circleAt: bounds.center, radius: radius - 1, soundingColor, width: 2)
    drawMark(on: canvas, soundingColor)
  }

  /// Draws a trumpet seen from the side, with its bell to the right.
  private func drawMark(on canvas: Canvas, _ color: Color) {
    let unit = radius / 70
    // The mark's box is 42.6 by 25.7 units, centred in the horn.
    func place(_ x: Double, _ y: Double) -> Point {
      Point(x: bounds.midX + (x + 5.5) * unit, y: bounds.midY + (y - 2) * unit)
    }
    let style = StrokeStyle(width: 2.6 * unit, cap: .round, join: .round)
    var tube = Path()
    tube.move(to: place(-25.5, -3.2))
    tube.line(to: place(-21, -3.2))
    tube.curve(to: place(15.8, -12.3), control1: place(-2, -3.2), control2: place(8, -5.3))
    tube.line(to: place(15.8, 12.3))
    tube.curve(to: place(-21, 3.2), control1: place(8, 5.3), control2: place(-2, 3.2))
    tube.line(to: place(-25.5, 3.2))
    tube.close()
    canvas.fill(tube, color)
    canvas.stroke(Path(from: place(-25.5, -4.5), to: place(-25.5, 4.5)), color, style)
    var valve = Path()
    valve.move(to: place(-13, 4.5))
    valve.curve(to: place(-2, 5.5), control1: place(-15, 14), control2: place(-1, 15))
    canvas.stroke(valve, color, style)
  }

  public override var inspection: Inspection {
    super.inspection.adding(["isSounding": .bool(isSounding)])
  }
}
