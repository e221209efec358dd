import Linux

/// PNG files, read and written whole.
public enum PNG {
  /// Writes the pixels as a PNG file; false if the file cannot be written. With `isOpaque` alpha is left out.
  public static func write(_ buffer: PixelBuffer, to path: String, isOpaque: Bool = false) -> Bool {
    PNGWriter.write(PNGWriter.file(of: buffer, isOpaque: isOpaque, .fast), to: path)
  }

  /// Writes the pixels as a PNG file that is kept: slower, and a fifth to a quarter smaller. False when the file cannot be written.
  package static func writeSmall(_ buffer: PixelBuffer, to path: String) -> Bool {
    PNGWriter.write(PNGWriter.file(of: buffer, isOpaque: false, .small), to: path)
  }

  /// The bytes of a PNG file of an image, row by row as premultiplied 0xAARRGGBB, without alpha if it is opaque; nil for an empty image, or
  /// if there is not enough memory.
  package static func encoded(_ pixels: [UInt32], _ size: PixelSize) -> [UInt8]? {
    guard pixels.count == size.area, let memory = PixelMemory(size) else { return nil }
    return memory.withBuffer { buffer in
      for y in 0..<size.height {
        for x in 0..<size.width { buffer[x, y] = pixels[y * size.width + x] }
      }
      return PNGWriter.file(of: buffer, isOpaque: pixels.allSatisfy { $0 >> 24 == 0xff }, .fast)
    }
  }

  /// Calls `body` with the pixels of a PNG file.
  ///
  /// Any file at `path` gives pixels or one error: pipes and devices are not waited for, and an image that claims to be
  /// enormous is refused before its memory is allocated.
  public static func read<Result>(
    contentsOf path: String, _ body: (PixelBuffer) -> Result
  ) throws(PictureError) -> Result {
    let file = try PNGReader(contentsOf: path)
    guard let memory = PixelMemory(file.size) else { throw PictureError(path: path, reason: .noMemory) }
    guard memory.withBuffer({ file.decode(into: $0) }) else { throw PictureError(path: path, reason: .damaged) }
    return memory.withBuffer(body)
  }

  /// The size that the PNG file at `path` declares, read from its first bytes; nil for a file that is no PNG, cannot be read, or
  /// is too large to be drawn.
  package static func declaredSize(contentsOf path: String) -> PixelSize? {
    guard let bytes = try? FileReader.beginning(of: path, count: 24), let size = PNGReader.claimedSize(bytes),
      size.isUsableForBitmap
    else { return nil }
    return size
  }
}
