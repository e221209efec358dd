/// A call of a canvas, for its observer.
nonisolated package enum CanvasCall: Hashable, Sendable {
  /// A text: its content, and its font size and capital height as shown, in points.
  case text(String, points: Double, capitals: Double)
  /// An area.
  case fill
  /// A stroke.
  case line
  /// The pixels of an image, which are not drawn.
  case picture
}

/// Receives the calls of canvases in order, for checks that need to know what is drawn where.
package protocol CanvasObserver: AnyObject {
  /// Receives a call that covers `bounds` in pixels: for a text the extent of its glyphs, for a line including its width.
  ///
  /// `color` is nil for a gradient or an image. `opacity` is the effective one in the canvas, 0...1; for a gradient the mean of its
  /// stops. Returns the opaque colour to draw the shape in, nil to draw nothing.
  func color(for call: CanvasCall, in bounds: Rect, _ color: Color?, opacity: Double) -> Color?
}

/// Pixels that canvases with an observer draw on, in the observer's colours and without smooth edges, so that a pixel has the
/// colour of exactly one call.
package final class ObservedPixels {
  private let bitmap: Bitmap
  private let backing: Backing

  /// Black pixels; nil if there is no memory for them.
  package init?(size: PixelSize) {
    guard let bitmap = Bitmap(size: size) else { return nil }
    (self.bitmap, backing) = (bitmap, Backing(bitmap))
    clear(mixing: false)
  }

  /// Makes all pixels black again. With `mixing` a pixel gets a value computed from the colours of all calls over it; otherwise the
  /// last one's colour.
  package func clear(mixing: Bool) {
    bitmap.set(0xff00_0000, in: bitmap.rect)
    bitmap.markDirty()
    backing.open()?.drawSharp(mixing: mixing)
  }

  /// Draws `body` for `observer`; `transform` maps its points to pixels.
  package func draw(scale: Scale, transform: Transform, for observer: any CanvasObserver, _ body: (Canvas) -> Void) {
    let canvas = Canvas.open(
      scale: scale, transform: transform, size: bitmap.size, backing: backing, observer: observer)
    canvas.saved { body(canvas) }
    canvas.close()
  }

  /// The colours, 0xRRGGBB, row by row.
  package var values: [UInt32] {
    bitmap.flush()
    var values = bitmap.withBuffer { $0.pixels }
    // A closure for `map` would check at every pixel that it is on the main actor.
    for index in values.indices { values[index] &= 0xff_ffff }
    return values
  }
}
