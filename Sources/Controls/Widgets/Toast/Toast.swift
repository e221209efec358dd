/// A short message that goes by itself, such as "Saved".
///
/// It takes neither touches nor the focus, and assistive technology says it. Several follow each other: `show(_:)`. For the whole window:
///
///     Toast.show("Saved", over: view)
@ListsProperties
public final class Toast: View {
  /// The message that is shown; empty for none. One that is set stays until it is set again.
  @Inspectable(\Toast.message, .layout, isReported: true) public var text: String
  /// How long each message of `show(_:)` is shown, in seconds.
  @Inspectable(.none, limits: 1...60) public var seconds = 3.0

  private static let windowName = "window toast"
  private static let padding = Size(width: 20, height: 12)
  private static let widest = 480.0
  private static let edge = 24.0

  private var model = ToastModel()
  private var wakeUp: WakeUp?
  private var observation: ObservationToken?
  private lazy var appearance = AnimatedValue(1, of: self, forKey: "appear") { [unowned self] _ in setNeedsDisplay() }

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
  }

  private var message: String {
    get { model.shown }
    set { change { $0.keep(newValue) } }
  }

  // MARK: Messages

  /// Shows `text` for `seconds`, after those that were asked for before. At most twenty wait. Without a window nothing is shown.
  public func show(_ text: String) {
    guard let root else { return }
    change { $0.add(text, for: .seconds(seconds), at: root.now) }
  }

  /// Shows `text` near the bottom edge of the window of `view`, in front of everything; near the top edge, if something must be seen at the
  /// bottom, and if at both, assistive technology alone says it.
  public static func show(_ text: String, over view: View) {
    guard let root = view.root else { return }
    let known = root.subviews.lazy.compactMap { $0 as? Toast }.first { $0.observation != nil }
    let toast = known ?? Toast(for: root)
    root.bringSubviewToFront(toast)
    toast.show(text)
  }

  /// The toast of a window, which finds its place by itself.
  private convenience init(for root: RootView) {
    self.init(frame: .zero)
    name = Self.windowName
    observation = root.observeLayout { [weak self] in self?.placeInWindow() }
    root.addSubview(self)
  }

  /// The number of messages that wait.
  public var waitingCount: Int { model.waitingCount }

  private func change(_ body: (inout ToastModel) -> Void) {
    let old = model
    body(&model)
    wakeUp?.cancel()
    if let root, let end = model.end {
      wakeUp = root.wake(at: end) { [weak self] in
        self.map { toast in toast.change { $0.pass(to: root.now, for: .seconds(toast.seconds)) } }
      }
    }
    guard model.shown != old.shown else { return }
    didChange(\Toast.text)
    guard !model.shown.isEmpty else { return }
    root?.announce(model.shown)
    guard root?.prefersReducedMotion == false, isShown else { return }
    appearance.jump(to: 0)
    appearance.move(to: 1)
  }

  private func placeInWindow() {
    guard let root else { return }
    let room = root.bounds.insetBy(dx: 16, dy: Self.edge)
    let size = sizeThatFits(room.size)
    let x = (room.midX - size.width / 2).rounded()
    let places = [room.maxY - size.height, room.minY].map { y in
      Rect(x: x, y: y.rounded(), width: size.width, height: size.height)
    }
    let kept = root.keptInSight()
    frame = places.first { place in !kept.contains { $0.intersects(place) } } ?? .zero
  }

  // MARK: Layout and drawing

  private func layout(width: Double) -> TextLayout {
    TextLayout(
      model.shown, font: theme.font(.body),
      limits: TextLimits(
        width: max(width - 2 * Self.padding.width, 1), lineCount: 3, alignment: .center,
        direction: effectiveLayoutDirection))
  }

  /// As large as the message, in at most three lines; nothing without one.
  public override func sizeThatFits(_ size: Size) -> Size {
    guard !model.shown.isEmpty else { return .zero }
    let width = size.width.isFinite && size.width > 0 ? min(size.width, Self.widest) : Self.widest
    let text = layout(width: width).size
    return Size(
      width: min((text.width + 2 * Self.padding.width).rounded(.up), width),
      height: (text.height + 2 * Self.padding.height).rounded(.up))
  }

  public override func draw(_ canvas: Canvas) {
    guard !model.shown.isEmpty, !bounds.isEmpty else { return }
    canvas.multiplyAlpha(appearance.value.clamped(to: 0...1))
    let radius = min(bounds.height / 2, 22)
    // As dark as the text of the window, so that it is seen on any ground.
    canvas.fill(roundedRect: bounds, cornerRadius: radius, theme.label)
    let text = layout(width: bounds.width)
    canvas.draw(
      text, at: Point(x: (bounds.width - text.size.width) / 2, y: (bounds.height - text.size.height) / 2),
      theme.background)
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { model.shown.isEmpty ? .none : .alert }
  public override var accessibilityTitle: String { model.shown }

  public override var inspection: Inspection {
    super.inspection.adding(["waiting": waitingCount > 0 ? .number(Double(waitingCount)) : nil])
  }
}
