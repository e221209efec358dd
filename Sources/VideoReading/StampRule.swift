import VideoLink

/// Which servers say honestly when a picture was taken.
///
/// `X-Timestamp` means something else with each of them:
/// - MJPG-Streamer (field `Server`): the time that the driver gave the picture. That of most USB cameras counts from the computer's start; with
///   the option `-timestamp`, and from files, it is a wall clock.
/// - ESP32-CAM (its examples' boundary of many digits): the sensor's, counted from the board's start.
/// - ustreamer: when it was sent, so a frozen camera gets new ones. With `?extra_headers=1` it also says how long before that it was grabbed.
/// - web_video_server (field `Server`): when it was sent, on any clock that ROS was told to use.
/// Others are not believed.
package enum StampRule: Hashable, Sendable {
  case driverTime, sensorTime, latencyBeforeSending, none

  /// The boundary of Espressif's examples, which firmware of others has kept.
  package static let espressifBoundary = "123456789000000000000987654321"

  /// The rule for the server with this head.
  package init(_ head: HTTPHead) {
    let server = head.fields["server"]?.lowercased() ?? ""
    if server.hasPrefix("mjpg-streamer") {
      self = .driverTime
    } else if server.isEmpty, head.boundary == Self.espressifBoundary {
      self = .sensorTime
    } else if head.fields["set-cookie"]?.hasPrefix("stream_client") == true {
      self = .latencyBeforeSending
    } else {
      self = .none
    }
  }

  /// When a picture with these fields was taken; nil if nobody honestly says.
  package func stamp(_ fields: HeaderFields) -> VideoStamp? {
    guard let time = fields["x-timestamp"].flatMap(Self.nanoseconds) else { return nil }
    switch self {
    case .driverTime:
      // No computer has been up for 31 years, and no wall clock that is set shows a time before 2001.
      return VideoStamp(time >= 1_000_000_000_000_000_000 ? .wall : .steady, nanoseconds: time)
    case .sensorTime: return VideoStamp(.steady, nanoseconds: time)
    case .latencyBeforeSending:
      guard let latency = fields["x-ustreamer-latency"].flatMap(Self.nanoseconds), latency <= time else { return nil }
      return VideoStamp(.wall, nanoseconds: time - latency)
    case .none: return nil
    }
  }

  /// Whether the server itself says that the picture is no picture of its camera.
  package static func isOffline(_ fields: HeaderFields) -> Bool {
    fields["x-ustreamer-online"]?.lowercased() == "false"
  }

  /// A number of seconds with up to nine decimals, in nanoseconds; nil if it is none.
  package static func nanoseconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, 1...10 ~= whole.utf8.count, whole.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let seconds = Int64(whole)
    else { return nil }
    var (decimals, rest) = (Int64(0), Int64(0))
    if parts.count == 2 {
      guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
      let digits = parts[1].utf8.prefix(9)
      for digit in digits { decimals = decimals * 10 + Int64(digit - 0x30) }
      rest = (digits.count..<9).reduce(decimals) { sum, _ in sum * 10 }
    }
    return seconds <= 9_000_000_000 ? seconds * 1_000_000_000 + rest : nil
  }
}
