import CLinux
import Glibc
import Linux
package import WaylandServer
import WaylandWire

/// A wl_buffer in shared memory. The stage holds it from a commit until its release; meanwhile its pixels must not change.
public final class StageBuffer {
  package let resource: WlBufferResource
  /// The size in pixels.
  public let size: PixelSize
  /// The number of bytes from one row to the next.
  public let stride: Int
  /// False for xrgb8888.
  public let hasAlpha: Bool
  /// True from a commit until the release.
  public private(set) var isHeld = false
  /// False once the client destroyed it.
  public var isAlive: Bool { resource.isAlive }

  /// The connection that created it, which may be closed.
  let client: OpaquePointer?
  private let pool: StagePool
  private let offset: Int
  /// The pixels at the commit; nil if the stage does not check them.
  private(set) var committed: Picture?

  init(resource: WlBufferResource, pool: StagePool, offset: Int, size: PixelSize, stride: Int, hasAlpha: Bool) {
    self.resource = resource
    client = resource.client
    self.pool = pool
    self.offset = offset
    self.size = size
    self.stride = stride
    self.hasAlpha = hasAlpha
  }

  /// The first byte of the first row. The pointer is valid until the pool grows or is unmapped.
  package var memory: UnsafeRawPointer { UnsafeRawPointer(pool.memory + offset) }

  /// Returns a copy of the current pixels.
  public func picture() -> Picture { Picture(size: size, hasAlpha: hasAlpha, memory: memory, stride: stride) }

  /// False if the client's file is too short, so that the pixels cannot be read.
  var isWhole: Bool { offset + stride * size.height <= pool.length }

  /// Marks the buffer as held. `picture` is the copy of its pixels to compare with later; nil to check nothing.
  func hold(_ picture: Picture?) {
    isHeld = true
    committed = picture
  }

  /// Releases the buffer to the client.
  func release() {
    guard isHeld else { return }
    isHeld = false
    committed = nil
    resource.sendRelease()
  }

  /// Returns the first pixel that changed since the commit; nil if no pixel did, or the buffer is not held or not checked.
  func firstWrittenPixel() -> (x: Int, y: Int)? {
    guard isHeld, isWhole, let committed else { return nil }
    return committed.firstDifference(fromMemory: memory, stride: stride)
  }

  /// Takes the current pixels as the committed ones, so that each write is reported only once.
  func forgive() {
    if isHeld, isWhole { committed = picture() }
  }
}

/// When a buffer is released. Compositors differ, and a client must support them all.
nonisolated public enum ReleasePolicy: Hashable, Sendable, CaseIterable {
  /// Releases a buffer right after its commit, like a compositor that copies at once.
  case immediately
  /// Releases a buffer with the first refresh after its commit, like a compositor that uploads when it repaints.
  case atFrame
  /// Releases a buffer when a different buffer or a null buffer replaces it, like a compositor that scans out the memory itself.
  case whenReplaced
  /// Releases buffers only when the script calls `Stage.releaseBuffers()`.
  case byHand
}

/// The mapped memory of a wl_shm_pool, which lives until the pool and all its buffers are destroyed.
@MainActor final class StagePool {
  private let file: Descriptor
  private(set) var memory: UnsafeMutableRawPointer
  private(set) var size: Int
  private let counter: LiveMemory

  /// Maps the file's first `size` bytes; nil if it cannot be mapped. A shorter file is no error until a buffer is used.
  init?(file: ReceivedFile, size: Int, counter: LiveMemory) {
    guard let file = file.take(), let memory = StagePool.map(file, size: size) else { return nil }
    self.file = file
    self.memory = memory
    self.size = size
    self.counter = counter
    counter.mappings += 1
  }

  isolated deinit {
    counter.mappings -= 1
    munmap(memory, size)
  }

  /// Grows the mapping to `newSize` bytes. Returns false if the file cannot be mapped, or the pool would shrink.
  func grow(to newSize: Int) -> Bool {
    guard newSize >= size, let moved = StagePool.map(file, size: newSize) else { return false }
    munmap(memory, size)
    memory = moved
    size = newSize
    return true
  }

