import UICore
import WaylandServer

/// How much of clients' shared memory is alive.
final class LiveMemory {
  var pools = 0
  /// What is mapped of them, which lives as long as a buffer does.
  var mappings = 0
  var buffers = 0
}

extension Stage {
  /// The pools that clients have not destroyed.
  public var poolCount: Int { shm.pools }
  /// The buffers that clients have not destroyed.
  public var bufferCount: Int { shm.buffers }
  /// The buffers held at this moment.
  public var heldBufferCount: Int { heldBuffers.count }

  /// Serves a bound wl_shm.
  func serve(_ bound: WlShmResource) {
    bound.sendFormat(format: .argb8888)
    bound.sendFormat(format: .xrgb8888)
    bound.onRequest = { [weak self, weak bound] request in
      guard let self, let bound, case .createPool(let made, let file, let size) = request else { return }
      guard let pool = StagePool(file: file, size: Int(size), counter: self.shm) else {
        self.forbid(
          .protocolError, "a pool of \(size) bytes over a file that is shorter or can't be mapped", on: bound,
          code: WlShmResource.ErrorCode.invalidFd)
        return
      }
      self.shm.pools += 1
      made.onDestroy = { [weak self] in self?.shm.pools -= 1 }
      made.onRequest = { [weak self, weak made] request in
        guard let self, let made else { return }
        self.handle(request, of: made, over: pool)
      }
    }
  }

  private func handle(_ request: WlShmPoolResource.Request, of resource: WlShmPoolResource, over pool: StagePool) {
    switch request {
    case .destroy: break
    case .resize(let size):
      if !pool.grow(to: Int(size)) {
        forbid(
          .protocolError, "a pool of \(pool.size) bytes resized to \(size)", on: resource,
          code: WlShmResource.ErrorCode.invalidFd)
      }
    case .createBuffer(let made, let offset, let width, let height, let stride, let format):
      guard format == .argb8888 || format == .xrgb8888 else {
        forbid(
          .protocolError, "a buffer of the format \(format.rawValue)", on: resource,
          code: WlShmResource.ErrorCode.invalidFormat)
        return
      }
      let end = Int(offset) + Int(stride) * Int(height)
      guard offset >= 0, width > 0, height > 0, Int(stride) >= Int(width) * 4, end <= pool.size else {
        forbid(
          .protocolError, "a \(width) x \(height) buffer at \(offset), stride \(stride), in \(pool.size) bytes",
          on: resource, code: WlShmResource.ErrorCode.invalidStride)
        return
      }
      let buffer = StageBuffer(
        resource: made, pool: pool, offset: Int(offset), size: PixelSize(width: Int(width), height: Int(height)),
        stride: Int(stride), hasAlpha: format == .argb8888)
      shm.buffers += 1
      own(buffer, for: made) { [weak self] in
        self?.shm.buffers -= 1
        if buffer.isHeld { self?.note("wl_buffer destroyed while it is held") }
      }
    }
  }

  // MARK: Holding

  /// Takes a committed buffer over.
  func hold(_ buffer: StageBuffer, picture: Picture?) {
    if buffer.isHeld { check(buffer) }
    buffer.hold(picture)
    if !heldBuffers.contains(where: { $0 === buffer }) { heldBuffers.append(buffer) }
  }

  /// A surface shows another buffer now, or none.
  func replaced(_ buffer: StageBuffer) {
    if releasePolicy == .whenReplaced { release(buffer) }
  }

  /// Gives a buffer back.
  func release(_ buffer: StageBuffer) {
    guard buffer.isHeld else { return }
    check(buffer)
    heldBuffers.removeAll { $0 === buffer }
    buffer.release()
  }

  /// Gives back every buffer that is held, the one that is shown too.
  public func releaseBuffers() {
    heldBuffers.forEach { release($0) }
  }

  /// Looks whether a client wrote into what it does not own.
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
