import Glibc
import Linux
import Shell
import UICore
import VideoLink

/// What fetches and decodes the video of one source: `cockpit-video`, or a stand-in of tests.
protocol VideoFeed: AnyObject {
  /// Called with each report, and the descriptor that came with it.
  var onReport: ((VideoReport, consuming Descriptor?) -> Void)? { get set }
  /// Called when it has ended by itself, or says what nobody understands.
  var onEnd: (() -> Void)? { get set }
  /// Asks something of it. What cannot be sent is dropped: its end, or its silence, is noticed.
  func send(_ request: VideoRequest)
  /// Ends it; nothing is called any more.
  func end()
}

/// A running `cockpit-video`. It has no part of this program's memory, and this program never maps the pictures that it sends.
final class VideoProcess: VideoFeed {
  var onReport: ((VideoReport, consuming Descriptor?) -> Void)?
  var onEnd: (() -> Void)?
  private let program: Companion
  /// The process, for tests that stop or end it.
  var process: pid_t { program.process }

  /// Starts the program at `path` for `source`; nil if that fails, for the reason in `errno`.
  init?(_ path: String, source: String, loop: EventLoop) {
    // GStreamer's own variables are obeyed: users find faults with them.
    let made = Companion(
      path, [source], environment: nil, takesInput: source == "-", mostBytes: VideoReport.mostBytes, loop: loop)
    guard let made else { return nil }
    program = made
    program.onMessage = { [unowned self] bytes, file in
      guard let report = VideoReport(bytes) else { return false }
      onReport?(report, file)
      return true
    }
    program.onEnd = { [unowned self] in onEnd?() }
  }

  /// The path of the program; nil if it is missing.
  static var path: String? { Companion.path("cockpit-video") }

  func send(_ request: VideoRequest) { program.send(request.bytes) }

  func end() { program.end() }
}
