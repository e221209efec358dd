import CLaboratory
import Glibc
import Linux

/// Waits for sockets to appear in a directory. Must be created before the server starts, or it misses events.
struct SocketWait {
  private let folder: String
  private let notifications: SharedDescriptor

  init(folder: String) throws(LabError) {
    self.folder = folder
    notifications = SharedDescriptor(inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
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

  private func accepts(_ path: String) -> Bool { Descriptor.socket(connectedTo: path, mayWait: true) != nil }
}
