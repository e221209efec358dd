import Glibc

/// A process started by `Compositor.launch`.
public final class ClientProcess {
  let output: SharedDescriptor
  private let input: SharedDescriptor
  private let process: ChildProcess
  private let errorsPath: String
  private var unread: [UInt8] = []
  private var lastLines: [String] = []

  init(
    _ command: [String], environment: [String: String], in folder: PrivateFolder, joinsErrors: Bool = false
  ) throws(LabError) {
    let (outputReading, outputWriting) = try SharedDescriptor.pipe()
    let (inputReading, inputWriting) = try SharedDescriptor.socketPair()
    let errorsFile = try folder.newLog()
    errorsPath = errorsFile.path
    output = outputReading
    input = inputWriting
    process = try ChildProcess(
      command, environment: environment, folder: folder.path, group: folder.group, input: inputReading,
      output: outputWriting, errors: joinsErrors ? outputWriting : errorsFile.descriptor)
  }

  /// The process id.
  public var id: pid_t { process.id }

  /// Its standard error so far; empty if that is joined with its output.
  public var errors: String { contents(ofFile: errorsPath) }

  /// For error messages: the last 15 lines read, then its standard error.
  private var log: String { (lastLines + [errors]).joined(separator: "\n") }

  /// Returns the next line of its standard output that meets `condition`, and drops the lines before it.
  public func line(
    within limit: Duration = .seconds(10), where condition: (String) -> Bool = { _ in true }
  ) throws(LabError) -> String {
    let deadline = Deadline(in: limit)
    while true {
      while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        lastLines = lastLines.suffix(14) + [line]
        if condition(line) { return line }
      }
      guard !readable([output.number], until: deadline).isEmpty else {
        throw .timedOut(waitingFor: "a line of \(process.name)", log: log)
      }
      let bytes = output.readSome()
      if bytes.isEmpty {
        guard let status = waitForEnd(until: deadline) else {
          throw .timedOut(waitingFor: "the end of \(process.name), which closed its output", log: log)
        }
        throw .ended(process: process.name, status: status, log: log)
      }
      unread += bytes
    }
  }

  /// Drops its output so far. A process whose output is not read blocks once the pipe is full, at 64 KiB.
  public func dropOutput() {
    while !readable([output.number], until: Deadline(in: .zero)).isEmpty, !output.readSome().isEmpty {}
    unread = []
  }

  /// Writes a line to its standard input.
  public func send(_ line: String) throws(LabError) {
    guard input.send(Array("\(line)\n".utf8)) else {
      throw .failed(operation: "writing to \(process.name)", errno: errno)
    }
  }

  /// Closes its standard input.
  public func closeInput() {
    input.close()
  }

  /// Sends a signal.
  public func signal(_ number: Int32) {
    process.signal(number)
  }

  /// Waits until it ends by itself.
  public func waitForEnd(within limit: Duration = .seconds(10)) throws(LabError) -> ExitStatus {
    guard let status = waitForEnd(until: Deadline(in: limit)) else {
      throw .timedOut(waitingFor: "the end of \(process.name)", log: errors)
    }
    return status
  }

  /// Sends SIGTERM, as a session does when it ends, and waits until the process has ended.
  public func terminate(within limit: Duration = .seconds(10)) throws(LabError) -> ExitStatus {
    signal(SIGTERM)
    return try waitForEnd(within: limit)
  }

  func waitForEnd(until deadline: Deadline) -> ExitStatus? {
    process.waitForEnd(until: deadline)
  }

  func kill() {
    signal(SIGKILL)
    _ = waitForEnd(until: Deadline(in: .seconds(1)))
  }
}
