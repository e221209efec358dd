import Glibc

/// A disc that shows that a search is running and what it has found. Rings run outwards while `isPulsing`, and elements fade in
/// and out on the disc.
///
/// The rings stop in the background and start again when the content becomes active. With reduced motion they stand still.
@ListsProperties
public final class PulseRadar: View {
  /// Whether a search is running, so that the rings run.
  @Inspectable(.none, then: PulseRadar.isPulsingChanged) public var isPulsing = true
  /// The number of rings that are visible at a time.
  @Inspectable(.display, limits: 1...12) public var ringCount = 3
  /// The time that a ring takes from the middle to the edge, in seconds.
  @Inspectable(.none, limits: 0.2...60, then: PulseRadar.periodChanged) public var period = 3.0
  /// The colour of the rings and the middle; nil is the theme's accent colour.
  @Inspectable(.staticDisplay) public var pulseColor: Color?

  /// The progress of the rings, 0...1; `restingPhase` while they stand still.
  private(set) var phase = PulseRadar.restingPhase
  private static let restingPhase = 1.0 / 9
  private static let fadeKey = "radar"
  static let fade = Duration.milliseconds(250)

  private struct Element {
    let view: View
    let place: Int
    let size: Double
    var isLeaving = false
  }

  private var items: [Element] = []
  private var ringAnimation: Animation { Animation(duration: .seconds(period), curve: .linear) }
  private lazy var pulse = Pulse(of: self, ringAnimation) { [unowned self] in show($0) }

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    pulse.isWanted = isPulsing
  }

  // MARK: Pulsing

  /// True while the rings run.
  public var isRunning: Bool { pulse.isRunning }

  /// Starts the rings if they should run and do not; a second call changes nothing.
  public func start() { pulse.update() }

  public override func didMoveToRoot() { pulse.update() }

  private func isPulsingChanged() {
    pulse.isWanted = isPulsing
    if !isPulsing { show(Self.restingPhase) }
  }

  private func periodChanged() { pulse.animation = ringAnimation }

  private func show(_ phase: Double) {
    let phase = phase == 0 && !pulse.isRunning ? Self.restingPhase : phase
    guard phase != self.phase else { return }
    self.phase = phase
    setNeedsDisplay()
  }

  // MARK: Elements

  /// The elements in the order in which they were added, without those that are fading out.
  public var elements: [View] { items.filter { !$0.isLeaving }.map(\.view) }

  /// Adds `view` at a position where it covers no other element, if there is one, and fades it in. An element that is fading out
  /// fades in again.
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

  /// Fades `view` out and removes it. Other views are ignored.
  public func removeElement(_ view: View) {
    guard let index = items.firstIndex(where: { $0.view === view && !$0.isLeaving }) else { return }
    items[index].isLeaving = true
    fadeElement(view, to: 0) { [weak self, weak view] in
      guard let self, let view, items.contains(where: { $0.view === view && $0.isLeaving }) else { return }
      items.removeAll { $0.view === view }
      view.removeFromSuperview()
    }
  }

  /// Fades all elements out and removes them.
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

  /// Forgets elements that were removed without `removeElement`.
  private func forgetStrangers() {
    items.removeAll { $0.view.superview !== self }
  }

  // MARK: Layout

  /// The radius of the disc in points.
  public var radius: Double { min(bounds.width, bounds.height) / 2 }

  public override func sizeThatFits(_ size: Size) -> Size { size.largestSquare ?? ownSize }

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

  public override var hasStaticDrawing: Bool { true }

  public override func drawStatic(_ canvas: Canvas) {
    guard radius > 1 else { return }
    let center = bounds.center
    canvas.fill(
      Path(circleAt: center, radius: radius - 0.5),
      .radial(
        center: center, outerRadius: radius,
        stops: [.init(0, color.withAlpha(0.16)), .init(0.7, color.withAlpha(0.05)), .init(1, color.withAlpha(0.02))]))
    for share in [1.0 / 3, 2.0 / 3, 1] {
      canvas.stroke(circleAt: center, radius: radius * share - 0.5, theme.hairline, width: 1)
    }
    canvas.fill(Path(circleAt: center, radius: radius * 0.09), color)
    canvas.stroke(circleAt: center, radius: radius * 0.09 + 1.5, theme.background.withAlpha(0.6), width: 2)
  }

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

  public override var inspection: Inspection {
    super.inspection.adding(["isRunning": .bool(isRunning), "elements": .number(Double(elements.count))])
  }
}

/// Numbered positions on a disc, spread evenly. The lowest free one is taken first.
nonisolated public struct RadarModel: Hashable, Sendable {
  /// The disc's radius, in points.
  public var radius: Double

  /// A disc; a radius that is not positive counts as 0.
  public init(radius: Double) {
    self.radius = radius > 0 ? radius : 0
  }

  static let placeCount = 96

  /// The position `number`, relative to the disc's middle. Each is turned from the one before by the golden angle, so that no two
  /// have the same direction.
  public func place(_ number: Int) -> Point {
    let turn = Double(number) * 0.381_966_011_250_105
    let angle = (turn - turn.rounded(.down)) * 2 * Double.pi - Double.pi / 2
    let step = Double(number) * 0.618_033_988_749_895
    let distance = radius * (0.42 + 0.42 * (step - step.rounded(.down)))
    return Point(x: distance * cos(angle), y: distance * sin(angle))
  }

  /// The first position where an item of `size` points covers no item of `taken` (positions with sizes) and stays on the disc. If
  /// there is no such position, the first that is not taken.
  public func freePlace(size: Double, taken: [(place: Int, size: Double)]) -> Int {
    let numbers = Set(taken.map(\.place))
    let free = (0..<max(Self.placeCount, taken.count + 1)).filter { !numbers.contains($0) }
    let good = free.first { number in
      let point = place(number)
      guard point.distance(to: .zero) + size / 2 <= radius else { return false }
      return taken.allSatisfy { other in
        point.distance(to: place(other.place)) >= (size + other.size) / 2 + 4
      }
    }
    return good ?? free.first ?? 0
  }
}
