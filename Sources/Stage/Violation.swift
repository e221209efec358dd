/// A rule that a client broke, as the stage found.
nonisolated package struct Violation: Hashable, Sendable, CustomStringConvertible {
  package let rule: Rule
  /// The circumstances, with numbers.
  package let message: String
  package let time: MonotonicTime
  /// The request that broke the rule; nil if no single request did, or libwayland refused it before the stage saw it.
  package let request: ClientRequest?

  /// The rule, the circumstances and the request, in one line.
  package var description: String {
    "\(rule.rawValue): \(message)" + (request.map { " (request \($0.number), \($0))" } ?? "")
  }
}

/// A request as a client sent it.
nonisolated package struct ClientRequest: Hashable, Sendable, CustomStringConvertible {
  /// The request's place among all of its client, from 1.
  package let number: Int
  /// The interface and the number of the object that it was sent to.
  package let interface: String, object: UInt32
  package let name: String

  /// The object and the request, such as "wl_surface@7.commit".
  package var description: String { "\(interface)@\(object).\(name)" }
}
