import CockpitControls
import ScreenJudging
import ScreenshotTesting
import Testing

/// Tests of the judge on small screens, each with one fault of a known size or none.
@MainActor @Suite(.serialized) struct ScreenJudgeTests {
  /// A view that draws what a test says.
  private final class Sketch: View {
    var sketch: (Canvas) -> Void = { _ in }
    var values: [String: JSONValue] = [:]
    override func draw(_ canvas: Canvas) { sketch(canvas) }
    override var inspection: Inspection { Inspection(values: values) }
  }

  private static let size = Size(width: 200, height: 100)

  /// The judge's findings in a black window of 200 x 100 points with `sketch`.
  private func findings(
    scale: Double = 1, value: Bool = false, _ rules: Set<ScreenJudge.Rule> = Set(ScreenJudge.Rule.allCases),
    add views: [View] = [], _ sketch: @escaping (Canvas) -> Void = { _ in }
  ) throws -> [ScreenJudge.Finding] {
    let found: [ScreenJudge.Finding]? = ScreenshotFonts.use {
      let root = RootView()
      root.theme = .dark
      root.backgroundColor = .black
      let view = Sketch(frame: Rect(origin: .zero, size: Self.size))
      view.sketch = sketch
      view.isUserInteractionEnabled = false
      if value { view.values = ["value": .number(1)] }
      for inner in [view] + views { root.addSubview(inner) }
      root.resize(to: Self.size, scale: Scale(scale))
      root.prepareFrame(for: .zero)
      var picture = Snapshot(size: root.scale.pixelSize(Self.size))
      let whole = Region(PixelRect(picture.size))
      picture.withBuffer { root.draw(whole, into: $0) }
      return ScreenJudge(root, picture: picture)?.findings.filter { rules.contains($0.rule) }
    }
    return try #require(found)
  }

  private let white = Color.white
  private let middle = Point(x: 100, y: 50)

  @Test(arguments: [1, 1.5, 2]) func `a clear text of 12 points has no fault`(scale: Double) throws {
    let found = try findings(scale: scale) {
      $0.draw("Ready", at: middle, font: Font(size: 12), white, anchor: .center)
    }
    #expect(found.isEmpty, "\(found)")
  }

  @Test(arguments: [1, 2]) func `a grey text has the contrast of its colour, however small its letters`(scale: Double)
    throws
  {
    let found = try findings(scale: scale) {
      $0.draw("Ready", at: middle, font: Font(size: 11), Color(hex: 0x6e6e6e), anchor: .center)
    }
    #expect(found.map(\.rule) == [.textSize, .textContrast])
    #expect(found[0].measured == 11)
    // #6e6e6e on black: (0.1559 + 0.05) / 0.05.
    #expect(abs(found[1].measured - 4.12) < 0.02, "\(found[1])")
  }

