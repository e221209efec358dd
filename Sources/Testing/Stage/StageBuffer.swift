import CLinux
import Glibc
import Linux
internal import WaylandServer
import WaylandWire

/// A wl_buffer in shared memory, or one of a single pixel. The stage holds it from a commit until its release; meanwhile its pixels must
/// not change.
public final class StageBuffer {
  let resource: WlBufferResource
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

  /// The number of commits with it that are not applied yet, of which each needs it held.
  var waitingCommits = 0

  /// The connection that created it; nil once that is forgotten.
  private(set) weak var client: StageClient?
  private let content: Content
  /// The pixels at the commit; nil if the stage does not check them.
  private(set) var committed: BufferCopy?
  /// False until the stage has judged whether a GPU could read the buffer.
  var isLayoutJudged = false
  /// True if a compositor can hand the pool's memory to a GPU: it has whole pages.
  var isImportable: Bool { poolSize % sysconf(Int32(_SC_PAGESIZE)) == 0 }
  /// The number of bytes in the pool; 0 without one.
  var poolSize: Int {
    if case .shared(let pool, _) = content { pool.size } else { 0 }
  }
  /// True for a buffer of wp_single_pixel_buffer_manager_v1, which has one pixel and no memory.
  public var isSinglePixel: Bool {
    if case .pixel = content { true } else { false }
  }
  /// Whether the stage has found a write of the client since it holds the buffer.
  private(set) var wasWritten = false
  /// A pixel outside the damage of the last commit that is not judged yet; nil if each was judged.
  var undamaged: UndamagedPixel?

  /// Where a buffer's pixels are.
  enum Content {
    /// In shared memory, from a byte of a pool on.
    case shared(StagePool, offset: Int)
    /// Given as numbers: one pixel, premultiplied 0xAARRGGBB.
    case pixel(UInt32)
  }

  init(
    resource: WlBufferResource, client: StageClient?, content: Content, size: PixelSize, stride: Int, hasAlpha: Bool
  ) {
    self.resource = resource
    self.client = client
    self.content = content
    self.size = size
    self.stride = stride
    self.hasAlpha = hasAlpha
  }

  /// Returns a copy of the current pixels; nil if the client's file is too short for them.
  public func picture() -> BufferCopy? {
    unsafe BufferCopy(size: size, hasAlpha: hasAlpha, stride: stride) { unsafe read($0, at: $1) }
  }

  /// Fills `memory` with pixels from a byte of the buffer on; returns false if the client's file is too short for them.
  private func read(_ memory: UnsafeMutableRawBufferPointer, at byte: Int) -> Bool {
    switch content {
    case .shared(let pool, let offset): return unsafe pool.read(memory, at: offset + byte)
    case .pixel(let word):
      unsafe memory.storeBytes(of: word, as: UInt32.self)
      return true
    }
  }

  /// Returns the current pixels of a row as they are in memory, 0xAARRGGBB; nil if the client's file is too short for them.
  public func pixels(inRow y: Int) -> [UInt32]? {
    precondition((0..<size.height).contains(y), "the row lies outside")
    return unsafe BufferCopy(size: PixelSize(width: size.width, height: 1), hasAlpha: hasAlpha, stride: stride) {
      unsafe read($0, at: y * stride + $1)
    }?.words
  }

  /// False if the client's file is too short for the pixels.
  var isWhole: Bool {
    guard case .shared(let pool, let offset) = content else { return true }
    return offset + stride * (size.height - 1) + size.width * 4 <= pool.length
  }

  /// Marks the buffer as held. `picture` is the copy of its pixels to compare with later; nil to check nothing.
  func hold(_ picture: BufferCopy?) {
    isHeld = true
    committed = picture
    wasWritten = false
  }

  /// Releases the buffer to the client.
  func release() {
    guard isHeld else { return }
    isHeld = false
    committed = nil
    resource.sendRelease()
  }

  /// A fault of a client with a buffer that is held.
  enum Damage {
    /// It wrote into it; first into this pixel.
    case written(x: Int, y: Int)
    /// It cut the file off, so that the pixels are gone.
    case cut
  }

  /// Returns what happened to the pixels since the commit, and takes them as they are, so that it is reported once; nil if
  /// nothing happened, or the buffer is not held or not checked.
  func takeDamage() -> Damage? {
    guard isHeld, let committed else { return nil }
    guard let now = picture() else {
      self.committed = nil
      return .cut
    }
    guard let place = committed.firstDifference(from: now) else { return nil }
    self.committed = now
    wasWritten = true
    return .written(x: place.x, y: place.y)
  }
}

/// A pixel that differs outside the damage of its buffer's commit.
///
/// Either the damage lies, or the client has written into the buffer for a second commit before the stage read the first. So the
/// stage judges at the next commit of the buffer, at its release or at the end of the step, whichever comes first.
struct UndamagedPixel {
  let x: Int, y: Int
  /// The report if the damage lies.
  let violation: Violation
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

/// The file of a wl_shm_pool, which lives until the pool and all its buffers are destroyed.
///
/// The stage reads it and keeps no mapping of it: a client that truncates the file while the stage copies from a mapping would
/// kill the stage by SIGBUS.
@MainActor final class StagePool {
  private let file: Descriptor
  private(set) var size: Int
  private let counter: LiveMemory

  /// Takes a file of which clients use the first `size` bytes; nil if it cannot be mapped. A shorter file is no error until a
  /// buffer is used.
  init?(file: ReceivedFile, size: Int, counter: LiveMemory) {
    guard let file = file.take(), StagePool.isMappable(file, size: size) else { return nil }
    self.file = file
    self.size = size
    self.counter = counter
    counter.files += 1
  }

