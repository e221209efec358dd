import CLinux
import Glibc
import Linux

/// A counter in the kernel that wakes the thread that polls it (eventfd).
struct Wake: ~Copyable, Sendable {
  private let counter: Descriptor

  init() throws(DriveLinkError) {
    guard let counter = Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))) else {
      throw .system(operation: "eventfd", errno: errno)
    }
    self.counter = counter
  }

  var descriptor: Int32 { counter.number }

  /// Wakes the polling thread, now or at its next poll.
  func wake() {
    var one: UInt64 = 1
    _ = unsafe Glibc.write(descriptor, &one, 8)
  }

  /// Resets the counter, so that `descriptor` is no longer readable.
  func clear() {
    var count: UInt64 = 0
    _ = unsafe Glibc.read(descriptor, &count, 8)
  }
}

/// A final failure of a link.
public enum DriveLinkError: Error, Hashable, Sendable {
  /// A system call failed.
  case system(operation: String, errno: Int32)
}

extension DriveLinkError: CustomStringConvertible {
  /// One line for the user.
  public var description: String {
    switch self {
    case .system(let operation, let errno): "\(operation) failed: \(systemMessage(errno))"
    }
  }
}

/// A socket that receives datagrams on `port` of this machine's address `host`; `::` is all addresses, even if IPv6 is off.
///
/// - Returns: A descriptor that never blocks; nil if the port is in use or the address is another machine's. `errno` holds the
///   reason.
package func bindSocket(to host: String, _ port: UInt16) -> Descriptor? {
  for host in host == "::" ? ["::", "0.0.0.0"] : [host] {
    guard case .found(let addresses) = NameLookup.number(host, port), let address = addresses.first else { continue }
    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard let made = Descriptor(socket(Int32(address.family), kind, 0)) else { continue }
    var no: Int32 = 0
    if host == "::" {
      unsafe setsockopt(made.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
    }
    if unsafe address.withPointer({ unsafe bind(made.number, $0, $1) }) == 0 { return made }
    // Try IPv4 only if IPv6 is off. Any other failure is final, such as a port in use.
    guard errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT else { return nil }
  }
  return nil
}
