/// What a stream of RTP carries, told by one of its packets.
package enum RTPKind: Hashable, Sendable {
  /// H.264, with this payload type.
  case h264(payloadType: Int)
  /// JPEG, which has a payload type of its own: 26.
  case jpeg
  /// Something that can't be decoded here, such as H.265 or sound.
  case other(payloadType: Int)

  /// The kind that a packet tells; nil if it is no packet of RTP.
  ///
  /// Types from 96 on mean what sender and receiver have agreed on, which nobody tells here: the first byte of the payload does. In H.264 it
  /// has a type of unit that exists; the parameter sets with which H.265 begins have none.
  package init?(packet: ArraySlice<UInt8>) {
    guard packet.count > 12, let first = packet.first, first >> 6 == 2 else { return nil }
    let bytes = Array(packet.prefix(128))
    let type = Int(bytes[1] & 0x7f)
    var start = 12 + 4 * Int(first & 0x0f)
    if first & 0x10 != 0 {
      guard bytes.count >= start + 4 else { return nil }
      start += 4 + 4 * (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
    }
    guard start < bytes.count else { return nil }
    switch type {
    case 26: self = .jpeg
    // RTCP, where it shares the port.
    case 72...76: return nil
    case 96...127:
      let unit = bytes[start]
      let isH264 = unit & 0x80 == 0 && [1, 5, 6, 7, 8, 9, 24, 28].contains(Int(unit & 0x1f))
      self = isH264 ? .h264(payloadType: type) : .other(payloadType: type)
    default: self = .other(payloadType: type)
    }
  }
}
