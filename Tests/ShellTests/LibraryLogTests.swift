import CLinux
import CWayland
import Glibc
import Testing

@testable import Shell

/// libwayland's own messages in the log.
@MainActor @Suite(.serialized) struct LibraryLogTests {
  @Test func `libwayland may complain on any thread`() throws {
    Connection.logMessages()
    var thread = pthread_t()
    #expect(pthread_create(&thread, nil, complain, nil) == 0)
    var result: UnsafeMutableRawPointer?
    pthread_join(thread, &result)
    #expect(result == UnsafeMutableRawPointer(bitPattern: 1), "libwayland complained, and the process lives")
  }
}

/// Has libwayland complain on the calling thread; 1 where it did.
nonisolated private func complain(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var ends: [Int32] = [-1, -1]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0,
    let display = wl_display_connect_to_fd(ends[0])
  else { return nil }
  // An event of an opcode that wl_display does not have.
  let words: [UInt32] = [1, 12 << 16 | 77, 0]
  _ = words.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
  let result = wl_display_dispatch(display)
  wl_display_disconnect(display)
  close(ends[1])
  return UnsafeMutableRawPointer(bitPattern: result < 0 ? 1 : 2)
}