  /// The number of bytes in the file, which the client may change.
  var length: Int {
    var status = stat()
    return fstat(file.number, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func map(_ file: borrowing Descriptor, size: Int) -> UnsafeMutableRawPointer? {
    guard size > 0 else { return nil }
    let mapped = mmap(nil, size, PROT_READ, MAP_SHARED, file.number, 0)
    return mapped == MAP_FAILED ? nil : mapped
  }
}

/// Counts the clients' shared memory, to find leaks.
final class LiveMemory {
  var pools = 0
  /// The mapped pools, including destroyed ones that a buffer still uses.
  var mappings = 0
  var buffers = 0
}

extension WlShmResource {
  /// Sends a client the two formats that every compositor must support.
  func sendFormats() {
    sendFormat(format: .argb8888)
    sendFormat(format: .xrgb8888)
  }
}

extension Stage {
  /// The number of pools that clients have not destroyed.
  public var poolCount: Int { shm.pools }
  /// The number of buffers that clients have not destroyed.
  public var bufferCount: Int { shm.buffers }
  /// The number of buffers that the stage holds.
  public var heldBufferCount: Int { heldBuffers.count }

  /// Handles a request to a wl_shm.
  func handle(_ request: WlShmResource.Request, of bound: WlShmResource) {
    guard case .createPool(let made, let file, let size) = request else { return }
    guard let pool = StagePool(file: file, size: Int(size), counter: shm) else {
      return forbid(.poolNotMappable, "a pool of \(size) bytes", on: bound)
    }
    shm.pools += 1
    made.whenDestroyed { [weak self] in self?.shm.pools -= 1 }
    made.onRequest = { [unowned self, unowned made] in handle($0, of: made, over: pool) }
  }

  private func handle(_ request: WlShmPoolResource.Request, of resource: WlShmPoolResource, over pool: StagePool) {
    switch request {
    case .destroy: break
    case .resize(let size):
      if !pool.grow(to: Int(size)) {
        forbid(.poolShrunk, "a pool of \(pool.size) bytes resized to \(size)", on: resource)
      }
    case .createBuffer(let made, let offset, let width, let height, let stride, let format):
      guard format == .argb8888 || format == .xrgb8888 else {
        return forbid(.unknownFormat, "a buffer of the format \(format.rawValue)", on: resource)
      }
      let end = Int(offset) + Int(stride) * Int(height)
      guard offset >= 0, width > 0, height > 0, Int(stride) >= Int(width) * 4, end <= pool.size else {
        return forbid(
          .bufferOutsidePool, "a \(width) x \(height) buffer at \(offset), stride \(stride), in \(pool.size) bytes",
          on: resource
        )
      }
      let buffer = StageBuffer(
        resource: made, pool: pool, offset: Int(offset), size: PixelSize(width: Int(width), height: Int(height)),
        stride: Int(stride), hasAlpha: format == .argb8888)
      shm.buffers += 1
      own(buffer, for: made)
      made.whenDestroyed { [weak self] in
        self?.shm.buffers -= 1
        if buffer.isHeld { self?.note("wl_buffer destroyed while it is held") }
      }
    }
  }

  // MARK: Holding

  /// Holds a committed buffer, whose pixels must not differ from `picture` until the release.
  func hold(_ buffer: StageBuffer, picture: Picture?) {
    if buffer.isHeld { check(buffer) }
    buffer.hold(picture)
    if !heldBuffers.contains(where: { $0 === buffer }) { heldBuffers.append(buffer) }
  }

  /// Releases `buffer`, which a surface replaced, if the policy says so.
  func replaced(_ buffer: StageBuffer) {
    if releasePolicy == .whenReplaced { release(buffer) }
  }

  /// Releases a buffer to its client.
  func release(_ buffer: StageBuffer) {
    guard buffer.isHeld else { return }
    check(buffer)
    heldBuffers.removeAll { $0 === buffer }
    buffer.release()
  }

  /// Releases every held buffer, even those that are shown.
  public func releaseBuffers() {
    heldBuffers.forEach { release($0) }
  }

  /// Reports the writes of clients into buffers that the stage holds.
  func checkHeldBuffers() {
    guard checks else { return }
    heldBuffers.forEach { check($0) }
  }

  private func check(_ buffer: StageBuffer) {
    guard checks, let place = buffer.firstWrittenPixel() else { return }
    report(
      .heldBufferWritten,
      "wl_buffer@\(buffer.resource.id): the pixel (\(place.x), \(place.y)) changed while it was held")
    buffer.forgive()
  }
}
