import ControlHarness
import Controls
import TestSupport
import Testing

/// Tests of which pixels are painted again: exactly those that changed.
@MainActor @Suite(.serialized) struct DamageTests {
  private func shown(
    _ view: View, at frame: Rect, scale: Scale = .one, in size: Size = Size(width: 100, height: 100)
  ) -> ControlHarness {
    let harness = ControlHarness(size: size, scale: scale)
    view.frame = frame
    harness.root.addSubview(view)
    harness.frame()
    return harness
  }

  @Test func `a drawing damages the pixels that come out otherwise at the current scale, no more`() {
    for (scale, expected) in [
      (Scale.one, PixelRect(x: 11, y: 21, width: 4, height: 4)),
      (Scale(1.5), PixelRect(x: 16, y: 31, width: 7, height: 7)),
      (Scale(2), PixelRect(x: 22, y: 42, width: 8, height: 8)),
    ] {
      let view = MarksView()
      view.marks = [Rect(x: 1, y: 1, width: 4, height: 4), Rect(x: 20, y: 20, width: 4, height: 4)]
      let harness = shown(view, at: Rect(x: 10, y: 20, width: 30, height: 30), scale: scale)
      view.whiteCount = 1
      view.setNeedsDisplay()
      harness.frame()
      #expect(harness.lastDamage.rects == [expected])
      view.setNeedsDisplay()
      harness.frame()
      #expect(harness.lastDamage.isEmpty, "the same drawing damages nothing")
    }
  }

  @Test func `damage stops at the view and at all views around it`() {
    let (outer, inner) = (ProbeView(), MarksView(frame: Rect(x: 10, y: 10, width: 50, height: 50)))
    let harness = shown(outer, at: Rect(x: 80, y: 80, width: 30, height: 30))
    inner.marks = [Rect(x: -100, y: -100, width: 1000, height: 1000)]
    outer.addSubview(inner)
    harness.frame()
    inner.whiteCount = 1
    inner.setNeedsDisplay()
    harness.frame()
    #expect(harness.lastDamage.rects == [PixelRect(x: 90, y: 90, width: 10, height: 10)])
    inner.frame.origin.x = 60
    harness.frame()
    inner.setNeedsDisplay()
    #expect(!harness.root.needsFrame, "nobody sees it")
  }

  @Test func `changes far apart stay apart, and near ones are one rectangle`() {
    let view = MarksView()
    view.marks = (0..<10).map { Rect(x: Double($0) * 30, y: Double($0) * 30, width: 2, height: 20) }
    view.marks.append(Rect(x: 6, y: 0, width: 2, height: 20))
    let harness = shown(view, at: Rect(x: 0, y: 0, width: 300, height: 300), in: Size(width: 300, height: 300))
    view.whiteCount = view.marks.count
    view.setNeedsDisplay()
    harness.frame()
    #expect(harness.lastDamage.area == 9 * 40 + 8 * 20 && harness.lastDamage.rects.count == 10)
  }

  @Test func `a move damages the old place and the new one, a resize too`() {
    let view = ProbeView()
    let harness = shown(view, at: Rect(x: 0, y: 0, width: 10, height: 10))
    view.frame = Rect(x: 50, y: 50, width: 10, height: 10)
    harness.frame()
    #expect(harness.lastDamage.area == 200)
    #expect(harness.lastDamage.contains(x: 5, y: 5) && harness.lastDamage.contains(x: 55, y: 55))
    view.frame = Rect(x: 50, y: 50, width: 20, height: 5)
    harness.frame()
    #expect(harness.lastDamage.area == 150)
    view.frame = view.frame
    #expect(!harness.root.needsFrame)
  }

  @Test func `hidden views, and views in hidden ones, damage nothing`() {
    let (outer, inner) = (ProbeView(), ProbeView(frame: Rect(x: 0, y: 0, width: 5, height: 5)))
    let harness = shown(outer, at: Rect(x: 0, y: 0, width: 20, height: 20))
    outer.addSubview(inner)
    harness.frame()
    outer.isHidden = true
    harness.frame()
    #expect(harness.lastDamage.area == 400)
    inner.setNeedsDisplay()
    inner.frame = Rect(x: 3, y: 3, width: 9, height: 9)
    outer.setNeedsDisplay()
    outer.frame = Rect(x: 30, y: 30, width: 20, height: 20)
    harness.frame()
    #expect(harness.lastDamage.isEmpty)
    outer.isHidden = false
    harness.frame()
    #expect(harness.lastDamage.rects == [PixelRect(x: 30, y: 30, width: 20, height: 20)])
  }

  @Test func `only views in the damage are drawn, and nothing under an opaque one`() {
    let (far, under, over) = (ProbeView(), ProbeView(), StaticProbeView())
    over.isOpaqueGround = true
    let harness = shown(far, at: Rect(x: 0, y: 0, width: 20, height: 20))
    harness.checksDamage = false
    for view in [under, over] {
      view.frame = Rect(x: 40, y: 40, width: 30, height: 30)
      harness.root.addSubview(view)
    }
    harness.frame()
    let before = (far.draws, under.draws, over.draws)
    over.color = .white
    over.setNeedsDisplay()
    harness.frame()
    #expect((far.draws, under.draws, over.draws) == (before.0, before.1, before.2 + 1))
    over.alpha = 0.5
    harness.frame()
    #expect(under.draws == before.1 + 1)
  }

