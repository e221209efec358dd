import Glibc
import JSON
import PNGFiles
import TestSupport
import Testing

/// A film as a reader sees it that knows the specification alone (read_film.py): pictures, times, and what bounds it.
@Suite struct PNGFilmTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A picture of one colour, 0xRRGGBB, with other pixels at places.
  private struct Picture {
    let size: PixelSize
    var pixels: [UInt32]

    init(_ width: Int, _ height: Int, _ color: UInt32, _ others: [(x: Int, y: Int, color: UInt32)] = []) {
      size = PixelSize(width: width, height: height)
      pixels = [UInt32](repeating: color, count: size.area)
      for other in others { pixels[other.y * width + other.x] = other.color }
    }

    /// What a reader prints of it on a canvas: grey where it is not.
    func rows(on canvas: PixelSize) -> [String] {
      (0..<canvas.height).map { y in
        (0..<canvas.width).map { x in
          let pixel = x < size.width && y < size.height ? pixels[y * size.width + x] & 0xffffff : 0x808080
          let digits = String(pixel, radix: 16)
          return String(repeating: "0", count: 6 - digits.count) + digits + "ff"
        }.joined(separator: " ")
      }
    }
  }

  private func film(_ pictures: [(Picture, Int)], _ limits: PNGFilm.Limits = PNGFilm.Limits()) -> PNGFilm {
    var film = PNGFilm(limits)
    for (picture, milliseconds) in pictures {
      film.add(picture.pixels, picture.size, at: MonotonicTime(milliseconds: 10_000 + UInt32(milliseconds)))
    }
    return film
  }

  private func read(_ film: PNGFilm) throws -> JSONValue {
    let path = "\(folder.path)/film.png"
    #expect(PNGWriter.write(film.file(), to: path))
    let said = try SeenFile.film.read(path)
    // What knows no animations reads it too.
    #expect(throws: Never.self) { try PNG.read(contentsOf: path) { #expect($0.size == film.canvas) } }
    return said
  }

  private func delays(_ film: JSONValue) -> [Int] { film["delays"]?.items?.compactMap(\.whole) ?? [] }

  @Test func `each frame shows its picture on one canvas of the largest size`() throws {
    let pictures = [
      Picture(4, 3, 0x102030), Picture(4, 3, 0x102030, [(1, 1, 0xffffff), (2, 2, 0xff0000)]), Picture(6, 2, 0x102030),
      Picture(2, 5, 0x000000), Picture(2, 5, 0xff_ffff),
    ]
    let film = film(pictures.enumerated().map { ($0.element, $0.offset * 40) })
    let said = try read(film)
    #expect(said["canvas"]?.numbers(2) == [6, 5])
    let frames = said["frames"]?.items?.map { $0.items?.compactMap(\.text) ?? [] }
    #expect(frames == pictures.map { $0.rows(on: PixelSize(width: 6, height: 5)) })
    #expect(said["rects"]?.items?[1].items?.compactMap(\.whole) == [1, 1, 2, 2])
    #expect(delays(said) == [40, 40, 40, 40, 1000])
  }

  @Test func `a picture that changes nothing is no frame, and one that stays long stands a second`() throws {
    let (one, two) = (Picture(3, 3, 0x112233), Picture(3, 3, 0x112233, [(0, 0, 0xabcdef)]))
    let said = try read(film([(one, 0), (one, 20), (two, 30), (two, 40), (one, 90_000), (two, 90_100)]))
    #expect(delays(said) == [30, 1000, 100, 1000])
  }

  @Test func `refreshes of a sixtieth of a second do not drift, and no frame is too short to be shown`() throws {
    var film = PNGFilm()
    for refresh in 0..<7 {
      let picture = Picture(2, 2, UInt32(refresh) * 30)
      film.add(
        picture.pixels, picture.size, at: MonotonicTime(nanoseconds: 10_000_000_000 + Int64(refresh) * 16_666_667))
    }
    #expect(delays(try read(film)).dropLast().reduce(0, +) == 100)
    let storm = try read(self.film([(Picture(2, 2, 1), 0), (Picture(2, 2, 2), 0), (Picture(2, 2, 3), 4)]))
    #expect(delays(storm) == [16, 16, 1000])
  }

  @Test func `an empty picture is a grey canvas, and a film does not begin with one`() throws {
    let (empty, red) = (Picture(0, 0, 0), Picture(2, 1, 0xff0000))
    #expect(film([(empty, 0)]).file() == nil)
    let said = try read(film([(empty, 0), (red, 10), (empty, 40)]))
    #expect(said["frames"]?.items?.compactMap { $0.items?.first?.text } == ["ff0000ff ff0000ff", "808080ff 808080ff"])
  }

  @Test func `a film that reaches a limit says when, and ends with the last picture`() throws {
    let pictures = (0..<10).map { (Picture(4, 4, UInt32($0) * 20), $0 * 50) }
    var limits = PNGFilm.Limits()
    limits.frames = 3
    let film = film(pictures, limits)
    #expect(film.frameCount == 3 && film.end == MonotonicTime(milliseconds: 10_150))
    let said = try read(film)
    #expect(delays(said) == [50, 50, 50, 1000])
    #expect(said["frames"]?.items?.last?.items?.compactMap(\.text) == pictures[9].0.rows(on: film.canvas))
    #expect(self.film(pictures).end == nil)

    limits = PNGFilm.Limits()
    limits.bytes = 60
    let small = self.film(pictures, limits)
    #expect(small.frameCount < 10 && small.end != nil)
    #expect(try read(small)["frames"]?.items?.last?.items?.compactMap(\.text) == pictures[9].0.rows(on: small.canvas))
  }
}
