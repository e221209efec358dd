import JSON

/// A consumer's answer to a line that it has received; docs/drive.md specifies it.
public struct DriveAnswer: Hashable, Sendable {
  /// The driver, as the answer names it.
  public enum Driver: String, Sendable {
    /// The sender that is answered.
    case you
    /// Another sender.
    case other
    /// No sender.
    case none
  }

  /// Whose emergency stop is latched.
  public enum Owner: Hashable, Sendable {
    /// The cockpit that puts this identifier into its lines.
    case cockpit(DriveIdentifier)
    /// A sender without an identifier.
    case host
  }

  /// Whose line is answered; nil for one without an identifier.
  public var identifier: DriveIdentifier?
  /// The newest line that was accepted.
  public var acknowledged: UInt64?
  /// The driver of the vehicle.
  public var driver: Driver
  /// The sender that stopped the vehicle; nil if no emergency stop is latched.
  public var stop: Owner?

  /// The answer in a line; nil if the line does not answer.
  init?(_ line: JSONValue) {
    guard let driver = line["driver"]?.text.flatMap(Driver.init) else { return nil }
    self.driver = driver
    identifier = line["id"]?.text.flatMap { DriveIdentifier($0) }
    acknowledged = line["ack"]?.whole.flatMap { $0 > 0 ? UInt64($0) : nil }
    guard let text = line["stop"]?.text else { return }
    // A stop that cannot be read is one all the same.
    stop = DriveIdentifier(text).map(Owner.cockpit) ?? .host
  }

  /// The properties of a line.
  var properties: [String] {
    var parts: [String] = []
    if let identifier { parts.append("\"id\":\"\(identifier)\"") }
    if let acknowledged { parts.append("\"ack\":\(acknowledged)") }
    parts.append("\"driver\":\"\(driver.rawValue)\"")
    switch stop {
    case .cockpit(let owner): parts.append("\"stop\":\"\(owner)\"")
    case .host: parts.append("\"stop\":\"host\"")
    case nil: break
    }
    return parts
  }
}
