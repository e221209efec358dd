// Owns the few system calls that lines need, in the package's own terms.
// Must not know lines.

import CLinux
import Glibc
import Interface

extension MonotonicTime {
  /// CLOCK_MONOTONIC now.
  static var system: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// A counter in the kernel that wakes whoever polls it.
struct Wake: Sendable {
  let descriptor: Int32

  init() throws(DriveLinkError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .system(operation: "eventfd", errno: errno) }
  }

  /// Wakes, now or when somebody next polls.
  func wake() {
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, 8)
  }

  /// Forgets that it was woken.
  func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(descriptor, &count, 8)
  }

  func close() { _ = Glibc.close(descriptor) }
}

/// Runs `body` on a thread of its own; 0, or why there is none. No signal is ever delivered to the thread: they are the loop's.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
  let start = Unmanaged.passRetained(ThreadStart(name, body))
  var all = sigset_t()
  var previous = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_BLOCK, &all, &previous)
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }, start.toOpaque())
  pthread_sigmask(SIG_SETMASK, &previous, nil)
  if failure == 0 { pthread_detach(thread) } else { start.release() }
  return failure
}

/// What a thread begins with.
private final class ThreadStart: Sendable {
  private let name: String
  private let body: @Sendable () -> Void

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  func run() {
    _ = cockpit_name_thread(name)
    body()
  }
}

/// What of a link failed that can't be tried again.
public enum DriveLinkError: Error, Hashable, Sendable {
  /// A system call failed.
  case system(operation: String, errno: Int32)
}

extension DriveLinkError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .system(let operation, let errno): "\(operation) failed: \(String(cString: strerror(errno)))"
    }
  }
}

/// Calls `body` with the address of the socket at `path`, whose length was checked.
func withUnixAddress<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { target in
    for (index, byte) in path.utf8.prefix(DriveEndpoint.longestPath).enumerated() { target[index] = byte }
  }
  let length = socklen_t(MemoryLayout<sockaddr_un>.size)
  return withUnsafePointer(to: &address) { raw in
    raw.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
  }
}

/// Connects to a socket in the file system that somebody listens on, without waiting: a descriptor that never blocks, or the errno
/// as a negative number.
public func connectSocket(at path: String) -> Int32 {
  let made = socket(
    AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
  guard made >= 0 else { return -errno }
  guard withUnixAddress(path, { connect(made, $0, $1) }) == 0 else {
    let reason = errno
    _ = Glibc.close(made)
    return -reason
  }
  return made
}
