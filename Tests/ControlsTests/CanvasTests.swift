import ControlHarness
import Controls
import TestSupport
import Testing

/// Tests of drawing: exactness under clips, shapes, gradients, pictures.
@MainActor @Suite(.serialized) struct CanvasTests {
  @Test(arguments: 0..<200) func `a part drawn through a clip equals the whole, byte for byte`(seed: Int) {
    var random = Random(seed)
    let shapes = (0..<6).map { _ in Scribble(&random, extent: 120) }
    let size = PixelSize(width: 120, height: 120)
    var whole = Snapshot(garbage: size)
    whole.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.fill(.black)
        for shape in shapes { shape.draw(canvas) }
      }
    }
    var region = Region()
    for _ in 0..<(1 + random.below(6)) {
      region.add(
        PixelRect(x: random.below(100), y: random.below(100), width: 1 + random.below(40), height: 1 + random.below(40))
      )
    }
    region.clip(to: PixelRect(size))
    let garbage = Snapshot(garbage: size, seed: 9)
    var part = garbage
    part.withBuffer { buffer in
      Canvas.draw(into: buffer, region: region) { canvas in
        canvas.fill(.black)
        for shape in shapes { shape.draw(canvas) }
      }
    }
    var expected = garbage
    for y in 0..<120 {
      for x in 0..<120 where region.contains(x: x, y: y) { expected.pixels[y * 120 + x] = whole[x, y] }
    }
    #expect(part == expected, "seed \(seed)")
  }

  @Test func `a path covers exactly its area`() {
    var snapshot = Snapshot(garbage: PixelSize(width: 100, height: 100))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.fill(.black)
        canvas.fill(Path(circleAt: Point(x: 50.3, y: 49.6), radius: 40), .white)
      }
    }
    let area = snapshot.pixels.reduce(0.0) { $0 + Double($1 & 255) / 255 }
    #expect(abs(area - .pi * 1600) < 5, "\(area)")
  }

  @Test(arguments: [-4, 0, 3, 9, 500.0]) func `a rectangle with round corners is its path`(radius: Double) {
    let rect = Rect(x: 5.3, y: 7.8, width: 60, height: 31.4)
    let path = Path(roundedRect: rect, cornerRadius: radius)
    let gradient = Gradient.linear(from: Point(x: 0, y: 8), to: Point(x: 0, y: 39), .white, Color(hex: 0x204060))
    func drawn(_ body: @escaping (Canvas) -> Void) -> Snapshot {
      var snapshot = Snapshot(garbage: PixelSize(width: 80, height: 50))
      snapshot.withBuffer { buffer in
        Canvas.draw(into: buffer) { canvas in
          canvas.fill(.black)
          canvas.rotate(0.1)
          body(canvas)
        }
      }
      return snapshot
    }
    #expect(
      drawn { $0.fill(roundedRect: rect, cornerRadius: radius, .white) } == drawn { $0.fill(path, .white) })
    #expect(
      drawn { $0.fill(roundedRect: rect, cornerRadius: radius, gradient) } == drawn { $0.fill(path, gradient) })
    // A line along it is filled exactly, where cairo samples fifteen lines of each row.
    let ring = drawn { $0.stroke(roundedRect: rect, cornerRadius: radius, .white, width: 2) }
    let line = drawn { $0.stroke(path, .white, width: 2) }
    let strays = zip(ring.pixels, line.pixels).map { abs(Int($0 & 255) - Int($1 & 255)) }
    #expect((strays.max() ?? 0) <= 20, "\(strays.max() ?? 0)")
  }

  /// Also a line whose two edges lie in one pixel.
  @Test(arguments: [0.3, 1, 3], [1, 0.4]) func `a line along a circle is as wide as it should be`(
    width: Double, alpha: Double
  ) {
    var snapshot = Snapshot(garbage: PixelSize(width: 100, height: 100))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.fill(.black)
        canvas.stroke(circleAt: Point(x: 50.3, y: 49.6), radius: 40, Color(white: 1, alpha: alpha), width: width)
      }
    }
    let area = snapshot.pixels.reduce(0.0) { $0 + Double($1 & 255) / 255 }
    #expect(abs(area / (2 * .pi * 40 * width * alpha) - 1) < 0.03, "\(area)")
  }

  @Test func `half covered pixels are half lit`() {
    var snapshot = Snapshot(garbage: PixelSize(width: 4, height: 4))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.fill(.black)
        canvas.fill(Rect(x: 0.5, y: 1, width: 2, height: 1.5), .white)
      }
    }
    #expect([0, 1, 2, 3].map { snapshot[$0, 1] & 255 } == [128, 255, 128, 0])
    #expect([0, 1, 2, 3].map { snapshot[$0, 2] & 255 } == [64, 128, 64, 0])
    #expect([0, 1, 2, 3].map { snapshot[$0, 0] & 255 } == [0, 0, 0, 0])
  }

  @Test func `strokes have their width, caps and dashes`() {
    func area(_ path: Path, _ style: StrokeStyle) -> Double {
      var snapshot = Snapshot(garbage: PixelSize(width: 100, height: 100))
      snapshot.withBuffer { buffer in
        Canvas.draw(into: buffer) { canvas in
          canvas.fill(.black)
          canvas.stroke(path, .white, style)
        }
      }
      return snapshot.pixels.reduce(0.0) { $0 + Double($1 & 255) / 255 }
    }
    let line = Path(from: Point(x: 20, y: 50), to: Point(x: 80, y: 50))
    #expect(abs(area(line, StrokeStyle(width: 4)) - 240) < 0.5)
    #expect(abs(area(line, StrokeStyle(width: 4, cap: .square)) - 256) < 0.5)
    #expect(abs(area(line, StrokeStyle(width: 4, cap: .round)) - 240 - .pi * 4) < 0.5)
    #expect(abs(area(line, StrokeStyle(width: 4, dash: [5, 5])) - 120) < 0.5)
    #expect(abs(area(line, StrokeStyle(width: 4, dash: [0, 0])) - 240) < 0.5)
    let square = Path(rect: Rect(x: 20, y: 20, width: 60, height: 60))
    #expect(abs(area(square, StrokeStyle(width: 4)) - 64 * 64 + 56 * 56) < 0.5)
    #expect(abs(area(square, StrokeStyle(width: 4, join: .bevel)) - (64 * 64 - 56 * 56 - 4 * 2)) < 0.5)
    let circle = Path(circleAt: Point(x: 50, y: 50), radius: 30)
    #expect(abs(area(circle, StrokeStyle(width: 10)) - .pi * (35 * 35 - 25 * 25)) < 6)
    #expect(area(line, StrokeStyle(width: -1)) == 0)
    #expect(area(line, StrokeStyle(width: .nan)) == 0)
  }

  @Test func `inside a hole of an even-odd path nothing is drawn`() {
    var path = Path(circleAt: Point(x: 10, y: 10), radius: 9)
    path.addCircle(center: Point(x: 10, y: 10), radius: 4)
    for (rule, expected) in [(FillRule.evenOdd, UInt32(0xff00_0000)), (.nonZero, 0xffff_ffff)] {
      var snapshot = Snapshot(garbage: PixelSize(width: 20, height: 20))
      snapshot.withBuffer { buffer in
        Canvas.draw(into: buffer) { canvas in
          canvas.fill(.black)
          canvas.fill(path, .white, rule: rule)
        }
      }
      #expect(snapshot[10, 10] == expected)
      #expect(snapshot[10, 3] == 0xffff_ffff)
    }
  }

  @Test func `numbers that are none draw nothing and trap nowhere`() {
    var snapshot = Snapshot(garbage: PixelSize(width: 20, height: 20))
    let before = snapshot
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.fill(Rect(x: .nan, y: 0, width: 10, height: 10), .white)
        canvas.fill(Path(from: .zero, to: Point(x: .infinity, y: 3)), .white)
        canvas.stroke(Path(from: .zero, to: Point(x: 5, y: .nan)), .white, width: 3)
        canvas.saved {
          canvas.scale(x: .nan, y: 1)
          canvas.fill(Path(circleAt: .zero, radius: 5), .white)
          canvas.fill(Rect(x: 0, y: 0, width: 5, height: 5), .white)
        }
        canvas.fill(Path(circleAt: Point(x: 1e9, y: -1e12), radius: 5), .white)
      }
    }
    #expect(snapshot == before)
  }

  @Test func `an opaque gradient leaves no pixel transparent and runs from colour to colour`() {
    var snapshot = Snapshot(garbage: PixelSize(width: 16, height: 256))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.fill(.linear(from: .zero, to: Point(x: 0, y: 256), .black, .white))
      }
    }
    #expect(snapshot.pixels.allSatisfy { $0 >> 24 == 255 })
    #expect(snapshot[3, 0] & 255 <= 1)
    #expect(snapshot[3, 255] & 255 >= 254)
    for y in 0..<256 {
      let mean = (0..<16).reduce(0.0) { $0 + Double(snapshot[$1, y] & 255) } / 16
      #expect(abs(mean - (Double(y) + 0.5) / 256 * 255) < 1)
    }
  }

  @Test func `a clip to a path lets nothing through outside it`() {
    var snapshot = Snapshot(garbage: PixelSize(width: 40, height: 40))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer) { canvas in
        canvas.fill(.black)
        canvas.saved {
          canvas.clip(to: Path(circleAt: Point(x: 20, y: 20), radius: 10))
          canvas.fill(.white)
          canvas.fill(Rect(x: 0, y: 0, width: 40, height: 20), Color(hex: 0xff0000))
        }
        canvas.fill(Rect(x: 38, y: 38, width: 2, height: 2), .white)
      }
    }
    #expect(snapshot[20, 25] == 0xffff_ffff)
    #expect(snapshot[20, 15] == 0xffff_0000)
    #expect(snapshot[11, 11] == 0xff00_0000)
    #expect(snapshot[39, 39] == 0xffff_ffff)
  }

  @Test func `a picture is copied to whole pixels`() {
    let picture = Picture(size: Size(width: 4, height: 4), scale: Scale(2), isOpaque: true) { canvas in
      canvas.fill(Color(hex: 0x00ff00))
      canvas.fill(Rect(x: 0, y: 0, width: 1, height: 1), .white)
    }
    #expect(picture.pixelSize == PixelSize(width: 8, height: 8))
    var snapshot = Snapshot(garbage: PixelSize(width: 20, height: 20))
    snapshot.withBuffer { buffer in
      Canvas.draw(into: buffer, scale: Scale(2)) { canvas in
        canvas.fill(.black)
        canvas.draw(picture, at: Point(x: 1.1, y: 2))
      }
    }
    #expect(snapshot[1, 4] == 0xff00_0000)
    #expect(snapshot[2, 4] == 0xffff_ffff)
    #expect(snapshot[4, 4] == 0xff00_ff00)
    #expect(snapshot[9, 11] == 0xff00_ff00)
    #expect(snapshot[10, 11] == 0xff00_0000)
  }
}
