import ControlHarness
import Controls
import Testing

/// A view that counts what it hears of its direction.
private final class DirectedView: View {
  var heard: [LayoutDirection] = []
  var layouts = 0

  override func layoutDirectionDidChange() { heard.append(effectiveLayoutDirection) }
  override func layoutSubviews() { layouts += 1 }
  override func draw(_ canvas: Canvas) {
    let rect = effectiveLayoutDirection.rect(Rect(x: 0, y: 0, width: 8, height: 8), in: bounds.width)
    canvas.fill(Path(rect: rect), .white)
  }
}

@MainActor @Suite(.serialized) struct LayoutDirectionTests {
  @Test func `a view goes the way of the nearest view around it that has one, at last left to right`() {
    let (root, outer, middle, inner) = (RootView(), DirectedView(), DirectedView(), DirectedView())
    middle.addSubview(inner)
    outer.addSubview(middle)
    #expect(inner.effectiveLayoutDirection == .leftToRight)
    root.layoutDirection = .rightToLeft
    root.addSubview(outer)
    #expect(inner.effectiveLayoutDirection == .rightToLeft && inner.heard == [.rightToLeft])
    middle.layoutDirection = .leftToRight
    #expect(inner.heard == [.rightToLeft, .leftToRight])
    #expect(outer.effectiveLayoutDirection == .rightToLeft)
    root.layoutDirection = .leftToRight
    #expect(outer.heard == [.rightToLeft, .leftToRight])
    #expect(inner.heard == [.rightToLeft, .leftToRight], "one around has a direction of its own")
    middle.layoutDirection = nil
    #expect(inner.heard == [.rightToLeft, .leftToRight], "nothing changed")
    root.layoutDirection = .rightToLeft
    outer.removeFromSuperview()
    #expect(inner.effectiveLayoutDirection == .leftToRight && inner.heard.suffix(2) == [.rightToLeft, .leftToRight])
  }

  @Test func `another direction lays out and draws again`() {
    let harness = ControlHarness(size: Size(width: 40, height: 8))
    let view = DirectedView(frame: Rect(x: 0, y: 0, width: 40, height: 8))
    harness.root.addSubview(view)
    harness.frame()
    #expect(harness.shown[2, 2] == 0xffff_ffff && harness.shown[37, 2] == 0xff00_0000)
    harness.root.layoutDirection = .rightToLeft
    harness.frame()
    #expect(harness.shown[2, 2] == 0xff00_0000 && harness.shown[37, 2] == 0xffff_ffff)
    #expect(view.layouts == 2)
    harness.root.layoutDirection = .rightToLeft
    #expect(!harness.root.needsFrame)
  }

  @Test func `places, points and arrow keys are mirrored from right to left only`() {
    let (ltr, rtl) = (LayoutDirection.leftToRight, LayoutDirection.rightToLeft)
    let rect = Rect(x: 10, y: 5, width: 20, height: 7)
    #expect(ltr.rect(rect, in: 100) == rect)
    #expect(rtl.rect(rect, in: 100) == Rect(x: 70, y: 5, width: 20, height: 7))
    #expect(rtl.rect(rtl.rect(rect, in: 100), in: 100) == rect)
    #expect(rtl.point(Point(x: 10, y: 5), in: 100) == Point(x: 90, y: 5))
    #expect(ltr.point(Point(x: 10, y: 5), in: 100) == Point(x: 10, y: 5))
    for (key, mirrored) in [(Key.left, Key.right), (.right, .left), (.up, .up), (.home, .home)] {
      #expect(rtl.key(key) == mirrored && ltr.key(key) == key)
    }
  }
}
