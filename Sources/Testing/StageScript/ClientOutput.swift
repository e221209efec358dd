import CLinux
import Glibc
import Linux

/// What a client prints, on either stream: it is passed on to the standard error as it comes, and its beginning and end are kept.
final class ClientOutput {
  /// How many bytes are kept of the beginning and of the end.
  static let (headLimit, tailLimit) = (16 << 10, 48 << 10)
  /// How much is read at once: a client may print without end.
  private static let portion = 1 << 20

  private var reading: Descriptor?
  private var writing: Descriptor?
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  private var count = 0

  /// Makes a pipe; nil if that fails, with the reason in `errno`.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe cockpit_pipe(&ends) == 0 else { return nil }
    reading = Descriptor(ends[0])
    writing = Descriptor(ends[1])
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
  }

  /// A descriptor to poll: it is readable while something waits; -1 once nobody can print any more.
  var reader: Int32 { reading?.number ?? -1 }
  /// The descriptor that the client's process gets.
  var writer: Int32? { writing?.number }

  /// Closes this process's own copy of the descriptor that the client has.
  func leaveWriter() { writing = nil }

  /// Passes on what waits. Returns whether there was anything.
  @discardableResult
  func take() -> Bool {
    var total = 0
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while let file = reading?.number, total < Self.portion {
      let count = unsafe read(file, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count == 0 { reading = nil }
      guard count > 0 else { break }
      total += count
      let part = Array(bytes.prefix(count))
      _ = Descriptor.write(part, to: STDERR_FILENO)
      keep(part)
    }
    return total > 0
  }

  private func keep(_ part: [UInt8]) {
    count += part.count
    let first = part.prefix(Self.headLimit - head.count)
    head += first
    tail += part.dropFirst(first.count)
    if tail.count > 2 * Self.tailLimit { tail.removeFirst(tail.count - Self.tailLimit) }
  }

  /// What is kept: the beginning, the number of bytes that are left out, and the end.
  var kept: (head: String, omitted: Int, tail: String) {
    let end = tail.suffix(Self.tailLimit)
    let omitted = count - head.count - end.count
    // Without a gap, a letter whose bytes are in both is whole.
    return omitted == 0
      ? (String(decoding: head + end, as: UTF8.self), 0, "")
      : (String(decoding: head, as: UTF8.self), omitted, String(decoding: end, as: UTF8.self))
  }
}
