// What can go wrong, in one line each.

import Glibc

/// Why input can't be given.
nonisolated enum InputError: Error, CustomStringConvertible {
  case usage
  case notUnderstood(String)
  case noCompositor
  case noInput
  case unsupported(String)
  case connectionLost
  case noKeymap
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