  @Test func `a static drawing is made once per size and scale`() {
    let view = StaticProbeView()
    let harness = shown(view, at: Rect(x: 10, y: 10, width: 30, height: 30))
    #expect(view.staticDraws == 1)
    view.setNeedsDisplay()
    harness.frame()
    view.frame = Rect(x: 12, y: 12, width: 30, height: 30)
    harness.frame()
    #expect(view.staticDraws == 1)
    view.frame = Rect(x: 12.5, y: 12, width: 30, height: 30)
    harness.frame()
    #expect(view.staticDraws == 2, "another place within a pixel is another picture")
    view.frame = Rect(x: 12, y: 12, width: 31, height: 30)
    harness.frame()
    #expect(view.staticDraws == 3)
    harness.resize(to: Size(width: 100, height: 100), scale: Scale(2))
    #expect(view.staticDraws == 4)
    view.setNeedsStaticDisplay()
    harness.frame()
    #expect(view.staticDraws == 5)
  }

  @Test func `nothing to do means no frame and no wake-up`() {
    let view = ProbeView()
    let harness = shown(view, at: Rect(x: 0, y: 0, width: 10, height: 10))
    #expect(!harness.root.needsFrame)
    view.setNeedsDisplay()
    view.setNeedsDisplay()
    view.setNeedsLayout()
    #expect(harness.root.needsFrame)
    #expect(harness.advance(by: .seconds(1)) == 1, "three wishes, one frame")
    #expect(!harness.root.needsFrame)
    #expect(harness.advance(by: .seconds(1)) == 0)
  }

  @Test(arguments: 0..<60) func `whatever changes, repairing equals repainting`(seed: Int) {
    var random = Random(seed)
    let scales = [Scale.one, Scale(1.5), Scale(2), Scale(1.25)]
    let harness = ControlHarness(size: Size(width: 90, height: 70), scale: scales[random.below(4)])
    var views: [ProbeView] = []
    func frame() -> Rect {
      let isWhole = random.below(2) == 0
      func number(_ low: Double, _ high: Double) -> Double {
        isWhole ? random.number(low, high).rounded() : random.number(low, high)
      }
      return Rect(x: number(-20, 80), y: number(-20, 60), width: number(0, 60), height: number(0, 60))
    }
    for _ in 0..<40 {
      switch random.below(9) {
      case 0, 1:
        let view = [ProbeView(frame: frame()), StaticProbeView(frame: frame()), ScribbleView(frame: frame())][
          random.below(3)]
        (view as? StaticProbeView)?.isOpaqueGround = random.below(2) == 0
        view.color = random.color()
        if random.below(3) == 0 { view.backgroundColor = random.color() }
        let parent = views.isEmpty || random.below(2) == 0 ? harness.root : views[random.below(views.count)]
        parent.insertSubview(view, at: random.below(4))
        views.append(view)
      case _ where views.isEmpty: continue
      case 2: views[random.below(views.count)].frame = frame()
      case 3: views[random.below(views.count)].isHidden.toggle()
      case 4: views[random.below(views.count)].alpha = [0, 0.3, 0.8, 1][random.below(4)]
      case 5:
        let view = views[random.below(views.count)]
        view.color = random.color()
        (view as? ScribbleView)?.scribble(&random)
        view.setNeedsDisplay()
      case 6: harness.root.bringSubviewToFront(views[random.below(views.count)])
      case 7: views.remove(at: random.below(views.count)).removeFromSuperview()
      default: views[random.below(views.count)].setNeedsStaticDisplay()
      }
      if random.below(2) == 0 { harness.frame() }
    }
    harness.frame()
  }

  @Test
  func `a change that lays a view out damages what comes out otherwise, and all of it where it has a static drawing`() {
    let label = Label()
    label.text = "7"
    let harness = shown(label, at: Rect(x: 0, y: 0, width: 100, height: 100))
    label.text = "8"
    harness.frame()
    #expect(harness.lastDamage.area > 0 && harness.lastDamage.area < 400)
    let view = StaticProbeView()
    let other = shown(view, at: Rect(x: 0, y: 0, width: 50, height: 50))
    view.setNeedsStaticDisplay()
    other.frame()
    #expect(other.lastDamage.area == 2500 && view.staticDraws > 1)
  }
}

/// Fills rectangles, the first of them in white.
private final class MarksView: View {
  var marks: [Rect] = []
  var whiteCount = 0

  override func draw(_ canvas: Canvas) {
    for (index, mark) in marks.enumerated() {
      canvas.fill(mark, index < whiteCount ? .white : Color(hex: 0x336699))
    }
  }
}

/// Draws anything: overlapping, translucent, beyond its bounds; kept or directly.
private final class ScribbleView: ProbeView {
  private var shapes: [Scribble] = []
  private var isDirect = true

  override var drawsPlainFills: Bool { isDirect }

  func scribble(_ random: inout Random) {
    shapes = (0..<random.below(4)).map { _ in Scribble(&random, extent: 60) }
    isDirect = random.below(4) > 0
  }

  override func draw(_ canvas: Canvas) {
    for shape in shapes { shape.draw(canvas) }
  }
}
