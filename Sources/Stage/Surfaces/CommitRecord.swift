import UICore

/// A commit, as the stage saw it.
nonisolated public struct CommitRecord: Sendable {
  /// When the stage read it.
  public var time: MonotonicTime
  /// When the client may have made it at the earliest: the stage had read all before.
  public var earliest: MonotonicTime
  /// True when it attached a buffer.
  public var hasContent = false
  /// True when it took the content away (a null buffer).
  public var unmaps = false
  /// The attached buffer's extent.
  public var bufferSize = PixelSize.zero
  /// The surface's extent in logical points after the commit.
  public var logicalSize = Size.zero
  /// The damage in buffer pixels, clipped to the buffer; rectangles may overlap.
  public var damage: [PixelRect] = []
  /// The pixels that the damage covers.
  public var damagedPixels = 0
  /// True when it asked for a frame callback.
  public var asksForFrame = false
  /// True when it asked for presentation feedback.
  public var asksForFeedback = false
  /// The configure that it honours for the first time.
  public var acknowledged: UInt32?

  /// The damaged share of the buffer, from 0 to 1.
  public var damagedShare: Double { bufferSize.isEmpty ? 0 : Double(damagedPixels) / Double(bufferSize.area) }

  /// True when nothing at all came with it.
  public var isEmpty: Bool {
    !hasContent && !unmaps && damage.isEmpty && !asksForFrame && !asksForFeedback && acknowledged == nil
  }
}
