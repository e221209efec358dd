import Testing

@testable import VideoReading

/// What users write, and the arithmetic of slots and limits.
struct VideoSourceTests {
  @Test func `sources are named as users write them`() throws {
    #expect(try VideoSource("-") == .input)
    #expect(try VideoSource("test") == .test(.moving))
    #expect(try VideoSource("test:frozen") == .test(.frozen))
    #expect(try VideoSource("udp:5600") == .udp(port: 5600))
    #expect(try VideoSource("v4l2:/dev/video2") == .camera(device: "/dev/video2"))
    #expect(try VideoSource("rtsp://a/b") == .rtsp("rtsp://a/b"))
    for (text, host, port, path, user) in [
      ("http://cam", "cam", 80, "/", nil), ("http://cam:81/stream", "cam", 81, "/stream", nil),
      ("http://u:p%40@10.0.0.2:8080/?action=stream", "10.0.0.2", 8080, "/?action=stream", "u:p%40"),
      ("http://[::1]:8000/v", "::1", 8000, "/v", nil), ("http://[fe80::1]", "fe80::1", 80, "/", nil),
      ("http://cam?a=b#c", "cam", 80, "/?a=b", nil),
    ] as [(String, String, UInt16, String, String?)] {
      guard case .http(let address) = try VideoSource(text) else {
        Issue.record("\(text)")
        continue
      }
      #expect(address.host == host && address.port == port && address.path == path && address.user == user, "\(text)")
    }
  }

  @Test(arguments: [
    "", "https://cam/", "http://", "http://:80/", "http://cam:0/", "http://cam:x/", "http://cam:99999/", "udp:0",
    "udp:",
    "udp:70000", "v4l2:video0", "test:x", "ftp://a", "cam", "http://a b/", "http://a/\r\nX: y", "http://[::1/",
    "http://[::1]x",
  ]) func `what is no source is refused`(_ text: String) {
    #expect(throws: VideoReadError.self) { try VideoSource(text) }
  }

  @Test func `a request names host and user`() throws {
    let request = try HTTPAddress("http://u:p%40@[::1]:8080/x?y").request
    #expect(request.hasPrefix("GET /x?y HTTP/1.1\r\nHost: [::1]:8080\r\n") && request.hasSuffix("\r\n\r\n"))
    #expect(request.contains("\r\nAuthorization: Basic dTpwQA==\r\n"))
    #expect(try !HTTPAddress("http://a/").request.contains("Authorization"))
    for (user, code) in [("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj")] {
      #expect(try HTTPAddress("http://\(user)@h/").request.contains("Basic \(code)\r\n"))
    }
  }

  @Test func `a redirection leads to a path or an address`() throws {
    let here = try HTTPAddress("http://a:81/x")
    #expect(here.following("/y?z") == (try HTTPAddress("http://a:81/y?z")))
    #expect(here.following("http://b/") == (try HTTPAddress("http://b/")))
    for text in ["https://a/", "//b/", "y", "", "/a b", "/\r\nX: y"] { #expect(here.following(text) == nil, "\(text)") }
  }

  @Test func `a slot is taken again after its release alone`() {
    var ledger = SlotLedger(slots: 3)
    func take(_ count: Int) -> [Int?] { (0..<count).map { _ in ledger.take() } }
    #expect(take(4) == [0, 1, 2, nil])
    ledger.release(1)
    ledger.release(1)
    ledger.release(7)
    ledger.release(-1)
    #expect(take(2) == [1, nil])
    ledger.release(0)
    ledger.release(2)
    // They take turns.
    #expect(take(3) == [2, 0, nil])
  }

  @Test(arguments: [(30, 60, 30), (30, 30, 30), (10, 30, 10), (25, 30, 25), (60, 30, 30), (0, 30, 30)])
  func `a limit lets so many through`(_ most: Int, _ rate: Int, _ expected: Int) {
    var limit = PictureLimit()
    limit.set(width: 0, height: 0, framesPerSecond: most)
    var passed = 0
    for index in 0..<(10 * rate) {
      // Not evenly.
      let jitter = Int64(index * 7919 % 11 - 5) * 400_000
      if limit.allows(at: Int64(index) * 1_000_000_000 / Int64(rate) + 10_000_000 + jitter) { passed += 1 }
    }
    #expect(abs(passed - expected * 10) <= 5, "\(passed) of \(expected * 10)")
  }
}