  isolated deinit { counter.files -= 1 }

  /// Grows the pool to `newSize` bytes. Returns false if the file cannot be mapped, or the pool would shrink.
  func grow(to newSize: Int) -> Bool {
    guard newSize >= size, StagePool.isMappable(file, size: newSize) else { return false }
    size = newSize
    return true
  }

  /// Fills `memory` from the file; returns false if the file ends before that.
  func read(_ memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    var done = 0
    while done < memory.count {
      let count = unsafe pread(
        file.number, memory.baseAddress.map { unsafe $0 + done }, memory.count - done, offset + done)
      if count > 0 { done += count } else if count == 0 || errno != EINTR { return false }
    }
    return true
  }

  /// The number of bytes in the file, which the client may change.
  var length: Int {
    var status = stat()
    return unsafe fstat(file.number, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether a compositor that maps the file could.
  private static func isMappable(_ file: borrowing Descriptor, size: Int) -> Bool {
    guard size > 0 else { return false }
    let mapped = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, file.number, 0)
    return unsafe mapped != MAP_FAILED && munmap(mapped, size) == 0
  }
}

/// Counts the clients' shared memory, to find leaks.
final class LiveMemory {
  var pools = 0
  /// The files of pools, including destroyed ones that a buffer still uses.
  var files = 0
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
        resource: made, client: client(of: made), content: .shared(pool, offset: Int(offset)),
        size: PixelSize(width: Int(width), height: Int(height)),
        stride: Int(stride), hasAlpha: format == .argb8888)
      adopt(buffer, for: made)
    }
  }

  func handle(_ request: WpSinglePixelBufferManagerV1Resource.Request) {
    guard case .createU32RgbaBuffer(let made, let red, let green, let blue, let alpha) = request else { return }
    if max(red, green, blue) > alpha {
      report(.pixelNotPremultiplied, "wl_buffer@\(made.id): (\(red), \(green), \(blue)) of \(alpha)")
    }
    let parts = [alpha, red, green, blue].map { UInt32((UInt64($0) * 255 + 0x7fff_ffff) / 0xffff_ffff) }
    let word = parts.reduce(0) { $0 << 8 | $1 }
    adopt(
      StageBuffer(
        resource: made, client: client(of: made), content: .pixel(word), size: PixelSize(width: 1, height: 1),
        stride: 4,
        hasAlpha: true), for: made)
  }

  /// Keeps a new buffer until its object is destroyed.
  private func adopt(_ buffer: StageBuffer, for made: WlBufferResource) {
    shm.buffers += 1
    own(buffer, for: made)
    made.onRequest = { [unowned self, unowned buffer] in if case .destroy = $0 { checkIcons(without: buffer) } }
    made.whenDestroyed { [weak self] in
      self?.shm.buffers -= 1
      if buffer.isHeld { self?.note("wl_buffer destroyed while it is held") }
    }
  }

  // MARK: Holding

  /// Checks a buffer that is committed again while the stage holds it.
  func checkAgain(_ buffer: StageBuffer) {
    guard buffer.isHeld else { return }
    if let pixel = buffer.undamaged {
      buffer.undamaged = nil
      reportWrite(into: buffer, x: pixel.x, y: pixel.y)
    }
    check(buffer)
  }

  /// Holds a committed buffer, whose pixels must not differ from `picture` until the release.
  func hold(_ buffer: StageBuffer, picture: BufferCopy?) {
    buffer.hold(picture)
    if !heldBuffers.contains(where: { $0 === buffer }) { heldBuffers.append(buffer) }
  }

  /// Releases `buffer`, which a surface replaced, if the policy says so.
  func replaced(_ buffer: StageBuffer) {
    if releasePolicy == .whenReplaced { release(buffer) }
  }

  /// Releases a buffer to its client, unless a commit with it still waits to be shown.
  func release(_ buffer: StageBuffer) {
    guard buffer.isHeld, buffer.waitingCommits == 0 else { return }
    judgeDamage(of: buffer)
    check(buffer)
    heldBuffers.removeAll { $0 === buffer }
    buffer.release()
  }

  /// Releases every held buffer, even those that are shown, but not those of commits that still wait.
  public func releaseBuffers() {
    heldBuffers.forEach { release($0) }
  }

  /// Reports the writes of clients into buffers that the stage holds, and into icons.
  func checkHeldBuffers() {
    guard checks else { return }
    heldBuffers.forEach { check($0) }
    icons.forEach { $0.check() }
  }

  /// Reports the damage that lies in commits whose buffers the client has not committed again.
  func judgeDamage() { heldBuffers.forEach(judgeDamage) }

  private func judgeDamage(of buffer: StageBuffer) {
    guard let pixel = buffer.undamaged else { return }
    buffer.undamaged = nil
    report(pixel.violation)
  }

  private func check(_ buffer: StageBuffer) {
    guard checks, let damage = buffer.takeDamage() else { return }
    switch damage {
    case .written(let x, let y): reportWrite(into: buffer, x: x, y: y)
    case .cut:
      let message = "wl_buffer@\(buffer.resource.id): its file was truncated while it was held"
      forbid(.poolShrunk, message, on: buffer.resource)
    }
  }

  private func reportWrite(into buffer: StageBuffer, x: Int, y: Int) {
    report(.heldBufferWritten, "wl_buffer@\(buffer.resource.id): the pixel (\(x), \(y)) changed while it was held")
  }
}
