import TestSupport
import Testing

@testable import VideoLink

/// Rings and messages: what one side writes the other reads, and nothing else is read.
struct VideoMessageTests {
  private static func reports() throws -> [VideoReport] {
    let ring = try #require(VideoRing(id: 7, slots: 4, width: 1281, height: 721))
    let frame = VideoFrame(
      ring: 7, slot: 3, number: 1 << 40, arrival: 123_456_789_012_345, isRepeat: false,
      stamp: VideoStamp(.wall, nanoseconds: 1_700_000_000_123_456_789), encodedBytes: 40_000, decodeTime: 3_060_000)
    var bare = VideoFrame(ring: 0, slot: nil, number: 1, arrival: 0, isRepeat: true, encodedBytes: 0)
    let steady = VideoFrame(
      ring: 1, slot: 0, number: 2, arrival: .max, stamp: VideoStamp(.steady, nanoseconds: -5), encodedBytes: 1)
    bare.stamp = VideoStamp(.strip, nanoseconds: 0)
    let states: [VideoSourceState] = [.connecting, .receiving, .undecodable, .ended, .refused]
    return [.ring(ring), .frame(frame), .frame(bare), .frame(steady)]
      + states.map { .source($0, text: "no route to häst") } + [.source(.ended, text: "")]
  }

  private static let requests: [VideoRequest] = [
    .release(ring: .max, slot: 7), .release(ring: 0, slot: 0), .limit(width: 0, height: 0, framesPerSecond: 0),
    .limit(width: 1280, height: 720, framesPerSecond: 30),
  ]

  @Test func `what is written is read again`() throws {
    for report in try Self.reports() {
      #expect(VideoReport(report.bytes) == report)
      #expect(report.bytes.count <= VideoReport.mostBytes)
    }
    for request in Self.requests {
      #expect(VideoRequest(request.bytes) == request)
      #expect(request.bytes.count <= VideoRequest.mostBytes)
    }
  }

  @Test func `a message that is cut or continues is none`() throws {
    for report in try Self.reports() {
      let bytes = report.bytes
      for count in bytes.indices { #expect(VideoReport(bytes.prefix(count)) == nil, "\(report) at \(count)") }
      #expect(VideoReport(bytes + [0]) == nil)
    }
    for request in Self.requests {
      let bytes = request.bytes
      for count in bytes.indices { #expect(VideoRequest(bytes.prefix(count)) == nil, "\(request) at \(count)") }
      #expect(VideoRequest(bytes + [0]) == nil)
    }
  }

  @Test func `changed and random bytes never trap, and what is read from them is the same when written`() throws {
    var random = Random(1)
    let seeds = try Self.reports().map(\.bytes) + Self.requests.map(\.bytes)
    for _ in 0..<20_000 {
      var bytes = seeds[random.below(seeds.count)]
      if random.below(4) == 0 { bytes = (0..<random.below(80)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
      for _ in 0..<random.below(4) where !bytes.isEmpty {
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      if let report = VideoReport(bytes) { #expect(report.bytes == bytes) }
      if let request = VideoRequest(bytes) { #expect(request.bytes == bytes) }
    }
  }

  @Test func `a text is cut at a letter`() {
    let long = String(repeating: "a", count: 199) + "ä and more"
    #expect(
      VideoReport(VideoReport.source(.ended, text: long).bytes)
        == .source(.ended, text: String(repeating: "a", count: 199)))
    #expect(VideoReport([3, 4, 1, 0xff]) == nil, "not UTF-8")
  }

  @Test func `a ring is within its ranges`() throws {
    #expect(VideoRing(id: 1, slots: 1, width: 10, height: 10) == nil)
    #expect(VideoRing(id: 1, slots: 9, width: 10, height: 10) == nil)
    for bad in [0, -1, 4097, .max, .min] {
      #expect(VideoRing(id: 1, slots: 3, width: bad, height: 10) == nil)
      #expect(VideoRing(id: 1, slots: 3, width: 10, height: bad) == nil)
    }
    let ring = try #require(VideoRing(id: 1, slots: 3, width: 33, height: 32))
    #expect((ring.stride, ring.slotBytes, ring.byteCount) == (132, 8192, 24576))
    #expect((0...3).map { ring.offset(ofSlot: $0) } == [0, 8192, 16384, nil])
    #expect(ring.offset(ofSlot: -1) == nil)
    let most = try #require(VideoRing(id: 1, slots: 8, width: 4096, height: 4096))
    #expect(most.byteCount == 1 << 29)
  }
}
