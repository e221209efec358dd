/// How much of a task is done, as a bar that fills from the leading side; without a value, a piece that runs along it.
///
/// The piece requests frames only while the bar is in sight and `isIndeterminate`; with reduced motion it stands still in the middle.
@ListsProperties
public final class ProgressBar: View {
  /// How much is done, 0...1.
  @Inspectable(.display, limits: 0...1, isReported: true) public var progress = 0.0
  /// True while nobody knows how much is done.
  @Inspectable(.display, then: ProgressBar.kindChanged) public var isIndeterminate = false
  /// The time that the running piece takes for its way, in seconds.
  @Inspectable(.none, limits: 0.3...60, then: ProgressBar.periodChanged) public var period = 1.6
  /// The colour of the part that is done; nil for the theme's.
  @Inspectable(.display) public var progressTintColor: Color?
  /// The colour of the whole way; nil for the theme's.
  @Inspectable(.display) public var trackTintColor: Color?

  /// Where the running piece is while it stands still.
  static let restingPhase = 0.5
  private(set) var phase = ProgressBar.restingPhase
  private var run: Animation { Animation(duration: .seconds(period), curve: .linear) }
  private lazy var pulse = Pulse(of: self, run) { [unowned self] in show($0) }

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
  }

  /// True while the piece runs.
  public var isRunning: Bool { pulse.isRunning }

  public override func didMoveToRoot() { if isIndeterminate { pulse.update() } }

  private func kindChanged() {
    pulse.isWanted = isIndeterminate
    if !isIndeterminate { phase = Self.restingPhase }
  }

  private func periodChanged() { pulse.animation = run }

  private func show(_ phase: Double) {
    // It begins where it rests.
    let phase = pulse.isRunning ? (phase + Self.restingPhase).truncatingRemainder(dividingBy: 1) : Self.restingPhase
    guard phase != self.phase else { return }
    self.phase = phase
    setNeedsDisplay()
  }

  // MARK: Layout and drawing

  public override func sizeThatFits(_ size: Size) -> Size {
    let width = size.width.isFinite && size.width > 0 ? min(size.width, 160) : 160
    return Size(width: width, height: ProgressGeometry.thickness)
  }

  public override var drawsPlainFills: Bool { true }

  public override func draw(_ canvas: Canvas) {
    let geometry = ProgressGeometry(size: bounds.size, direction: effectiveLayoutDirection)
    guard !geometry.track.isEmpty else { return }
    let painter = SliderPainter(theme: theme)
    painter.drawTrack(geometry.track, trackTintColor ?? theme.track, on: canvas)
    let part = isIndeterminate ? geometry.running(at: phase) : geometry.done(progress)
    painter.drawPart(
      part, of: geometry.track, progressTintColor ?? theme.trackHighlight, isPressed: false, on: canvas)
    if theme.isHighContrast { painter.drawEdge(of: geometry.track, opacity: 1, on: canvas) }
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .indicator }
  public override var accessibilityValue: AccessibilityValue? {
    guard !isIndeterminate else { return nil }
    return AccessibilityValue(progress, in: 0...1, text: "\(Int((progress * 100).rounded())) %")
  }

  public override var inspection: Inspection {
    super.inspection.adding(["isRunning": isRunning ? .bool(true) : nil])
  }
}
