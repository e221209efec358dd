import ControlHarness
import Controls
import Testing

/// Tests of where pictures of any shape lie in views of any shape, and that they are drawn there.
@MainActor @Suite(.serialized) struct ContentModeTests {
  nonisolated static let table: [(ContentMode, Size, Rect)] = [
    (.scaleToFill, Size(width: 10, height: 40), Rect(x: 5, y: 5, width: 100, height: 50)),
    (.aspectFit, Size(width: 10, height: 10), Rect(x: 30, y: 5, width: 50, height: 50)),
    (.aspectFit, Size(width: 400, height: 10), Rect(x: 5, y: 28.75, width: 100, height: 2.5)),
    (.aspectFit, Size(width: 200, height: 100), Rect(x: 5, y: 5, width: 100, height: 50)),
    (.aspectFill, Size(width: 10, height: 10), Rect(x: 5, y: -20, width: 100, height: 100)),
    (.aspectFill, Size(width: 400, height: 10), Rect(x: -945, y: 5, width: 2000, height: 50)),
    (.aspectFill, Size(width: 50, height: 25), Rect(x: 5, y: 5, width: 100, height: 50)),
    (.center, Size(width: 10, height: 20), Rect(x: 50, y: 20, width: 10, height: 20)),
    (.center, Size(width: 300, height: 20), Rect(x: -95, y: 20, width: 300, height: 20)),
  ]

  @Test(arguments: table) func `each mode has its rectangle`(mode: ContentMode, size: Size, expected: Rect) {
    #expect(mode.rect(for: size, in: Rect(x: 5, y: 5, width: 100, height: 50)) == expected)
  }

  @Test(arguments: ContentMode.allCases) func `what has no extent lies nowhere`(mode: ContentMode) {
    let bounds = Rect(x: 0, y: 0, width: 10, height: 10)
    for size in [
      Size.zero, Size(width: -5, height: 5), Size(width: .nan, height: 5), Size(width: .infinity, height: 1),
    ] {
      #expect(mode.rect(for: size, in: bounds) == .zero)
    }
    #expect(mode.rect(for: Size(width: 5, height: 5), in: .zero) == .zero)
    #expect(mode.rect(for: Size(width: 5, height: 5), in: Rect(x: .nan, y: 0, width: 1, height: 1)) == .zero)
    #expect(mode.rect(for: Size(width: 1e-308, height: 1e308), in: bounds).isFinite)
  }

  private func white(_ width: Double, _ height: Double) -> Picture {
    Picture(size: Size(width: width, height: height), scale: .one) { $0.fill(.white) }
  }

  private func drawn(_ scale: Scale = .one, _ body: (Canvas) -> Void) -> Snapshot {
    var snapshot = Snapshot(garbage: scale.pixelSize(Size(width: 40, height: 30)))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer, scale: scale) { canvas in
        canvas.fill(.black)
        body(canvas)
      }
    }
    return snapshot
  }

  @Test(arguments: [Scale.one, Scale(1.5), Scale(2)])
  func `a stretched picture covers its rectangle evenly to the edges`(
    scale: Scale
  ) {
    let found = drawn(scale) { $0.draw(white(3, 2), in: Rect(x: 4, y: 6, width: 20, height: 14)) }
    let inside = Rect(x: 4 * scale.factor, y: 6 * scale.factor, width: 20 * scale.factor, height: 14 * scale.factor)
    for y in 0..<found.size.height {
      for x in 0..<found.size.width {
        let isInside = inside.contains(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
        #expect(found[x, y] == (isInside ? 0xffff_ffff : 0xff00_0000))
      }
    }
  }

  @Test func `edges between pixels are smooth, tints take the picture's shape, opacity counts`() {
    let half = drawn { $0.draw(white(3, 2), in: Rect(x: 4.5, y: 6, width: 10, height: 10)) }
    #expect((126...129).contains(half[4, 10] & 255))
    let tinted = drawn { $0.draw(white(3, 2), in: Rect(x: 4, y: 6, width: 10, height: 10), tint: Color(hex: 0xff8000)) }
    #expect(tinted[8, 8] == 0xffff_8000)
    let faint = drawn { canvas in
      canvas.multiplyAlpha(0.5)
      canvas.draw(white(3, 2), in: Rect(x: 4, y: 6, width: 10, height: 10))
    }
    #expect((126...129).contains(faint[8, 8] & 255))
  }

  @Test func `a picture that is made smaller keeps its mean`() {
    // Lines one pixel apart: sampling single pixels would give black or white.
    let lines = Picture(size: Size(width: 240, height: 240), scale: .one) { canvas in
      for x in stride(from: 0.0, to: 240, by: 2) { canvas.fill(Rect(x: x, y: 0, width: 1, height: 240), .white) }
      for x in stride(from: 1.0, to: 240, by: 2) { canvas.fill(Rect(x: x, y: 0, width: 1, height: 240), .black) }
    }
    let found = drawn { $0.draw(lines, in: Rect(x: 4, y: 4, width: 24, height: 24)) }
    for x in 6..<26 { #expect((100...156).contains(found[x, 12] & 255), "\(x): \(found[x, 12] & 255)") }
  }

  @Test func `numbers that are none draw nothing`() {
    let nothing = drawn { _ in }
    for rect in [
      Rect(x: .nan, y: 0, width: 5, height: 5), Rect(x: 0, y: 0, width: .infinity, height: 5), .zero,
      Rect(x: 0, y: 0, width: -5, height: 5), Rect(x: 1e9, y: 0, width: 5, height: 5),
    ] {
      #expect(drawn { $0.draw(white(3, 2), in: rect) } == nothing)
    }
    #expect(
      drawn { $0.draw(Picture(size: .zero, scale: .one) { _ in }, in: Rect(x: 0, y: 0, width: 9, height: 9)) }
        == nothing)
  }
}
