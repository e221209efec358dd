import Controls
import UICore

/// The picture of a camera in a scene: an opening through which the compositor shows it, since no pixel of it comes through this program. Where
/// there is no picture, as in screenshots and records, a marked place stands for it.
@ListsProperties
final class Video: Opening {
  /// The name of the camera that is shown, as `--video NAME=SOURCE` gives it; empty for the one that was chosen last.
  @Inspectable(.none, then: Video.cameraChanged) var camera = ""
  private func cameraChanged() { onCameraChange?(camera) }
  /// Called when a file names another camera.
  var onCameraChange: ((String) -> Void)?

  /// What is known of the picture; nil if no video was asked for.
  var notice: VideoNotice? {
    didSet {
      guard notice != oldValue else { return }
      setNeedsDisplay()
      if (notice?.state == .live) != (oldValue?.state == .live) { setNeedsLayout() }
    }
  }

  /// The size in pixels of the newest picture; nil before the first.
  var pictureSize: PixelSize? {
    didSet { if pictureSize != oldValue { pictureChanged() } }
  }
  /// True while the compositor shows a picture below the view.
  var isSeenThrough = false {
    didSet { if isSeenThrough != oldValue { pictureChanged() } }
  }

  /// The area in the view's coordinates that nothing of the scene covers, where the age of an old picture stands in large figures.
  var freeArea = Rect.zero {
    didSet { if freeArea != oldValue { setNeedsDisplay() } }
  }
  /// The line that says how old the picture is: its area in the view's coordinates.
  var lineArea = Rect.zero {
    didSet { if lineArea != oldValue { setNeedsDisplay() } }
  }

  init() {
    super.init(frame: .zero)
    name = "video"
    isUserInteractionEnabled = false
  }

  override func layoutSubviews() { pictureChanged() }

  override var inspection: Inspection {
    guard let notice else { return Inspection() }
    return Inspection().adding([
      "state": .string(notice.state.rawValue), "age": notice.age.map { .number(Double($0)) },
      "framesPerSecond": .number(Double(notice.framesPerSecond)),
    ])
  }

  override var accessibilityRole: AccessibilityRole { notice?.state == .live ? .label : .alert }
  /// The line's words.
  override var accessibilityTitle: String { notice.map { "\(Language.current.video): \($0.line(in: .current))" } ?? "" }

  // MARK: Geometry

  /// Where the picture lies, in the view's coordinates and in whole points: as large as fits, in the picture's own shape, in the middle.
  /// Without a picture all of the view.
  var pictureFrame: Rect {
    guard let pictureSize, pictureSize.width > 0, pictureSize.height > 0 else { return bounds }
    let factor = min(bounds.width / Double(pictureSize.width), bounds.height / Double(pictureSize.height))
    let (width, height) = (
      max((Double(pictureSize.width) * factor).rounded(.down), 1),
      max((Double(pictureSize.height) * factor).rounded(.down), 1)
    )
    return Rect(
      x: ((bounds.width - width) / 2).rounded(.down), y: ((bounds.height - height) / 2).rounded(.down), width: width,
      height: height)
  }

  private func pictureChanged() {
    // The picture reaches a point below its frame: where pixels of screen and points differ, nothing else is seen beside it.
    let inside = pictureFrame.insetBy(dx: 1, dy: 1)
    seeThroughArea = isSeenThrough && inside.width > 0 && inside.height > 0 ? inside : nil
    setNeedsDisplay()
  }

  // MARK: Drawing

  private static let backs = (bars: Color.black, place: Color(hex: 0x10151b), stripe: Color(hex: 0x18202a))
  /// Over a picture that is too old: it stays to be seen, and is not to be mistaken for a living one.
  private static let dim = Color.black.withAlpha(0.62)

  override func draw(_ canvas: Canvas) {
    if let hole = seeThroughArea {
      drawBars(canvas, around: hole)
      if let notice, notice.state != .live { canvas.fill(hole, Self.dim) }
    } else {
      drawPlace(canvas)
    }
    guard let notice else { return }
    drawLine(canvas, notice)
    if notice.state != .live { drawFigures(canvas, notice) }
  }

  private func drawBars(_ canvas: Canvas, around hole: Rect) {
    let area = bounds
    let bars = [
      Rect(x: 0, y: 0, width: area.width, height: hole.minY),
      Rect(x: 0, y: hole.maxY, width: area.width, height: area.height - hole.maxY),
      Rect(x: 0, y: hole.minY, width: hole.minX, height: hole.height),
      Rect(x: hole.maxX, y: hole.minY, width: area.width - hole.maxX, height: hole.height),
    ]
    for bar in bars where bar.width > 0 && bar.height > 0 { canvas.fill(bar, Self.backs.bars) }
  }

