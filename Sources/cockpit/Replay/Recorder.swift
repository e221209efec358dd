import Glibc
import Linux
import UICore

/// Writes each event as a line at once, so that a crash loses nothing of what led to it.
final class Recorder {
  private let file: Descriptor
  private let start: MonotonicTime
  private var isBroken = false

  /// Begins the file at `path` with the session's header.
  ///
  /// - Throws: `SessionError.cannotWrite`.
  init(path: String, header: RecordedSession.Header) throws(SessionError) {
    start = header.start
    guard let file = Descriptor(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)) else {
      throw .cannotWrite(path)
    }
    self.file = file
    write(header.line)
    guard !isBroken else { throw .cannotWrite(path) }
  }

  /// Writes an event that happened at `time`.
  func note(_ event: SessionEvent, at time: MonotonicTime) {
    write("{\"t\":\((time - start).inNanoseconds),\(event.fields(since: start))}")
  }

  /// A disk that is full ends the record, not the drive.
  private func write(_ line: String) {
    guard !isBroken else { return }
    var line = line + "\n"
    line.withUTF8 { bytes in
      isBroken = Glibc.write(file.number, bytes.baseAddress, bytes.count) != bytes.count
    }
    if isBroken { Cockpit.complain("the record can't be written any more (\(errno))") }
  }
}
