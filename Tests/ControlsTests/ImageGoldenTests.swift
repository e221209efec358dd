import ControlHarness
import Controls
import Testing

/// Pictures of image views: modes, states and the sign for a bad file, under every theme, direction and scale.
@MainActor @Suite(.serialized) struct ImageGoldenTests {
  /// An unmistakable landscape of 60 x 40 points, in `scale` pixels a point.
  private static func landscape(_ scale: Scale) -> Picture {
    Picture(size: Size(width: 60, height: 40), scale: scale) { canvas in
      canvas.fill(.linear(from: .zero, to: Point(x: 0, y: 40), Color(hex: 0x7dd3fc), Color(hex: 0xe0f2fe)))
      canvas.fill(Path(circleAt: Point(x: 46, y: 10), radius: 5), Color(hex: 0xfbbf24))
      canvas.fill(
        Path(polygon: [Point(x: 0, y: 40), Point(x: 18, y: 14), Point(x: 36, y: 40)]), Color(hex: 0x475569))
      canvas.fill(
        Path(polygon: [Point(x: 22, y: 40), Point(x: 40, y: 22), Point(x: 60, y: 40)]), Color(hex: 0x64748b))
      canvas.stroke(Path(rect: Rect(x: 0.5, y: 0.5, width: 59, height: 39)), Color(hex: 0x0f172a), width: 1)
    }
  }

  /// A sign: a ring with a bar, of one opacity.
  private static let sign = Picture(size: Size(width: 24, height: 24), scale: Scale(2)) { canvas in
    canvas.stroke(Path(circleAt: Point(x: 12, y: 12), radius: 9), .black, width: 2.5)
    canvas.stroke(Path(from: Point(x: 12, y: 7), to: Point(x: 12, y: 17)), .black, StrokeStyle(width: 2.5, cap: .round))
  }

  @Test("K14, K17: modes, tints, states, and what is no picture")
  func sheets() {
    ControlHarness.expectSheets("image") {
      let sheet = ScreenshotSheet(columns: 4)
      for mode in ContentMode.allCases {
        let view = ImageView()
        view.image = Self.landscape(Scale(2))
        view.contentMode = mode
        view.backgroundColor = Color(hex: 0x808890, alpha: 0.25)
        sheet.add(mode.rawValue, view, size: Size(width: 84, height: 44))
      }
      let states: [(String, (ImageView) -> Void)] = [
        ("tappable", { _ in }), ("pressed", { $0.isHighlighted = true }), ("disabled", { $0.isEnabled = false }),
        ("tinted", { $0.tintColor = Color(hex: 0x14b8a6) }),
      ]
      for (caption, set) in states {
        let view = ImageView(Self.landscape(.one)) {}
        set(view)
        sheet.add(caption, view)
      }
      for (caption, color) in [("sign", Color(hex: 0x14b8a6)), ("red sign", Color(hex: 0xe5484d))] {
        let view = ImageView(Self.sign)
        view.tintColor = color
        sheet.add(caption, view)
      }
      for (caption, size) in [("bad file", Size(width: 84, height: 44)), ("small", Size(width: 16, height: 16))] {
        let view = ImageView()
        view.imageFile = ImageReference(path: "/nowhere/picture.png")
        sheet.add(caption, view, size: size)
      }
      return sheet
    }
  }
}
