/// How a process ended.
public enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
  /// It returned a status.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)

  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
  }

  /// The end of a sentence such as "weston ended with status 1".
  public var description: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    }
  }
}
