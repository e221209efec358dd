import Glyphs
import TestSupport
import Testing

@testable import Witnessing

/// Tests of the reader on pictures that this file paints point by point, with no code of the renderer nor of the reader.
@Suite struct ReaderTests {
  /// A picture of one text, in which 256 points decide each pixel.
  private struct Picture {
    var pixels: [UInt32]
    let cell: Cell
    var shape: FrameShape { FrameShape(width: width, height: height, stride: width) }
    let width, height: Int

    init(
      _ text: String, size: Double, weight: Int = 600, ground: UInt32 = 0x141a22, ink: UInt32 = 0xf2f5f8,
      offBy: Int = 0,
      lamp: (color: UInt32, around: UInt32, edge: UInt32)? = nil
    ) throws {
      (width, height) = (Int(size * 6) + 24, Int(size * 2.1))
      let line = try #require(GlyphLine(text, weight: weight))
      let box = try #require(line.ink)
      let middle = (x: Double(width) / 2 + 0.3, y: Double(height) / 2 + 0.2)
      let left = ((middle.x - (box.upper.x + box.lower.x) / 2 * size) * 4).rounded() / 4
      let baseline = (middle.y + GlyphLine.capitalHeight / 2 * size).rounded() + Double(offBy)
      let inset = lamp == nil ? 0 : Int(size)
      var cell = Cell(
        .state, text, x: middle.x, y: middle.y, size: size, weight: weight,
        area: PixelArea(x: inset, y: Int(size * 0.55), width: width - 2 * inset, height: height - 2 * Int(size * 0.55)))
      if lamp != nil {
        cell.lamp = PixelArea(x: 0, y: 0, width: width, height: height)
        cell.isLit = true
      }
      self.cell = cell
      pixels = Array(repeating: ground, count: width * height)
      let crossings = (0..<16 * height).map {
        Self.crossings(at: ((Double($0) + 0.5) / 16 - baseline) / size, line.polygons)
      }
      for y in 0..<height {
        for x in 0..<width {
          if let lamp {
            let radius = Double(height) / 2
            let near = min(max(Double(x) + 0.5, radius), Double(width) - radius)
            let (dx, dy) = (Double(x) + 0.5 - near, Double(y) + 0.5 - radius)
            let distance = (dx * dx + dy * dy).squareRoot()
            pixels[y * width + x] = distance > radius ? lamp.around : distance > radius - 1.5 ? lamp.edge : lamp.color
          }
          guard Double(x) + 1 > left + box.upper.x * size, Double(x) < left + box.lower.x * size else { continue }
          var hits = 0.0
          for sample in 0..<16 {
            let ends = crossings[16 * y + sample]
            guard !ends.isEmpty else { continue }
            for part in 0..<16 {
              let across = (Double(x) + (Double(part) + 0.5) / 16 - left) / size
              if ends.reduce(0, { $1.x > across ? $0 + $1.sign : $0 }) != 0 { hits += 1 }
            }
          }
          if hits > 0 { pixels[y * width + x] = Self.mix(pixels[y * width + x], ink, hits / 256) }
        }
      }
    }

    static func mix(_ a: UInt32, _ b: UInt32, _ part: Double) -> UInt32 {
      [0, 8, 16].reduce(UInt32(0)) { result, shift in
        let (low, high) = (Double(a >> UInt32(shift) & 0xff), Double(b >> UInt32(shift) & 0xff))
        return result | UInt32((low + (high - low) * part).rounded()) << UInt32(shift)
      }
    }

    /// Where the sides of `polygons` cross a height, and which way they run there.
    static func crossings(at y: Double, _ polygons: [[GlyphPoint]]) -> [(x: Double, sign: Int)] {
      var found: [(x: Double, sign: Int)] = []
      for polygon in polygons {
        var last = polygon[polygon.count - 1]
        for next in polygon {
          if (last.y <= y) != (next.y <= y) {
            found.append((last.x + (y - last.y) / (next.y - last.y) * (next.x - last.x), last.y < next.y ? 1 : -1))
          }
          last = next
        }
      }
      return found
    }

    func read() -> Reading {
      var reader = Reader()
      return reader.read(cell, in: pixels.span, shape)
    }
  }

  private static let gears = ["R", "N"] + (1...12).map(String.init)
  private static let words = [
    "READY", "DRIVING", "STOPPED", "NO LINK", "TAKEN", "BRAKE", "就绪", "行驶", "已停止", "无连接", "被占用", "制动",
  ]

  @Test(arguments: [12.0, 15, 23]) func `every text is recognised as itself and as no other`(size: Double) throws {
    for (texts, weight) in [
      (Self.gears, 700), (Self.words, 600), (["--", "0", "7", "38", "83", "88", "103", "108"], 600),
    ] {
      for text in texts {
        var picture = try Picture(text, size: size, weight: weight)
        #expect(picture.read() == .right, "\(text) of \(size)")
        for other in texts where other != text {
          var cell = picture.cell
          (cell.text, cell.others) = (other, texts)
          var reader = Reader()
          #expect(reader.read(cell, in: picture.pixels.span, picture.shape) == .other(text), "\(text) for \(other)")
        }
        picture = try Picture(text, size: size, weight: weight, offBy: 1)
        #expect(picture.read() != .right, "\(text), a row too low")
      }
    }
  }

