import ControlHarness
import Controls
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of reading pictures from files: every kind of PNG, and files that are not PNG.
@MainActor @Suite(.serialized) struct PictureFileTests {
  private let files: TemporaryFolder
  private var folder: String { files.path }

  init() throws { files = try TemporaryFolder() }

  private func path(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder + "/" + name
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func reason(_ path: String) -> PictureError.Reason? {
    do throws(PictureError) { _ = try Picture(contentsOf: path) } catch {
      #expect(error.path == path && error.description.hasPrefix(path + ": "))
      return error.reason
    }
    return nil
  }

  /// A picture of noise, as a PNG file's bytes.
  private func file(width: Int, height: Int) throws -> [UInt8] {
    let snapshot = Snapshot(garbage: PixelSize(width: width, height: height))
    let path = folder + "/noise.png"
    #expect(snapshot.write(to: path))
    return try Array(Data(contentsOf: URL(filePath: path)))
  }

  /// 2 x 2 pixels of each sort: red, green, blue, and half white where there is alpha.
  nonisolated static let sorts = [
    (
      "palette with alpha",
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAMAAABFaP0WAAAADFBMVEX/AAAA/wAAAP/////7AGD2AAAABHRSTlP///+ArZIq1AAAAA5JREFUeNpjYGBkYGIGAAARAAeDymRkAAAAAElFTkSuQmCC",
      [0xffff_0000, 0xff00_ff00, 0xff00_00ff, 0x8080_8080] as [UInt32]
    ),
    (
      "one bit of grey", "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACAQAAAABazTCJAAAADElEQVR42mNoYHAAAAHEAMGmm+a6AAAAAElFTkSuQmCC",
      [0xffff_ffff, 0xff00_0000, 0xff00_0000, 0xffff_ffff]
    ),
    (
      "16 bits of each colour",
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACEAIAAACtREYwAAAAE0lEQVR42mP4/58BDGA0kNEABgBrOQj7tvkCBQAAAABJRU5ErkJggg==",
      [0xffff_0000, 0xff00_ff00, 0xff00_00ff, 0xff80_8080]
    ),
    (
      "interlaced with alpha",
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAAEFsT2yAAAAFElEQVR42mP4z8AARkCC4T8INAAAS0gJeBx5OyQAAAAASUVORK5CYII=",
      [0xffff_0000, 0xff00_ff00, 0xff00_00ff, 0x8080_8080]
    ),
  ]

  @Test(arguments: sorts) func `every sort of PNG gives its pixels`(name: String, base64: String, pixels: [UInt32])
    throws
  {
    let path = try path("sort.png", Array(#require(Data(base64Encoded: base64))))
    let found = try PNG.read(contentsOf: path) { Snapshot($0) }
    #expect(found.pixels == pixels, "\(name)")
    #expect(try Picture(contentsOf: path).pixelSize == PixelSize(width: 2, height: 2))
  }

  /// A chunk of a PNG file.
  private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    let body = Array(type.utf8) + data
    var sum = ~UInt32(0)
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
    }
    return bytes(UInt32(data.count)) + body + bytes(~sum)
  }

  @Test func `a gamma and an orientation in a file change nothing`() throws {
    let file = try file(width: 5, height: 3)
    // After the signature and the header: linear light, and an image that lies on its side.
    let gamma = chunk("gAMA", [0, 1, 0x86, 0xa0])
    let orientation = chunk(
      "eXIf", Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0])
    let plain = try PNG.read(contentsOf: path("plain.png", file)) { Snapshot($0) }
    for (name, added) in [("gamma", gamma), ("orientation", orientation)] {
      let path = try path(name + ".png", Array(file[..<33]) + added + Array(file[33...]))
      #expect(try PNG.read(contentsOf: path) { Snapshot($0) } == plain, "\(name)")
    }
  }

  @Test func `what is no file, or no PNG, gives one error that says so, at once`() throws {
    #expect(reason(folder + "/none.png") == .unreadable(errno: ENOENT))
    #expect(reason("") == .unreadable(errno: ENOENT))
    #expect(reason(folder + "/a\0b") == .unreadable(errno: EINVAL))
    #expect(reason(folder) == .notAFile)
    #expect(reason("/dev/zero") == .notAFile)
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    #expect(reason(folder + "/pipe") == .notAFile)
    #expect(reason(try path("empty", [])) == .unknownFormat)
    #expect(reason(try path("text", Array("a text and nothing else, longer than a header".utf8))) == .unknownFormat)
    #expect(truncate(try path("large", []), 300 << 20) == 0)
    #expect(reason(folder + "/large") == .tooManyBytes)
    let jpeg = try path("a.png", JPEGSamples.plain)
    #expect(throws: PictureError(path: jpeg, reason: .notPNG)) { try PNG.read(contentsOf: jpeg) { _ in } }
  }

  @Test func `a file that is cut off anywhere is damaged`() throws {
    let whole = try file(width: 5, height: 4)
    #expect(reason(try path("whole", whole)) == nil)
    for count in 0..<whole.count {
      let found = reason(try path("cut", Array(whole[..<count])))
      #expect(found == (count < 24 ? .unknownFormat : .damaged), "\(count) of \(whole.count) bytes")
    }
  }

  @Test(arguments: [
    (0, 5), (5, 0), (100_000, 100_000), (40_000, 1), (1, 40_000), (30_000, 30_000), (0xffff_ffff, 0xffff_ffff),
    (0x8000_0000, 1),
  ])
  func `a file that claims an absurd size is refused before memory is taken`(width: Int, height: Int) throws {
    var bytes = try file(width: 3, height: 3)
    for (index, number) in [width, height].enumerated() {
      for byte in 0..<4 { bytes[16 + index * 4 + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
    }
    #expect(reason(try path("absurd", bytes)) == .unusableSize(PixelSize(width: width, height: height)))
  }

  @Test func `files with bytes changed at random never trap`() throws {
    let whole = try file(width: 9, height: 7)
    let seed = Int.random(in: 0...1_000_000_000)
    var random = Random(seed)
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0...random.below(8) {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      if random.below(2) == 0 { bytes.removeLast(random.below(bytes.count)) }
      let path = try path("fuzz", bytes)
      do throws(PictureError) {
        let size = try PNG.read(contentsOf: path) { Snapshot($0).size }
        #expect(size.area <= 64_000_000, "seed \(seed)")
      } catch {
        #expect(!error.description.isEmpty, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [false, true]) func `a written picture is read back the same, whatever its rows`(isOpaque: Bool)
    throws
  {
    var random = Random(7)
    // Noise does not compress: several chunks of data.
    for size in [PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 300), PixelSize(width: 301, height: 203)] {
      var picture = Snapshot(garbage: size)
      for index in picture.pixels.indices {
        let alpha = isOpaque ? 255 : [0, 1, 127, 254, 255][random.below(5)]
        let parts = (0..<3).map { _ in UInt32(random.below(alpha + 1)) }
        picture.pixels[index] = UInt32(alpha) << 24 | parts[0] << 16 | parts[1] << 8 | parts[2]
      }
      let path = try path("written", [])
      #expect(picture.withBuffer { PNG.write($0, to: path, isOpaque: isOpaque) })
      #expect(try PNG.read(contentsOf: path) { Snapshot($0) } == picture)
    }
  }

  @Test func `a picture that cannot be written says so`() {
    var picture = Snapshot(garbage: PixelSize(width: 200, height: 200))
    #expect(!picture.withBuffer { PNG.write($0, to: "/nowhere/a.png") })
    #expect(!picture.withBuffer { PNG.write($0, to: "/dev/full") })
  }
}
