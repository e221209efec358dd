import Glibc
import Linux
import UICore
import VideoLink
import VideoReading

/// Pictures on standard input, one behind the other or in parts.
final class InputSource: FrameSource {
  private var reader = StreamReader()
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  private var hasEnded = false

  var waits: [pollfd] { hasEnded ? [] : [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)] }
  let deadline: MonotonicTime? = nil

  func step(_ sink: PictureSink) {
    guard !hasEnded else { return }
    do throws(VideoReadError) {
      // A file always has more: the cockpit's requests get their turn.
      for _ in 0..<4 {
        // Whether reading waits is a flag that others share who have the same input: it stays as it is.
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { break }
        let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { throw VideoReadError("standard input has ended") }
        try reader.take(buffer.prefix(count), .system, sink)
      }
      reader.flush(sink)
    } catch {
      reader.flush(sink)
      hasEnded = true
      sink.cockpit.report(.source(.ended, text: error.description))
    }
  }
}
