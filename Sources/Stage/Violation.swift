/// A rule that a client broke, as the stage found.
nonisolated package struct Violation: Hashable, Sendable, CustomStringConvertible {
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A buffer's pixels changed while the stage held it.
    case heldBufferWritten
    /// Pixels outside the sent damage differ from the previous image.
    case damageLies
    /// Damage was committed without a buffer, so without new pixels.
    case damageWithoutBuffer
    /// Damaged pixels inside the opaque region are not opaque.
    case opaqueRegionLies
    /// A buffer was committed before any configure was acknowledged.
    case bufferBeforeConfigure
    /// A serial was acknowledged that was never sent, or is not newer than the last one acknowledged; for a layer surface, any
    /// but the newest.
    case unknownSerial
    /// A configure was acknowledged and no commit followed by the next step.
    case ackWithoutCommit
    /// The last configure was not acknowledged by the end of the test.
    case configureUnanswered
    /// The window or popup does not have the configured size.
    case wrongSize
    /// The buffer's pixel size does not match the logical size and the scale.
    case wrongBufferSize
    /// New content was committed although a frame callback was pending and no configure was acknowledged.
    case commitBeforeFrameCallback
    /// An object was destroyed before those that depend on it.
    case destroyOrder
    /// A device was requested from a seat that never had it.
    case missingCapability
    /// A request's serial is not that of an event that permits it.
    case wrongSerial
    /// The client disconnected without destroying every object that has a destructor.
    case objectsLeft
    /// Pools, buffers or mappings were left after every client had disconnected.
    case memoryLeft
    /// libwayland disconnected the client, in general because it did not read its events.
    case unreadEvents
    /// A request broke the protocol in a way that no other case covers, or libwayland refused it.
    case protocolError
    /// A ping was not answered by the end of the test.
    case pingUnanswered
  }

  package let rule: Rule
  /// The circumstances, with numbers.
  package let message: String
  package let time: MonotonicTime

  /// The rule and the circumstances, in one line.
  package var description: String { "\(rule.rawValue): \(message)" }
}
