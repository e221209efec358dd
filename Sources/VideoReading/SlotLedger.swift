/// Which slots of a ring may be written: only those that nobody shows.
package struct SlotLedger: Hashable, Sendable {
  private var isFree: [Bool]
  /// The slot after the one that was given last: each waits as long as possible for its turn.
  private var next = 0

  /// So many slots, all free.
  package init(slots: Int) { isFree = Array(repeating: true, count: slots) }

  /// Takes a free slot, which is in use until it is released; nil if there is none.
  package mutating func take() -> Int? {
    let order = (0..<isFree.count).map { (next + $0) % isFree.count }
    guard let slot = order.first(where: { isFree[$0] }) else { return nil }
    isFree[slot] = false
    next = (slot + 1) % isFree.count
    return slot
  }

  /// Frees a slot. One that is free, or none of the ring's, stays what it is.
  package mutating func release(_ slot: Int) {
    if isFree.indices ~= slot { isFree[slot] = true }
  }
}

/// How large pictures may be shown, and how many a second.
package struct PictureLimit: Hashable, Sendable {
  /// The extents; 0 stands for no limit.
  package var width = 0, height = 0
  /// The pictures a second; 0 stands for no limit.
  package var framesPerSecond = 0
  private var last: Int64?

  package init() {}

  /// Takes new limits.
  package mutating func set(width: Int, height: Int, framesPerSecond: Int) {
    (self.width, self.height, self.framesPerSecond) = (width, height, framesPerSecond)
  }

  /// Whether a picture that is complete at this time, in nanoseconds, is to be decoded.
  package mutating func allows(at time: Int64) -> Bool {
    guard framesPerSecond > 0 else { return true }
    let interval = 1_000_000_000 / Int64(framesPerSecond)
    // A quarter early is still in time: pictures do not come evenly, and at the same rate each is wanted.
    let slack = interval / 4
    guard let last else {
      last = time
      return true
    }
    guard time - last >= interval - slack else { return false }
    // From the time that was due, so that early ones do not add up to more.
    self.last = max(last + interval, time - interval / 2)
    return true
  }

  /// Whether a picture of this size is to be shown as it is.
  package func fits(_ width: Int, _ height: Int) -> Bool {
    (self.width == 0 || width <= self.width) && (self.height == 0 || height <= self.height)
  }
}
