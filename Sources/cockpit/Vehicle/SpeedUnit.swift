/// The unit in which speeds are shown; the raw value is its name in files.
///
/// Whatever is shown, telemetry and the built-in car count in km/h.
nonisolated enum SpeedUnit: String, CaseIterable, Sendable {
  case kilometresPerHour = "km/h"
  case milesPerHour = "mph"
  case metresPerSecond = "m/s"
  case knots

  /// How many of the unit one km/h is.
  private var factor: Double {
    switch self {
    case .kilometresPerHour: 1
    // The international mile is 1609.344 m, the nautical mile 1852 m.
    case .milesPerHour: 1000 / 1609.344
    case .metresPerSecond: 1 / 3.6
    case .knots: 1000.0 / 1852
    }
  }

  /// The unit as the dial writes it: its own outlines have few small letters, which it needs where no font is.
  var sign: String {
    switch self {
    case .kilometresPerHour, .metresPerSecond: rawValue
    case .milesPerHour: "MPH"
    case .knots: "KNOTS"
    }
  }

  /// The end of the dial's scale, in the unit; a tenth of it is a round number.
  var scaleEnd: Double {
    switch self {
    case .kilometresPerHour: 200
    case .milesPerHour, .knots: 100
    case .metresPerSecond: 50
    }
  }

  /// The number to show for a speed in km/h.
  func number(_ kilometresPerHour: Double) -> Double { kilometresPerHour * factor }

  /// The speed in km/h at which the dial's scale ends.
  var fastest: Double { scaleEnd / factor }
}
