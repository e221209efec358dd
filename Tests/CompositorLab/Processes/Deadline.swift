import Glibc

/// When a wait gives up.
/// Nothing in the laboratory sleeps: it waits for a descriptor, up to a deadline.
struct Deadline {
  private let instant: ContinuousClock.Instant

  init(in duration: Duration) {
    instant = ContinuousClock.now + duration
  }

  /// What is left of the time.
  var left: Duration { max(.zero, ContinuousClock.now.duration(to: instant)) }

  /// What is left, as poll takes it: rounded up, so that poll never returns too early.
  var milliseconds: Int32 {
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  /// Whether the time is over.
  var isOver: Bool { left == .zero }
}

/// Those of the descriptors that can be read (or whose other side hung up); none when the deadline passed.
func readable(_ descriptors: [Int32], until deadline: Deadline) -> Set<Int32> {
  var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while true {
    let count = poll(&polled, nfds_t(polled.count), deadline.milliseconds)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return [] }
    return Set(polled.filter { $0.revents != 0 }.map(\.fd))
  }
}
