import TestSupport
import Testing

@testable import VideoReading

/// Pictures come out of each server's bytes, whole, with their last byte, however the bytes are cut; and nothing ends the reader's process.
struct MultipartReaderTests {
  typealias Server = VideoBytes.Server

  /// All pictures in `bytes`, which come in pieces of this size.
  private func pictures(
    _ bytes: [UInt8], _ reader: inout MultipartReader, pieces: Int = .max
  ) throws(VideoReadError) -> [[UInt8]] {
    var (found, rest) = ([[UInt8]](), bytes[...])
    while !rest.isEmpty {
      var piece = rest.prefix(pieces)
      rest = rest.dropFirst(piece.count)
      while let picture = try reader.next(&piece) {
        found.append(picture.bytes)
        reader.recycle(picture.bytes)
      }
    }
    return found
  }

  @Test(arguments: Server.allCases) func `a picture is complete with its last byte`(_ server: Server) throws {
    let images = (1...4).map { VideoBytes.picture($0) }
    for pieces in [1, 2, 3, 7, 100, .max] {
      for boundary in [VideoBytes.boundary(server), nil] {
        // Without any dashes and without a name nothing tells that it is a boundary; but nothing needs to.
        var reader = MultipartReader(boundary: boundary)
        #expect(try pictures(VideoBytes.opening(server), &reader, pieces: pieces) == [])
        for (index, image) in images.enumerated() {
          let part = VideoBytes.part(server, image)
          #expect(try pictures(part.upTo.dropLast(), &reader, pieces: pieces) == [], "picture \(index)")
          #expect(try pictures([0xd9], &reader) == [image], "\(server) \(index) in pieces of \(pieces)")
          #expect(try pictures(part.after, &reader, pieces: pieces) == [])
        }
        #expect(reader.broken == 0)
      }
    }
  }

