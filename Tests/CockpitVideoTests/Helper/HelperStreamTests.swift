import CLinux
import Glibc
import Linux
import TestSupport
import Testing
import UICore
import VideoLink

@testable import VideoReading

/// What the program makes of servers: their bytes come out as pictures in shared memory, and nothing that they send ends it.
@Suite(.serialized) struct HelperStreamTests {
  private static let part = "\r\n--b\r\nContent-Type: image/jpeg\r\n\r\n"
  private static let head = "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=b\r\n\r\n"

  @Test(arguments: VideoBytes.Server.allCases) func `each server's pictures are shown`(
    _ server: VideoBytes.Server
  ) throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    #expect(connection.request.hasPrefix("GET /stream HTTP/1.1\r\n"))
    let chunked = VideoBytes.isChunked(server)
    connection.send("HTTP/1.1 200 OK\r\n\(VideoBytes.head(server))\r\n")
    connection.send(VideoBytes.opening(server), chunked: chunked)
    for (index, shade) in [UInt8(40), 90, 140, 200, 240].enumerated() {
      let picture = try image(shade)
      let part = VideoBytes.part(server, picture, time: "1700000000.250000")
      let before = MonotonicTime.system.nanoseconds
      connection.send(part.upTo, chunked: chunked)
      // Nothing of the next part is needed.
      let frame = try helper.frame()
      #expect(frame.number == UInt64(index + 1) && frame.encodedBytes == picture.count && !frame.isRepeat)
      #expect(before...MonotonicTime.system.nanoseconds ~= frame.arrival)
      #expect(abs(Int(try helper.shade(frame)) - Int(shade)) <= 2)
      switch server {
      case .mjpgStreamer: #expect(frame.stamp == VideoStamp(.wall, nanoseconds: 1_700_000_000_250_000_000))
      case .espressif: #expect(frame.stamp == VideoStamp(.steady, nanoseconds: 1_700_000_000_250_000_000))
      case .ustreamerExtra: #expect(frame.stamp == VideoStamp(.wall, nanoseconds: 1_700_000_000_205_000_000))
      default: #expect(frame.stamp == nil)
      }
      helper.release(frame)
      connection.send(part.after, chunked: chunked)
    }
    #expect(helper.states == [.connecting, .receiving])
    let isUstreamer = server == .ustreamer || server == .ustreamerAdvance || server == .ustreamerExtra
    #expect(helper.texts.last?.contains("extra_headers") == isUstreamer)
  }

  @Test func `who fetches pictures leaves the processor to those who steer`() throws {
    let helper = try VideoHelper("test")
    _ = try helper.frame()
    let kind = __priority_which_t(PRIO_PROCESS.rawValue)
    #expect(getpriority(kind, id_t(helper.process)) == min(getpriority(kind, 0) + 5, 19))
  }

  @Test func `bytes that come one by one are one picture`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    for byte in Array((Self.head + Self.part).utf8) + (try image(80, width: 16, height: 16)) { connection.send([byte]) }
    let frame = try helper.frame()
    #expect(frame.slot == 0 && frame.number == 1)
  }

  @Test func `the same bytes again are a repeat and are not shown`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    connection.send(Self.head)
    let picture = try image(80)
    for _ in 0..<3 { connection.send(Array(Self.part.utf8) + picture) }
    let frames = [try helper.frame(), try helper.frame(), try helper.frame()]
    #expect(frames.map(\.isRepeat) == [false, true, true])
    #expect(frames.map { $0.slot != nil } == [true, false, false])
    // Also if they come together.
    let second = try image(90)
    connection.send(Array(Self.part.utf8) + second + Array(Self.part.utf8) + second + Array(Self.part.utf8) + second)
    let together = [try helper.frame(), try helper.frame(), try helper.frame()]
    #expect(together.map(\.isRepeat) == [false, true, true])
    #expect(together.map { $0.slot != nil } == [true, false, false])
    // One byte that differs is a picture of its own, also where all else is equal.
    var other = second
    other[other.count / 2] ^= 1
    connection.send(Array(Self.part.utf8) + other)
    #expect(try !helper.frame().isRepeat)
  }

  @Test func `after half a picture and after bytes that are none, pictures are shown again`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    connection.send(Self.head)
    let part = Array(Self.part.utf8)
    connection.send(part + (try image(80)))
    #expect(try helper.frame().slot != nil)
    connection.send(part + (try image(90)).prefix(300) + part + (try image(100)))
    #expect(abs(Int(try helper.shade(try helper.frame())) - 100) <= 2)
    // Whole by its markers, but no picture.
    connection.send(part + [0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9])
    #expect(try !helper.state(.undecodable).isEmpty)
    connection.send(Array("\r\n--b\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello".utf8))
    _ = try helper.state(.undecodable)
    connection.send(part + (try image(110)))
    _ = try helper.state(.receiving)
    #expect(abs(Int(try helper.shade(try helper.frame())) - 110) <= 2)
    // A picture whose bytes are missing inside shows as grey: it is not shown.
    let short = try image(120)
    connection.send(
      Array("\r\n--b\r\nContent-Length: \(short.count - 40)\r\n\r\n".utf8) + short.prefix(short.count - 40)
        + [0x0d, 0x0a])
    _ = try helper.state(.undecodable)
  }

  @Test func `a server that says that it has no camera has no picture`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    connection.send("HTTP/1.0 200 OK\r\n\(VideoBytes.head(.ustreamer))\r\n--boundarydonotcross\r\n")
    func send(_ isOnline: Bool, _ shade: UInt8) throws {
      let picture = try image(shade)
      connection.send(
        Array("Content-Length: \(picture.count)\r\nX-UStreamer-Online: \(isOnline)\r\n\r\n".utf8) + picture
          + Array("\r\n--boundarydonotcross\r\n".utf8))
    }
    try send(false, 10)
    #expect(try helper.state(.undecodable).contains("X-UStreamer-Online"))
    try send(true, 20)
    _ = try helper.state(.receiving)
    #expect(try helper.frame().slot != nil)
    try send(false, 30)
    _ = try helper.state(.undecodable)
  }

  @Test func `a connection that ends is made again`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    for (answer, said) in [
      ("HTTP/1.1 404 Not\u{1b}[2J Found\r\n\r\n", "404 Not [2J Found"),
      ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "page"),
      ("SSH-2.0-OpenSSH_9.2\r\n", "HTTP"), (Self.head, "closed"),
      ("HTTP/1.1 302 Found\r\nLocation: https://a/\r\n\r\n", "elsewhere"),
      ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 5000))\r\n\r\n", "longer"),
      (Self.head + String(repeating: "\n", count: 70_000), "no picture"),
    ] {
      let connection = try peer.accept()
      connection.send(answer)
      connection.end()
      #expect(try helper.state(.ended).contains(said))
    }
    let connection = try peer.accept()
    connection.send(Array((Self.head + Self.part).utf8) + (try image(80)))
    #expect(try helper.frame().slot != nil)
  }

  @Test func `a redirection is followed once`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    try peer.accept().send("HTTP/1.1 302 Found\r\nLocation: /other?x=1\r\n\r\n")
    let connection = try peer.accept()
    #expect(connection.request.hasPrefix("GET /other?x=1 HTTP/1.1\r\n"))
    connection.send("HTTP/1.1 302 Found\r\nLocation: /stream\r\n\r\n")
    #expect(try helper.state(.ended).contains("elsewhere"))
    #expect(try peer.accept().request.hasPrefix("GET /stream "))
  }

  @Test func `a server that says nothing for three seconds is left`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    let begin = MonotonicTime.system
    connection.send(Array((Self.head + Self.part).utf8) + (try image(80)).dropLast(100))
    #expect(try helper.state(.ended).contains("three seconds"))
    #expect(.seconds(2.9)...(.seconds(6)) ~= MonotonicTime.system - begin)
    _ = try peer.accept()
  }

  @Test func `whatever a server sends, the program goes on`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    var random = Random(11)
    let parts = try (1...3).flatMap { shade -> [UInt8] in
      Array(Self.part.utf8) + (try image(UInt8(shade * 60)))
    }
    for _ in 0..<8 {
      let connection = try peer.accept()
      var bytes = Array(Self.head.utf8) + parts
      for _ in 0..<20 { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
      connection.send(bytes)
      connection.end()
      _ = try helper.state(.ended)
    }
    #expect(kill(helper.process, 0) == 0)
  }

  @Test func `pictures on standard input are shown, one behind the other or in parts`() throws {
    for prefix in ["", Self.part] {
      var ends = [Int32](repeating: -1, count: 2)
      try #require(cockpit_pipe(&ends) == 0)
      let helper = try VideoHelper("-", input: ends[0])
      close(ends[0])
      for shade in [UInt8(50), 100] {
        #expect(Descriptor.write(Array(prefix.utf8) + (try image(shade)), to: ends[1]))
        #expect(abs(Int(try helper.shade(try helper.frame())) - Int(shade)) <= 2)
      }
      close(ends[1])
      #expect(try helper.state(.ended).contains("standard input"))
    }
  }
}
