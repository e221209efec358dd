import Glibc

/// A ring with an arc that turns while something is going on, and nobody knows for how long.
///
/// It requests frames only while it is in sight and `isSpinning`; with reduced motion the arc stands still. A spinner that does not
/// spin shows nothing, unless `hidesWhenStopped` is false.
@ListsProperties
public final class Spinner: View {
  /// True while something is going on.
  @Inspectable(.display, isReported: true, then: Spinner.isSpinningChanged) public var isSpinning = true
  /// Whether it shows nothing while it does not spin.
  @Inspectable(.display) public var hidesWhenStopped = true
  /// The time of a turn in seconds.
  @Inspectable(.none, limits: 0.2...60, then: Spinner.periodChanged) public var period = 1.0
  /// The colour of the arc; nil for the theme's.
  @Inspectable(.display) public var tintColor: Color?

  /// The part of the ring that the arc takes.
  private static let arc = 0.28
  /// How far the arc has turned, 0...1.
  private(set) var phase = 0.0
  private var turn: Animation { Animation(duration: .seconds(period), curve: .linear) }
  private lazy var pulse = Pulse(of: self, turn) { [unowned self] in show($0) }

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
    pulse.isWanted = isSpinning
  }

  /// True while the arc turns.
  public var isRunning: Bool { pulse.isRunning }

  public override func didMoveToRoot() { pulse.update() }

  private func isSpinningChanged() { pulse.isWanted = isSpinning }

  private func periodChanged() { pulse.animation = turn }

  private func show(_ phase: Double) {
    guard phase != self.phase else { return }
    self.phase = phase
    setNeedsDisplay()
  }

  // MARK: Layout and drawing

  public override func sizeThatFits(_ size: Size) -> Size { Size(width: 28, height: 28) }

  public override func draw(_ canvas: Canvas) {
    guard isSpinning || !hidesWhenStopped, !bounds.isEmpty else { return }
    let side = min(bounds.width, bounds.height)
    let width = max(side * 0.11, 1.5)
    let radius = (side - width) / 2
    guard radius > 0 else { return }
    canvas.stroke(circleAt: bounds.center, radius: radius, theme.track, width: width)
    guard isSpinning else { return }
    var path = Path()
    let start = (phase - 0.25) * 2 * .pi
    path.addArc(center: bounds.center, radius: radius, from: start, to: start + Self.arc * 2 * .pi)
    canvas.stroke(path, tintColor ?? theme.accent, StrokeStyle(width: width, cap: .round))
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { isSpinning ? .indicator : .none }

  public override var inspection: Inspection {
    super.inspection.adding(["isRunning": isRunning ? .bool(true) : nil])
  }
}
