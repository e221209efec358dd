import Linux

/// A failed system call.
nonisolated public struct SystemError: Error, Hashable, Sendable {
  /// What was tried, such as the name of the call.
  public let operation: String
  /// The reason, as the call left it.
  public let errno: Int32

  package init(operation: String, errno: Int32) {
    (self.operation, self.errno) = (operation, errno)
  }
}

nonisolated extension SystemError: CustomStringConvertible {
  /// One line for the user.
  public var description: String { "\(operation) failed: \(systemMessage(errno))" }
}
