import Controls
import UICore

/// Small drawings: an image, tiles, dots, lines.
enum CatalogueArt {
  /// Hills under a sun.
  static let picture = Picture(size: Size(width: 112, height: 112), scale: Scale(2)) { canvas in
    let area = Rect(x: 0, y: 0, width: 112, height: 112)
    canvas.clip(to: Path(roundedRect: area, cornerRadius: 12))
    canvas.fill(
      area,
      .linear(from: .zero, to: Point(x: 0, y: 112), Color(hex: 0x17324d), Color(hex: 0x3d9bff)))
    canvas.fill(Path(circleAt: Point(x: 78, y: 38), radius: 13), Color(hex: 0xffd27a))
    canvas.fill(
      Path(polygon: [Point(x: -20, y: 112), Point(x: 36, y: 46), Point(x: 92, y: 112)]), Color(hex: 0x1f7a70))
    canvas.fill(
      Path(polygon: [Point(x: 34, y: 112), Point(x: 82, y: 66), Point(x: 130, y: 112)]), Color(hex: 0x2dd4bf))
  }

  /// Something that a radar found.
  final class Dot: View {
    private let color: Color

    init(_ color: Color) {
      self.color = color
      super.init(frame: Rect(x: 0, y: 0, width: 20, height: 20))
    }

    override func draw(_ canvas: Canvas) {
      canvas.fill(Path(circleAt: bounds.center, radius: 8), color)
    }
  }

  /// A part of a stack.
  final class Tile: View {
    private let text: String
    private let color: Color

    init(_ text: String, _ color: Color) {
      (self.text, self.color) = (text, color)
      super.init(frame: .zero)
    }

    private var layout: TextLayout { FontLibrary.shared.layout(text, font: theme.font(.caption, weight: .medium)) }

    override func sizeThatFits(_ size: Size) -> Size {
      Size(width: (layout.size.width + 24).rounded(.up), height: 36)
    }

    override func draw(_ canvas: Canvas) {
      canvas.fill(Path(roundedRect: bounds, cornerRadius: 7), color.withAlpha(theme.isDark ? 0.22 : 0.3))
      let layout = layout
      canvas.draw(
        layout, at: Point(x: (bounds.width - layout.size.width) / 2, y: (bounds.height - layout.size.height) / 2),
        theme.label)
    }
  }

  /// Numbered lines, as something to scroll.
  final class Lines: View {
    private static let height = 40.0
    private static let columnWidth = 80.0

    override func draw(_ canvas: Canvas) {
      let font = theme.font(.caption)
      for row in 0..<Int(bounds.height / Self.height) {
        let y = Double(row) * Self.height
        if row % 2 == 0 {
          canvas.fill(Rect(x: 0, y: y, width: bounds.width, height: Self.height), theme.fill.withAlpha(0.5))
        }
        for column in 0..<max(Int(bounds.width / Self.columnWidth), 1) {
          let layout = FontLibrary.shared.layout("\(row + 1) – \(column + 1)", font: font)
          draw(
            layout, leading: 12 + Double(column) * Self.columnWidth, y: y + (Self.height - layout.size.height) / 2,
            theme.secondaryLabel, on: canvas)
        }
      }
    }
  }
}
