import ControlHarness
import TestSupport
import Testing
import UICore

@testable import Controls
@testable import Drawing

@MainActor @Suite struct SpanBitmapTests {
  private func pixels(_ bitmap: Bitmap) -> [UInt32] {
    let base = bitmap.base.assumingMemoryBound(to: UInt32.self)
    return (0..<bitmap.size.area).map { base[$0] }
  }

  private func set(_ pixel: UInt32, _ bitmap: Bitmap, _ x: Int, _ y: Int) {
    (bitmap.base + (y * bitmap.stride + x * 4)).assumingMemoryBound(to: UInt32.self).pointee = pixel
  }

  /// Pixels of few colours in stretches of any length, some rows like the one above.
  private func bitmap(_ size: PixelSize, _ random: inout Random, isOpaque: Bool) throws -> Bitmap {
    let bitmap = try #require(Bitmap(size: size))
    let colors = (0..<3).map { _ in random.color().pixel | (isOpaque ? 0xff00_0000 : 0) } + (isOpaque ? [] : [0])
    for y in 0..<size.height {
      if y > 0, random.below(3) == 0 {
        for x in 0..<size.width {
          let above = (bitmap.base + ((y - 1) * bitmap.stride + x * 4)).assumingMemoryBound(to: UInt32.self).pointee
          set(above, bitmap, x, y)
        }
        continue
      }
      var x = 0
      while x < size.width {
        let end = min(x + 1 + random.below(random.below(2) == 0 ? 3 : 30), size.width)
        let color = colors[random.below(colors.count)]
        while x < end {
          set(color, bitmap, x, y)
          x += 1
        }
      }
    }
    return bitmap
  }

  @Test(arguments: 0..<40) func `runs composite the same bytes as all pixels, under any clip and at any place`(
    seed: Int
  ) throws {
    var random = Random(seed)
    let source = try bitmap(PixelSize(width: 61, height: 23), &random, isOpaque: seed % 2 == 0)
    let kept = SpanBitmap(source)
    let size = PixelSize(width: 70, height: 30)
    let (runs, all) = try (#require(Bitmap(size: size)), #require(Bitmap(size: size)))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let under = random.color().pixel
        set(under, runs, x, y)
        set(under, all, x, y)
      }
    }
    let (x, y) = (random.below(9), random.below(7))
    for rect in [PixelRect(x: 0, y: 0, width: 20, height: 23), PixelRect(x: 20, y: 3, width: 41, height: 9)] {
      let rect = rect.moved(x: x, y: y)
      runs.composite(kept, x: x, y: y, over: rect)
      all.composite(source, x: x, y: y, over: rect)
    }
    #expect(pixels(runs) == pixels(all))
  }

  @Test func `a rectangle is opaque if each of its rows is in the longest opaque run of the image's row`() throws {
    let size = PixelSize(width: 20, height: 10)
    let bitmap = try #require(Bitmap(size: size))
    bitmap.set(0xff11_1111, in: PixelRect(x: 2, y: 1, width: 6, height: 7))
    bitmap.set(0xff22_2222, in: PixelRect(x: 8, y: 1, width: 4, height: 7))
    set(0x8011_1111, bitmap, 5, 7)
    let kept = SpanBitmap(bitmap)
    #expect(kept.isOpaque(in: PixelRect(x: 2, y: 1, width: 10, height: 6)), "of two colours")
    #expect(kept.isOpaque(in: PixelRect(x: 6, y: 1, width: 6, height: 7)) && kept.isOpaque(in: .zero))
    for rect in [
      PixelRect(x: 1, y: 1, width: 10, height: 6), PixelRect(x: 2, y: 1, width: 11, height: 6),
      PixelRect(x: 2, y: 0, width: 10, height: 6), PixelRect(x: 2, y: 1, width: 10, height: 7),
      PixelRect(x: 2, y: -1, width: 10, height: 3), PixelRect(x: 2, y: 5, width: 10, height: 9),
    ] {
      #expect(!kept.isOpaque(in: rect), "\(rect)")
    }
  }

  @Test func `a fading sky takes little more than a pixel a row, and nothing clear takes any`() throws {
    let size = PixelSize(width: 400, height: 300)
    let bitmap = try #require(Bitmap(size: size))
    for y in 0..<size.height {
      bitmap.set(0xff00_0000 | UInt32(y / 5), in: PixelRect(x: 0, y: y, width: 400, height: 1))
    }
    #expect(SpanBitmap(bitmap).spans.byteCount < 300 * 8 + 60 * 16 + 64)
    bitmap.set(0, in: bitmap.rect)
    #expect(SpanBitmap(bitmap).spans.byteCount < 300 * 8 + 64)
  }

  @Test func `views below the opaque part of a static drawing are skipped, and every pixel is as before`() {
    final class Disc: View {
      var color = Color.white
      override var hasStaticDrawing: Bool { true }
      override func drawStatic(_ canvas: Canvas) {
        canvas.fill(Path(circleAt: bounds.center, radius: bounds.width / 2), color)
      }
    }
    // The harness compares each frame with one that paints the whole window, of which the disc covers a part.
    for color in [Color.white, Color(red: 1, green: 0, blue: 0, alpha: 0.5)] {
      let harness = ControlHarness(size: Size(width: 100, height: 100))
      let disc = Disc(frame: Rect(x: 10, y: 10, width: 80, height: 80))
      disc.color = color
      let marks = (0..<9).map { View(frame: Rect(x: Double($0 * 11), y: Double($0 * 11), width: 11, height: 11)) }
      for view in marks + [disc] { harness.root.addSubview(view) }
      harness.frame()
      for mark in marks {
        mark.backgroundColor = .black
        harness.frame()
      }
    }
  }

  @Test func `an opaque drawing is the same made in its place and made aside`() {
    final class Sky: View {
      override var hasStaticDrawing: Bool { true }
      override var isStaticDrawingOpaque: Bool { true }
      override func drawStatic(_ canvas: Canvas) {
        canvas.fill(bounds, .linear(from: .zero, to: Point(x: 40, y: 60), .white, .black))
        canvas.fill(Path(circleAt: bounds.center, radius: 17.3), Color(red: 1, green: 0, blue: 0, alpha: 0.5))
      }
    }
    // One fills the window; the other is cut by it.
    let (whole, cut) = (Sky(), Sky())
    let harness = ControlHarness(whole, size: Size(width: 40, height: 60))
    let outer = View(frame: Rect(x: 0, y: 0, width: 30, height: 60))
    cut.frame = Rect(x: 0, y: 0, width: 40, height: 60)
    outer.addSubview(cut)
    let other = ControlHarness(outer, size: Size(width: 30, height: 60))
    for y in 0..<60 { for x in 0..<30 { #expect(harness.shown[x, y] == other.shown[x, y]) } }
  }
}
