import CockpitControls
import Controls
import DriveLink
import UICore

/// The states of the lamp for a vehicle; each has its own symbol, so that none depends on its colour.
nonisolated enum DriveLamp: String, Sendable, CaseIterable {
  /// No hand drives: a pulsing dot.
  case ready
  /// A hand drives: an arrowhead.
  case driving
  /// Input was lost, or the drive ended: a square.
  case stopped
  /// No consumer takes lines: a cross.
  case noLink
  /// Another cockpit drives the vehicle: a square too.
  case taken

  init(_ state: DriveState) {
    switch state {
    case .ready: self = .ready
    case .driving: self = .driving
    case .safe: self = .stopped
    }
  }

  /// The lamp's word and its colour.
  var face: (word: KeyPath<Language, String> & Sendable, color: KeyPath<CockpitTheme, Color> & Sendable) {
    switch self {
    case .ready: (\.ready, \.teal)
    case .driving: (\.driving, \.green)
    case .stopped: (\.stopped, \.amber)
    case .noLink: (\.noLink, \.red)
    case .taken: (\.taken, \.amber)
    }
  }
}

/// A lamp that pulses once every two seconds while the cockpit is ready and visible. If a vehicle is driven, it shows the
/// vehicle's state.
///
/// Endless animations are removed in the background; a `Pulse` restarts by itself, once.
final class Beacon: PassiveView {
  static let period: Duration = .seconds(2)

  /// Whether the beacon pulses when ready; otherwise it is then an unlit lamp and costs nothing.
  var isEnabled = true {
    didSet {
      if isEnabled != oldValue { lampDidChange() }
    }
  }
  /// The state of the vehicle; nil if none is driven, and the lamp only shows that the cockpit is ready.
  var status: DriveLamp? {
    didSet {
      guard status != oldValue else { return }
      // Lamps with symbols need more space.
      if oldValue == nil || status == nil { superview?.setNeedsLayout() }
      lampDidChange()
    }
  }
  private var shown: DriveLamp { status ?? .ready }
  private var isLit: Bool { isEnabled || shown != .ready }
  /// The light's strength in 64ths, so that invisible steps are not painted.
  @Redraws private var level = 64

  init() {
    super.init("beacon")
    pulse.isWanted = true
  }

  var isPulsing: Bool { pulse.isRunning }

  private func lampDidChange() {
    pulse.isWanted = isEnabled && shown == .ready
    setNeedsStaticDisplay()
    setNeedsDisplay()
  }

  override var inspection: Inspection {
    Inspection().adding([
      "isEnabled": .bool(isEnabled), "isPulsing": .bool(isPulsing), "status": status.map { .string($0.rawValue) },
    ])
  }

  override var accessibilityRole: AccessibilityRole { status == nil ? .none : .label }
  override var accessibilityTitle: String { status == nil ? name : word }

  /// The light at its weakest: its contrast to the lamp is still 3:1 by day and at night, so it can be seen at every moment.
  static let weakest = 0.64

  /// The pulse, darker and brighter: a fade, which also runs with reduced motion. It begins with the whole light, which is what a still
  /// shows.
  private lazy var pulse = Pulse(
    of: self, Animation(from: 1, to: Beacon.weakest, duration: Beacon.period / 2, autoreverses: true), isMotion: false
  ) { [unowned self] in level = Int(($0 * 64).rounded()) }

  override func didMoveToRoot() { pulse.update() }

  /// The dot, on the side where reading begins.
  private var dot: (center: Point, radius: Double) {
    // The longer words of a vehicle's lamp need the space.
    let x = effectiveLayoutDirection.x(bounds.height * (shown == .ready ? 0.56 : 0.46), in: bounds.width)
    return (Point(x: x, y: bounds.midY), (bounds.height * 0.15).rounded())
  }

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    Lamp.draw(
      word, palette[keyPath: shown.face.color], glow: isLit ? 1 : 0, in: bounds, middle: wordPlace(of: shown),
      colors: LampColors(palette), on: canvas)
    if !isLit {
      canvas.stroke(circleAt: dot.center, radius: dot.radius - 0.75, palette.outline, width: 1.5)
    }
    drawSign(canvas)
  }

  /// The middle of the word of `lamp`: centred in the space beside the dot.
  func wordPlace(of lamp: DriveLamp) -> Point {
    let shift = bounds.height * (lamp == .ready ? 0.22 : 0.27)
    return Point(x: effectiveLayoutDirection.x(bounds.midX + shift, in: bounds.width), y: bounds.midY)
  }

  private var word: String { Language.current[keyPath: shown.face.word] }

  /// Draws the symbol of each state except ready, whose dot pulses.
  private func drawSign(_ canvas: Canvas) {
    let (center, radius) = (dot.center, dot.radius + 0.5)
    var sign = Path()
    switch shown {
    case .ready: return
    case .driving:
      let tip = effectiveLayoutDirection == .rightToLeft ? -radius : radius
      sign = Path(polygon: [
        Point(x: center.x - tip * 0.7, y: center.y - radius), Point(x: center.x + tip, y: center.y),
        Point(x: center.x - tip * 0.7, y: center.y + radius),
      ])
    case .stopped, .taken:
      let side = radius * 0.9
      sign = Path(rect: Rect(x: center.x - side, y: center.y - side, width: 2 * side, height: 2 * side))
    case .noLink:
      let reach = radius * 0.8
      for side in [-1.0, 1] {
        let line = Path(
          from: Point(x: center.x - reach, y: center.y - reach * side),
          to: Point(x: center.x + reach, y: center.y + reach * side))
        canvas.stroke(line, palette.onLamp, width: max(radius * 0.45, 1.5))
      }
      return
    }
    canvas.fill(sign, palette.onLamp)
  }

  /// True: only a dot is redrawn, with every step of the pulse.
  override var drawsPlainFills: Bool { true }

  override func draw(_ canvas: Canvas) {
    guard isEnabled, shown == .ready else { return }
    canvas.fill(Path(circleAt: dot.center, radius: dot.radius), palette.onLamp.withAlpha(Double(level) / 64))
  }
}
