import UICore

/// How old the oldest line is that the consumer has not read, by what the kernel holds of those that were sent.
///
/// A kernel acknowledges what a program has not read. Without this, one that reads a line now and then would be open for ever, and obey
/// what was said seconds ago.
struct UnreadLines: Sendable {
  /// The number of lines that are remembered; the kernel's buffers hold fewer.
  private static let most = 64

  /// The lines that may be unread, the oldest first, with the memory that each takes in the kernel.
  private var lines: [(time: MonotonicTime, size: Int32)] = []
  /// True once the consumer has read everything: a program that is just starting is not judged.
  private var hasRead = false

  init() { lines.reserveCapacity(UnreadLines.most) }

  /// Records a line for which the kernel took `size` bytes.
  mutating func noteSent(size: Int32, at time: MonotonicTime) {
    if lines.count == UnreadLines.most { lines.removeFirst() }
    lines.append((time, size))
  }

  /// The time of the oldest unread line, if the kernel holds `unread` bytes; nil if all are read, or the consumer has not begun to read.
  mutating func oldest(unread: Int32) -> MonotonicTime? {
    if unread <= 0 {
      hasRead = hasRead || !lines.isEmpty
      lines.removeAll(keepingCapacity: true)
      return nil
    }
    var (known, first) = (Int32(0), lines.count)
    while first > 0, known < unread {
      first -= 1
      known += lines[first].size
    }
    lines.removeFirst(first)
    return hasRead ? lines.first?.time : nil
  }

  /// Another consumer is connected.
  mutating func reset() {
    lines.removeAll(keepingCapacity: true)
    hasRead = false
  }
}
