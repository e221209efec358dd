import CLinux
import Glibc

/// A way to a file in memory that can be sent to another process.
package enum MemoryFile: Hashable, Sendable {
  /// memfd_create, whose size can be sealed. Filters of system calls may refuse it (`SystemCallFilter=~memfd_create`).
  case memfd
  /// A file without a name in this folder.
  case unnamed(in: String)

  /// The ways, the best first: a memfd; /dev/shm, which is memory too; XDG_RUNTIME_DIR, which libwayland uses in such cases.
  package static var ways: [MemoryFile] {
    let folder = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? ""
    return [.memfd, .unnamed(in: "/dev/shm")] + (folder.isEmpty ? [] : [.unnamed(in: folder)])
  }

  /// Makes an empty file by the first of `ways` that works; nil if none does, and `errno` holds the reason of the first.
  package static func make(by ways: [MemoryFile] = ways) -> Descriptor? {
    var reason: Int32?
    for way in ways {
      if let file = way.make() { return file }
      reason = reason ?? errno
    }
    errno = reason ?? EINVAL
    return nil
  }

  private func make() -> Descriptor? {
    switch self {
    case .memfd: unsafe Descriptor(cockpit_memfd("cockpit"))
    case .unnamed(let folder): unsafe Descriptor(cockpit_unnamed_file(folder))
    }
  }
}
