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

  /// What pictures of files may take, also of those that are read on other threads. A program for a small machine assigns less at its start.
  public static var limits = PictureLimits()

  /// The pixels; nil if nothing was drawn.
  let bitmap: Bitmap?
  /// What counts the pixels of a file's picture while it is in use.
  private let share: PixelShare?

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
    share = nil
    pixelSize = bitmap == nil && !pixels.isUsableForBitmap ? .zero : pixels
  }

  /// An image of a file's pixels, one for each buffer pixel at `scale`.
  package init(_ content: PictureFile.Content, scale: Scale) {
    let pixels = content.bitmap.size
    size = Size(width: Double(pixels.width) / scale.factor, height: Double(pixels.height) / scale.factor)
    self.scale = scale
    isOpaque = false
    pixelSize = pixels
    (bitmap, share) = (content.bitmap, content.share)
  }
}

extension Picture {
  /// The image in a PNG or JPEG file, with one of its pixels for each buffer pixel at `scale`. A JPEG file lies as its EXIF data say.
  ///
  /// - Throws: `PictureError`, also for more pixels than `limits` allow.
  public convenience init(contentsOf path: String, scale: Scale = .one) throws(PictureError) {
    self.init(try PictureFile.read(path, within: Self.limits), scale: scale)
  }
}
