import ControlHarness
import Controls
import Testing

/// Everything that a canvas draws, on one page.
private final class DrawingPage: View {
  var showsText = true

  override var isStaticDrawingOpaque: Bool { true }
  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    canvas.fill(.linear(from: .zero, to: Point(x: 0, y: 200), Color(hex: 0x0a0e14), Color(hex: 0x1b222c)))
  }

  override func draw(_ canvas: Canvas) {
    let amber = Color(hex: 0xf2a102)
    let ring = Path(circleAt: Point(x: 60, y: 60), radius: 44)
    canvas.stroke(ring, Color(hex: 0x2b333d), width: 12)
    canvas.stroke(Path(circleAt: Point(x: 60, y: 60), radius: 37.5), .white.withAlpha(0.25), width: 1)
    for index in 0..<3 {
      canvas.saved {
        canvas.rotate(Double(index) * 2 * .pi / 3 + 0.2, around: Point(x: 60, y: 60))
        canvas.fill(Path(roundedRect: Rect(x: 56, y: 18, width: 8, height: 34), cornerRadius: 3), Color(hex: 0x3a444f))
      }
    }
    canvas.fill(
      Path(circleAt: Point(x: 60, y: 60), radius: 14),
      .radial(
        center: Point(x: 56, y: 54), outerRadius: 20,
        stops: [.init(0, Color(hex: 0x5a6672)), .init(1, Color(hex: 0x20262d))]))
    var line = Path()
    line.move(to: Point(x: 120, y: 20))
    line.line(to: Point(x: 150, y: 60))
    line.line(to: Point(x: 165, y: 20))
    line.curve(to: Point(x: 195, y: 60), control1: Point(x: 175, y: 0), control2: Point(x: 200, y: 20))
    canvas.stroke(line, amber, StrokeStyle(width: 6, cap: .round, join: .round))
    canvas.saved {
      canvas.translate(x: 0, y: 55)
      canvas.stroke(line, Color(hex: 0x2dd4bf), StrokeStyle(width: 4, cap: .square, join: .miter))
    }
    canvas.stroke(
      Path(roundedRect: Rect(x: 210.5, y: 10.5, width: 60, height: 40), cornerRadius: 10), .white,
      StrokeStyle(width: 1, dash: [4, 3]))
    canvas.saved {
      canvas.clip(to: Path(roundedRect: Rect(x: 210, y: 62, width: 60, height: 12), cornerRadius: 6))
      canvas.fill(.white.withAlpha(0.9))
      canvas.fill(Rect(x: 225, y: 62, width: 25, height: 12), Color(red: 0, green: 0.45, blue: 0.94))
    }
    for index in 0..<12 {
      let part = Double(index) / 11
      let color = Color(hex: 0xf2c602).mixed(with: Color(hex: 0xff0000), part)
      canvas.stroke(
        Path(from: Point(x: 210, y: 84 + 3 * Double(index)), to: Point(x: 240 + 30 * part, y: 84 + 3 * Double(index))),
        color)
    }
    guard showsText else { return }
    canvas.draw("120", at: Point(x: 20, y: 190), font: Font(size: 48, weight: .bold), .white, anchor: .baselineLeft)
    canvas.draw("km/h", at: Point(x: 130, y: 190), font: Font(size: 14), .white.withAlpha(0.7), anchor: .baselineLeft)
    canvas.draw("N", at: Point(x: 190, y: 172), font: Font(size: 20), Color(hex: 0xff0000), anchor: .center)
    canvas.saved {
      canvas.translate(x: 250, y: 165)
      canvas.rotate(-0.4)
      canvas.draw("turned", at: .zero, font: Font(size: 14), .white, anchor: .center)
    }
  }
}

@MainActor @Suite(.serialized) struct GoldenTests {
  @Test(arguments: [Scale.one, Scale(1.5), Scale(2)]) func `shapes look as they did`(scale: Scale) {
    let page = DrawingPage()
    page.showsText = false
    let harness = ControlHarness(page, size: Size(width: 280, height: 200), scale: scale)
    harness.expectGolden("shapes@\(scale.factor)")
  }

  @Test(arguments: [Scale.one, Scale(2)]) func `texts look as they did`(scale: Scale) {
    let harness = ControlHarness(DrawingPage(), size: Size(width: 280, height: 200), scale: scale)
    harness.expectGolden("texts@\(scale.factor)", tolerance: 2)
  }

  @Test func `fading blends a view and everything inside as one`() {
    let (outer, inner) = (ProbeView(frame: Rect(x: 5, y: 5, width: 60, height: 40)), ProbeView())
    outer.backgroundColor = Color(hex: 0x884400)
    inner.frame = Rect(x: 20, y: 10, width: 60, height: 20)
    inner.color = .white
    outer.addSubview(inner)
    let harness = ControlHarness(outer, size: Size(width: 80, height: 50))
    outer.frame = Rect(x: 5, y: 5, width: 60, height: 40)
    outer.alpha = 0.5
    harness.expectGolden("fading")
  }
}
