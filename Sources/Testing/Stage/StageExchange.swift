internal import WaylandServer

/// Support for scripts that steer clients in other processes. Such clients answer when they have had their time, so messages are exchanged
/// as often as they come, and a step ends once the client has nothing more to do.
extension Stage {
  /// Reads the clients' messages and sends the events that wait, without ending the step: a client may answer an event in several
  /// pieces. Does nothing while the stage is frozen.
  package func exchange() {
    guard !isFrozen else { return }
    if isReadingDue { readAll() }
    applyReady()
    display.flush()
  }

  /// Whether a window or popup has not answered its last configure with a commit although it could: it waits for no frame
  /// callback, and gets frame callbacks at all.
  package var owesCommit: Bool {
    xdgSurfaces.contains { $0.owesCommit && !$0.surface.waitsForFrame && !$0.surface.isStarved }
  }

  /// Whether a window or popup will answer its last configure only with its next frame.
  package var owesCommitWithFrame: Bool {
    xdgSurfaces.contains { $0.owesCommit && ($0.surface.waitsForFrame || $0.surface.isStarved) }
  }

  /// Whether a refresh would send an event or show something: a frame callback is due, a buffer, or a commit that waits.
  package var waitsForRefresh: Bool {
    surfaces.contains { $0.getsFrames && ($0.waitsForFrame || !$0.feedback.isEmpty || !$0.comingFeedback.isEmpty) }
      || sessionLock?.waitsForRefresh == true
      || releasePolicy == .atFrame && heldBufferCount > 0 || surfaces.contains { $0.waitingCommits > 0 }
  }

  /// Resumes the frame callbacks of every surface.
  package func resumeAll() {
    for surface in surfaces where surface.isStarved { starve(surface, false) }
  }

  /// The pings that no client has answered. Those of clients that left are forgotten.
  package var unansweredPings: Int {
    if bases.isEmpty { pings.removeAll() }
    return pings.count
  }

  /// Withdraws the newest global of an interface that is not withdrawn; returns false if there is no such global.
  package func withdrawGlobal(_ interface: String) -> Bool {
    guard let global = roots.last(where: { $0.interface == interface && !$0.isWithdrawn }) else { return false }
    withdraw(global)
    return true
  }

  /// The topmost surface of a window or layer surface that takes input at a place of the screen: itself, a subsurface or a popup.
  /// Returns it with the position in its own points; nil if no surface takes input there.
  package func aim(at place: Point, in tree: StageSurface) -> (surface: StageSurface, point: Point)? {
    for popup in popups.reversed() where popup.parentSurface === tree && popup.surface.isMapped && !popup.isDismissed {
      if let hit = aim(at: place, in: popup.surface) { return hit }
    }
    return tree.hit(place - tree.origin)
  }
}

/// The first eight bytes of a message on the wire.
package struct MessageHeader {
  package let object: UInt32
  package let opcode: UInt32
  /// The number of bytes of the whole message.
  package let size: Int

  /// Reads the header at the start of `bytes`; nil if there are too few, or they are no message.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    // In the byte order of little-endian machines, the only ones that Swift runs on here.
    func number(_ range: Range<Int>) -> UInt32 {
      range.reversed().reduce(0) { $0 << 8 | UInt32(bytes[bytes.startIndex + $1]) }
    }
    (object, opcode, size) = (number(0..<4), number(4..<6), Int(number(6..<8)))
    if size < 8 { return nil }
  }
}
