/// A rule that a client broke, seen by the stage.
nonisolated package struct Violation: Hashable, Sendable, CustomStringConvertible {
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A buffer's pixels changed while the compositor held it.
    case heldBufferWritten
    /// Pixels outside the sent damage differ from the picture before.
    case damageLies
    /// Damage was committed without a new buffer: there are no new pixels for it.
    case damageWithoutBuffer
    /// The opaque region holds pixels that are not opaque.
    case opaqueRegionLies
    /// A buffer was committed before the first configure was acknowledged.
    case bufferBeforeConfigure
    /// A serial was acknowledged that was never sent, or is older than one acknowledged before.
    case unknownSerial
    /// A configure was acknowledged and nothing committed.
    case ackWithoutCommit
    /// A configure was never acknowledged.
    case configureUnanswered
    /// The window is not as large as it was told to be.
    case wrongSize
    /// The buffer does not have the pixels that the size and the scale ask for.
    case wrongBufferSize
    /// New content was committed although a frame callback was pending and no new size was acknowledged.
    case commitBeforeFrameCallback
    /// An object was destroyed before those that live on it.
    case destroyOrder
    /// A device was asked of a seat that never had it.
    case missingCapability
    /// A serial was used for a request that it does not allow.
    case wrongSerial
    /// Objects that a destructor could have ended were left when the client went.
    case objectsLeft
    /// Shared memory was still mapped for objects that had ended.
    case memoryLeft
    /// The client did not read its events in time and libwayland ended it.
    case unreadEvents
    /// A request that the protocol forbids, not named above.
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
