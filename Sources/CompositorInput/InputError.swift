import Glibc

/// Why input can't be given.
nonisolated enum InputError: Error, CustomStringConvertible {
  /// Started with other words than the desktop's size.
  case usage
  /// A line of standard input that is no command.
  case notUnderstood(String)
  /// Nobody listens.
  case noCompositor
  /// A compositor that takes no input from clients.
  case noInput
  /// Something that this compositor takes no input of.
  case unsupported(String)
  /// The compositor ended, or found a request wrong.
  case connectionLost
  /// xkbcommon made no keymap.
  case noKeymap
  /// A system call that failed.
  case system(operation: String, errno: Int32)

  /// The line.
  var description: String {
    switch self {
    case .usage: "usage: CompositorInput WIDTHxHEIGHT (the desktop's size in logical points)"
    case .notUnderstood(let line): "\"\(line)\" is no command; see Command.swift"
    case .noCompositor: "no compositor at WAYLAND_DISPLAY"
    case .noInput: "the compositor offers neither fake input nor virtual devices"
    case .unsupported(let line): "the compositor can't be given \"\(line)\""
    case .connectionLost: "the compositor closed the connection"
    case .noKeymap: "xkbcommon has no keymap for the layout us"
    case .system(let operation, let number): "\(operation) failed: \(String(cString: strerror(number)))"
    }
  }
}
