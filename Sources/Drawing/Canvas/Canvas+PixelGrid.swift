extension Canvas {
  /// `rect` with its edges moved to the nearest whole pixels, where the canvas is not turned: so they are sharp at every
  /// scale.
  public func onWholePixels(_ rect: Rect) -> Rect {
    guard toPixels.isUpright, toPixels.a > 0, toPixels.d > 0 else { return rect }
    func snapped(_ value: Double, _ factor: Double, _ offset: Double) -> Double {
      ((value * factor + offset).rounded() - offset) / factor
    }
    let (left, right) = (snapped(rect.minX, toPixels.a, toPixels.tx), snapped(rect.maxX, toPixels.a, toPixels.tx))
    let (top, bottom) = (snapped(rect.minY, toPixels.d, toPixels.ty), snapped(rect.maxY, toPixels.d, toPixels.ty))
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// `rect`, moved to whole pixels if an image of `pixels` needs no scaling there.
  func sharp(_ rect: Rect, for pixels: PixelSize) -> Rect {
    let place = toPixels.apply(rect)
    guard toPixels.isUpright, abs(place.width - Double(pixels.width)) < 0.01,
      abs(place.height - Double(pixels.height)) < 0.01, let back = toPixels.inverse
    else { return rect }
    return back.apply(
      Rect(
        x: place.minX.rounded(), y: place.minY.rounded(), width: Double(pixels.width), height: Double(pixels.height)))
  }
}
