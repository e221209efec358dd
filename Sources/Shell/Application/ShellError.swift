import Linux

/// A failure that a caller can do something about.
nonisolated public enum ShellError: Error, Hashable, Sendable {
  /// No compositor listens where the environment points; the errno of the attempt.
  case noCompositor(display: String, errno: Int32)
  /// WAYLAND_SOCKET is no connection; the reason as an errno.
  case badSocket(value: String, errno: Int32)
  /// The compositor lacks a global that the shell cannot work without.
  case missingGlobal(interface: String, needed: UInt32)
  /// The compositor's global is too old.
  case oldGlobal(interface: String, offered: UInt32, needed: UInt32)
  /// A system call failed.
  case system(operation: String, errno: Int32)
  /// The compositor hung up, or did not answer a new connection for five seconds (`ETIMEDOUT`).
  case connectionLost(errno: Int32)
  /// The compositor ended the connection because of a client error, for the reason that `message` gives in its words.
  case protocolError(interface: String, id: UInt32, code: UInt32, message: String)
}

nonisolated extension ShellError: CustomStringConvertible {
  /// One line for the user.
  public var description: String {
    switch self {
    case .noCompositor(let display, let errno):
      "no Wayland compositor answers at \(display) (\(systemMessage(errno))); start one, or set WAYLAND_DISPLAY and XDG_RUNTIME_DIR"
    case .badSocket(let value, let errno):
      "WAYLAND_SOCKET=\(value) is not the number of a connection to a compositor (\(systemMessage(errno))); unset it, or start this program from the one that set it"
    case .missingGlobal(let interface, let needed):
      "the compositor offers no \(interface) (version \(needed) or newer is needed)"
    case .oldGlobal(let interface, let offered, let needed):
      "the compositor's \(interface) has version \(offered); version \(needed) or newer is needed"
    case .system(let operation, let errno):
      "\(operation) failed: \(systemMessage(errno))"
    case .connectionLost(let errno):
      "the connection to the compositor was lost (\(systemMessage(errno)))"
    case .protocolError(let interface, let id, let code, let message):
      "the compositor ended the connection: error \(code) on \(interface)@\(id)"
        + (message.isEmpty ? "" : " (\(message))")
    }
  }
}
