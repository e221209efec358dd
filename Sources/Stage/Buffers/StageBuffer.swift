import UICore
import WaylandServer

/// A wl_buffer in shared memory. From a commit until its release the stage holds it, and its pixels must not change.
public final class StageBuffer {
  /// The protocol object.
  public let resource: WlBufferResource
  /// The extent in pixels.
  public let size: PixelSize
  /// Bytes from one row to the next.
  public let stride: Int
  /// False for xrgb8888.
  public let hasAlpha: Bool
  /// True from a commit until the release.
  public private(set) var isHeld = false
  /// False once the client destroyed it.
  public var isAlive: Bool { resource.isAlive }

  /// The connection that it came over, which may be gone.
  let client: OpaquePointer?
  private let pool: StagePool
  private let offset: Int
  /// The pixels as they were committed, where the stage checks them.
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

  /// The first row's first byte, valid until the pool grows.
  public var memory: UnsafeRawPointer { UnsafeRawPointer(pool.memory + offset) }

  /// The pixels at this moment.
  public func picture() -> Picture { Picture(size: size, hasAlpha: hasAlpha, memory: memory, stride: stride) }

  /// Takes the buffer over, with its pixels when they are to be checked.
  func hold(_ picture: Picture?) {
    isHeld = true
    committed = picture
  }

  /// Gives the buffer back.
  func release() {
    guard isHeld else { return }
    isHeld = false
    committed = nil
    resource.sendRelease()
  }

  /// The first pixel that changed since the commit.
  func firstWrittenPixel() -> (x: Int, y: Int)? {
    guard isHeld, let committed else { return nil }
    return committed.firstDifference(fromMemory: memory, stride: stride)
  }

  /// Takes the present pixels as the committed ones, so that one write is reported once.
  func forgive() {
    if isHeld { committed = picture() }
  }
}
