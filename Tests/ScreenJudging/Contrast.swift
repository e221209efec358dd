import Glibc
import ScreenshotTesting

/// The contrast of two colours, as the Web Content Accessibility Guidelines 2.2 define it
/// (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
nonisolated package enum Contrast {
  /// The contrast ratio of two opaque pixels, 0xAARRGGBB: 1 for the same luminance, 21 for black on white.
  package static func ratio(_ a: UInt32, _ b: UInt32) -> Double {
    let (x, y) = (luminance(a), luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  /// The contrast ratio of two colours, treated as opaque.
  package static func ratio(_ a: Color, _ b: Color) -> Double { ratio(a.pixel, b.pixel) }

  /// The relative luminance of an opaque pixel, 0...1.
  package static func luminance(_ pixel: UInt32) -> Double {
    let linear = LinearColor(pixel)
    return 0.2126 * linear.red + 0.7152 * linear.green + 0.0722 * linear.blue
  }
}

/// The kinds of colour vision that an image is judged for.
nonisolated package enum ColorVision: CaseIterable, Sendable {
  /// All three kinds of cones.
  case usual
  /// No cones for long waves: about 1 man in 100.
  case protanopia
  /// No cones for middle waves: about 1 man in 100.
  case deuteranopia

  /// Simulates this kind of vision: returns the pixel that looks to usual eyes as `pixel` looks to eyes of this kind. Pixels
  /// are opaque, 0xAARRGGBB.
  ///
  /// The simulation uses the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
  /// Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15(6), 2009, for a severity of 1.0, in
  /// linear sRGB.
  package func seen(_ pixel: UInt32) -> UInt32 {
    guard let rows else { return pixel }
    let color = LinearColor(pixel)
    func part(_ row: (Double, Double, Double)) -> UInt32 {
      let value = row.0 * color.red + row.1 * color.green + row.2 * color.blue
      return LinearColor.encoded(min(max(value, 0), 1))
    }
    return pixel & 0xff00_0000 | part(rows.0) << 16 | part(rows.1) << 8 | part(rows.2)
  }

  private typealias Row = (Double, Double, Double)

  private var rows: (Row, Row, Row)? {
    switch self {
    case .usual: nil
    case .protanopia:
      ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
    case .deuteranopia:
      ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
    }
  }
}

/// A colour whose components are proportional to light, 0...1.
nonisolated private struct LinearColor {
  let red: Double
  let green: Double
  let blue: Double

  init(_ pixel: UInt32) {
    red = Self.decoded[Int(pixel >> 16 & 255)]
    green = Self.decoded[Int(pixel >> 8 & 255)]
    blue = Self.decoded[Int(pixel & 255)]
  }

  /// The light of each value of an sRGB byte, 0...1.
  private static let decoded: [Double] = (0..<256).map { byte in
    let part = Double(byte) / 255
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }

  static func encoded(_ light: Double) -> UInt32 {
    let part = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt32((part * 255).rounded())
  }
}

/// The shape of an icon in an image: the pixels that stand out from the image's most frequent colour, so that two icons can be
/// compared without their hues.
nonisolated package struct SignShape: Equatable, Sendable {
  private let ink: [Bool]
  private let size: PixelSize

  /// The shape in `picture` as `vision` sees it: the pixels with a contrast of at least `contrast` to the background.
  package init(_ picture: Snapshot, for vision: ColorVision = .usual, contrast: Double = 1.5) {
    size = picture.size
    let seen = picture.pixels.map { vision.seen($0) }
    let counts = seen.reduce(into: [UInt32: Int]()) { $0[$1, default: 0] += 1 }
    // Of two equally frequent colours take the smaller number, so that the result is always the same.
    let ground = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    ink = seen.map { Contrast.ratio($0, ground) >= contrast }
  }

  /// The fraction of all inked pixels that only one of the two shapes has, 0 for the same shape, 1 for shapes that share no
  /// pixel or have different sizes.
  package func difference(from other: SignShape) -> Double {
    guard size == other.size else { return 1 }
    var (either, one) = (0, 0)
    for (a, b) in zip(ink, other.ink) where a || b {
      either += 1
      if a != b { one += 1 }
    }
    return either == 0 ? 0 : Double(one) / Double(either)
  }
}
