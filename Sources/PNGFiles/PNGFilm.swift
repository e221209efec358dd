import UICore

/// A film of what a screen shows, for an APNG file: pictures that come one after the other at times of a clock, and whose sizes may differ.
///
/// Each lies at the top left of a canvas that is as large as the largest; the rest of the canvas is grey. A frame has only the rectangle that
/// changed, and in it the pixels that changed, in true colours. Frames are compressed as they come, so that a long film takes no more memory
/// than its file does.
package struct PNGFilm {
  /// What bounds a film.
  package struct Limits {
    /// The most frames, without the last picture.
    package var frames = 1000
    /// The most bytes of frames, without the last picture.
    package var bytes = 16 << 20

    package init() {}
  }

  /// A picture: opaque pixels, row by row.
  private struct Picture {
    let size: PixelSize
    let pixels: [UInt32]

    func pixel(_ x: Int, _ y: Int) -> UInt32 {
      x < size.width && y < size.height ? pixels[y * size.width + x] | 0xff00_0000 : PNGFilm.ground
    }
  }

  private struct Frame {
    let rect: PixelRect
    var milliseconds = PNGFilm.longest
    /// Compressed rows.
    let data: [UInt8]
  }

  /// What no picture covers.
  package static let ground: UInt32 = 0xff80_8080
  /// How long the last frame stands, and any other at most, in milliseconds.
  package static let longest = 1000
  /// How long a frame stands at least, in milliseconds. Browsers show one of 10 or less for 100.
  package static let shortest = 16

  private let limits: Limits
  private var frames: [Frame] = []
  private var first: Picture?
  private var shown: Picture?
  private var lastTime = 0
  private var byteCount = 0
  /// The picture for which there was no more room.
  private var waiting: Picture?
  /// The extent of the largest picture so far.
  package private(set) var canvas = PixelSize.zero
  /// The time of the first picture that is left out because the film has reached its limit; nil as long as it has not.
  package private(set) var end: MonotonicTime?

  /// A film without pictures.
  package init(_ limits: Limits = Limits()) { self.limits = limits }

  /// The number of frames, without the last picture of a film that has reached its limit.
  package var frameCount: Int { frames.count }

  /// Adds a picture, row by row as 0xAARRGGBB whose alpha is ignored, that is shown from `time` on. Pictures come in the order of their times;
  /// one that equals the last is no frame, and an empty one is a
  /// grey canvas.
  package mutating func add(_ pixels: [UInt32], _ size: PixelSize, at time: MonotonicTime) {
    guard pixels.count == size.area else { return }
    let picture = Picture(size: size, pixels: pixels)
    guard let shown else {
      if !size.isEmpty { begin(picture, at: time) }
      return
    }
    if end != nil {
      waiting = picture
      return
    }
    let rect = Self.change(from: shown, to: picture)
    guard !rect.isEmpty else { return }
    guard let data = PNGWriter.compressed(Self.rows(rect, from: shown, to: picture), .fast),
      frames.count < limits.frames, byteCount + data.count <= limits.bytes
    else {
      (end, waiting) = (time, picture)
      return
    }
    take(picture, rect, data)
    close(at: time)
    frames.append(Frame(rect: rect, data: data))
  }

  private mutating func begin(_ picture: Picture, at time: MonotonicTime) {
    first = picture
    lastTime = Self.milliseconds(time)
    let rect = PixelRect(picture.size)
    guard let data = PNGWriter.compressed(Self.rows(rect, from: nil, to: picture), .fast) else { return }
    take(picture, rect, data)
    frames.append(Frame(rect: rect, data: data))
  }

  private mutating func take(_ picture: Picture, _ rect: PixelRect, _ data: [UInt8]) {
    shown = picture
    byteCount += data.count
    canvas = PixelSize(width: max(canvas.width, picture.size.width), height: max(canvas.height, picture.size.height))
  }

  /// Ends the time of the last frame. Times are rounded, not their differences, so that errors do not add up.
  private mutating func close(at time: MonotonicTime) {
    let now = Self.milliseconds(time)
    frames[frames.count - 1].milliseconds = min(max(now - lastTime, Self.shortest), Self.longest)
    lastTime = now
  }

  private static func milliseconds(_ time: MonotonicTime) -> Int { Int(time.nanoseconds / 1_000_000) }

  /// The file: its last frame is the last picture, even of a film that has reached its limit. Nil if there was no picture, or if there is not
  /// enough memory.
  package func file() -> [UInt8]? {
    guard let first, !frames.isEmpty else { return nil }
    var film = self
    if let end, let waiting, let shown, !Self.change(from: shown, to: waiting).isEmpty {
      let rect = Self.change(from: shown, to: waiting)
      guard let data = PNGWriter.compressed(Self.rows(rect, from: shown, to: waiting), .fast) else { return nil }
      film.take(waiting, rect, data)
      film.close(at: end)
      film.frames.append(Frame(rect: rect, data: data))
    }
    let whole = PixelRect(film.canvas)
    // The first frame covers the canvas, whose extent is known only now.
    let isWhole = film.frames.first?.rect == whole
    let begin =
      isWhole ? film.frames.first?.data : PNGWriter.compressed(Self.rows(whole, from: nil, to: first), .fast)
    return PNGWriter.file(film.canvas, colors: .withAlpha) { writer in
      writer.putAnimation(frameCount: film.frames.count)
      for (index, frame) in film.frames.enumerated() {
        writer.putFrame(
          index == 0 ? whole : frame.rect, milliseconds: frame.milliseconds, index == 0 ? begin : frame.data)
      }
    }
  }

  // MARK: Pixels

  /// The smallest rectangle around the pixels that change.
  private static func change(from old: Picture, to new: Picture) -> PixelRect {
    let width = max(old.size.width, new.size.width), height = max(old.size.height, new.size.height)
    var (left, top, right, bottom) = (width, height, 0, 0)
    for y in 0..<height {
      guard let from = (0..<width).first(where: { old.pixel($0, y) != new.pixel($0, y) }),
        let to = (from..<width).last(where: { old.pixel($0, y) != new.pixel($0, y) })
      else { continue }
      (left, right) = (min(left, from), max(right, to + 1))
      (top, bottom) = (min(top, y), y + 1)
    }
    return PixelRect(left: left, top: top, right: right, bottom: bottom)
  }

  /// The rows of a rectangle of `new`, each after its filter, none; pixels that `old` has are transparent.
  private static func rows(_ rect: PixelRect, from old: Picture?, to new: Picture) -> [UInt8] {
    var rows = [UInt8](repeating: 0, count: (1 + rect.width * 4) * rect.height)
    var place = 0
    for y in rect.y..<rect.maxY {
      place += 1
      for x in rect.x..<rect.maxX {
        let pixel = new.pixel(x, y)
        if old?.pixel(x, y) != pixel {
          rows[place] = UInt8(truncatingIfNeeded: pixel >> 16)
          rows[place + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
          rows[place + 2] = UInt8(truncatingIfNeeded: pixel)
          rows[place + 3] = 0xff
        }
        place += 4
      }
    }
    return rows
  }
}
