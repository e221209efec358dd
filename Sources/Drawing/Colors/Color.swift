/// A colour in sRGB with straight (not premultiplied) alpha; every component from 0 to 1.
///
/// Components outside 0...1 are clamped when drawn; NaN counts as 0.
nonisolated public struct Color: Hashable, Sendable {
  /// The red part, 0...1.
  public var red: Double
  /// The green part, 0...1.
  public var green: Double
  /// The blue part, 0...1.
  public var blue: Double
  /// The opacity: 0 is invisible, 1 hides everything under it.
  public var alpha: Double

  /// A colour from its components, each 0...1.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// A colour from 0xRRGGBB; `alpha` is 0...1.
  public init(hex: UInt32, alpha: Double = 1) {
    self.init(
      red: Double((hex >> 16) & 0xff) / 255, green: Double((hex >> 8) & 0xff) / 255, blue: Double(hex & 0xff) / 255,
      alpha: alpha)
  }

  /// A grey; `white` and `alpha` are 0...1.
  public init(white: Double, alpha: Double = 1) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  /// Fully transparent.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
  /// Opaque white.
  public static let white = Color(hex: 0xffffff)
  /// Opaque black.
  public static let black = Color(hex: 0x000000)

  /// The same colour with another alpha, 0...1.
  public func withAlpha(_ alpha: Double) -> Color { Color(red: red, green: green, blue: blue, alpha: alpha) }

  /// The colour mixed with `other` by `fraction`, component by component; 0 is this colour, 1 the other.
  public func mixed(with other: Color, _ fraction: Double) -> Color {
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: mix(alpha, other.alpha))
  }

  /// The colour in `text`: `#rgb`, `#rrggbb` or `#rrggbbaa`, `clear`, `white` or `black`; nil for anything else.
  public init?(text: String) {
    switch text {
    case "clear": self = .clear
    case "white": self = .white
    case "black": self = .black
    default:
      // Other scripts have hexadecimal digits too.
      var digits = text.dropFirst().compactMap { $0.isASCII ? $0.hexDigitValue : nil }
      guard text.first == "#", digits.count == text.count - 1 else { return nil }
      if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
      guard digits.count == 6 || digits.count == 8 else { return nil }
      func part(_ index: Int) -> Double {
        let byte: Int = digits[2 * index] << 4 | digits[2 * index + 1]
        return Double(byte) / 255
      }
      self.init(red: part(0), green: part(1), blue: part(2), alpha: digits.count == 8 ? part(3) : 1)
    }
  }

  /// The colour as `#rrggbb`, or `#rrggbbaa` where it is not opaque.
  public var hexString: String {
    func part(_ value: Double) -> String {
      let byte = Int(Color.clamped(value) * 255 + 0.5)
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    let rgb = "#" + part(red) + part(green) + part(blue)
    return Color.clamped(alpha) >= 1 ? rgb : rgb + part(alpha)
  }

  /// The colour as a premultiplied pixel, 0xAARRGGBB.
  package var pixel: UInt32 {
    let opacity = Color.clamped(alpha)
    func byte(_ value: Double) -> UInt32 { UInt32(value * 255 + 0.5) }
    return byte(opacity) << 24 | byte(Color.clamped(red) * opacity) << 16 | byte(Color.clamped(green) * opacity) << 8
      | byte(Color.clamped(blue) * opacity)
  }

  /// `value` clamped to 0...1; NaN gives 0.
  package static func clamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
}
