/// The pictures that a video helper and the cockpit share: memory of several slots, each of which holds one picture.
///
/// A pixel has four bytes: blue, green, red and one without meaning (XRGB8888 of wl_shm). The memory is a sealed file, which neither side can
/// shrink, and whose descriptor comes along with the ring's description.
package struct VideoRing: Hashable, Sendable {
  /// The ring's number. Each change of the pictures' size brings a new ring with a number of its own.
  package let id: UInt32
  /// The number of slots, from 2 to 8.
  package let slots: Int
  /// The extent of a picture in pixels, from 1 to 4096 each.
  package let width, height: Int

  /// The numbers of slots that a ring may have.
  package static let slotNumbers = 2...8
  /// The extents that a picture may have, in each direction.
  package static let extents = 1...4096

  /// A ring; nil if a number is out of its range.
  package init?(id: UInt32, slots: Int, width: Int, height: Int) {
    guard Self.slotNumbers ~= slots, Self.extents ~= width, Self.extents ~= height else { return nil }
    (self.id, self.slots, self.width, self.height) = (id, slots, width, height)
  }

  /// The bytes from one row to the next.
  package var stride: Int { width * 4 }
  /// The bytes from one slot to the next: whole pages.
  package var slotBytes: Int { (stride * height + 4095) & ~4095 }
  /// The length of the memory.
  package var byteCount: Int { slotBytes * slots }
  /// Where a slot begins; nil if the ring has none of that number.
  package func offset(ofSlot slot: Int) -> Int? { 0..<slots ~= slot ? slot * slotBytes : nil }
}
