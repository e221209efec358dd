import Controls

/// A view with inspectable properties of every type, which writes down what becomes due.
enum ProbeShape: String, CaseIterable, InspectableValue {
  case square, circle
}

/// A view with one property of each type.
class InspectableProbe: View {
  @Inspectable var showsTrack = true
  @Inspectable var labelText = "old"
  @Inspectable var trackCount = 3
  @Inspectable var curvaceousness = 1.0
  @Inspectable var thumbOffset = Point.zero
  @Inspectable var thumbSize = Size(width: 20, height: 20)
  @Inspectable var hole = Rect.zero
  @Inspectable var contentInsets = EdgeInsets.zero
  @Inspectable var trackColor = Color.white
  @Inspectable var trackTintColor: Color?
  @Inspectable var valueRange = 0.2...0.8
  @Inspectable var thumbImage: ImageReference?
  @Inspectable var thumbShape = ProbeShape.circle
  @Inspectable var gloss = 0.5

  override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("showsTrack", \InspectableProbe.showsTrack, .display),
      Property("labelText", \InspectableProbe.labelText, .none),
      Property("trackCount", \InspectableProbe.trackCount, .display, limits: 1...12),
      Property("curvaceousness", \InspectableProbe.curvaceousness, .display, limits: 0...1),
      Property("thumbOffset", \InspectableProbe.thumbOffset, .layout),
      Property("thumbSize", \InspectableProbe.thumbSize, .layout),
      Property("hole", \InspectableProbe.hole, .display),
      Property("contentInsets", \InspectableProbe.contentInsets, .layout),
      Property("trackColor", \InspectableProbe.trackColor, .display),
      Property("trackTintColor", \InspectableProbe.trackTintColor, .display),
      Property("valueRange", \InspectableProbe.valueRange, .display),
      Property("thumbImage", \InspectableProbe.thumbImage, .layout),
      Property("thumbShape", \InspectableProbe.thumbShape, .display),
      Property("gloss", \InspectableProbe.gloss, .display, title: "Shininess", group: "Light"),
    ]
  }

  private(set) var layouts = 0
  private(set) var draws = 0

  override func layoutSubviews() { layouts += 1 }

  override func draw(_ canvas: Canvas) {
    draws += 1
    canvas.fill(Path(roundedRect: bounds, cornerRadius: bounds.height * curvaceousness / 2), trackColor)
  }

  /// The layouts and drawings since the last call.
  func takeCounts() -> [Int] {
    defer { (layouts, draws) = (0, 0) }
    return [layouts, draws]
  }
}

/// Two properties that depend on each other, as a range's ends do.
final class OrderedProbe: InspectableProbe {
  @Inspectable var lowerValue = 0.2
  @Inspectable var upperValue = 0.8

  override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("lowerValue", \OrderedProbe.lowerValue, .layout, then: { $0.settleLower() }),
      Property("upperValue", \OrderedProbe.upperValue, .layout, then: { $0.settleUpper() }),
    ]
  }

  var told: [String] = []

  private func settleLower() {
    told.append("lowerValue")
    if lowerValue < 0 { lowerValue = 0 }
    if lowerValue > upperValue { upperValue = lowerValue }
  }

  private func settleUpper() {
    told.append("upperValue")
    if upperValue < lowerValue { lowerValue = upperValue }
  }
}
