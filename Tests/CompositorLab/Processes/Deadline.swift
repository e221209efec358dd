import Glibc

/// The time at which a wait gives up. Waits end as soon as a descriptor is readable; the laboratory sleeps only where there is
/// none to wait for.
struct Deadline {
  private let instant: ContinuousClock.Instant

  init(in duration: Duration) {
    instant = ContinuousClock.now + duration
  }

  /// The time left.
  var left: Duration { max(.zero, ContinuousClock.now.duration(to: instant)) }

  /// The time left for poll, rounded up, so that poll never returns too early.
  var milliseconds: Int32 {
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  /// Whether the deadline has passed.
  var isOver: Bool { left == .zero }
}

/// Those of the descriptors that can be read, or whose other side hung up; empty once the deadline has passed.
func readable(_ descriptors: [Int32], until deadline: Deadline) -> Set<Int32> {
  var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while true {
    let count = poll(&polled, nfds_t(polled.count), deadline.milliseconds)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return [] }
    return Set(polled.filter { $0.revents != 0 }.map(\.fd))
  }
}
