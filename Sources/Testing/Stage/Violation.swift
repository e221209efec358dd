/// A rule that a client broke, as the stage found.
nonisolated public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The rule that was broken; its `sentence` says what the specification demands.
  public let rule: Rule
  /// The circumstances, with numbers.
  public let message: String
  /// The time of the stage's clock.
  public let time: MonotonicTime
  /// The request that broke the rule; nil if no single request did, or libwayland refused it before the stage saw it.
  public let request: ClientRequest?

  /// A violation that a test of reports makes up; the stage makes its own.
  public init(rule: Rule, message: String, time: MonotonicTime, request: ClientRequest?) {
    (self.rule, self.message, self.time, self.request) = (rule, message, time, request)
  }

  /// The rule, the circumstances and the request, in one line.
  public var description: String {
    "\(rule.rawValue): \(message)" + (request.map { " (request \($0.number), \($0))" } ?? "")
  }
}

/// A request as a client sent it.
nonisolated public struct ClientRequest: Hashable, Sendable, CustomStringConvertible {
  /// The request's place among all of its client, from 1.
  public let number: Int
  /// The interface and the number of the object that it was sent to.
  public let interface: String, object: UInt32
  /// The request's name in its protocol, such as `commit`.
  public let name: String

  /// A request that a test of reports makes up; the stage makes its own.
  public init(number: Int, interface: String, object: UInt32, name: String) {
    (self.number, self.interface, self.object, self.name) = (number, interface, object, name)
  }

  /// The object and the request, such as "wl_surface@7.commit".
  public var description: String { "\(interface)@\(object).\(name)" }
}
