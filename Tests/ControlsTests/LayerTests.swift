import ControlHarness
import TestSupport
import Testing

@testable import CockpitControls
@testable import Controls
@testable import Drawing

/// Draws by a closure.
private final class DrawingView: View {
  var body: (Canvas) -> Void = { _ in }
  var draws = 0

  override func draw(_ canvas: Canvas) {
    draws += 1
    body(canvas)
  }
}

@MainActor @Suite(.serialized) struct LayerTests {
  private func shown(_ view: View) -> ControlHarness {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    harness.root.addSubview(view)
    harness.frame()
    return harness
  }

  @Test func `a view draws again only when it is marked, resized, or elsewhere within a pixel`() {
    let view = DrawingView(frame: Rect(x: 10, y: 10, width: 30, height: 30))
    view.body = { $0.fill(Path(circleAt: Point(x: 15, y: 15), radius: 9), .white) }
    let harness = shown(view)
    harness.checksDamage = false
    let over = ProbeView(frame: Rect(x: 5, y: 5, width: 20, height: 20))
    harness.root.addSubview(over)
    harness.frame()
    let before = view.draws
    over.frame = Rect(x: 15, y: 15, width: 20, height: 20)
    harness.frame()
    view.frame = Rect(x: 12, y: 11, width: 30, height: 30)
    view.alpha = 0.5
    harness.frame()
    #expect(view.draws == before)
    view.setNeedsDisplay()
    view.setNeedsDisplay()
    harness.frame()
    #expect(view.draws == before + 1)
    view.frame.origin.x += 0.25
    harness.frame()
    #expect(view.draws == before + 2)
    view.frame.size.width += 1
    harness.frame()
    #expect(view.draws == before + 3)
  }

  @Test(arguments: ["drawn", "static"])
  func `what is marked while it is drawn is drawn again in the next frame`(mark: String) {
    /// White from its second drawing on, which it asks for in the middle of the first.
    final class Late: View {
      var mark = ""
      var draws = 0
      override var hasStaticDrawing: Bool { mark == "static" }
      override func drawStatic(_ canvas: Canvas) { if hasStaticDrawing { show(canvas) } }
      override func draw(_ canvas: Canvas) { if !hasStaticDrawing { show(canvas) } }
      private func show(_ canvas: Canvas) {
        draws += 1
        canvas.fill(bounds, draws > 2 ? .white : .black)
        guard draws == 2 else { return }
        switch mark {
        case "drawn": setNeedsDisplay()
        default: setNeedsStaticDisplay()
        }
      }
    }
    let view = Late(frame: Rect(x: 10, y: 10, width: 30, height: 30))
    view.mark = mark
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    // The checks draw more often than a window does.
    harness.checksDamage = false
    harness.root.addSubview(view)
    harness.frame()
    if mark == "static" {
      view.setNeedsStaticDisplay()
    } else {
      view.setNeedsDisplay()
    }
    harness.frame()
    #expect(view.draws == 2 && harness.shown[12, 12] == 0xff00_0000 && harness.root.needsFrame)
    harness.frame()
    #expect(view.draws == 3 && harness.shown[12, 12] == 0xffff_ffff)
    harness.frame()
    #expect(view.draws == 3 && !harness.root.needsFrame)
  }

  @Test func `a view that draws nothing, or is hidden, keeps no memory`() {
    let view = DrawingView(frame: Rect(x: 10, y: 10, width: 30, height: 30))
    let harness = shown(view)
    #expect(view.layer?.bitmap == nil)
    view.body = { $0.fill(Rect(x: 1, y: 1, width: 5, height: 5), .white) }
    view.setNeedsDisplay()
    harness.frame()
    #expect(view.layer?.bitmap != nil)
    view.isHidden = true
    #expect(view.layer == nil)
    view.isHidden = false
    harness.frame()
    #expect(harness.shown[12, 12] == 0xffff_ffff)
    view.body = { _ in }
    view.setNeedsDisplay()
    harness.frame()
    #expect(view.layer?.bitmap == nil)
    #expect(harness.shown[12, 12] == 0xff00_0000)
  }

