// The buffers of one surface: which to draw into, what each lacks, when they go.

import Interface
import Wayland

/// Two buffers, three when the compositor holds both, each with what it lacks of the newest frame.
///
/// Rule of use: `reserve`, `repair`, draw the frame's damage, `present`. A frame that can't get a buffer is asked for again when
/// the compositor has said something, such as that it gives one back.
final class Swapchain {
  /// More than three would only add latency and memory.
  static let maximumCount = 3
  /// More buffers of earlier sizes, or more bytes of them, than any compositor holds that ever gives one back.
  static let maximumRetired = (count: 8, bytes: ShmBuffer.maximumBytes)

  private let shm: WlShm
  private var buffers: [ShmBuffer] = []
  /// Buffers of earlier sizes that the compositor still holds.
  private var retired: [ShmBuffer] = []
  /// The buffer that holds the newest frame.
  private var front: ShmBuffer?
  /// What a buffer lacks; kept for its storage.
  private var missing = Region()

  init(shm: WlShm) {
    self.shm = shm
  }

  /// The number of buffers that exist, held or not, retired ones included.
  var count: Int { buffers.count + retired.count }

  /// True when nothing of `size` was presented yet, so that the whole frame must be drawn.
  func needsWholeFrame(size: PixelSize, isOpaque: Bool) -> Bool {
    front?.size != size || front?.isOpaque != isOpaque
  }

  /// A free buffer of `size`, or nil when the compositor holds all of them, or too many of earlier sizes; `repair` it before drawing.
  func reserve(size: PixelSize, isOpaque: Bool) throws(ShellError) -> ShmBuffer? {
    if let first = buffers.first, first.size != size || first.isOpaque != isOpaque { retireAll() }
    // The free buffer that lacks least: the one shown last, where the compositor gives it back at once.
    var best: ShmBuffer?
    for buffer in buffers where !buffer.isHeld {
      if buffer.stale.area < best?.stale.area ?? .max { best = buffer }
    }
    if let best { return best }
    guard buffers.count < Swapchain.maximumCount else { return nil }
    let (count, bytes) = Swapchain.maximumRetired
    guard retired.count < count, retired.reduce(0, { $0 + $1.byteCount }) <= bytes else { return nil }
    let made = try ShmBuffer(shm: shm, size: size, isOpaque: isOpaque)
    made.onRelease = { [weak self] released in self?.retired.removeAll { $0 === released } }
    buffers.append(made)
    Log.write(.buffer, .info, "buffer \(buffers.count) of \(size.width) x \(size.height)")
    return made
  }

  /// Copies what `buffer` lacks of the newest frame, but for `damage`, which the caller draws.
  func repair(_ buffer: ShmBuffer, except damage: Region) {
    guard let front, front !== buffer, !buffer.stale.isEmpty else { return }
    missing.replace(by: buffer.stale)
    missing.subtract(damage)
    buffer.copy(missing, from: front)
  }

  /// Attaches `buffer` for the surface's next commit and notes what the others now lack.
  func present(_ buffer: ShmBuffer, damage: Region, on surface: WlSurface) {
    buffer.attach(to: surface)
    front = buffer
    for other in buffers where other !== buffer { other.stale.add(damage) }
  }

  /// Gives every buffer up; those that the compositor holds go when they are released.
  func retireAll() {
    for buffer in buffers {
      buffer.retire()
      if buffer.isHeld { retired.append(buffer) }
    }
    buffers.removeAll()
    front = nil
  }

  /// Ends every buffer, held or not; the surface must be gone.
  func end() {
    for buffer in buffers + retired { buffer.end() }
    buffers.removeAll()
    retired.removeAll()
    front = nil
  }
}
