/// What is known of one complete encoded picture that has arrived.
package struct VideoFrame: Hashable, Sendable {
  /// The ring that `slot` is in: the newest. 0 if there is none yet.
  package var ring: UInt32
  /// The slot that shows it from now on, until the cockpit releases it. Nil if there is nothing new to show: its bytes repeat those of the
  /// picture before, no slot was free, or the limit does not allow it. A repeat has a slot only if the picture before it had none.
  package var slot: Int?
  /// The picture's number since the helper began, from 1.
  package var number: UInt64
  /// When its last byte had arrived, in nanoseconds of CLOCK_MONOTONIC.
  package var arrival: Int64
  /// Whether its encoded bytes equal those of the picture before. A living sensor's noise makes them differ.
  package var isRepeat: Bool
  /// When it was taken; nil if the source does not honestly say.
  package var stamp: VideoStamp?
  /// The number of its encoded bytes.
  package var encodedBytes: Int
  /// How long decoding took, in nanoseconds; 0 if it was not decoded.
  package var decodeTime: Int64

  package init(
    ring: UInt32, slot: Int?, number: UInt64, arrival: Int64, isRepeat: Bool = false, stamp: VideoStamp? = nil,
    encodedBytes: Int, decodeTime: Int64 = 0
  ) {
    (self.ring, self.slot, self.number, self.arrival) = (ring, slot, number, arrival)
    (self.isRepeat, self.stamp) = (isRepeat, stamp)
    (self.encodedBytes, self.decodeTime) = (encodedBytes, decodeTime)
  }
}

/// When a picture was taken, as its source says.
package struct VideoStamp: Hashable, Sendable {
  /// The clock that a stamp is of.
  package enum Kind: UInt8, Sendable {
    /// A wall clock: nanoseconds since 1970. Ages need both clocks to agree.
    case wall = 1
    /// A clock of the source's own, whose zero nobody knows: only differences mean something.
    case steady = 2
    /// The strip that dimos draws below a picture: milliseconds of the wall clock modulo 2^22, here in nanoseconds.
    case strip = 3
  }

  /// The clock.
  package var kind: Kind
  /// Its time.
  package var nanoseconds: Int64

  package init(_ kind: Kind, nanoseconds: Int64) {
    (self.kind, self.nanoseconds) = (kind, nanoseconds)
  }
}