  @Test func `a static drawing is kept without its clear pixels, for as long as its view is in a tree`()
    throws
  {
    final class Ring: View {
      override var hasStaticDrawing: Bool { true }
      override func drawStatic(_ canvas: Canvas) {
        canvas.stroke(Path(circleAt: Point(x: 40, y: 40), radius: 36), .white, width: 4)
      }
    }
    let view = Ring(frame: Rect(x: 10, y: 10, width: 80, height: 80))
    let harness = shown(view)
    let layer = try #require(view.staticLayer)
    #expect(layer.bitmap == nil)
    #expect(try #require(layer.runs).spans.byteCount < 80 * 80 * 4 / 3, "the ring's inside is clear")
    view.removeFromSuperview()
    #expect(view.staticLayer == nil)
    harness.frame()
    #expect(harness.shown[50, 14] == 0xff00_0000)
  }

  @Test func `what one drawing was clipped to does not clip the next`() {
    let view = DrawingView(frame: Rect(x: 10, y: 10, width: 30, height: 30))
    view.body = { canvas in
      canvas.clip(to: Rect(x: 0, y: 0, width: 8, height: 8))
      canvas.fill(.white)
    }
    let harness = shown(view)
    #expect(harness.shown[12, 12] == 0xffff_ffff && harness.shown[30, 30] == 0xff00_0000)
    view.body = { canvas in
      canvas.clip(to: Rect(x: 16, y: 16, width: 8, height: 8))
      canvas.fill(.white)
    }
    view.setNeedsDisplay()
    harness.frame()
    #expect(harness.shown[12, 12] == 0xff00_0000 && harness.shown[30, 30] == 0xffff_ffff)
  }

  @Test func `a canvas that somebody kept draws nothing, whoever draws later`() {
    let view = DrawingView(frame: Rect(x: 10, y: 10, width: 30, height: 30))
    var kept: Canvas?
    view.body = { kept = $0 }
    let harness = shown(view)
    view.body = { canvas in
      canvas.fill(Rect(x: 0, y: 0, width: 4, height: 4), .white)
      kept?.fill(Rect(x: 10, y: 10, width: 4, height: 4), .white)
    }
    for _ in 0..<3 {
      view.setNeedsDisplay()
      harness.frame()
      #expect(harness.shown[11, 11] == 0xffff_ffff && harness.shown[22, 22] == 0xff00_0000)
    }
  }

  @Test func `the same tree is painted alike into any number of buffers, in any order`() {
    let view = DrawingView(frame: Rect(x: 10, y: 10, width: 30, height: 30))
    view.body = { $0.fill(Path(circleAt: Point(x: 15, y: 15), radius: 12), .white) }
    let wheel = SteeringWheel(frame: Rect(x: 45, y: 45, width: 50, height: 50))
    let harness = shown(view)
    harness.root.addSubview(wheel)
    harness.frame()
    let size = PixelSize(width: 100, height: 100)
    let buffers = (0..<5).map { _ in UnsafeMutableRawBufferPointer.allocate(byteCount: 40_000, alignment: 16) }
    defer { for buffer in buffers { buffer.deallocate() } }
    for (round, index) in [0, 1, 0, 2, 3, 4, 0, 1, 1, 4, 2].enumerated() {
      wheel.angle = Double(round) * 7
      harness.frame()
      let buffer = buffers[index]
      let pixels = PixelBuffer(size: size, stride: 400, bytes: buffer)
      _ = buffer.initializeMemory(as: UInt8.self, repeating: UInt8(round * 20))
      harness.root.draw(Region(PixelRect(size)), into: pixels)
      let wrong = (0..<100).reduce(0) { sum, y in
        sum + (0..<100).count { x in pixels[x, y] != harness.shown[x, y] }
      }
      #expect(wrong == 0, "buffer \(index) in round \(round)")
    }
  }

  @Test(arguments: 0..<100) func `everything drawn on is noted, whatever was drawn`(seed: Int) {
    var random = Random(seed)
    let shapes = (0..<3).map { _ in Scribble(&random, extent: 200) }
    let backing = Backing()
    backing.prepare(PixelSize(width: 190, height: 170))
    backing.draw(scale: .one, transform: .identity) { canvas in
      for shape in shapes { shape.draw(canvas) }
    }
    backing.clear()
    guard let bitmap = backing.bitmap else { return }
    #expect(bitmap.withBuffer { Snapshot($0) }.pixels.allSatisfy { $0 == 0 }, "seed \(seed)")
  }

