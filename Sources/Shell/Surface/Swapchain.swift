import Glibc
import Wayland

/// Two buffers, three if the compositor holds both, each with its stale region: where it is older than the newest frame.
///
/// Rule of use: `reserve`, `repair`, draw the frame's damage, `present`. If no buffer is free, the frame is retried after the
/// compositor's next message, which may release one.
final class Swapchain {
  /// More than three would only add latency and memory.
  static let maximumCount = 3
  /// Upper bound for retired buffers, so that a compositor that never releases one cannot exhaust memory.
  static let maximumRetired = (count: 8, bytes: ShmBuffer.maximumBytes)

  private let shm: WlShm
  private var buffers: [ShmBuffer] = []
  /// Buffers of earlier sizes that the compositor still holds.
  private var retired: [ShmBuffer] = []
  /// The buffer that holds the newest frame.
  private var front: ShmBuffer?
  /// The stale region of a buffer; kept for its storage.
  private var missing = Region.roomy

  init(shm: WlShm) {
    self.shm = shm
  }

  /// The number of existing buffers, held or not, including retired ones.
  var count: Int { buffers.count + retired.count }

  /// True when nothing of `size` was presented yet, so that the whole frame must be drawn.
  func needsWholeFrame(size: PixelSize, isOpaque: Bool) -> Bool {
    front?.size != size || front?.isOpaque != isOpaque
  }

  /// A free buffer of `size`; nil if the compositor holds all of them, or too many of earlier sizes. Call `repair` on it before
  /// drawing.
  func reserve(size: PixelSize, isOpaque: Bool) throws(ShellError) -> ShmBuffer? {
    if let first = buffers.first, first.size != size || first.isOpaque != isOpaque { retireAll() }
    // The free buffer with the smallest stale region: the one shown last, if the compositor releases it at once.
    var best: ShmBuffer?
    for buffer in buffers where buffer.isFree {
      if buffer.stale.area < best?.stale.area ?? .max { best = buffer }
    }
    if let best { return best }
    guard buffers.count < Swapchain.maximumCount else { return nil }
    let (count, bytes) = Swapchain.maximumRetired
    guard retired.count < count, retired.reduce(0, { $0 + $1.byteCount }) <= bytes else { return nil }
    let made = try ShmBuffer(shm: shm, size: size, isOpaque: isOpaque)
    made.onRelease = { [weak self] in self?.released($0) }
    buffers.append(made)
    Log.write(.buffer, .info, "buffer \(buffers.count) of \(size.width) x \(size.height)")
    return made
  }

  /// Copies the stale part of `buffer` from the newest frame, except `damage`, which the caller draws.
  func repair(_ buffer: ShmBuffer, except damage: Region) {
    guard let front, front !== buffer, !buffer.stale.isEmpty else { return }
    missing.replace(by: buffer.stale)
    missing.subtract(damage)
    buffer.copy(missing, from: front)
  }

  /// Attaches `buffer` for the surface's next commit and marks the damage as stale in the others.
  func present(_ buffer: ShmBuffer, damage: Region, on surface: WlSurface) {
    buffer.attach(to: surface)
    front = buffer
    for other in buffers where other !== buffer {
      // A buffer that was not used for so long is copied in one piece, should it be used again.
      if other.stale.rects.count > Region.maximumCount / 2 { other.stale.fillBounds() }
      other.stale.add(damage)
    }
  }

  /// Retires every buffer; those that the compositor holds are destroyed when it releases them.
  func retireAll() {
    for buffer in buffers {
      if buffer.isHeld { retired.append(buffer) } else { buffer.end() }
    }
    buffers.removeAll()
    front = nil
  }

  /// Destroys every buffer, held or not; the surface must be destroyed before.
  func end() {
    retireAll()
    for buffer in retired { buffer.end() }
    retired.removeAll()
  }

  private func released(_ buffer: ShmBuffer) {
    if let index = retired.firstIndex(where: { $0 === buffer }) { retired.remove(at: index).end() }
  }
}

final class ShmBuffer {
  let size: PixelSize
  let isOpaque: Bool
  private let memory: SharedMemory
  private let proxy: WlBuffer
  private let stride: Int
  /// True from the commit that shows the buffer until the compositor's release: it must not be written to.
  private(set) var isHeld = false
  /// The number of those who read the buffer besides the compositor: while there are any, it must not be written to.
  fileprivate(set) var readers = 0
  /// The number of the memory, which no other buffer of the process has or had.
  fileprivate let number = ShmBuffer.takeNumber()
  /// The pixels that changed on screen since this buffer was painted last.
  var stale: Region
  var onRelease: ((ShmBuffer) -> Void)?

  /// The maximum number of bytes of a buffer; a window of 7680 x 4320 points at scale 2 needs 506 MiB. A compositor that asks
  /// for a larger one is broken, and its memory would be missing elsewhere.
  nonisolated static let maximumBytes = 512 << 20