  /// Draws the place of a picture that is not there, or is not kept: oblique stripes and a word.
  private func drawPlace(_ canvas: Canvas) {
    let area = bounds
    canvas.fill(area, Self.backs.place)
    let step = max((min(area.width, area.height) / 8).rounded(), 16)
    canvas.saved {
      canvas.clip(to: area)
      var x = -area.height
      while x < area.width {
        canvas.fill(
          Path(polygon: [
            Point(x: x, y: area.height), Point(x: x + area.height, y: 0), Point(x: x + area.height + step / 2, y: 0),
            Point(x: x + step / 2, y: area.height),
          ]), Self.backs.stripe)
        x += step
      }
    }
    let room = freeArea.isEmpty ? area : freeArea
    let size = min(room.height * 0.3, room.width / 6, 48).rounded()
    guard size >= 8, notice == nil || notice?.state == .live else { return }
    canvas.draw(
      Language.current.video, at: room.center, font: Font(builtIn: size, weight: .semibold), Color(hex: 0x8a96a5),
      anchor: .center)
  }

  private func drawLine(_ canvas: Canvas, _ notice: VideoNotice) {
    // Where there is no other room, the word already stands below the figures.
    guard lineArea.height >= 10, lineArea.width >= 60, notice.state == .live || !freeArea.isEmpty else { return }
    var size = min((lineArea.height * 0.72).rounded(), 15)
    let text = notice.line(in: .current)
    var layout = TextLayout(text, font: Font(size: size, weight: .medium))
    if layout.size.width + size * 1.2 > lineArea.width {
      size = max((size * lineArea.width / (layout.size.width + size * 1.2)).rounded(.down), 8)
      layout = TextLayout(text, font: Font(size: size, weight: .medium))
    }
    let width = min(layout.size.width + size * 1.2, lineArea.width)
    let pill = Rect(x: lineArea.midX - width / 2, y: lineArea.minY, width: width, height: lineArea.height)
    canvas.fill(roundedRect: pill, cornerRadius: pill.height / 2, Color(hex: 0x0b0f14).withAlpha(0.88))
    canvas.draw(
      layout, at: pill.center, notice.state == .live ? Color(hex: 0xe8edf2) : Color(hex: 0xffb84a), anchor: .center)
  }

  /// The height in points of the figures that an area has room for.
  static func figureSize(in area: Rect) -> Double { min(area.height * 0.5, area.width / 5, 96).rounded() }

  /// Draws the age in large figures, and below it what the matter is.
  private func drawFigures(_ canvas: Canvas, _ notice: VideoNotice) {
    let room = freeArea.isEmpty ? pictureFrame : freeArea
    let size = Self.figureSize(in: room)
    guard size >= 10 else { return }
    let words = (size * 0.34).rounded()
    canvas.draw(
      notice.figures(in: .current), at: Point(x: room.midX, y: room.midY - words * 0.7),
      font: Font(size: size, weight: .bold), Color.white, anchor: .center)
    canvas.draw(
      notice.state.word(in: .current), at: Point(x: room.midX, y: room.midY + size * 0.55),
      font: Font(size: max(words, 10), weight: .semibold), Color(hex: 0xffb84a), anchor: .center)
  }
}

/// The plates that a scene's controls stand on while a picture lies behind them: opaque where something must be read, whatever the picture
/// shows, and half clear below the wheel.
final class VideoPlates: PassiveView {
  /// The frames in the view's coordinates: of the gate, of the wheel, and of texts and the dial.
  @Redraws var gate = Rect.zero
  @Redraws var wheel = Rect.zero
  @Redraws var dial = Rect.zero

  init() { super.init("plates") }

  override func draw(_ canvas: Canvas) {
    if !gate.isEmpty {
      let plate = gate.insetBy(dx: 0.5, dy: 0.5)
      let radius = min(plate.width, plate.height) * 0.1
      canvas.fill(roundedRect: plate, cornerRadius: radius, palette.plate)
      canvas.stroke(roundedRect: plate, cornerRadius: radius, palette.hairline, width: 1)
    }
    if !dial.isEmpty { canvas.fill(Path(circleAt: dial.center, radius: dial.width / 2), palette.plate) }
    if !wheel.isEmpty {
      canvas.fill(Path(circleAt: wheel.center, radius: wheel.width / 2), palette.plate.withAlpha(0.45))
    }
  }
}
