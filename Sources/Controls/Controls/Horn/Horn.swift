/// A round button that sounds for as long as it is held: by a finger, by Space or Enter, or by `hold`.
///
/// Its active area is the circle in the middle of its bounds, square or not (K20). While it is held, rings of light run
/// outwards; they stop when it is let go or cancelled, whichever way. `valueChanged` says that `isSounding` changed.
public final class Horn: Control {
  private static let ringsKey = "rings"
  /// How many rings are on their way at a time.
  static let ringCount = 3
  /// The time of a ring from the horn mark to the edge.
  static let ringDuration = Duration.milliseconds(1500)

  /// How far the rings have come, 0...1; nil when none are shown.
  private(set) var ringPhase: Double?
  private var isHeldByCode = false

  /// The colour of mark and rings while it sounds: amber asks for attention.
  @Inspectable public var soundingColor = Color(hex: 0xffb020)

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("soundingColor", \Horn.soundingColor, .display)
    ]
  }

  /// True while the horn is held, by whatever.
  public private(set) var isSounding = false

  /// Holds the horn (true) or lets it go, for a key that belongs to the whole window. A finger that holds it at the same
  /// time goes on doing so, and the other way round.
  public func hold(_ isHeld: Bool) {
    guard isEnabled || !isHeld else { return }
    isHeldByCode = isHeld
    updateSound()
  }

  // MARK: Geometry

  /// The radius of the circle in points.
  public var radius: Double { min(bounds.width, bounds.height) / 2 }

  /// The largest square inside `size` (K8).
  public override func sizeThatFits(_ size: Size) -> Size {
    let side = min(size.width, size.height)
    return side.isFinite && side > 0 ? Size(width: side, height: side) : bounds.size
  }

  /// True inside the circle; its edge is outside (K20).
  public override func point(inside point: Point) -> Bool {
    super.point(inside: point) && point.distance(to: bounds.center) < radius
  }

  // MARK: Control

  /// A horn is held also when the finger slips off it.
  public override var staysHighlightedOutside: Bool { true }

  /// True: Space and Enter press it.
  public override var hasPrimaryAction: Bool { true }

  /// Being pressed makes it sound; being disabled dims it and lets it go.
  public override func stateDidChange(from old: State) {
    if state.contains(.disabled) != old.contains(.disabled) {
      if !isEnabled { isHeldByCode = false }
      setNeedsStaticDisplay()
    }
    updateSound()
  }

  private func updateSound() {
    let sounds = isHighlighted || isHeldByCode
    guard sounds != isSounding else { return }
    isSounding = sounds
    setNeedsDisplay()
    rings.isWanted = sounds
    if !sounds { ringPhase = nil }
    sendActions(for: .valueChanged)
  }

  private lazy var rings = Pulse(of: self, key: Self.ringsKey, period: Self.ringDuration) { [unowned self] phase in
    ringPhase = phase
    setNeedsDisplay()
  }

  /// The rings run where the window is.
  public override func didMoveToRoot() {
    if isSounding { rings.update() }
  }

  // MARK: Drawing

  private var painter: HornPainter {
    HornPainter(center: bounds.center, radius: radius, isEnabled: isEnabled, lit: soundingColor)
  }

  /// True: the horn at rest is drawn once and kept.
  public override var hasStaticDrawing: Bool { true }

  /// Draws the horn at rest.
  public override func drawStatic(_ canvas: Canvas) {
    painter.drawAtRest(on: canvas)
  }

  /// Draws what sounding adds.
  public override func draw(_ canvas: Canvas) {
    if isSounding { painter.drawSounding(on: canvas, phase: ringPhase) }
  }

  /// Whether it sounds, for people and tools.
  public override var inspection: Inspection {
    super.inspection.adding(["isSounding": .bool(isSounding)])
  }
}
