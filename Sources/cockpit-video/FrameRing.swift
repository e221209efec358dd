import CLinux
import Glibc
import Linux
import VideoLink
import VideoReading

/// The memory that pictures are decoded into and shown from. Its file can't shrink or grow, so that mapping it is safe for the cockpit and its
/// compositor.
struct FrameRing: ~Copyable {
  let shape: VideoRing
  let file: Descriptor
  private let pages: MappedMemory
  private var ledger: SlotLedger

  /// The number of slots: one that is shown, one that waits for the next refresh, one that the compositor has not let go of, one to write.
  static let slots = 4

  /// A ring for pictures of this size. Throws if there is no memory for it.
  init(id: UInt32, width: Int, height: Int) throws(VideoReadError) {
    guard let shape = VideoRing(id: id, slots: Self.slots, width: width, height: height) else {
      throw VideoReadError("pictures of \(width) x \(height) can't be shown: at most 4096 each")
    }
    guard let file = unsafe Descriptor(cockpit_memfd("cockpit-video")), ftruncate(file.number, shape.byteCount) == 0,
      cockpit_seal_size(file.number) == 0, let pages = MappedMemory(count: shape.byteCount, file: file.number)
    else { throw VideoReadError("no memory for pictures: \(systemMessage(errno))") }
    // Where memory is short, writing would end this process by a signal. (Old kernels can't tell.)
    let failure = pages.takePages()
    guard failure == 0 || failure == EINVAL else {
      throw VideoReadError("no memory for pictures: \(systemMessage(failure))")
    }
    (self.shape, self.pages, ledger) = (shape, pages, SlotLedger(slots: Self.slots))
    self.file = file
  }

  /// Takes a free slot for writing; nil if there is none.
  mutating func take() -> Int? { ledger.take() }

  /// Frees a slot.
  mutating func release(_ slot: Int) { ledger.release(slot) }

  /// The time in the strip below a slot's picture, if it has one.
  func strip(_ slot: Int) -> VideoStamp? {
    guard let offset = shape.offset(ofSlot: slot) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: pages.bytes[offset..<(offset + shape.slotBytes)])
    let words = unsafe bytes.assumingMemoryBound(to: UInt32.self)
    let found = unsafe StripReader.milliseconds(words.span, width: shape.width, height: shape.height)
    return found.map { VideoStamp(.strip, nanoseconds: Int64($0) * 1_000_000) }
  }

  /// Passes `body` the bytes of a slot.
  func withSlot<Result>(_ slot: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result? {
    guard let offset = shape.offset(ofSlot: slot) else { return nil }
    return unsafe body(UnsafeMutableRawBufferPointer(rebasing: pages.bytes[offset..<(offset + shape.slotBytes)]))
  }
}
