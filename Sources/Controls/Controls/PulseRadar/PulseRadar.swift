import UICore

/// Says that something is being looked for, and what was found so far: rings run outwards as long as `isPulsing`, and elements
/// fade in on the disc and out again.
///
/// In the background the rings stop, and when the content becomes active they start again, once, however often that is
/// told (K13, K-D4). Where people asked for less motion the rings stand still.
public final class PulseRadar: View {
  /// True while it looks: the rings run.
  @Inspectable public var isPulsing = true
  /// How many rings are on their way at a time.
  @Inspectable public var ringCount = 3
  /// How long a ring takes from the middle to the edge, in seconds.
  @Inspectable public var period = 3.0
  /// The colour of rings and middle; nil for the theme's accent.
  @Inspectable public var pulseColor: Color?

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("isPulsing", \PulseRadar.isPulsing, .none, then: { $0.isPulsingChanged() }),
      Property("ringCount", \PulseRadar.ringCount, .display, limits: 1...12),
      Property("period", \PulseRadar.period, .none, limits: 0.2...60, then: { $0.pulse.period = .seconds($0.period) }),
      Property("pulseColor", \PulseRadar.pulseColor, .staticDisplay),
    ]
  }

  /// How far the rings have come, 0...1; a third of a ring where they stand still.
  private(set) var phase = PulseRadar.restingPhase
  private static let restingPhase = 1.0 / 9
  private static let fadeKey = "radar"
  /// How long elements take to come and go.
  static let fade = Duration.milliseconds(250)

  private struct Element {
    let view: View
    let place: Int
    let size: Double
    var isLeaving = false
  }

  private var items: [Element] = []
  private lazy var pulse = Pulse(of: self, period: .seconds(period)) { [unowned self] in show($0) }

  /// Makes a radar without elements at `frame`, in points of the future superview.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    pulse.isWanted = isPulsing
  }

  // MARK: Pulsing

  /// True while the rings run.
  public var isRunning: Bool { pulse.isRunning }

  /// Starts the rings if they should run and do not; doing so twice changes nothing (K-D4).
  public func start() { pulse.update() }

  public override func didMoveToRoot() { pulse.update() }

  private func isPulsingChanged() {
    pulse.isWanted = isPulsing
    if !isPulsing { show(Self.restingPhase) }
  }

  private func show(_ phase: Double) {
    let phase = phase == 0 && !pulse.isRunning ? Self.restingPhase : phase
    guard phase != self.phase else { return }
    self.phase = phase
    setNeedsDisplay()
  }

  // MARK: Elements

  /// The elements, in the order in which they came, without those that are on their way out.
  public var elements: [View] { items.filter { !$0.isLeaving }.map(\.view) }

  /// Adds `view` where it covers no other element; it fades in. One that is on its way out stays.
  public func addElement(_ view: View) {
    guard !isDescendant(of: view) else { return }
    forgetStrangers()
    if let index = items.firstIndex(where: { $0.view === view }) {
      items[index].isLeaving = false
    } else {
      let size = max(view.bounds.width, view.bounds.height)
      let taken = items.map { (place: $0.place, size: $0.size) }
      let place = RadarModel(radius: radius).freePlace(size: size, taken: taken)
      items.append(Element(view: view, place: place, size: size))
      view.alpha = 0
      addSubview(view)
      layOut(view, place)
    }
    fadeElement(view, to: 1)
  }

  /// Takes `view` out; it fades. Others are ignored.
  public func removeElement(_ view: View) {
    guard let index = items.firstIndex(where: { $0.view === view && !$0.isLeaving }) else { return }
    items[index].isLeaving = true
    fadeElement(view, to: 0) { [weak self, weak view] in
      guard let self, let view, items.contains(where: { $0.view === view && $0.isLeaving }) else { return }
      items.removeAll { $0.view === view }
      view.removeFromSuperview()
    }
  }

  /// Takes all elements out.
  public func removeAllElements() {
    for view in elements { removeElement(view) }
  }

  private func fadeElement(_ view: View, to alpha: Double, then body: @escaping () -> Void = {}) {
    let animation = Animation(from: view.alpha, to: alpha, duration: Self.fade, curve: .easeOut)
    view.addAnimation(animation, forKey: Self.fadeKey) { [unowned view] in
      view.alpha = $0
    } completion: { _ in
      body()
    }
  }

  /// Forgets elements that were taken out in another way.
  private func forgetStrangers() {
    items.removeAll { $0.view.superview !== self }
  }

  // MARK: Layout

  /// The radius of the disc in points.
  public var radius: Double { min(bounds.width, bounds.height) / 2 }

  /// The largest square inside `size` (K8).
  public override func sizeThatFits(_ size: Size) -> Size {
    let side = min(size.width, size.height)
    return side.isFinite && side > 0 ? Size(width: side, height: side) : bounds.size
  }

  /// Puts the elements on their places.
  public override func layoutSubviews() {
    forgetStrangers()
    for item in items { layOut(item.view, item.place) }
  }

  private func layOut(_ view: View, _ place: Int) {
    let offset = RadarModel(radius: radius).place(place)
    view.center = Point(x: (bounds.midX + offset.x).rounded(), y: (bounds.midY + offset.y).rounded())
  }

  // MARK: Drawing

  private var color: Color { pulseColor ?? theme.accent }

  /// True: the disc is drawn once and kept.
  public override var hasStaticDrawing: Bool { true }

  /// Draws the disc and its middle.
  public override func drawStatic(_ canvas: Canvas) {
    guard radius > 1 else { return }
    let center = bounds.center
    canvas.fill(
      Path(circleAt: center, radius: radius - 0.5),
      .radial(
        center: center, outerRadius: radius,
        stops: [.init(0, color.withAlpha(0.16)), .init(0.7, color.withAlpha(0.05)), .init(1, color.withAlpha(0.02))]))
    for share in [1.0 / 3, 2.0 / 3, 1] {
      canvas.stroke(Path(circleAt: center, radius: radius * share - 0.5), theme.hairline, width: 1)
    }
    canvas.fill(Path(circleAt: center, radius: radius * 0.09), color)
    canvas.stroke(Path(circleAt: center, radius: radius * 0.09 + 1.5), theme.background.withAlpha(0.6), width: 2)
  }

  /// Draws the rings on their way.
  public override func draw(_ canvas: Canvas) {
    guard radius > 1 else { return }
    let inner = radius * 0.09
    for ring in PulseModel(ringCount: ringCount).rings(at: phase) {
      let distance = inner + (radius - 1 - inner) * ring.way
      let circle = Path(circleAt: bounds.center, radius: distance)
      canvas.fill(circle, color.withAlpha(0.07 * ring.strength))
      canvas.stroke(circle, color.withAlpha(0.85 * ring.strength), width: max(radius * 0.016, 1))
    }
  }

  /// Whether it runs and what it found, for people and tools.
  public override var inspection: Inspection {
    var inspection = super.inspection
    inspection.values["isRunning"] = .bool(isRunning)
    inspection.values["elements"] = .integer(elements.count)
    return inspection
  }
}
