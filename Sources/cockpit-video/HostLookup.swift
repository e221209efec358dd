import CLinux
import CSockets
import Glibc
import Linux
import Synchronization
import VideoReading

/// Asks for the addresses of a host, which may take the system many seconds, on a thread of its own.
final class HostLookup: Sendable {
  /// An address to connect to.
  struct Address: Sendable {
    var family: Int32
    var bytes: [UInt8]
  }

  private let result = Mutex<[Address]?>(nil)
  /// Becomes readable with the result.
  let event: Descriptor

  /// Begins to ask; nil if the system refuses a thread or descriptor.
  init?(_ host: String, _ port: UInt16) {
    guard let event = Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))) else { return nil }
    self.event = event
    guard startThread("name lookup", { [self] in look(host, port) }) == 0 else { return nil }
  }

  /// The addresses, none if the host is unknown; nil as long as there is no answer.
  var addresses: [Address]? { result.withLock { $0 } }

  private func look(_ host: String, _ port: UInt16) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    var addresses: [Address] = []
    if unsafe getaddrinfo(host, String(port), &hints, &found) == 0 {
      var entry = unsafe found
      while let each = unsafe entry {
        if let address = unsafe each.pointee.ai_addr {
          let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(each.pointee.ai_addrlen))
          unsafe addresses.append(Address(family: each.pointee.ai_family, bytes: Array(bytes)))
        }
        unsafe entry = unsafe each.pointee.ai_next
      }
      unsafe freeaddrinfo(found)
    }
    result.withLock { $0 = addresses }
    _ = eventfd_write(event.number, 1)
  }
}
