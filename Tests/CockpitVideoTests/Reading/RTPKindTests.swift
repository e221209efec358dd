import TestSupport
import Testing

@testable import VideoReading

/// The first packet at a port tells what comes.
struct RTPKindTests {
  private func packet(_ type: UInt8, _ payload: [UInt8], flags: UInt8 = 0x80, extra: [UInt8] = []) -> [UInt8] {
    [flags, type, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3] + extra + payload
  }

  @Test func `types and payloads tell the kind`() {
    #expect(RTPKind(packet: packet(26, [0, 0])[...]) == .jpeg)
    #expect(RTPKind(packet: packet(26 | 0x80, [0, 0])[...]) == .jpeg, "with the marker")
    for unit: UInt8 in [0x67, 0x68, 0x65, 0x41, 0x06, 0x7c, 0x78, 0x09] {
      #expect(RTPKind(packet: packet(96, [unit, 0])[...]) == .h264(payloadType: 96), "\(unit)")
    }
    #expect(RTPKind(packet: packet(107, [0x67, 0])[...]) == .h264(payloadType: 107))
    // The parameter sets of H.265.
    for unit: UInt8 in [0x40, 0x42, 0x44] {
      #expect(RTPKind(packet: packet(96, [unit, 1])[...]) == .other(payloadType: 96))
    }
    #expect(RTPKind(packet: packet(0, [1, 2])[...]) == .other(payloadType: 0))
    // Sources and an extension before the payload.
    let extra: [UInt8] = [9, 9, 9, 9, 0xbe, 0xde, 0, 1, 1, 2, 3, 4]
    #expect(RTPKind(packet: packet(96, [0x67, 0], flags: 0x91, extra: extra)[...]) == .h264(payloadType: 96))
  }

  @Test func `what is no packet of RTP is none, and nothing traps`() {
    #expect(RTPKind(packet: []) == nil)
    #expect(RTPKind(packet: packet(96, [])[...]) == nil)
    #expect(RTPKind(packet: packet(96, [0x67, 0], flags: 0x40)[...]) == nil)
    #expect(RTPKind(packet: packet(200 & 0x7f, [0, 0])[...]) == nil, "a report of RTCP")
    #expect(RTPKind(packet: packet(96, [0x67, 0], flags: 0x90)[...]) == nil, "an extension without its length")
    var random = Random(2)
    for _ in 0..<20_000 {
      let bytes = (0..<random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      _ = RTPKind(packet: bytes[...])
    }
  }
}
