import TestSupport
import Testing

@testable import VideoReading

/// Ends of pictures are found by their markers.
struct JPEGReaderTests {
  @Test func `the end is the last byte, however the bytes are cut`() {
    let image = VideoBytes.picture(3)
    for pieces in [1, 2, 5, 64, 1000] {
      var scanner = JPEGScanner()
      var rest = (image + [1, 2, 3])[...]
      var taken = 0
      while scanner.state == .open, !rest.isEmpty {
        let count = scanner.read(rest.prefix(pieces))
        taken += count
        rest = rest.dropFirst(count)
      }
      #expect(scanner.state == .complete && taken == image.count, "pieces of \(pieces)")
    }
  }

  @Test(
    arguments: [
      [], [0xff], [0xff, 0xd8], [0xff, 0xd8, 0xff, 0xda, 0, 2], [0xff, 0xd8, 0xff, 0xda, 0, 2, 0xff],
      [0xff, 0xd8, 0xff, 0xe0, 0xff],
    ] as [[UInt8]]) func `a beginning is open`(_ bytes: [UInt8])
  {
    var scanner = JPEGScanner()
    #expect(scanner.read(bytes[...]) == bytes.count && scanner.state == .open)
  }

  @Test(
    arguments: [
      [0], [0xff, 0], [0xff, 0xd8, 0], [0xff, 0xd8, 0xff, 0xe0, 0, 1], [0xff, 0xd8, 0xff, 0xd8], [0xff, 0xd8, 0xff, 0],
      [0xff, 0xd8, 0xff, 0xda, 0, 2, 0xff, 0xd8],
    ] as [[UInt8]]) func `a broken structure is told at its byte`(_ bytes: [UInt8])
  {
    var scanner = JPEGScanner()
    #expect(scanner.read((bytes + [1, 2, 3])[...]) == bytes.count && scanner.state == .broken)
  }

  private func pictures(
    _ bytes: [UInt8], _ reader: inout JPEGStreamReader, pieces: Int = .max
  ) throws(VideoReadError) -> [[UInt8]] {
    var (found, rest) = ([[UInt8]](), bytes[...])
    while !rest.isEmpty {
      var piece = rest.prefix(pieces)
      rest = rest.dropFirst(piece.count)
      while let picture = try reader.next(&piece) { found.append(picture.bytes) }
    }
    return found
  }

  @Test func `pictures follow each other, with anything between them`() throws {
    let images = (1...4).map { VideoBytes.picture($0) }
    for pieces in [1, 3, 50, .max] {
      var reader = JPEGStreamReader()
      #expect(try pictures(images.flatMap { $0 }, &reader, pieces: pieces) == images)
      #expect(try pictures(images.flatMap { $0 + [0, 0xff, 0x0a, 0xff, 0xff] }, &reader, pieces: pieces) == images)
      #expect(reader.broken == 0)
      let half = Array(images[0].prefix(250))
      #expect(try pictures(half + images[1] + images[2], &reader, pieces: pieces) == [images[1], images[2]])
    }
    var reader = JPEGStreamReader()
    #expect(throws: VideoReadError.self) {
      try pictures(images[0].dropLast(2) + [UInt8](repeating: 1, count: VideoLimits.picture), &reader, pieces: 65_536)
    }
  }

  @Test func `changed bytes never trap`() throws {
    var random = Random(5)
    for round in 0..<2000 {
      var bytes = (1...3).flatMap { VideoBytes.picture($0) }
      for _ in 0..<random.below(10) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
      var reader = JPEGStreamReader()
      _ = try pictures(bytes, &reader, pieces: 1 + random.below(100))
      let image = VideoBytes.picture(9)
      // A changed length may have swallowed some.
      let found = try pictures((0..<200).flatMap { _ in image }, &reader)
      #expect(found.contains(image), "round \(round)")
    }
  }
}
