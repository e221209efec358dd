import Controls

/// A view with inspectable properties of every type, which writes down what becomes due.
enum ProbeShape: String, CaseIterable, InspectableValue {
  case square, circle
}

/// A view with one property of each type.
@ListsProperties
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
@ListsProperties
final class OrderedProbe: InspectableProbe {
  @Inspectable(.layout, then: OrderedProbe.settleLower) var lowerValue = 0.2
  @Inspectable(.layout, then: OrderedProbe.settleUpper) var upperValue = 0.8

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

/// A property of each kind of storage, with limits.
@ListsProperties
class StorageProbe: View {
  /// What is modelled.
  struct Model {
    var value = 3.0
  }

  static let all: [(name: String, path: ReferenceWritableKeyPath<StorageProbe, Double>)] = [
    ("kept", \.kept), ("modelled", \.modelled), ("computed", \.computed),
  ]

  @Inspectable(.none, limits: 2...4) var kept = 3.0
  @Inspectable(\StorageProbe.model.value, .none, limits: 2...4) var modelled: Double
  @Inspectable(\StorageProbe.half, .none, limits: 2...4) var computed: Double

  private var model = Model()
  private var twice = 6.0
  private var half: Double {
    get { twice / 2 }
    set { twice = newValue * 2 }
  }
}

/// Has an inherited property in another place, and one not at all.
@ListsProperties(without: \StorageProbe.modelled)
final class Rearranged: StorageProbe {
  @Inspectable(.none, before: \StorageProbe.kept) var first = 1
  @Inspectable(.none, before: \StorageProbe.computed) var second = 2
}
