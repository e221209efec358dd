/// An animated image for an APNG file (https://www.w3.org/TR/png-3/#apng-frame-based-animation): browsers play it, and programs
/// that only support PNG show its first frame.
///
/// Three measures keep the file small. A frame contains only the smallest rectangle that changed, and in it the pixels that
/// changed; the others are transparent. A pixel that is off by no more than `tolerance` levels of each colour is left
/// unchanged; such errors do not add up. And each colour is replaced by the nearest of 255 colours, which for an image of the
/// cockpit takes a third of the bytes of true colours.
package struct PNGAnimation {
  private struct Frame {
    let rect: PixelRect
    var milliseconds: Int
    /// The rectangle's pixels, 0xffRRGGBB, row by row; 0 where nothing changed.
    let pixels: [UInt32]
  }

  private let size: PixelSize
  private let tolerance: Int
  private var frames: [Frame] = []
  /// The accumulated image of the frames so far.
  private var shown: [UInt32]

  /// An animation of `size` without frames; `tolerance` is in levels, 0...255.
  package init(size: PixelSize, tolerance: Int = 0) {
    (self.size, self.tolerance) = (size, tolerance)
    // No opaque pixel is 0, so the first frame contains all pixels.
    shown = [UInt32](repeating: 0, count: size.area)
  }

  /// Adds a frame that is shown for the given milliseconds, at most 65,535; its pixels count as opaque. A frame that changes
  /// nothing extends the previous one. Returns false if the size differs from the animation's.
  @discardableResult package mutating func add(_ buffer: PixelBuffer, milliseconds: Int) -> Bool {
    guard buffer.size == size else { return false }
    let rect = change(to: buffer)
    guard !rect.isEmpty else {
      if !frames.isEmpty { frames[frames.count - 1].milliseconds += milliseconds }
      return true
    }
    var pixels = [UInt32](repeating: 0, count: rect.area)
    let (size, tolerance) = (size, tolerance)
    pixels.withUnsafeMutableBufferPointer { pixels in
      shown.withUnsafeMutableBufferPointer { shown in
        var place = 0
        for y in rect.y..<rect.maxY {
          for x in rect.x..<rect.maxX {
            let index = y * size.width + x
            let pixel = buffer[x, y]
            if Self.isOff(shown[index], pixel, tolerance) {
              shown[index] = pixel | 0xff00_0000
              pixels[place] = shown[index]
            }
            place += 1
          }
        }
      }
    }
    frames.append(Frame(rect: rect, milliseconds: milliseconds, pixels: pixels))
    return true
  }

  /// True if a pixel that is shown must become `new`; always true if the shown pixel is transparent.
  private static func isOff(_ shown: UInt32, _ new: UInt32, _ tolerance: Int) -> Bool {
    shown == 0 || distance(shown, new) > tolerance
  }

  /// The greatest difference of the colours of two pixels, in levels.
  private static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    guard a != b else { return 0 }
    let red = abs(Int(a >> 16 & 255) - Int(b >> 16 & 255))
    let green = abs(Int(a >> 8 & 255) - Int(b >> 8 & 255))
    return max(red, green, abs(Int(a & 255) - Int(b & 255)))
  }

  /// The smallest rectangle around the pixels that must change.
  private func change(to buffer: PixelBuffer) -> PixelRect {
    var (left, top, right, bottom) = (size.width, size.height, 0, 0)
    for y in 0..<size.height {
      for x in 0..<size.width where Self.isOff(shown[y * size.width + x], buffer[x, y], tolerance) {
        (left, right) = (min(left, x), max(right, x + 1))
        (top, bottom) = (min(top, y), y + 1)
      }
    }
    return PixelRect(left: left, top: top, right: right, bottom: bottom)
  }

  // MARK: The file

  /// Writes the animation to a file; it loops forever. Returns false if there are no frames, or if the file cannot be written.
  package func write(to path: String) -> Bool {
    guard !frames.isEmpty else { return false }
    let (colors, numbers) = palette()
    let file = PNGWriter.file(size, colors: .listed) { writer in
      writer.putAnimation(frameCount: frames.count)
      // Colour number 0 is transparent.
      writer.putChunk(
        "PLTE", ([0] + colors).flatMap { color in [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) } })
      writer.putChunk("tRNS", [0])
      for frame in frames {
        writer.putFrame(
          frame.rect, milliseconds: frame.milliseconds, PNGWriter.compressed(rows(of: frame, numbers), .small))
      }
    }
    return PNGWriter.write(file, to: path)
  }

  /// A palette of at most 255 colours, and for each pixel colour the number of the nearest one, from 1. Colours are chosen
  /// greedily by the number of pixels that have them, times the squared distance from the colours already chosen.
  private func palette() -> (colors: [UInt32], numbers: [UInt32: UInt8]) {
    var counts: [UInt32: Int] = [:]
    for frame in frames { for pixel in frame.pixels where pixel != 0 { counts[pixel, default: 0] += 1 } }
    let known = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var colors: [UInt32] = []
    var nearest = [(distance: Int, number: UInt8)](repeating: (256, 0), count: known.count)
    var next: Int? = known.isEmpty ? nil : 0
    while let taken = next, colors.count < 255 {
      colors.append(known[taken].key)
      var most = 0
      next = nil
      for index in known.indices where nearest[index].distance > 0 {
        let distance = Self.distance(known[index].key, known[taken].key)
        if distance < nearest[index].distance { nearest[index] = (distance, UInt8(colors.count)) }
        let need = known[index].value * nearest[index].distance * nearest[index].distance
        if need > most { (most, next) = (need, index) }
      }
    }
    return (colors, Dictionary(uniqueKeysWithValues: zip(known.map(\.key), nearest.map(\.number))))
  }

  /// The rows of a frame as colour numbers. Each row begins with its filter type, 0 for no filter.
  private func rows(of frame: Frame, _ numbers: [UInt32: UInt8]) -> [UInt8] {
    var rows = [UInt8](repeating: 0, count: (frame.rect.width + 1) * frame.rect.height)
    var (last, number) = (UInt32(0), UInt8(0))
    for (index, pixel) in frame.pixels.enumerated() where pixel != 0 {
      if pixel != last { (last, number) = (pixel, numbers[pixel] ?? 0) }
      rows[index + index / frame.rect.width + 1] = number
    }
    return rows
  }
}
