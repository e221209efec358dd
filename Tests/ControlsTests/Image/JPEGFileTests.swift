import ControlHarness
import FoundationEssentials
import TestSupport
import Testing

@testable import Controls
@testable import Drawing

/// Tests of reading pictures from JPEG files: every kind that cameras and the web make, and files that lie.
@MainActor @Suite(.serialized) struct JPEGFileTests {
  private let files: TemporaryFolder

  init() throws { files = try TemporaryFolder() }

  private func path(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = files.path + "/" + name
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func reason(_ bytes: [UInt8]) throws -> PictureError.Reason? {
    let path = try path("a.jpg", bytes)
    do throws(PictureError) { _ = try Picture(contentsOf: path) } catch { return error.reason }
    return nil
  }

  /// The pixels of a file.
  private func read(_ bytes: [UInt8]) throws -> Snapshot { pixels(try Picture(contentsOf: path("a.jpg", bytes))) }

  private func pixels(_ picture: Picture) -> Snapshot {
    var snapshot = Snapshot(garbage: picture.pixelSize)
    snapshot.withBuffer { Canvas.draw(into: $0, scale: .one) { $0.draw(picture, at: .zero) } }
    return snapshot
  }

  /// The colours in the middles of the four quarters, by rows, by a letter each; a dot for any other colour.
  private func corners(_ shown: Snapshot) -> String {
    let (x, y) = (shown.size.width / 4, shown.size.height / 4)
    let (right, bottom) = (shown.size.width - 1 - x, shown.size.height - 1 - y)
    return letter(shown[x, y]) + letter(shown[right, y]) + letter(shown[x, bottom]) + letter(shown[right, bottom])
  }

  private func letter(_ pixel: UInt32) -> String {
    let names: [UInt32: String] = [0xff0000: "R", 0x00ff00: "G", 0x0000ff: "B", 0xffffff: "W"]
    func part(_ color: UInt32, _ shift: UInt32) -> Int { Int(color >> shift & 255) }
    for (color, name) in names {
      // The file is no exact copy.
      let isNear = [0, 8, 16].allSatisfy { abs(part(pixel, $0) - part(color, $0)) <= 6 }
      if isNear { return name }
    }
    return "."
  }

  @Test(arguments: JPEGSamples.colors)
  func `every kind of JPEG gives its pixels`(name: String, base64: String) throws {
    let shown = try read(JPEGSamples.bytes(base64))
    #expect(shown.size == PixelSize(width: 24, height: 16))
    #expect(corners(shown) == "RGBW", "\(name)")
    #expect(shown.pixels.allSatisfy { $0 >> 24 == 255 }, "\(name)")
  }

  @Test func `shades of grey and inks give colours, whichever way round the inks are stored`() throws {
    let grey = try read(JPEGSamples.bytes(JPEGSamples.grey))
    #expect(
      [grey[1, 1], grey[22, 1], grey[1, 14], grey[22, 14]] == [0xff4c_4c4c, 0xff96_9696, 0xff1d_1d1d, 0xffff_ffff])
    let inks = JPEGSamples.bytes(JPEGSamples.inks)
    #expect(corners(try read(inks)) == "RGBW")
    // Without Adobe's segment the numbers are the inks themselves: of a full black ink nothing is left.
    let plain = Array(inks[..<2]) + inks[18...]
    #expect(try read(plain).pixels.allSatisfy { $0 == 0xff00_0000 })
  }