  /// The number of bytes from one row to the next. Without padding, which some GPUs would need to use the memory as it is: KWin 5.27
  /// ignores the stride when it takes over a new buffer, and shows a padded one as oblique stripes.
  static func stride(ofWidth width: Int) -> Int { width * 4 }

  /// Creates a buffer of `size`, without content.
  ///
  /// - Throws: `ShellError.system` for a size beyond `maximumBytes`, or if there is no memory.
  init(shm: WlShm, size: PixelSize, isOpaque: Bool) throws(ShellError) {
    self.size = size
    self.isOpaque = isOpaque
    stride = ShmBuffer.stride(ofWidth: size.width)
    guard size.width > 0, size.height > 0, size.height <= ShmBuffer.maximumBytes / stride else {
      throw .system(operation: "a picture of \(size.width) x \(size.height) pixels", errno: ENOMEM)
    }
    memory = try SharedMemory(count: stride * size.height)
    stale = .roomy
    stale.add(PixelRect(size))
    // Without room, libwayland would end the connection.
    guard memory.file.hasRoomForCopy else { throw .system(operation: "a copy of a descriptor", errno: errno) }
    let pool = unsafe shm.createPool(fd: memory.file.number, size: Int32(memory.bytes.count))
    // The protocol numbers the two formats that every compositor has 0 and 1 (wl_shm.format).
    proxy = pool.createBuffer(
      offset: 0, width: Int32(size.width), height: Int32(size.height), stride: Int32(stride),
      format: isOpaque ? .xrgb8888 : .argb8888)
    pool.destroy()
    proxy.onEvent = { [unowned self] in
      guard case .release = $0 else { return }
      isHeld = false
      onRelease?(self)
    }
  }

  private static var lastNumber: UInt64 = 0
  private static func takeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  var byteCount: Int { unsafe memory.bytes.count }

  /// The frame in the buffer, for who reads it besides the compositor.
  var frame: CommittedFrame {
    CommittedFrame(
      memory: number, file: memory.file.number, byteCount: byteCount,
      address: unsafe Int(bitPattern: memory.bytes.baseAddress), buffer: self)
  }

  /// The memory to write to; nil while the compositor holds the buffer, or somebody else reads it.
  private var freeMemory: UnsafeMutableRawBufferPointer? { isFree ? unsafe memory.bytes : nil }

  /// True while the buffer may be written to: neither the compositor holds it nor anybody else reads it.
  var isFree: Bool { !isHeld && readers == 0 }

  /// Passes `body` the memory to draw into. Does nothing and returns false unless the buffer is free.
  func withPixels(_ body: (PixelBuffer) -> Void) -> Bool {
    guard let bytes = unsafe freeMemory else { return false }
    unsafe body(PixelBuffer(size: size, stride: stride, bytes: bytes))
    return true
  }

  /// Attaches the buffer to be shown by the surface's next commit.
  func attach(to surface: WlSurface) {
    isHeld = true
    stale.removeAll()
    surface.attach(buffer: proxy, x: 0, y: 0)
  }

  /// Copies `region`'s pixels from `newer`, a buffer of the same size, which the compositor may hold: reading is allowed. Does nothing
  /// unless the buffer is free.
  func copy(_ region: Region, from newer: ShmBuffer) {
    precondition(newer.size == size, "a buffer of another size")
    guard let target = unsafe freeMemory?.baseAddress, let source = unsafe newer.memory.bytes.baseAddress else {
      return
    }
    for rect in region.rects {
      let clipped = rect.intersection(PixelRect(size))
      for y in clipped.y..<max(clipped.y, clipped.maxY) {
        let offset = y * stride + clipped.x * 4
        unsafe (target + offset).copyMemory(from: source + offset, byteCount: clipped.width * 4)
      }
    }
  }

  /// Destroys the protocol object; the memory is freed with the last reference.
  func end() {
    onRelease = nil
    proxy.end()
  }
}

/// A frame that was given to the compositor, in memory that another process may map and read. The memory and its descriptor stay as long as
/// a value of this type refers to them.
package struct CommittedFrame {
  /// The number of the memory: later frames in the same memory have the same.
  package let memory: UInt64
  /// The memory's descriptor, which is sealed against another size where the system can.
  package let file: Int32
  /// The length of the memory in bytes.
  package let byteCount: Int
  /// The memory's first byte in this process, to find the place of a part of the picture.
  package let address: Int
  private let buffer: ShmBuffer?

  /// A frame in memory of the caller's, for tests.
  package init(memory: UInt64, file: Int32, byteCount: Int, address: Int) {
    self.init(memory: memory, file: file, byteCount: byteCount, address: address, buffer: nil)
  }

  fileprivate init(memory: UInt64, file: Int32, byteCount: Int, address: Int, buffer: ShmBuffer?) {
    (self.memory, self.file, self.byteCount, self.address, self.buffer) = (memory, file, byteCount, address, buffer)
  }

  /// Keeps the pixels as they are until as many calls of `endReading`: nothing is drawn into the memory meanwhile.
  package func beginReading() { buffer?.readers += 1 }

  /// Ends what `beginReading` began.
  package func endReading() { buffer?.readers -= 1 }
}