  @Test func `drawings of several sizes take turns in one memory, each clear at first`() {
    let backing = Backing()
    let sizes = [(60, 40), (20, 30), (60, 40), (90, 80), (20, 30), (60, 40), (1, 1), (90, 80)]
    for (number, (width, height)) in sizes.enumerated() {
      backing.prepare(PixelSize(width: width, height: height), keepsMemory: number != 3)
      backing.draw(scale: .one, transform: .identity) {
        $0.fill(Path(rect: Rect(x: 0, y: 0, width: 10.5, height: 10)), .white)
        $0.clip(to: Rect(x: 0, y: 0, width: 1, height: 1))
      }
      let drawn = backing.bitmap?.withBuffer { Snapshot($0) }
      #expect(drawn?.size == PixelSize(width: width, height: height))
      let lit = drawn?.pixels.count { $0 == 0xffff_ffff }
      #expect(lit == min(width, 10) * min(height, 10), "drawing \(number)")
      let dim = drawn?.pixels.count { $0 != 0 && $0 != 0xffff_ffff }
      #expect(dim == (width > 10 ? min(height, 10) : 0), "drawing \(number)")
    }
  }

  @Test func `numbers that are none, too large or contradictory never stop what is drawn after them`() {
    let view = DrawingView(frame: Rect(x: 0, y: 0, width: 60, height: 60))
    let numbers = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300, 1e9, 0]
    view.body = { canvas in
      for number in numbers {
        canvas.saved {
          canvas.multiplyAlpha(0)
          canvas.stroke(Path(circleAt: .zero, radius: number), .white, StrokeStyle(width: 3, dash: [number, 1]))
          canvas.stroke(
            Path(from: .zero, to: Point(x: number, y: 1)), .white,
            StrokeStyle(width: number, cap: .square, miterLimit: number, dash: [1, number], dashOffset: number))
          canvas.fill(.linear(from: .zero, to: Point(x: number, y: number), .white, .clear))
          canvas.fill(
            .radial(
              center: Point(x: number, y: 0), innerRadius: number, outerRadius: -number,
              stops: [.init(number, .white), .init(0, .black)]))
          canvas.saved {
            canvas.scale(x: number, y: 1)
            canvas.fill(.linear(from: .zero, to: Point(x: 1, y: 1), .white, .clear))
            canvas.stroke(Path(circleAt: .zero, radius: 4), .white, width: 2)
            canvas.clip(to: Path(circleAt: .zero, radius: 4))
            canvas.fill(.white)
            canvas.draw("x", at: Point(x: number, y: number), font: Font(size: number), .white)
          }
        }
      }
      canvas.fill(Rect(x: 50, y: 50, width: 5, height: 5), .white)
    }
    let harness = shown(view)
    #expect(harness.shown[52, 52] == 0xffff_ffff)
    view.setNeedsDisplay()
    harness.frame()
    #expect(harness.shown[52, 52] == 0xffff_ffff)
    #expect(harness.shown[10, 10] == 0xff00_0000)
  }

  @Test func `an enormous view draws what lies in the window`() {
    let view = DrawingView(frame: Rect(x: -90_000, y: -90_000, width: 200_000, height: 200_000))
    view.body = { $0.fill(Rect(x: 90_010, y: 90_010, width: 5, height: 5), .white) }
    let harness = shown(view)
    #expect(harness.shown[12, 12] == 0xffff_ffff)
    view.frame.origin.x += 3
    harness.frame()
    #expect(harness.shown[10, 12] == 0xff00_0000 && harness.shown[17, 12] == 0xffff_ffff)
  }

  @Test func `a drawing of plain fills with one thing that is none is drawn once each time, and damages what changes`()
  {
    final class Mixed: View {
      var draws = 0
      var x = 0.0
      override var drawsPlainFills: Bool { true }
      override func draw(_ canvas: Canvas) {
        draws += 1
        canvas.fill(Rect(x: x, y: 0, width: 4, height: 4), .white)
        canvas.saved {
          canvas.clip(to: Rect(x: 0, y: 50, width: 10, height: 10))
          canvas.fill(Path(ellipseIn: bounds), .white)
        }
      }
    }
    let view = Mixed()
    let harness = ControlHarness(view, size: Size(width: 100, height: 100))
    harness.checksDamage = false
    for x in 1...3 {
      let before = view.draws
      view.x = Double(x) * 10
      view.setNeedsDisplay()
      harness.frame()
      #expect(view.draws == before + 1 && harness.lastDamage.area < 200)
    }
  }
}
