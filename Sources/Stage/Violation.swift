/// A broken rule of a client, detected by the stage.
nonisolated package struct Violation: Hashable, Sendable, CustomStringConvertible {
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A buffer's pixels changed while the compositor held it.
    case heldBufferWritten
    /// Pixels outside the sent damage differ from the previous image.
    case damageLies
    /// Damage was committed without a new buffer: there are no new pixels for it.
    case damageWithoutBuffer
    /// The opaque region contains pixels that are not opaque.
    case opaqueRegionLies
    /// A buffer was committed before the first configure was acknowledged.
    case bufferBeforeConfigure
    /// A serial was acknowledged that was never sent, or is older than one acknowledged before.
    case unknownSerial
    /// A configure was acknowledged and nothing committed.
    case ackWithoutCommit
    /// A configure was never acknowledged.
    case configureUnanswered
    /// The window does not have the configured size.
    case wrongSize
    /// The buffer's pixel size does not match the logical size and the scale.
    case wrongBufferSize
    /// New content was committed although a frame callback was pending and no new size was acknowledged.
    case commitBeforeFrameCallback
    /// An object was destroyed before those that live on it.
    case destroyOrder
    /// A device was requested from a seat that never had it.
    case missingCapability
    /// A serial was used for a request that it does not allow.
    case wrongSerial
    /// Objects with a destructor were left when the client disconnected.
    case objectsLeft
    /// Shared memory was still mapped for destroyed objects.
    case memoryLeft
    /// The client did not read its events in time and libwayland disconnected it.
    case unreadEvents
    /// The client sent a request that the protocol forbids and no other case covers.
    case protocolError
    /// A ping was not answered.
    case pingUnanswered
  }

  package let rule: Rule
  /// The circumstances, with numbers.
  package let message: String
  package let time: MonotonicTime

  /// The rule and the circumstances, in one line.
  package var description: String { "\(rule.rawValue): \(message)" }
}
