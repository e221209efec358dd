/// An image kept as pixels: drawn once at one scale, then copied as often as needed.
public final class Picture {
  /// The extent in logical points.
  public let size: Size
  /// Pixels per point that it was drawn at.
  public let scale: Scale
  /// True if every pixel is opaque, undrawn ones black: copying then needs no blending.
  public let isOpaque: Bool
  /// The extent in pixels.
  public let pixelSize: PixelSize

  /// The pixels; nil if nothing was drawn.
  let bitmap: Bitmap?

  /// Draws `body` once. A size that is not finite, of more than 64 million pixels or of more than 32,767 per side gives an
  /// empty image.
  public init(size: Size, scale: Scale, isOpaque: Bool = false, _ body: (Canvas) -> Void) {
    let usable = size.width.isFinite && size.height.isFinite && !size.isEmpty
    self.size = usable ? size : .zero
    self.scale = scale
    self.isOpaque = isOpaque
    let rect = scale.pixelRect(covering: Rect(origin: .zero, size: self.size))
    let pixels = PixelSize(width: rect.width, height: rect.height)
    let backing = Backing()
    backing.prepare(pixels)
    backing.isFilled = isOpaque
    if !pixels.isEmpty {
      backing.draw(scale: scale, transform: .scale(x: scale.factor, y: scale.factor), notesInk: false) { canvas in
        if isOpaque { canvas.fill(.black) }
        body(canvas)
      }
    }
    bitmap = backing.bitmap
    pixelSize = bitmap == nil && !pixels.isUsableForBitmap ? .zero : pixels
  }

  /// An image of pixels that never change again.
  init(_ bitmap: Bitmap, scale: Scale) {
    size = Size(
      width: Double(bitmap.size.width) / scale.factor, height: Double(bitmap.size.height) / scale.factor)
    self.scale = scale
    isOpaque = false
    pixelSize = bitmap.size
    self.bitmap = bitmap
  }
}

extension Picture {
  /// The image in a PNG file, with one of its pixels for each buffer pixel at `scale`.
  public convenience init(contentsOf path: String, scale: Scale = .one) throws(PictureError) {
    let file = try PNGReader(contentsOf: path)
    guard let bitmap = Bitmap(size: file.size) else { throw PictureError(path: path, reason: .noMemory) }
    guard bitmap.withBuffer({ file.decode(into: $0) }) else { throw PictureError(path: path, reason: .damaged) }
    bitmap.markDirty()
    self.init(bitmap, scale: scale)
  }
}
