import Linux

/// The reason why input can't be given, in words for standard error.
nonisolated struct InputError: Error {
  let description: String

  private init(_ description: String) { self.description = description }

  /// Started with other words than the desktop's size.
  static let usage = InputError("usage: CompositorInput WIDTHxHEIGHT (the desktop's size in logical points)")
  /// Nobody listens.
  static let noCompositor = InputError("no compositor at WAYLAND_DISPLAY")
  /// A compositor that takes no input from clients.
  static let noInput = InputError("the compositor offers neither fake input nor virtual devices")
  /// The compositor ended, or found a request wrong.
  static let connectionLost = InputError("the compositor closed the connection")
  /// xkbcommon made no keymap.
  static let noKeymap = InputError("xkbcommon has no keymap for the layout us")

  /// A line of standard input that is no command.
  static func notUnderstood(_ line: String) -> InputError { .init("\"\(line)\" is no command; see Command.swift") }
  /// Something that this compositor takes no input of.
  static func unsupported(_ what: String) -> InputError { .init("the compositor can't be given \"\(what)\"") }
  /// A system call that failed.
  static func system(operation: String, errno: Int32) -> InputError {
    .init("\(operation) failed: \(systemMessage(errno))")
  }
}
