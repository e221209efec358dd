import ControlTools
import Controls
import UICore

/// The type's name, a button that takes all changes back, and the list of properties.
final class CatalogueProperties: View {
  private static let headingHeight = 60.0
  private static let margin = 16.0

  let list = PropertyList()
  let reset = Button("Reset", style: .standard)
  private let title = Label()

  override init(frame: Rect = .zero) {
    super.init(frame: frame)
    title.fontSize = 17
    title.fontWeight = .semibold
    reset.name = "reset"
    reset.textStyle = .caption
    list.name = "propertyList"
    list.reach = CatalogueReach.range
    for view in [title, reset, list] as [View] { addSubview(view) }
  }

  /// Lists the properties of `view`, a `type`.
  func show(_ view: View?, _ type: String) {
    title.text = type
    list.target = view
    setNeedsLayout()
  }

  override var placesSubviewsBySize: Bool { true }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: Self.headingHeight + list.sizeThatFits(size).height)
  }

  override func layoutSubviews() {
    let width = bounds.width
    let size = reset.sizeThatFits(Size(width: width, height: Self.headingHeight))
    let x = width - Self.margin - size.width
    reset.frame = mirrored(
      Rect(x: x, y: (Self.headingHeight - size.height) / 2, width: size.width, height: size.height))
    title.frame = mirrored(
      Rect(x: Self.margin, y: 0, width: max(x - 2 * Self.margin, 0), height: Self.headingHeight))
    list.frame = Rect(
      x: 0, y: Self.headingHeight, width: width, height: max(bounds.height - Self.headingHeight, 0))
  }
}

/// The range of a slider for every number, so that the author of a control can try them all; numbers beyond its ends are typed.
enum CatalogueReach {
  /// The properties whose range differs from the usual.
  private static let ranges: [String: ClosedRange<Double>] = [
    "minimumValue": -1...1, "maximumValue": 0...2, "step": 0...0.5, "stepValue": 0...10, "angle": 0...360,
    "cornerRadius": 0...32, "imageSpacing": 0...32, "touchOutset": 0...40, "spacing": 0...40, "minimumHeight": 0...200,
    "lock": 90...900, "numberOfLines": 0...6, "selectedIndex": 0...4,
  ]

  /// The slider's ends for `property`; nil unless it is a single number.
  static func range(of property: AnyProperty, in view: View) -> ClosedRange<Double>? {
    guard property.kind == .number || property.kind == .integer, case .number(let value) = property.json(of: view)
    else {
      return nil
    }
    return ranges[property.name] ?? usual(value)
  }

  /// From 0 to 1, to 100, or to twice the value: the first range that contains it.
  private static func usual(_ value: Double) -> ClosedRange<Double> {
    let size = abs(value)
    let end = size <= 1 ? 1.0 : size <= 100 ? 100 : 2 * size
    return value < 0 ? -end...end : 0...end
  }
}