  @Test func `fields belong to their picture`() throws {
    var reader = MultipartReader(boundary: "b")
    for time in ["1.5", "2.25"] {
      let bytes = Array("--b\r\nX-Timestamp: \(time)\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + VideoBytes.picture(1)
      var rest = bytes[...]
      #expect(try reader.next(&rest)?.fields["x-timestamp"] == time)
    }
    var rest = (Array("--b\r\n\r\n".utf8) + VideoBytes.picture(1))[...]
    #expect(try reader.next(&rest)?.fields.isEmpty == true)
  }

  @Test func `bytes behind a picture's end that its length counts are no line`() throws {
    var reader = MultipartReader(boundary: "b")
    let image = VideoBytes.picture(1)
    let part =
      Array("--b\r\nContent-Length: \(image.count + 7)\r\n\r\n".utf8) + image + [0, 0x0d, 0x0a, 0x0d, 0x0a, 0xff, 0xd8]
    let all = [part, part, part].flatMap { (part: [UInt8]) -> [UInt8] in part + [0x0d, 0x0a] }
    for pieces in [1, 5, .max] { #expect(try pictures(all, &reader, pieces: pieces) == [image, image, image]) }
    #expect(reader.broken == 0)
  }

  @Test(arguments: [-100, -1, 1, 100, 5000]) func `a wrong length costs one picture at most`(_ error: Int) throws {
    let images = (1...6).map { VideoBytes.picture($0) }
    for pieces in [1, 10, .max] {
      var reader = MultipartReader(boundary: "b")
      let all = images.flatMap { (image: [UInt8]) -> [UInt8] in
        let head = "--b\r\nContent-Type: image/jpeg\r\nContent-Length: \(image.count + error)\r\n\r\n"
        return Array(head.utf8) + image + [0x0d, 0x0a]
      }
      let found = try pictures(all, &reader, pieces: pieces)
      #expect(images.filter { !found.contains($0) }.count <= 1, "\(error) in pieces of \(pieces)")
      #expect(found.count <= images.count)
    }
  }

  @Test func `after half a picture the next one is whole`() throws {
    let (first, second, third) = (VideoBytes.picture(1), VideoBytes.picture(2), VideoBytes.picture(3))
    for pieces in [1, 9, .max] {
      for (hasLength, cut) in [(true, 250), (true, 1), (true, 90), (false, 250), (false, 30), (false, 90), (false, 1)] {
        var reader = MultipartReader(boundary: "b")
        let all = [Array(first.prefix(cut)), second, third].enumerated().flatMap {
          (index: Int, bytes: [UInt8]) -> [UInt8] in
          let length = hasLength ? "Content-Length: \(index == 0 ? first.count : bytes.count)\r\n" : ""
          return Array("\r\n--b\r\nContent-Type: image/jpeg\r\n\(length)\r\n".utf8) + bytes
        }
        let found = try pictures(all, &reader, pieces: pieces)
        #expect(found.suffix(2) == [second, third], "after \(cut) bytes, pieces of \(pieces)")
      }
    }
  }

  @Test func `a part that is no picture is handed on with its length, and is passed over without one`() throws {
    var reader = MultipartReader(boundary: "b")
    let image = VideoBytes.picture(1)
    let text = Array("--b\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n".utf8)
    let open = Array("--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n".utf8)
    let part = Array("--b\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + image + [0x0d, 0x0a]
    #expect(try pictures(text + part + open + part, &reader) == [Array("hello".utf8), image, image])
    let bare = Array("--b\r\nContent-Length: 0\r\n\r\n\r\n".utf8)
    #expect(try pictures(bare + bare + part, &reader) == [image])
  }

  @Test func `what has no end is given up`() throws {
    let head = Array("--b\r\nContent-Type: image/jpeg\r\n".utf8)
    let cases: [[UInt8]] = [
      // A line, fields, lines that are none, and a picture.
      head + [UInt8](repeating: 0x61, count: 100_000),
      head + (0..<400).flatMap { Array("X-Field-\($0): \(String(repeating: "v", count: 50))\r\n".utf8) },
      head + [UInt8](repeating: 0x0a, count: 3) + [UInt8](repeating: 0x0a, count: 100_000),
      head + [0x0a] + VideoBytes.picture(1).dropLast(2) + [UInt8](repeating: 1, count: VideoLimits.picture),
      Array("--b\r\nContent-Length: 99999999999\r\n\r\n".utf8),
    ]
    for (index, bytes) in cases.enumerated() {
      var reader = MultipartReader()
      #expect(throws: VideoReadError.self, "\(index)") { try pictures(bytes, &reader, pieces: 4096) }
    }
    // A number that no Int holds is no length.
    var reader = MultipartReader()
    let image = VideoBytes.picture(1)
    let huge = Array("--b\r\nContent-Length: 99999999999999999999999\r\n\r\n".utf8) + image
    #expect(try pictures(huge, &reader) == [image])
  }

  @Test func `changed bytes never trap, and pictures come again behind them`() throws {
    var random = Random(3)
    for round in 0..<1500 {
      let server = Server.allCases[random.below(Server.allCases.count)]
      var bytes = VideoBytes.opening(server)
      for _ in 0..<3 {
        let part = VideoBytes.part(server, VideoBytes.picture(UInt8(random.below(250))))
        bytes += part.upTo + part.after
      }
      for _ in 0..<random.below(6) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        }
      }
      var reader = MultipartReader(boundary: random.below(2) == 0 ? VideoBytes.boundary(server) : nil)
      // Behind a changed length or boundary it takes up to 64 KiB to find the way again, or to say so.
      let image = VideoBytes.picture(9)
      let part = VideoBytes.part(server, image)
      var isFound = false
      do throws(VideoReadError) {
        _ = try pictures(bytes, &reader, pieces: 1 + random.below(200))
        for _ in 0..<200 where !isFound { isFound = try pictures(part.upTo + part.after, &reader).contains(image) }
      } catch { isFound = true }
      #expect(isFound, "round \(round), \(server)")
    }
  }
}