  @Test(arguments: Array(zip(1...8, ["RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"])))
  func `a picture lies as its EXIF data say, by each of their eight numbers`(number: Int, expected: String) throws {
    let plain = try read(JPEGSamples.plain)
    let (right, bottom) = (plain.size.width - 1, plain.size.height - 1)
    for isReversed in [false, true] {
      let shown = try read(JPEGSamples.turned(JPEGSamples.plain, UInt8(number), isReversed: isReversed))
      #expect(shown.size == (number < 5 ? plain.size : PixelSize(width: 16, height: 24)))
      #expect(corners(shown) == expected)
      var count = 0
      for y in 0...bottom {
        for x in 0...right {
          // Where the pixel of the file is to be seen.
          let place: (Int, Int) =
            switch number {
            case 1: (x, y)
            case 2: (right - x, y)
            case 3: (right - x, bottom - y)
            case 4: (x, bottom - y)
            case 5: (y, x)
            case 6: (bottom - y, x)
            case 7: (bottom - y, right - x)
            default: (y, right - x)
            }
          if shown[place.0, place.1] == plain[x, y] { count += 1 }
        }
      }
      #expect(count == plain.pixels.count)
    }
  }

  @Test func `a camera's file is turned, and a view shows it so`() throws {
    let view = ImageView()
    view.imageFile = ImageReference(path: try path("camera.jpg", JPEGSamples.bytes(JPEGSamples.camera)))
    #expect(view.sizeThatFits(.zero) == Size(width: 16, height: 24))
    let harness = ControlHarness(view, size: Size(width: 16, height: 24))
    #expect(corners(harness.shown) == "BRWG")
  }

  @Test func `an orientation that is none leaves the picture as it is`() throws {
    let plain = try read(JPEGSamples.plain)
    for number: UInt8 in [0, 9, 255] {
      #expect(try read(JPEGSamples.turned(JPEGSamples.plain, number)) == plain)
    }
    let file = JPEGSamples.turned(JPEGSamples.plain, 6)
    // After the segment's marker, length and name: the order of bytes, 42, the directory's place, its count, type of the entry.
    for (place, byte) in [(12, UInt8(0x4e)), (15, 43), (16, 0xff), (19, 0xff), (23, 0), (25, 9)] as [(Int, UInt8)] {
      var broken = file
      broken[place] = byte
      #expect(try read(broken) == plain, "byte \(place)")
    }
  }

  @Test func `what follows the picture is ignored`() throws {
    #expect(try read(JPEGSamples.plain + Array("a maker's note".utf8)) == read(JPEGSamples.plain))
  }

  // MARK: Bad files

  private var everyKind: [[UInt8]] {
    (JPEGSamples.colors.map(\.base64) + [JPEGSamples.grey, JPEGSamples.inks, JPEGSamples.camera]).map(JPEGSamples.bytes)
  }