  @Test func `a large letter is read in every row in turn, and a shift of one row is seen`() throws {
    for text in ["N", "8"] {
      let picture = try Picture(text, size: 120, weight: 700)
      var reader = Reader()
      for _ in 0..<8 { #expect(reader.read(picture.cell, in: picture.pixels.span, picture.shape) == .right) }
      for shift in [-1, 1] { #expect(try Picture(text, size: 120, weight: 700, offBy: shift).read() != .right) }
    }
  }

  @Test func `of texts that are gone little is kept, and the texts of the last frames stay`() throws {
    var reader = Reader()
    let letter = try Picture("7", size: 24)
    var digits = letter.cell
    digits.size = 20
    let one = letter.cell.area.width * letter.cell.area.height
    for speed in 0...199 {
      digits.text = "\(speed)"
      #expect(reader.read(letter.cell, in: letter.pixels.span, letter.shape) == .right)
      _ = reader.read(digits, in: letter.pixels.span, letter.shape)
      #expect(reader.keptBytes <= Reader.mostBytes, "at \(speed)")
      #expect(reader.keptBytes >= one, "the letter that each frame has")
    }
  }

  @Test func `colours do not matter, contrast does`() throws {
    for (ground, ink) in [(0xffffff, 0x10161d), (0xff5247, 0x0a0e14), (0x14703a, 0xffffff), (0, 0x808080)]
      as [(UInt32, UInt32)]
    {
      #expect(try Picture("DRIVING", size: 14, ground: ground, ink: ink).read() == .right)
    }
    for (ground, ink) in [(0x141a22, 0x141a22), (0x141a22, 0x3a4450), (0xffffff, 0xb0b0b0)] as [(UInt32, UInt32)] {
      #expect(try Picture("DRIVING", size: 14, ground: ground, ink: ink).read() == .unreadable)
    }
  }

  @Test func `a lamp is lit if it is filled`() throws {
    let lit = try Picture("BRAKE", size: 14, ink: 0x0a0e14, lamp: (0xff5247, 0x10151c, 0xff5247))
    #expect(lit.read() == .right)
    let unlit = try Picture("BRAKE", size: 14, ink: 0x93a1b3, lamp: (0x10151c, 0x10151c, 0x768394))
    #expect(unlit.read() == .otherLight)
    var cell = unlit.cell
    cell.isLit = false
    var reader = Reader()
    #expect(reader.read(cell, in: unlit.pixels.span, unlit.shape) == .right)
    #expect(reader.read(cell, in: lit.pixels.span, lit.shape) == .otherLight)
    // Neither on nor off.
    // On a bright background, such as a photograph, it is still unlit; without its outline it cannot be told.
    let onBright = try Picture("BRAKE", size: 14, ink: 0x93a1b3, lamp: (0x10151c, 0xd0d8e0, 0x768394))
    #expect(reader.read(cell, in: onBright.pixels.span, onBright.shape) == .right)
    let bare = try Picture("BRAKE", size: 14, ink: 0x93a1b3, lamp: (0x10151c, 0x10151c, 0x10151c))
    #expect(reader.read(cell, in: bare.pixels.span, bare.shape) == .unreadable)
    let dim = try Picture("BRAKE", size: 14, ink: 0xffffff, lamp: (0x2a323c, 0x10151c, 0x2a323c))
    #expect(dim.read() == .unreadable)
  }

  @Test func `what is covered, turned, in bytes of another order or nothing is not right`() throws {
    let whole = try Picture("STOPPED", size: 18)
    #expect(whole.read() == .right)
    var broken = whole
    for y in 0..<whole.height {
      for x in whole.width / 2 - 9..<whole.width / 2 + 9 { broken.pixels[y * whole.width + x] = 0x141a22 }
    }
    #expect(broken.read() != .right)
    broken.pixels = whole.pixels.reversed()
    #expect(broken.read() != .right)
    broken.pixels = Array(repeating: 0xff14_1a22, count: whole.pixels.count)
    #expect(broken.read() == .unreadable)
    broken.pixels = Array(whole.pixels.dropFirst(whole.width)) + Array(repeating: 0x141a22, count: whole.width)
    #expect(broken.read() != .right)
    var generator = Random(7)
    broken.pixels = whole.pixels.map { $0 ^ (generator.below(3) == 0 ? 0x0040_4040 : 0) }
    #expect(broken.read() != .right)
    var cell = whole.cell
    cell.size *= 1.04
    var reader = Reader()
    #expect(reader.read(cell, in: whole.pixels.span, whole.shape) != .right)
  }

  @Test func `places beyond the picture, and shapes beyond the memory, are unreadable`() throws {
    let picture = try Picture("N", size: 20)
    var reader = Reader()
    for area in [
      PixelArea(x: -1, y: 0, width: 20, height: 20), PixelArea(x: 0, y: 0, width: picture.width + 1, height: 20),
      PixelArea(x: Int.max, y: 0, width: 20, height: 20), PixelArea(x: 0, y: 0, width: 0, height: 0),
      PixelArea(x: 0, y: 0, width: Int.max, height: 20),
    ] {
      var cell = picture.cell
      cell.area = area
      #expect(reader.read(cell, in: picture.pixels.span, picture.shape) == .unreadable)
    }
    for shape in [
      FrameShape(width: picture.width, height: picture.height + 1, stride: picture.width),
      FrameShape(width: picture.width, height: picture.height, stride: Int.max),
      FrameShape(width: picture.width, height: picture.height, stride: picture.width, offset: 1),
      FrameShape(width: picture.width, height: picture.height, stride: picture.width, offset: Int.max),
      FrameShape(width: 0, height: 0, stride: 0), FrameShape(width: picture.width, height: -1, stride: picture.width),
    ] {
      #expect(!shape.fits(picture.pixels.count))
      #expect(reader.read(picture.cell, in: picture.pixels.span, shape) == .unreadable)
    }
    var cell = picture.cell
    for size in [Double.nan, .infinity, -1, 0] {
      cell.size = size
      #expect(reader.read(cell, in: picture.pixels.span, picture.shape) == .unreadable)
    }
  }
}
