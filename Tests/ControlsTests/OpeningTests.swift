import ControlHarness
import Controls
import Testing

/// Views through which what lies below the window is seen. The harness compares each frame with all of it drawn anew.
@MainActor @Suite(.serialized) struct OpeningTests {
  private let opening = Opening(frame: Rect(x: 10, y: 10, width: 40, height: 30))
  private let front = View(frame: Rect(x: 30, y: 5, width: 6, height: 30))

  private func shown(scale: Scale = .one) -> ControlHarness {
    let harness = ControlHarness(size: Size(width: 64, height: 48), scale: scale)
    let back = View(frame: Rect(x: 0, y: 0, width: 64, height: 48))
    back.backgroundColor = .white
    front.backgroundColor = Color(hex: 0x00ff00)
    for view in [back, opening, front] { harness.root.addSubview(view) }
    harness.frame()
    return harness
  }

  private func pixel(_ harness: ControlHarness, _ x: Int, _ y: Int) -> UInt32 {
    harness.shown[x, y]
  }

  @Test(arguments: [Scale.one, Scale(1.5), Scale(2)])
  func `it takes away what is behind it and nothing else`(scale: Scale) {
    let harness = shown(scale: scale)
    #expect(harness.root.isOpaque)
    let factor = scale.factor
    func at(_ x: Double, _ y: Double) -> UInt32 { pixel(harness, Int(x * factor), Int(y * factor)) }
    opening.seeThroughArea = Rect(x: 4, y: 4, width: 30, height: 20)
    harness.frame()
    #expect(at(20, 20) == 0 && at(12, 12) == 0xffff_ffff && at(32, 20) == 0xff00_ff00 && at(50, 38) == 0xffff_ffff)
    #expect(!harness.root.isOpaque)
    opening.seeThroughArea = Rect(x: 20, y: 4, width: 10, height: 10)
    harness.frame()
    #expect(at(20, 20) == 0xffff_ffff && at(38, 20) == 0)
    opening.seeThroughArea = nil
    harness.frame()
    #expect(at(38, 20) == 0xffff_ffff && harness.root.isOpaque)
  }

  @Test func `what it draws itself, and its subviews, lie before what is seen through it`() {
    let harness = shown()
    opening.seeThroughArea = opening.bounds
    opening.backgroundColor = Color.black.withAlpha(0.5)
    let inner = View(frame: Rect(x: 2, y: 2, width: 4, height: 4))
    inner.backgroundColor = Color(hex: 0xff0000)
    opening.addSubview(inner)
    harness.frame()
    #expect(pixel(harness, 14, 14) == 0xffff_0000)
    #expect(pixel(harness, 20, 20) >> 24 == 0x80 && pixel(harness, 20, 20) & 0xff_ffff == 0)
  }

  @Test func `hidden, moved, removed and brought back, it opens where it is`() {
    let harness = shown()
    opening.seeThroughArea = opening.bounds
    harness.frame()
    opening.isHidden = true
    harness.frame()
    #expect(pixel(harness, 20, 20) == 0xffff_ffff && harness.root.isOpaque)
    opening.isHidden = false
    opening.frame.origin.x = 20
    harness.frame()
    #expect(pixel(harness, 15, 20) == 0xffff_ffff && pixel(harness, 55, 20) == 0 && !harness.root.isOpaque)
    opening.removeFromSuperview()
    harness.frame()
    #expect(pixel(harness, 55, 20) == 0xffff_ffff && harness.root.isOpaque)
    harness.root.insertSubview(opening, at: 1)
    harness.frame()
    #expect(pixel(harness, 55, 20) == 0 && !harness.root.isOpaque)
  }

  @Test func `what changes behind it never shows through it`() {
    let harness = shown()
    opening.seeThroughArea = opening.bounds
    harness.frame()
    let back = harness.root.subviews[0]
    for shade in 0..<8 {
      back.backgroundColor = Color(hex: UInt32(shade * 0x101010))
      harness.frame()
      #expect(pixel(harness, 20, 20) == 0)
    }
  }
}
