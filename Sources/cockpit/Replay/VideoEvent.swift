import JSON
import UICore
import VideoLink

// What records keep of a camera's picture: what was known of it, and when each complete picture came. They keep no pixel.

nonisolated extension VideoNotice {
  /// The state, the age and whether it is known, pictures a second, the way to the vehicle and back, and the camera.
  var field: String {
    let numbers = [age, link].map { $0.map { "\($0)" } ?? "null" }
    return
      "[\"\(state.rawValue)\",\(numbers[0]),\(isAgeKnown),\(framesPerSecond),\(numbers[1]),\(JSONValue.string(camera).jsonText)]"
  }

  /// The value that `field` wrote; nil for anything else.
  init?(_ parts: [JSONValue]) {
    func number(_ value: JSONValue) -> Int?? {
      if value == .null { return .some(nil) }
      return value.whole.flatMap { 0...1_000_000_000 ~= $0 ? .some(Int($0)) : nil }
    }
    guard parts.count == 6, let state = parts[0].text.flatMap(VideoFreshness.State.init), let age = number(parts[1]),
      let isAgeKnown = parts[2].bool, let frames = number(parts[3]), let frames, let link = number(parts[4]),
      let camera = parts[5].text, camera.utf8.count <= 16
    else { return nil }
    self.init(
      state: state, age: age, isAgeKnown: isAgeKnown, framesPerSecond: frames, link: link, camera: camera)
  }
}

nonisolated extension VideoFrame {
  /// The picture's number, nanoseconds from the record's start to its arrival, its bytes, whether it repeats the one before, the nanoseconds
  /// of its decoding, and the kind and text of its stamp, which may be too large for a number of JSON.
  func field(since start: MonotonicTime) -> String {
    let stamp = stamp.map { ",\($0.kind.rawValue),\"\($0.nanoseconds)\"" } ?? ""
    // Whatever a helper says, the record can be read.
    let (day, most) = (Int64(86_400_000_000_000), Int64(1 << 52))
    let arrival = (arrival &- start.nanoseconds).clamped(to: -day...day)
    return
      "[\(min(number, UInt64(most))),\(arrival),\(min(Int64(encodedBytes), most)),\(isRepeat),\(min(decodeTime, most))\(stamp)]"
  }

  /// The value that `field` wrote; nil for anything else.
  init?(_ parts: [JSONValue], since start: MonotonicTime) {
    let numbers = parts.prefix(5).map(\.whole)
    guard parts.count == 5 || parts.count == 7, let number = numbers[0], let arrival = numbers[1],
      let bytes = numbers[2],
      let isRepeat = parts[3].bool, let decoding = numbers[4], number >= 0, bytes >= 0, decoding >= 0,
      abs(arrival) <= 86_400_000_000_000
    else { return nil }
    var stamp: VideoStamp?
    if parts.count == 7 {
      guard let kind = parts[5].whole.flatMap({ UInt8(exactly: $0) }).flatMap(VideoStamp.Kind.init),
        let nanoseconds = parts[6].text.flatMap({ Int64($0) })
      else { return nil }
      stamp = VideoStamp(kind, nanoseconds: nanoseconds)
    }
    self.init(
      ring: 0, slot: nil, number: UInt64(number), arrival: start.nanoseconds &+ Int64(arrival), isRepeat: isRepeat,
      stamp: stamp, encodedBytes: Int(bytes), decodeTime: Int64(decoding))
  }
}
