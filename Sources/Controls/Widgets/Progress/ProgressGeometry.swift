/// The parts of a progress bar, in its own coordinates.
nonisolated struct ProgressGeometry: Hashable, Sendable {
  /// The preferred height of the track in points.
  static let thickness = 6.0
  /// The part of the track that the running piece of a bar without a value takes.
  static let piece = 0.35

  /// The whole way.
  let track: Rect
  private let direction: LayoutDirection

  /// The parts of a bar of `size`, whose track is as high as the bar is, at most `ProgressGeometry.thickness`, and in its middle.
  init(size: Size, direction: LayoutDirection) {
    let height = min(Self.thickness, max(size.height, 0))
    track = Rect(x: 0, y: ((size.height - height) / 2).rounded(), width: max(size.width, 0), height: height)
    self.direction = direction
  }

  /// The part that is done, of a `progress` from 0 to 1: from the leading side.
  func done(_ progress: Double) -> Rect { part(from: 0, to: progress) }

  /// The running piece at `phase`: at 0 and at 1 it is outside, so that its way repeats.
  func running(at phase: Double) -> Rect {
    let start = phase * (1 + Self.piece) - Self.piece
    return part(from: start, to: start + Self.piece)
  }

  private func part(from start: Double, to end: Double) -> Rect {
    let (start, end) = (start.clamped(to: 0...1), end.clamped(to: 0...1))
    let part = Rect(x: start * track.width, y: track.minY, width: (end - start) * track.width, height: track.height)
    return direction.rect(part, in: track.width)
  }
}
