// Owns showing pictures on a canvas.
// Must not know what pictures show.

extension Canvas {
  /// Shows `picture` with its top left corner at `origin`, moved to the nearest whole pixel, pixel for pixel where the
  /// canvas has the picture's scale and is not turned; elsewhere each pixel takes the nearest of the picture.
  public func draw(_ picture: Picture, at origin: Point) {
    let transform = state.transform
    guard transform.isFinite, origin.isFinite, !picture.pixelSize.isEmpty else { return }
    let factor = picture.scale.factor
    if transform.isUpright, abs(transform.a - factor) < 1e-9, abs(transform.d - factor) < 1e-9 {
      let place = transform.apply(origin)
      guard abs(place.x) < 1e6, abs(place.y) < 1e6 else { return }
      copy(picture, atPixelX: Int(place.x.rounded()), y: Int(place.y.rounded()))
    } else {
      sample(picture, at: origin)
    }
  }

  /// Copies the picture's pixels to those from (`left`, `top`).
  func copy(_ picture: Picture, atPixelX left: Int, y top: Int) {
    copy(picture.memory, isOpaque: picture.isOpaque, atPixelX: left, y: top)
  }

  /// Copies pixels to those from (`left`, `top`).
  func copy(_ memory: PixelMemory, isOpaque: Bool, atPixelX left: Int, y top: Int) {
    guard let surface, let base = memory.bytes.baseAddress else { return }
    let size = memory.size
    let whole = PixelRect(x: left, y: top, width: size.width, height: size.height).intersection(state.clip)
    let pixels = UnsafePointer(base.assumingMemoryBound(to: UInt32.self))
    let alpha = UInt32(Color.clamped(state.alpha) * 255 + 0.5)
    for part in region.rects {
      let box = part.intersection(whole)
      guard !box.isEmpty else { continue }
      for y in box.y..<box.maxY {
        let source = pixels + ((y - top) * size.width + box.x - left)
        guard let mask = state.mask else {
          surface.copy(source, x: box.x, y: y, length: box.width, alpha: alpha, isOpaque: isOpaque)
          continue
        }
        for x in box.x..<box.maxX {
          let share = Blend.product(alpha, UInt32(mask[x, y]))
          let pixel = Blend.scaled(source[x - box.x], by: share)
          surface.copy([pixel], x: x, y: y, length: 1, alpha: 255, isOpaque: false)
        }
      }
    }
  }

  private func sample(_ picture: Picture, at origin: Point) {
    guard let surface, let base = picture.memory.bytes.baseAddress,
      let back = Transform.translation(x: origin.x, y: origin.y).then(state.transform).inverse
    else { return }
    let size = picture.pixelSize
    let factor = picture.scale.factor
    let pixels = UnsafePointer(base.assumingMemoryBound(to: UInt32.self))
    let alpha = Color.clamped(state.alpha) * 255
    let box = pixelBounds(of: Rect(origin: origin, size: picture.size)).intersection(state.clip)
    for part in region.rects {
      let rect = part.intersection(box)
      guard !rect.isEmpty else { continue }
      for y in rect.y..<rect.maxY {
        for x in rect.x..<rect.maxX {
          let from = back.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
          let (column, row) = ((from.x * factor).rounded(.down), (from.y * factor).rounded(.down))
          guard column >= 0, row >= 0, column < Double(size.width), row < Double(size.height) else { continue }
          let share = alpha * Double(state.mask?[x, y] ?? 255) / 255
          let pixel = Blend.scaled(pixels[Int(row) * size.width + Int(column)], by: UInt32(share + 0.5))
          surface.copy([pixel], x: x, y: y, length: 1, alpha: 255, isOpaque: false)
        }
      }
    }
  }
}
