import Linux
import UICore
import VideoLink
import VideoReading

/// Reads pictures out of a stream and hands the newest to the sink: what has arrived together is not decoded but for the last of it.
struct StreamReader {
  private enum Form {
    case unknown
    case pictures(JPEGStreamReader)
    case parts(MultipartReader)
  }

  private var form = Form.unknown
  private let rule: StampRule
  /// A complete picture that is decoded unless another follows at once.
  private var newest: (picture: EncodedPicture, arrival: MonotonicTime)?

  /// A reader of a stream without a head, whose form its first byte tells.
  init() { rule = .none }

  /// A reader of a response's content.
  init(_ head: HTTPHead) {
    rule = StampRule(head)
    if let boundary = head.boundary {
      form = .parts(MultipartReader(boundary: boundary))
    } else if head.fields["content-type"]?.lowercased().hasPrefix("multipart/") == true {
      form = .parts(MultipartReader())
    }
  }

  /// What would tell more of the pictures, for the log; empty if nothing would.
  func hint(path: String) -> String {
    guard rule == .latencyBeforeSending, !path.contains("extra_headers") else { return "" }
    return "ustreamer: with ?extra_headers=1 it tells ages, and a camera that is gone"
  }

  /// Takes bytes that arrived at this time. Throws if they can't be read.
  mutating func take(
    _ bytes: ArraySlice<UInt8>, _ arrival: MonotonicTime, _ sink: PictureSink
  ) throws(VideoReadError) {
    var rest = bytes
    if case .unknown = form, let first = rest.first {
      form = first == 0xff ? .pictures(JPEGStreamReader()) : .parts(MultipartReader())
    }
    while let picture = try next(&rest) {
      // What is sent again at once would else hide the picture that it repeats.
      hand(to: sink, isNewest: picture.bytes == newest?.picture.bytes)
      newest = (picture, arrival)
    }
  }

  /// Hands over the newest picture, since nothing follows at once.
  mutating func flush(_ sink: PictureSink) { hand(to: sink, isNewest: true) }

  private mutating func hand(to sink: PictureSink, isNewest: Bool) {
    guard let (picture, arrival) = newest else { return }
    newest = nil
    let stamp = rule.stamp(picture.fields)
    recycle(sink.take(picture, stamp, arrival: arrival, isNewest: isNewest))
  }

  private mutating func next(_ rest: inout ArraySlice<UInt8>) throws(VideoReadError) -> EncodedPicture? {
    switch form {
    case .unknown: return nil
    case .pictures(var reader):
      form = .unknown
      defer { form = .pictures(reader) }
      return try reader.next(&rest)
    case .parts(var reader):
      form = .unknown
      defer { form = .parts(reader) }
      return try reader.next(&rest)
    }
  }

  private mutating func recycle(_ memory: [UInt8]) {
    switch form {
    case .unknown: break
    case .pictures(var reader):
      form = .unknown
      reader.recycle(memory)
      form = .pictures(reader)
    case .parts(var reader):
      form = .unknown
      reader.recycle(memory)
      form = .parts(reader)
    }
  }
}
