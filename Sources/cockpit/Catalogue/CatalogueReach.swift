import Controls

/// A slider for every number, as whoever writes a control wants to try them all; numbers beyond are typed.
enum CatalogueReach {
  /// Where another range than the usual is of use.
  private static let ranges: [String: ClosedRange<Double>] = [
    "minimumValue": -1...1, "maximumValue": 0...2, "step": 0...0.5, "stepValue": 0...10, "angle": 0...360,
    "cornerRadius": 0...32, "imageSpacing": 0...32, "touchOutset": 0...40, "spacing": 0...40, "minimumHeight": 0...200,
    "lock": 90...900, "numberOfLines": 0...6, "selectedIndex": 0...4,
  ]

  /// The slider's ends for `property`; nil for what is no single number.
  static func range(of property: AnyProperty, in view: View) -> ClosedRange<Double>? {
    guard property.kind == .number || property.kind == .integer, case .number(let value) = property.json(of: view)
    else {
      return nil
    }
    return ranges[property.name] ?? usual(value)
  }

  /// From nothing to one, or to a hundred, or to twice the value: whichever holds it first.
  private static func usual(_ value: Double) -> ClosedRange<Double> {
    let size = abs(value)
    let end = size <= 1 ? 1.0 : size <= 100 ? 100 : 2 * size
    return value < 0 ? -end...end : 0...end
  }
}
