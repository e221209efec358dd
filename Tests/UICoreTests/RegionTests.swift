import Testing
import UICore

@Suite struct RegionTests {
  @Test func `rectangles never overlap, whatever was added`() {
    var seed: UInt64 = 42
    func next(_ bound: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % bound)
    }
    for _ in 0..<50 {
      var region = Region()
      var cells = Set<Int>()
      for step in 0..<12 {
        let rect = PixelRect(x: next(20), y: next(20), width: next(8), height: next(8))
        let taken = step % 4 == 3
        if taken { region.subtract(rect) } else { region.add(rect) }
        for y in rect.y..<rect.maxY {
          for x in rect.x..<rect.maxX {
            if taken { cells.remove(y * 100 + x) } else { cells.insert(y * 100 + x) }
          }
        }
      }
      #expect(region.area == cells.count)
      for cell in cells { #expect(region.contains(x: cell % 100, y: cell / 100)) }
    }
  }

  @Test func `what lies outside is cut off, and nothing else`() {
    var region = Region()
    for i in 0..<10 { region.add(PixelRect(x: i * 10, y: i * 10, width: 15, height: 5)) }
    let frame = PixelRect(x: 12, y: 12, width: 60, height: 59)
    var clipped = region
    clipped.clip(to: frame)
    for y in 0..<110 {
      for x in 0..<110 {
        let isWanted =
          region.contains(x: x, y: y) && x >= frame.x && x < frame.maxX && y >= frame.y && y < frame.maxY
        #expect(clipped.contains(x: x, y: y) == isWanted)
      }
    }
    #expect(clipped.area < region.area && !clipped.rects.contains(where: \.isEmpty))
    var other = Region(PixelRect(x: 500, y: 500, width: 1, height: 1))
    other.replace(by: clipped)
    #expect(other == clipped)
    other.replace(by: Region())
    #expect(other.isEmpty)
  }

  @Test func `a rectangle is inside when every pixel of it is, in however many pieces`() {
    var region = Region(PixelRect(x: 0, y: 0, width: 10, height: 4))
    region.add(PixelRect(x: 0, y: 4, width: 6, height: 6))
    #expect(region.contains(PixelRect(x: 1, y: 1, width: 5, height: 9)))
    #expect(region.contains(PixelRect(x: 0, y: 0, width: 10, height: 4)))
    #expect(region.contains(PixelRect(x: 50, y: 50, width: 0, height: 3)))
    #expect(!region.contains(PixelRect(x: 1, y: 1, width: 6, height: 9)))
    #expect(!region.contains(PixelRect(x: 20, y: 20, width: 1, height: 1)))
    #expect(!Region().contains(PixelRect(x: 0, y: 0, width: 1, height: 1)))
  }

  @Test func `near rectangles are joined where that adds few pixels, and none is lost or counted twice`() {
    var region = Region()
    region.join(PixelRect(x: 0, y: 0, width: 40, height: 10))
    region.join(PixelRect(x: 2, y: 10, width: 40, height: 10))
    #expect(region.rects == [PixelRect(x: 0, y: 0, width: 42, height: 20)])
    region.join(PixelRect(x: 10, y: 5, width: 4, height: 4))
    #expect(region.rects.count == 1, "what is inside adds nothing")
    region.join(PixelRect(x: 0, y: 100, width: 40, height: 10))
    region.join(PixelRect(x: 60, y: 104, width: 40, height: 10))
    #expect(region.rects.count == 3, "too many pixels lie between")
    // One that overlaps others, and that joins what was apart.
    region.join(PixelRect(x: 38, y: 100, width: 24, height: 14))
    var seed: UInt64 = 5
    func next(_ bound: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % bound)
    }
    var cells: [(Int, Int)] = []
    for _ in 0..<60 {
      let rect = PixelRect(x: next(300), y: next(300), width: 1 + next(60), height: 1 + next(60))
      cells += [(rect.x, rect.y), (rect.maxX - 1, rect.maxY - 1)]
      region.join(rect)
    }
    for (x, y) in cells { #expect(region.contains(x: x, y: y)) }
    for (index, rect) in region.rects.enumerated() {
      #expect(!region.rects[(index + 1)...].contains { $0.intersects(rect) })
    }
  }

  @Test func `the bounds of a region hold what it held, in one rectangle`() {
    var region = Region()
    region.fillBounds()
    #expect(region.isEmpty)
    for rect in [PixelRect(x: 40, y: 8, width: 4, height: 2), PixelRect(x: 3, y: 90, width: 5, height: 7)] {
      region.add(rect)
    }
    region.fillBounds()
    #expect(region.rects == [PixelRect(x: 3, y: 8, width: 41, height: 89)])
  }

  @Test func `past the maximum it joins neighbours, and little else`() {
    var region = Region()
    var exact = 0
    for i in 0...Region.maximumCount {
      let rect = PixelRect(x: i * 4, y: i * 4, width: 12, height: 2)
      region.add(rect)
      exact += rect.area
    }
    #expect(region.rects.count <= Region.maximumCount / 2)
    for i in 0...Region.maximumCount {
      #expect(region.contains(x: i * 4, y: i * 4) && region.contains(x: i * 4 + 11, y: i * 4 + 1))
    }
    #expect(region.area < exact * 4, "the bounds would be \(region.bounds.area)")
    for (index, rect) in region.rects.enumerated() {
      #expect(!region.rects[(index + 1)...].contains { $0.intersects(rect) })
    }
  }

  @Test func `rectangles far apart, more than the maximum, still end up under it`() {
    var region = Region()
    for i in 0..<500 { region.add(PixelRect(x: (i % 25) * 100_000, y: (i / 25) * 100_000, width: 1, height: 1)) }
    #expect(region.rects.count <= Region.maximumCount)
    for i in 0..<500 { #expect(region.contains(x: (i % 25) * 100_000, y: (i / 25) * 100_000)) }
  }
}

@Suite struct ScaleTests {
  @Test(arguments: [(101, 150, 126), (1, 180, 2), (3, 180, 5), (1280, 150, 1600), (-1, 180, -2), (7, 120, 7)])
  func `behaviour 23: sizes round half away from zero`(length: Int, scale: Int, pixels: Int) {
    #expect(Scale(in120ths: scale).pixels(length) == pixels)
  }

  @Test func `a rectangle is covered by whole pixels`() {
    let covered = Scale(1.5).pixelRect(covering: Rect(x: 1, y: 1, width: 1, height: 2))
    #expect(covered == PixelRect(x: 1, y: 1, width: 2, height: 4))
    #expect(Scale.one.pixelRect(covering: Rect(x: 0, y: 0, width: .nan, height: 2)) == .zero)
    #expect(Scale.one.pixelRect(covering: Rect(x: 0, y: 0, width: 1e300, height: 2)).width <= 1_000_000)
  }

  @Test func `absurd factors are clamped`() {
    #expect(Scale(.nan) == .one)
    #expect(Scale(.infinity).in120ths == 12_000)
    #expect(Scale(-3).in120ths == 1)
  }
}