  @Test func `a file that is cut off anywhere is damaged`() throws {
    for whole in everyKind {
      for count in 0..<whole.count {
        #expect(
          try reason(Array(whole[..<count])) == (count < 3 ? .unknownFormat : .damaged), "\(count) of \(whole.count)")
      }
    }
  }

  @Test func `files with any byte changed give a picture or an error, never a trap`() throws {
    for whole in everyKind {
      for index in whole.indices {
        for change: UInt8 in [0x01, 0xff] {
          var bytes = whole
          bytes[index] ^= change
          let path = try path("a.jpg", bytes)
          do throws(PictureError) {
            let size = try Picture(contentsOf: path).pixelSize
            #expect(!size.isEmpty && size.area <= 64_000_000)
          } catch {
            #expect(!error.description.isEmpty)
          }
        }
      }
    }
  }

  @Test func `files of noise after a good beginning never trap`() throws {
    let seed = Int.random(in: 0...1_000_000_000)
    var random = Random(seed)
    for _ in 0..<500 {
      var bytes = everyKind[random.below(everyKind.count)]
      for _ in 0...random.below(20) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      if random.below(3) == 0 { bytes += everyKind[random.below(everyKind.count)].dropFirst(random.below(200)) }
      let found = try reason(bytes)
      #expect(found != .noJPEGLibrary && found != .noMemory, "seed \(seed)")
    }
  }

  @Test(arguments: [(0, 5), (5, 0), (40_000, 1), (1, 40_000), (9000, 9000), (65_535, 65_535)])
  func `a file that claims an absurd size is refused before memory is taken`(width: Int, height: Int) throws {
    for file in [JPEGSamples.plain, JPEGSamples.turned(JPEGSamples.plain, 3)] {
      #expect(
        try reason(JPEGSamples.claiming(width, height, in: file))
          == .unusableSize(PixelSize(width: width, height: height)))
    }
  }

  @Test func `a small file of many scans over many pixels is refused at once`() throws {
    let file = JPEGSamples.bytes(JPEGSamples.colors[2].base64)
    let last = try #require(file.indices.dropLast().last { file[$0] == 0xff && file[$0 + 1] == 0xda })
    let scan = Array(file[last..<(file.count - 2)])
    var many = Array(file.dropLast(2))
    for _ in 0..<390 { many += scan }
    many += [0xff, 0xd9]
    guard case .tooManyScans(let count) = try reason(JPEGSamples.claiming(8000, 8000, in: many)) else {
      Issue.record("it was read")
      return
    }
    #expect(count == 400)
  }

  @Test func `kinds that nobody shows give an error of their own`() throws {
    let frame = try #require(JPEGSamples.frame(of: JPEGSamples.plain))
    for (place, byte) in [(1, 0xc3), (1, 0xc9), (4, 12), (9, 2)] as [(Int, UInt8)] {
      var file = JPEGSamples.plain
      file[frame + place] = byte
      #expect(try reason(file) == .unsupportedJPEG)
    }
  }

  // MARK: Limits

  @Test func `one picture and all together have limits, in both formats, and what is released counts no more`() throws {
    defer { Picture.limits = PictureLimits() }
    let jpeg = try path("b.jpg", JPEGSamples.plain)
    var pixels = Snapshot(garbage: PixelSize(width: 24, height: 16))
    let png = files.path + "/b.png"
    #expect(pixels.withBuffer { PNG.write($0, to: png) })
    for path in [jpeg, png] {
      func reason() -> PictureError.Reason? {
        do throws(PictureError) { _ = try Picture(contentsOf: path) } catch { return error.reason }
        return nil
      }
      Picture.limits = PictureLimits(pixels: 24 * 16 - 1)
      #expect(reason() == .unusableSize(PixelSize(width: 24, height: 16)))
      Picture.limits = PictureLimits(pixels: 24 * 16)
      let before = PixelShare.sum
      Picture.limits.sum = before + 24 * 16
      var held: Picture? = try Picture(contentsOf: path)
      #expect(held != nil && reason() == .tooManyPixels(sum: before + 2 * 24 * 16))
      held = nil
      #expect(reason() == nil && PixelShare.sum == before)
    }
  }

  @Test func `the size that a file declares is read from its beginning, however long its data are`() throws {
    #expect(
      PictureFile.declaredSize(contentsOf: try path("a.jpg", JPEGSamples.turned(JPEGSamples.plain, 6)))
        == PixelSize(width: 16, height: 24))
    let filler = JPEGSamples.segment(0xe2, Array(repeating: 7, count: 60_000))
    var long = Array(JPEGSamples.plain[..<2])
    for _ in 0..<3 { long += filler }
    long += JPEGSamples.plain[2...]
    #expect(PictureFile.declaredSize(contentsOf: try path("a.jpg", long)) == PixelSize(width: 24, height: 16))
    #expect(PictureFile.declaredSize(contentsOf: try path("a.jpg", Array(long[..<90_000]))) == nil)
    #expect(PictureFile.declaredSize(contentsOf: try path("a.jpg", [0xff, 0xd8, 0xff])) == nil)
    #expect(PictureFile.declaredSize(contentsOf: "/nowhere/a.jpg") == nil)
    #expect(
      PictureFile.declaredSize(contentsOf: try path("a.jpg", JPEGSamples.claiming(9000, 9000, in: JPEGSamples.plain)))
        == nil)
  }
}
