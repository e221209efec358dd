import TestSupport
import Testing
import VideoLink

@testable import VideoReading

/// Heads, chunks, addresses and whose stamps are believed.
struct HTTPReaderTests {
  /// The content of a response, and its head; what is thrown is passed on.
  private func read(_ bytes: [UInt8], pieces: Int = .max) throws(VideoReadError) -> (HTTPHead?, [UInt8], isAtEnd: Bool)
  {
    var (reader, rest, head, content) = (HTTPReader(), bytes[...], HTTPHead?.none, [UInt8]())
    while !rest.isEmpty {
      var piece = rest.prefix(pieces)
      rest = rest.dropFirst(piece.count)
      while let next = try reader.next(&piece) {
        switch next {
        case .head(let found): head = found
        case .content(let part): content += part
        case .end: return (head, content, true)
        }
      }
    }
    return (head, content, false)
  }

  @Test func `content comes out of its chunks, by its length or up to the end`() throws {
    for pieces in [1, 2, 3, 10, .max] {
      let chunked = try read(
        Array(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=1\r\n, chunks!\n\r\n0\r\nX: y\r\n\r\nmore"
            .utf8),
        pieces: pieces)
      #expect(chunked.1 == Array("hello, chunks!\n".utf8) && chunked.isAtEnd && chunked.0?.status == 200)
      let counted = try read(Array("HTTP/1.0 404 Not Found\nContent-Length: 3\n\nabcdef".utf8), pieces: pieces)
      #expect(counted.1 == Array("abc".utf8) && counted.isAtEnd && counted.0?.reason == "Not Found")
      let open = try read(Array("HTTP/1.0 200\r\n\r\nabcdef".utf8), pieces: pieces)
      #expect(open.1 == Array("abcdef".utf8) && !open.isAtEnd)
      let early = try read(Array("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx".utf8), pieces: pieces)
      #expect(early.1 == Array("x".utf8) && early.0?.status == 200)
    }
  }

  @Test(arguments: [
    "ICY 200 OK\r\n", "HTTP/2 200\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 20\r\n", "\r\n", "HTTP/1.1 999 x\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
  ]) func `what is no response is refused`(_ text: String) {
    #expect(throws: VideoReadError.self) { try read(Array(text.utf8)) }
  }

  @Test func `a head has an end`() {
    #expect(throws: VideoReadError.self) { try read([UInt8](repeating: 0x41, count: 3000), pieces: 100) }
    let fields = (0..<1000).map { "X-\($0): \(String(repeating: "v", count: 30))\r\n" }.joined()
    #expect(throws: VideoReadError.self) { try read(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8), pieces: 100) }
  }

  @Test func `changed bytes never trap`() {
    var random = Random(7)
    let seed = Array(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n".utf8)
    for _ in 0..<5000 {
      var bytes = seed
      for _ in 0..<random.below(6) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
      _ = try? read(bytes, pieces: 1 + random.below(20))
    }
  }

  @Test(arguments: [
    ("multipart/x-mixed-replace;boundary=abc", "abc"), ("Multipart/x-mixed-replace; Boundary=\"a b\"; x=y", "a b"),
    ("multipart/x-mixed-replace; boundary=--x ", "--x"), ("multipart/x-mixed-replace", nil), ("image/jpeg", nil),
    ("multipart/x-mixed-replace;boundary=", nil),
  ]) func `the boundary is what the type says`(_ type: String, _ boundary: String?) {
    var fields = HeaderFields()
    let isField = fields.take(line: Array("Content-TYPE: \(type)".utf8)[...])
    #expect(isField)
    #expect(HTTPHead(status: 200, reason: "", fields: fields).boundary == boundary)
  }

  @Test(arguments: VideoBytes.Server.allCases) func `stamps are believed by server`(_ server: VideoBytes.Server) throws
  {
    let bytes = Array("HTTP/1.1 200 OK\r\n\(VideoBytes.head(server))\r\n".utf8)
    let head = try #require(try read(bytes).0)
    var reader = MultipartReader(boundary: head.boundary)
    func stamp(_ time: String) throws -> VideoStamp? {
      var rest = (VideoBytes.opening(server) + VideoBytes.part(server, VideoBytes.picture(1), time: time).upTo)[...]
      return StampRule(head).stamp(try #require(try reader.next(&rest)).fields)
    }
    let (uptime, wall) = (try stamp("12.345678"), try stamp("1700000000.500000"))
    switch server {
    case .espressif:
      #expect(uptime == VideoStamp(.steady, nanoseconds: 12_345_678_000))
      #expect(wall?.kind == .steady)
    case .mjpgStreamer:
      #expect(uptime?.kind == .steady)
      #expect(wall == VideoStamp(.wall, nanoseconds: 1_700_000_000_500_000_000))
    case .ustreamerExtra: #expect(wall == VideoStamp(.wall, nanoseconds: 1_700_000_000_455_000_000))
    default: #expect(uptime == nil && wall == nil)
    }
  }

  @Test(
    arguments: [
      ("1.5", 1_500_000_000), ("0", 0), ("12.000001", 12_000_001_000), ("7.1234567891", 7_123_456_789),
      ("", nil), ("-1", nil), ("1.", nil), (".5", nil), ("1e9", nil), ("99999999999", nil), ("9999999999", nil),
    ] as [(String, Int64?)]) func `a time is seconds with decimals`(_ text: String, _ nanoseconds: Int64?)
  {
    #expect(StampRule.nanoseconds(text) == nanoseconds)
  }
}
