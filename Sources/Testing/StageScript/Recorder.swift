import CSockets
import Glibc
import Linux
import Stage

/// Runs a client on the session's compositor, and writes every message between them into a log: one line of JSON for each.
///
/// Bytes and descriptors pass unchanged, also those of protocols that the stage does not know.
final class Recorder {
  private let process: ClientProcess
  private let display: PrivateDisplay
  private let listener: Descriptor
  private let signals: ProgramSignals
  private let compositor: String
  private let log: Int32
  private let start = MonotonicTime.system
  private var connections: [Connection] = []
  private var connectionCount = 0

  /// A client's connection and the one to the compositor that belongs to it.
  private final class Connection {
    let number: Int
    let client: Descriptor
    let compositor: Descriptor
    var decoder = ProtocolDecoder()

    init(_ number: Int, _ client: consuming Descriptor, _ compositor: consuming Descriptor) {
      self.number = number
      self.client = client
      self.compositor = compositor
    }
  }

  /// Starts the client; `log` is the descriptor to write to. Throws if there is no session, or the client can't be started.
  init(_ command: [String], log: Int32) throws(CommandError) {
    func failure(_ message: String) -> CommandError { CommandError(message, exitCode: StageCommand.Code.client) }
    func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
    let name = variable("WAYLAND_DISPLAY") ?? "wayland-0"
    guard let folder = variable("XDG_RUNTIME_DIR") else {
      throw failure("there is no Wayland session to record in: XDG_RUNTIME_DIR is not set")
    }
    compositor = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    guard unsafe access(compositor, W_OK) == 0 else {
      throw failure("there is no Wayland session to record in: \(compositor): \(systemMessage(errno))")
    }
    guard let signals = ProgramSignals(), let display = PrivateDisplay(),
      let listener = Descriptor.socket(listeningAt: "\(display.folder)/\(display.name)", backlog: 16)
    else {
      throw failure("can't make a socket: \(systemMessage(errno))")
    }
    self.signals = signals
    self.display = display
    self.listener = listener
    self.log = log
    process = try display.start(command)
  }

  /// Passes messages until the client ends; returns its exit code. A signal that ends the program ends the client first.
  func run() -> Int32 {
    defer { display.remove() }
    while true {
      process.reap()
      if let status = process.status { return exitCode(ofStatus: status) }
      var files = [listener.number, signals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      for connection in connections {
        for file in [connection.client.number, connection.compositor.number] {
          files.append(pollfd(fd: file, events: Int16(POLLIN), revents: 0))
        }
      }
      _ = unsafe poll(&files, nfds_t(files.count), -1)
      signals.take { _ in
        process.end()
        display.remove()
      }
      var open: [Connection] = []
      for (index, connection) in connections.enumerated() {
        let isAlive =
          (files[2 + 2 * index].revents == 0 || pass(connection, isRequest: true))
          && (files[3 + 2 * index].revents == 0 || pass(connection, isRequest: false))
        if isAlive { open.append(connection) }
      }
      connections = open
      if files[0].revents != 0 { accept() }
    }
  }

  private func accept() {
    guard let client = Descriptor.accepted(by: listener.number),
      let compositor = Descriptor.socket(connectedTo: compositor, mayWait: true)
    else { return }
    connections.append(Connection(connectionCount, client, compositor))
    connectionCount += 1
  }

  /// Passes on what one side has sent; returns false once it has closed the connection.
  private func pass(_ connection: Connection, isRequest: Bool) -> Bool {
    let ends = [connection.client.number, connection.compositor.number]
    let (from, to) = isRequest ? (ends[0], ends[1]) : (ends[1], ends[0])
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var descriptors = [Int32](repeating: -1, count: 32)
    var descriptorCount: Int32 = 0
    let count = unsafe cockpit_receive(from, &bytes, bytes.count, &descriptors, &descriptorCount)
    guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
    defer { for descriptor in descriptors.prefix(Int(descriptorCount)) { close(descriptor) } }
    let time = (MonotonicTime.system - start).inSeconds * 1000
    var lines = ""
    for message in connection.decoder.take(bytes[..<count], isRequest: isRequest) {
      lines += message.line(time: time, connection: connection.number) + "\n"
    }
    _ = Descriptor.write(Array(lines.utf8), to: log)
    var rest = bytes[..<count]
    while !rest.isEmpty {
      // The descriptors go with the first byte.
      let isFirst = rest.count == count
      let sent = unsafe rest.withUnsafeBytes {
        unsafe cockpit_send(to, $0.baseAddress, $0.count, descriptors, isFirst ? descriptorCount : 0)
      }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
