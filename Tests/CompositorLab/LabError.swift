/// Why a compositor, or a client on it, did not do what a test asked for. Every wait has a limit; when it is reached, the error
/// says what was waited for and shows the end of the log.
public enum LabError: Error, CustomStringConvertible {
  /// These programs are not installed.
  case missing(programs: [String])
  /// A system call failed.
  case failed(operation: String, errno: Int32)
  /// A process ended although it should not have.
  case ended(process: String, status: ExitStatus, log: String)
  /// Something did not happen in time.
  case timedOut(waitingFor: String, log: String)
  /// A compositor or a bus rejected a request or answered with an error.
  case refused(String)
  /// A picture could not be taken, read or written.
  case picture(String)

  /// One line that says what happened, then the end of the log if there is one.
  public var description: String {
    switch self {
    case .missing(let programs): "not installed: \(programs.joined(separator: ", "))"
    case .failed(let operation, let number): "\(operation) failed: errno \(number)"
    case .ended(let process, let status, let log): "\(process) \(status)\(Self.tail(log))"
    case .timedOut(let waitingFor, let log): "waited in vain for \(waitingFor)\(Self.tail(log))"
    case .refused(let reason), .picture(let reason): reason
    }
  }

  private static func tail(_ log: String) -> String {
    let lines = log.split(separator: "\n").suffix(15)
    return lines.isEmpty ? "" : "\n" + lines.joined(separator: "\n")
  }
}
