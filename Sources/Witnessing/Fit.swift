/// A colour of the screen: 0 (dark) to 255, beyond that after a calculation.
struct RGB {
  var red, green, blue: Double

  init(red: Double = 0, green: Double = 0, blue: Double = 0) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  init(_ pixel: UInt32) {
    self.init(
      red: Double(pixel >> 16 & 0xff), green: Double(pixel >> 8 & 0xff), blue: Double(pixel & 0xff))
  }

  /// Relative luminance (WCAG), 0 to 1.
  var luminance: Double {
    func linear(_ value: Double) -> Double {
      let part = min(max(value / 255, 0), 1)
      // Near enough to sRGB's curve for a limit, and without a library for powers.
      return part <= 0.04045 ? part / 12.92 : part * (0.01252 + part * (0.68217 + part * 0.30531))
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// 1 (the same) to 21 (black to white).
  func contrast(to other: RGB) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }
}

/// Pixels explained as a background, which may change from row to row, plus a colour times a coverage.
struct Fit {
  /// The sum of squares that the coverage does not explain, as a part of that which it explains; infinite for nothing.
  private(set) var residual = Double.infinity
  /// The contrast of the text to its background.
  private(set) var contrast = 1.0
  /// The mean background.
  private(set) var background = RGB()
  /// True if anything stands out from the background.
  private(set) var isVisible = false

  init() {}

  /// Looks at every `step`th row, beginning with one that depends on `turn`.
  init(
    _ coverage: Coverage, in pixels: borrowing Span<UInt32>, _ shape: FrameShape, every step: Int, from turn: Int
  ) {
    let area = coverage.area
    var (red, green, blue, squares, inks) = (Float(0), Float(0), Float(0), Float(0), Float(0))
    var rows = 0.0
    for row in stride(from: step > 1 ? turn % step : 0, to: area.height, by: step) {
      let start = shape.offset + (area.y + row) * shape.stride + area.x
      let ground = Self.ground(pixels, start, area.width)
      background.red += ground.red
      background.green += ground.green
      background.blue += ground.blue
      rows += 1
      let (r0, g0, b0) = (Float(ground.red), Float(ground.green), Float(ground.blue))
      let first = row * area.width
      for column in 0..<area.width {
        let pixel = pixels[start + column]
        let r = Float(pixel >> 16 & 0xff) - r0
        let g = Float(pixel >> 8 & 0xff) - g0
        let b = Float(pixel & 0xff) - b0
        let part = Float(coverage.values[first + column])
        squares += r * r + g * g + b * b
        red += part * r
        green += part * g
        blue += part * b
        inks += part * part
      }
    }
    guard rows > 0, inks > 0 else { return }
    background = RGB(red: background.red / rows, green: background.green / rows, blue: background.blue / rows)
    // Of a pixel that lies inside.
    let (inside, pixels) = (Coverage.inside, Double(inks / Coverage.inside / Coverage.inside))
    let color = (
      red: Double(red / inks * inside), green: Double(green / inks * inside), blue: Double(blue / inks * inside)
    )
    let explained =
      (color.red * color.red + color.green * color.green + color.blue * color.blue) * pixels
    isVisible = squares > Float(rows) * 400
    guard explained > 0 else { return }
    residual = max(Double(squares) - explained, 0) / explained
    contrast = background.contrast(
      to: RGB(
        red: background.red + color.red, green: background.green + color.green, blue: background.blue + color.blue))
  }

  /// The background of a row: of two pixels at each end the mean of the two in the middle, so that one of them may be off.
  private static func ground(_ pixels: borrowing Span<UInt32>, _ start: Int, _ width: Int) -> RGB {
    let (a, b) = (RGB(pixels[start]), RGB(pixels[start + 1]))
    let (c, d) = (RGB(pixels[start + width - 2]), RGB(pixels[start + width - 1]))
    func middle(_ p: Double, _ q: Double, _ r: Double, _ s: Double) -> Double {
      (p + q + r + s - min(p, q, r, s) - max(p, q, r, s)) / 2
    }
    return RGB(
      red: middle(a.red, b.red, c.red, d.red), green: middle(a.green, b.green, c.green, d.green),
      blue: middle(a.blue, b.blue, c.blue, d.blue))
  }
}
