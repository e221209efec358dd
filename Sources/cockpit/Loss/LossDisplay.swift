import Controls
import DriveLink
import UICore

/// The reason why nothing is commanded any more, for the user who drove.
nonisolated struct LossNotice: Hashable, Sendable {
  var reason: DriveReason
  /// By what the user held last.
  var means = Means.touch

  enum Means: CaseIterable, Sendable {
    /// Fingers, the mouse and pens.
    case touch
    case keys, gamepad
  }
  /// True while a control that is no longer obeyed is still held: it takes effect again after it is released and touched again.
  var isStillHeld = false
  var isStopped = false
  /// The sender that pressed the emergency stop that is latched at the consumer, empty if that is not known; nil if none is, or only the own one.
  var stopOwner: String?
  /// True while no consumer reads lines.
  var isUnlinked = false
  /// The fault of this machine that keeps the link from being open; nil if it has none.
  var fault: LinkFault?
  /// True if a wheel is shown and no lever.
  var drivesByWheel = false
  /// The driven destination, for the reason `start`.
  var summary: DriveSummary?

  /// True for quiet notices: a normal end of a drive, and what is driven at the start. Everything else is a fault.
  var isQuiet: Bool { reason == .lift || reason == .start }
}

/// The controls whose input is ignored at the moment.
nonisolated struct IgnoredControls: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let lever = IgnoredControls(rawValue: 1)
  static let wheel = IgnoredControls(rawValue: 2)
}

/// An overlay of the scene that takes no touch: the banner in a free area, and a dashed line around each control whose input is
/// ignored.
final class LossDisplay: PassiveView {
  let banner = LossBanner()
  private let lever = IgnoredMark()
  private let wheel = IgnoredMark()
  /// The controls whose input is ignored: those that the scene shows are marked.
  private var ignored: IgnoredControls = []
  /// The input of the last search for the banner's frame, because it is needed with each frame and a search allocates memory.
  private var placed: Placing?

  private struct Placing: Equatable {
    let arrangement: Int
    let stop: Rect?
    let notice: LossNotice
    let language: Language.Code
  }

  init() {
    super.init("losses")
    for view in [lever, wheel, banner] { addSubview(view) }
  }

  /// Shows `notice`, nil for nothing, and marks the controls of `scene` that are `ignored`.
  func show(_ notice: LossNotice?, ignored: IgnoredControls, in scene: CockpitScene) {
    banner.notice = notice
    self.ignored = ignored
    let were = (lever.isHidden, wheel.isHidden)
    showMarks(in: scene)
    if were != (lever.isHidden, wheel.isHidden) { setNeedsLayout() }
  }

  /// A control that is hidden or not in the scene keeps its old frame, where instruments may be now: it has no mark.
  private func showMarks(in scene: CockpitScene) {
    func isMarked(_ control: Control, _ part: IgnoredControls) -> Bool {
      ignored.contains(part) && control.root === scene && control.isShown
    }
    lever.isHidden = !isMarked(scene.gearbox, .lever)
    wheel.isHidden = !isMarked(scene.wheel, .wheel)
  }

  /// Positions the banner and the marks by the scene's layout.
  func follow(_ scene: CockpitScene) {
    showMarks(in: scene)
    outline(scene.gearbox, by: lever, isRound: false)
    outline(scene.wheel, by: wheel, isRound: true)
    // A card that fades out stays where it is: a drive has begun, and a search allocates memory.
    guard let notice = banner.notice else {
      // But the instruments may have moved below it.
      if !banner.isHidden, scene.cluster.isCovered(by: banner.windowFrame) { banner.endFading() }
      return
    }
    let wanted = Placing(
      arrangement: scene.arrangement, stop: scene.stop?.windowFrame, notice: notice, language: Language.current.code)
    guard wanted != placed else { return }
    placed = wanted
    let layout = CockpitLayout(
      size: bounds.size, panel: scene.content.subviews.first as? CockpitPanel ?? .standard)
    var card = layout.notice
    banner.sizes = LossBanner.sizes(in: card.size, of: layout.sizes)
    // Quiet notices use the small letters for both of their lines.
    if notice.isQuiet { banner.sizes.value = banner.sizes.label }
    card.size.height = banner.height(in: card.size)
    banner.frame = place(card, in: scene)
  }

  private func outline(_ control: Control, by mark: IgnoredMark, isRound: Bool) {
    guard !mark.isHidden else { return }
    mark.isRound = isRound
    let reach = IgnoredMark.reach(around: control.bounds.size)
    mark.frame = convert(control.windowFrame, from: nil).insetBy(dx: -reach, dy: -reach)
  }

  /// The banner's frame: the one that the layout reserves. A custom scene gets the first similar frame that covers nothing,
  /// otherwise the first that covers no control and no instrument that says what is commanded.
  private func place(_ kept: Rect, in scene: CockpitScene) -> Rect {
    let all = scene.obstacles.map { (frame: convert($0.frame, from: nil), isVital: $0.isVital) }
    // Also the button that shows the picture: an old one must be put away.
    let stop = [scene.stop, scene.videoButton].compactMap(\.self).filter(\.isShown).map {
      convert($0.windowFrame, from: nil)
    }
    let vital = all.filter(\.isVital).map(\.frame) + stop
    let found = free(kept, of: all.map(\.frame) + stop) ?? free(kept, of: vital)
    // The next touch drives by what lies below.
    banner.fadesOut = found != nil
    return found ?? kept
  }

  private func free(_ kept: Rect, of obstacles: [Rect]) -> Rect? {
    let window = bounds
    func isFree(_ rect: Rect) -> Bool { window.union(rect) == window && !obstacles.contains { $0.intersects(rect) } }
    if isFree(kept) { return kept }
    // A free frame can be moved up and right until it meets an edge of the window or of a view.
    let tops = [0] + obstacles.map(\.maxY).sorted()
    let lefts = [window.width - kept.width] + obstacles.map { $0.minX - kept.width }.sorted(by: >)
    return tops.lazy.flatMap { y in lefts.lazy.map { x in Rect(origin: Point(x: x, y: y), size: kept.size) } }
      .first(where: isFree)
  }
}

/// A dashed line around a control whose input is ignored at the moment.
final class IgnoredMark: PassiveView {
  /// The distance that the view extends beyond a control of that size, in points: the gap distinguishes the line from a dark
  /// rim. It is less than the margins of the layout, which are at least 8 points.
  static func reach(around control: Size) -> Double {
    (min(control.width, control.height) * 0.016).rounded().clamped(to: 5...12)
  }

  /// True for a ring instead of a frame.
  @Redraws var isRound = false

  init() {
    super.init("ignored")
    isHidden = true
  }

  override func draw(_ canvas: Canvas) {
    // Large controls have a broader line, within the view's reach beyond them.
    let lesser = min(bounds.width, bounds.height)
    let width = (lesser / 100).clamped(to: 2...4)
    let area = bounds.insetBy(dx: width / 2 + 0.5, dy: width / 2 + 0.5)
    let shape = isRound ? Path(ellipseIn: area) : Path(roundedRect: area, cornerRadius: lesser * 0.1 + 3)
    let dash = max(lesser * 0.03, 6)
    canvas.stroke(shape, palette.ignored, StrokeStyle(width: width, cap: .butt, dash: [dash, dash]))
  }
}
