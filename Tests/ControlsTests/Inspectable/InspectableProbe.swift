// Owns a view with inspectable properties of every type, which writes down what becomes due.
// Must not know which test uses it.

import Controls

enum ProbeShape: String, CaseIterable, InspectableValue {
  case square, circle
}

/// A view with one property of each type.
class InspectableProbe: View {
  @Inspectable(.display) var showsTrack = true
  @Inspectable(.none) var labelText = "old"
  @Inspectable(.display, limits: 1...12) var trackCount = 3
  @Inspectable(.display, limits: 0...1) var curvaceousness = 1.0
  @Inspectable(.layout) var thumbOffset = Point.zero
  @Inspectable(.layout) var thumbSize = Size(width: 20, height: 20)
  @Inspectable(.display) var hole = Rect.zero
  @Inspectable(.layout) var contentInsets = EdgeInsets.zero
  @Inspectable(.display) var trackColor = Color.white
  @Inspectable(.display) var trackTintColor: Color?
  @Inspectable(.display) var valueRange = 0.2...0.8
  @Inspectable(.layout) var thumbImage: ImageReference?
  @Inspectable(.display) var thumbShape = ProbeShape.circle
  @Inspectable(.display, title: "Shininess", group: "Light") var gloss = 0.5
  private(set) var layouts = 0
  private(set) var draws = 0

  override func layoutSubviews() { layouts += 1 }

  override func draw(_ canvas: Canvas, _ dirty: Rect) {
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
  @Inspectable(.layout) var lowerValue = 0.2
  @Inspectable(.layout) var upperValue = 0.8
  var told: [String] = []

  override func inspectableDidChange(_ property: any AnyInspectable) {
    told.append(property.name)
    if property === _lowerValue {
      if lowerValue < 0 { lowerValue = 0 }
      if lowerValue > upperValue { upperValue = lowerValue }
    } else if property === _upperValue, upperValue < lowerValue {
      lowerValue = upperValue
    }
  }
}
