import ControlHarness
import Controls
import Glibc
import Testing

/// Tests of moving pictures: the file's chunks, read back by hand, show every frame again.
@MainActor @Suite struct PNGAnimationTests {
  private static let size = PixelSize(width: 8, height: 6)

  /// A grey picture with a white pixel at each of `places`.
  private func picture(_ places: (Int, Int)...) -> Snapshot {
    var picture = Snapshot(size: Self.size)
    for index in picture.pixels.indices { picture.pixels[index] = 0xff40_4040 }
    for (x, y) in places { picture.pixels[y * Self.size.width + x] = 0xffff_ffff }
    return picture
  }

  /// The chunks of the file that `frames` make.
  private func chunks(_ frames: [(Snapshot, Int)], tolerance: Int = 0) throws -> [(name: String, bytes: [UInt8])] {
    var animation = PNGAnimation(size: Self.size, tolerance: tolerance)
    for (frame, milliseconds) in frames {
      var copy = frame
      #expect(copy.withBuffer { animation.add($0, milliseconds: milliseconds) })
    }
    let path = "/tmp/cockpit-animation-\(getpid()).png"
    defer { unlink(path) }
    try #require(animation.write(to: path))
    // Whoever knows no animations sees the first frame.
    #expect(Snapshot.read(path) == frames[0].0)
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 100_000)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    var found: [(name: String, bytes: [UInt8])] = []
    var place = 8
    while place < bytes.count {
      let count = number(bytes[place...])
      found.append(
        (String(decoding: bytes[place + 4..<place + 8], as: UTF8.self), Array(bytes[place + 8..<place + 8 + count])))
      place += 12 + count
    }
    return found
  }

  private func number(_ bytes: some Collection<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }

  @Test func `a frame has the rectangle that changed, its time and its number`() throws {
    let found = try chunks([(picture(), 40), (picture((2, 1), (5, 3)), 60), (picture((5, 3)), 80)])
    #expect(
      found.map(\.name) == ["IHDR", "acTL", "PLTE", "tRNS", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"])
    #expect(found[1].bytes == [0, 0, 0, 3, 0, 0, 0, 0])
    let controls = found.filter { $0.name == "fcTL" }.map(\.bytes)
    /// Number, width, height, x, y, then the two halves of the time and what becomes of the old picture and the new.
    func fields(_ bytes: [UInt8]) -> [Int] {
      (0..<5).map { number(bytes[($0 * 4)...]) } + [
        Int(bytes[20]) << 8 | Int(bytes[21]), Int(bytes[22]) << 8 | Int(bytes[23]),
      ]
        + bytes[24...].map { Int($0) }
    }
    #expect(fields(controls[0]) == [0, 8, 6, 0, 0, 40, 1000, 0, 1])
    #expect(fields(controls[1]) == [1, 4, 3, 2, 1, 60, 1000, 0, 1])
    #expect(fields(controls[2]) == [3, 1, 1, 2, 1, 80, 1000, 0, 1])
    #expect(found.filter { $0.name == "fdAT" }.map { number($0.bytes) } == [2, 4])
  }

  @Test func `a frame without a change makes the one before stand longer`() throws {
    let found = try chunks([(picture(), 40), (picture(), 40), (picture((0, 0)), 40)])
    let controls = found.filter { $0.name == "fcTL" }.map(\.bytes)
    #expect(controls.count == 2 && controls[0][21] == 80 && controls[1][21] == 40)
  }

  @Test func `a pixel that is off by no more than the tolerance stays, and errors do not add up`() throws {
    func grey(_ level: UInt32) -> Snapshot {
      var picture = picture()
      picture.pixels[9] = 0xff00_0000 | level << 16 | level << 8 | level
      return picture
    }
    let steps: [(Snapshot, Int)] = [0x40, 0x42, 0x44, 0x46].map { (grey($0), 40) }
    let times = try chunks(steps, tolerance: 3).filter { $0.name == "fcTL" }.map { $0.bytes[21] }
    // 0x42 stays 0x40, 0x44 is too far from that, and 0x46 stays 0x44.
    #expect(times == [80, 80])
  }

  @Test func `a thousand colours become 255, each a near one`() throws {
    let size = PixelSize(width: 40, height: 25)
    var picture = Snapshot(size: size)
    for index in picture.pixels.indices {
      let (x, y) = (UInt32(index % 40), UInt32(index / 40))
      picture.pixels[index] = 0xff00_0000 | x * 2 << 16 | y * 2 << 8 | 0x40
    }
    var animation = PNGAnimation(size: size)
    picture.withBuffer { _ = animation.add($0, milliseconds: 1) }
    let path = "/tmp/cockpit-animation-colours-\(getpid()).png"
    defer { unlink(path) }
    try #require(animation.write(to: path))
    let shown = try #require(Snapshot.read(path))
    #expect(Set(shown.pixels).count <= 255 && shown.pixels.count == 1000)
    let difference = shown.difference(from: picture)
    #expect(difference.largest <= 4, "\(difference.largest) levels")
  }

  @Test func `another size is refused, and a file without frames is none`() {
    var animation = PNGAnimation(size: Self.size)
    var other = Snapshot(size: PixelSize(width: 8, height: 7))
    #expect(!other.withBuffer { animation.add($0, milliseconds: 1) })
    #expect(!animation.write(to: "/tmp/cockpit-animation-none.png"))
  }
}
