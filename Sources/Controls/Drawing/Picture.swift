// Owns pixels drawn once and shown many times.
// Must not know views.

/// A drawing kept as pixels: drawn once at one scale, then copied as often as needed.
public final class Picture {
  /// The extent in logical points.
  public let size: Size
  /// Pixels per point that it was drawn at.
  public let scale: Scale
  /// True when every pixel is opaque, what the drawing left out black: copying then needs no blending.
  public let isOpaque: Bool

  let memory: PixelMemory

  /// Draws `body` once. A size that is not finite, or of more than 64 million pixels, gives an empty picture.
  public init(size: Size, scale: Scale, isOpaque: Bool = false, _ body: (Canvas) -> Void) {
    let usable = size.width.isFinite && size.height.isFinite && !size.isEmpty
    self.size = usable ? size : .zero
    self.scale = scale
    self.isOpaque = isOpaque
    let rect = scale.pixelRect(covering: Rect(origin: .zero, size: self.size))
    memory = PixelMemory(size: rect.area <= 64_000_000 ? PixelSize(width: rect.width, height: rect.height) : .zero)
    guard !memory.size.isEmpty else { return }
    Canvas.draw(into: memory.buffer, scale: scale, body)
    if isOpaque { memory.makeOpaque() }
  }

  /// Draws `body` once into pixels that lie at `origin` of a larger grid, whose point (0, 0) is mapped by `transform`.
  init(pixels: PixelRect, scale: Scale, transform: Transform, isOpaque: Bool, _ body: (Canvas) -> Void) {
    size = Size(width: Double(pixels.width) / scale.factor, height: Double(pixels.height) / scale.factor)
    self.scale = scale
    self.isOpaque = isOpaque
    memory = PixelMemory(size: PixelSize(width: pixels.width, height: pixels.height))
    guard !memory.size.isEmpty else { return }
    Canvas.draw(into: memory.buffer, scale: scale) { canvas in
      canvas.state.transform = transform.then(.translation(x: Double(-pixels.x), y: Double(-pixels.y)))
      body(canvas)
    }
    if isOpaque { memory.makeOpaque() }
  }

  /// The extent in pixels.
  public var pixelSize: PixelSize { memory.size }
}
