import CLaboratory
import Glibc

/// Waits for sockets to appear in a directory. Must be created before the server starts, or it misses events.
struct SocketWait {
  private let folder: String
  private let notifications: Descriptor

  init(folder: String) throws(LabError) {
    self.folder = folder
    notifications = Descriptor(inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
    guard inotify_add_watch(notifications.number, folder, UInt32(IN_CREATE | IN_ATTRIB)) >= 0 else {
      throw .failed(operation: "watching \(folder)", errno: errno)
    }
  }

  /// Returns once `server` accepts connections on the socket `name`.
  func waitFor(_ name: String, of server: ChildProcess, log: String, until deadline: Deadline) throws(LabError) {
    let path = "\(folder)/\(name)"
    while !accepts(path) {
      if let status = server.ended {
        throw .ended(process: server.name, status: status, log: contents(ofFile: log))
      }
      if deadline.isOver { throw .timedOut(waitingFor: "\(server.name)'s socket", log: contents(ofFile: log)) }
      // The file appears shortly before its server listens, and nothing reports the latter: try again every millisecond.
      let wait = access(path, F_OK) == 0 ? Deadline(in: .milliseconds(1)) : deadline
      if readable([notifications.number, server.lifeline.number], until: wait).contains(notifications.number) {
        _ = notifications.readSome()
      }
    }
  }

  private func accepts(_ path: String) -> Bool {
    let probe = Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(probe.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