  @Test func `a text behind something is not judged`() throws {
    let found = try findings {
      $0.draw("Ready", at: middle, font: Font(size: 9), white, anchor: .center)
      $0.fill(Rect(x: 40, y: 20, width: 120, height: 60), Color(white: 0.2))
    }
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `a line through a text, and the edge of an area`() throws {
    let line = try findings {
      $0.fill(Rect(x: 0, y: 50, width: 200, height: 1), Color.white.withAlpha(0.1))
      $0.draw("HELLO", at: middle, font: Font(size: 20), white, anchor: .center)
    }
    #expect(line.map(\.rule) == [.gap] && line.first?.measured == 0, "\(line)")
    let edge = try findings {
      $0.fill(Rect(x: 0, y: 50, width: 200, height: 50), Color(white: 0.2))
      $0.draw("HELLO", at: middle, font: Font(size: 20), white, anchor: .center)
    }
    #expect(edge.map(\.rule) == [.edgeThroughText], "\(edge)")
  }

  @Test(arguments: [(1.0, 1), (1, 3), (2, 1), (2, 2.5)]) func `two texts closer than two points`(
    scale: Double, apart: Double
  )
    throws
  {
    let found = try findings(scale: scale) { canvas in
      let layout = TextLayout("H", font: Font(size: 20))
      canvas.draw(layout, at: Point(x: 50, y: 20), white)
      canvas.draw(layout, at: Point(x: 50 + layout.inkBounds.width + apart, y: 20), white)
    }
    #expect(found.map(\.rule) == (apart < 2 ? [.gap] : []), "\(found)")
  }

  @Test func `a dim sign is found by its colour, and a dim view by all that it draws`() throws {
    let sign = try findings { $0.fill(Path(circleAt: middle, radius: 8), Color(hex: 0x7f0000)) }
    #expect(sign.map(\.rule) == [.signContrast], "\(sign)")
    let view = try findings(value: true) {
      $0.stroke(roundedRect: Rect(x: 50, y: 30, width: 100, height: 40), cornerRadius: 8, Color.white.withAlpha(0.2))
    }
    #expect(view.map(\.rule) == [.shapeContrast], "\(view)")
    let seen = try findings(value: true) {
      $0.stroke(roundedRect: Rect(x: 50, y: 30, width: 100, height: 40), cornerRadius: 8, Color.white.withAlpha(0.5))
    }
    #expect(seen.isEmpty, "\(seen)")
  }

  @Test func `a control that answers on 30 points, and one whose place reaches farther than its bounds`() throws {
    let small = Horn(frame: Rect(x: 80, y: 30, width: 30, height: 30))
    let found = try findings([.touchArea], add: [small])
    #expect(found.count == 1 && abs((found.first?.measured ?? 0) - 30) <= 1, "\(found)")
    let clipped = View(frame: Rect(x: 0, y: 0, width: 90, height: 50))
    clipped.addSubview(Horn(frame: Rect(x: 80, y: 30, width: 30, height: 30)))
    #expect(try findings([.touchArea], add: [clipped]).isEmpty, "half out of sight it can be scrolled into it")
    let button = Button(frame: Rect(x: 80, y: 30, width: 30, height: 30))
    #expect(try findings([.touchArea], add: [button]).isEmpty)
  }

  @Test(arguments: [0, 0.4, 3]) func `a sign beside the middle of its disc`(offset: Double) throws {
    let found = try findings([.middle]) {
      $0.fill(Path(circleAt: middle, radius: 40), Color(white: 0.2))
      $0.fill(Path(circleAt: middle.offsetBy(dx: offset, dy: 0), radius: 10), white)
    }
    #expect(found.map(\.measured) == (offset > 0.5 ? [offset] : []), "\(found)")
  }

  @Test func `a gradient has bands where a step of several levels follows equal pixels`() throws {
    func bands(_ stops: [(Double, Double)]) throws -> [ScreenJudge.Finding] {
      try findings([.banding]) {
        $0.fill(
          Rect(x: 0, y: 0, width: 200, height: 100),
          .linear(
            from: .zero, to: Point(x: 0, y: 100), stops: stops.map { Gradient.Stop($0.0, Color(white: $0.1)) }))
      }
    }
    #expect(try bands([(0, 0.1), (1, 0.12)]).isEmpty)
    #expect(try bands([(0, 0.1), (1, 0.9)]).isEmpty)
    #expect(try bands([(0, 0.1), (0.5, 0.1), (0.5, 0.12), (1, 0.12)]).map(\.measured) == [50])
  }

  @Test func `a view's own colour, a hidden view and one that fades are judged as they are seen`() throws {
    let label = Label(frame: Rect(x: 20, y: 20, width: 100, height: 30))
    label.text = "Speed"
    label.backgroundColor = Color(hex: 0x808080)
    label.textColor = white
    #expect(try findings([.textContrast], add: [label]).first.map { abs($0.measured - 3.95) < 0.02 } == true)
    let button = Button(frame: Rect(x: 20, y: 50, width: 100, height: 44))
    button.titles[.normal] = "Brake"
    button.isEnabled = false
    #expect(try findings(add: [button]).isEmpty, "WCAG asks for no contrast where nothing can be done")
    label.alpha = 0
    #expect(try findings([.textContrast], add: [label]).isEmpty)
  }
}
