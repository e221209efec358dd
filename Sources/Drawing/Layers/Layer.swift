/// The position of a view on the pixel grid.
package struct LayerPlace {
  /// The conditions of a drawing; a different key invalidates it.
  struct Key: Equatable {
    var scale = Scale.one
    var size = Size.zero
    /// The position of the view's corner within the image's first pixel, in 1024ths.
    var phaseX = 0
    var phaseY = 0
    /// The image's extent.
    var pixels = PixelSize.zero
  }

  let key: Key
  /// The image's frame among the window's pixels.
  package let rect: PixelRect

  /// The place of a view of `size` at `origin` in a window of `window` pixels. The image is all of the view, or for a huge view
  /// the part in the window.
  package init(origin: Point, size: Size, scale: Scale, window: PixelRect) {
    let own = scale.pixelRect(covering: Rect(origin: origin, size: size))
    let isEnormous = !PixelSize(width: own.width, height: own.height).isUsableForBitmap
    rect = isEnormous ? own.intersection(window) : own
    key = Key(
      scale: scale, size: size, phaseX: Int(clamping: ((origin.x * scale.factor - Double(rect.x)) * 1024).rounded()),
      phaseY: Int(clamping: ((origin.y * scale.factor - Double(rect.y)) * 1024).rounded()),
      pixels: PixelSize(width: rect.width, height: rect.height))
  }

  /// Transforms the view's points to the image's pixels. Equal keys give equal transforms, to the last bit.
  var transform: Transform {
    let factor = key.scale.factor
    return Transform(
      a: factor, b: 0, c: 0, d: factor, tx: Double(key.phaseX) / 1024, ty: Double(key.phaseY) / 1024)
  }
}

/// A view as its layers need it: how it draws.
package protocol LayerSource: AnyObject {
  /// Whether `draw` uses only fills with colours or vertical gradients and texts in one colour.
  var drawsPlainFills: Bool { get }
  /// Whether `drawStatic` covers every pixel.
  var isStaticDrawingOpaque: Bool { get }
  /// Draws what changes.
  func draw(_ canvas: Canvas)
  /// Draws what stays.
  func drawStatic(_ canvas: Canvas)
}

/// A view's latest drawing: its pixels, for `drawStatic` as runs, or for a view that `drawsPlainFills` its list of fills.
///
/// A drawing is always made whole, never through a clip, because a clip changes the edges that it cuts. The change by a new
/// drawing is found by comparing it with the previous one, so a view need not report it: pixel by pixel if pixels are kept,
/// otherwise fill by fill.
package final class Layer {
  private let backing = Backing()
  private let isStatic: Bool
  /// The pixels of a static drawing; nil if nothing was drawn.
  private(set) var runs: SpanBitmap?
  private var key = LayerPlace.Key()
  /// False until drawn, and again after `invalidate()`.
  private var isValid = false
  /// The latest drawing where no pixels of it are kept.
  private var fills: FillList?
  /// Whether the drawing has had something that no list of fills can hold: pixels are kept until the layer is void.
  private var isRefused = false

  /// The memory for drawings that are compared and not kept; nil while in use.
  private static var spare: Backing?
  /// The pixels of an old and a new drawing, or those that differ; stored, so that a frame does not allocate.
  private static var both = Region.roomy

  /// A layer without a drawing: of `drawStatic` or of `draw`.
  package init(isStatic: Bool = false) {
    self.isStatic = isStatic
  }

  /// The image's pixels; nil if nothing was drawn, for plain fills, and for static drawings.
  package var bitmap: Bitmap? { backing.bitmap }

  /// The image's pixels that may not be clear, of a drawing that is not static.
  private var ink: Region { backing.ink }

  /// Makes the view draw again when it is painted next. The caller must damage its pixels.
  package func invalidate() { isValid = false }

  /// True for a drawing that fits `place`, even if it is outdated.
  package func isUsable(at place: LayerPlace) -> Bool {
    isValid && place.key == key
  }

  /// Composites the drawing, whose pixel (0, 0) is at (`x`, `y`), over the pixels of `rect` of `target`, which must lie inside
  /// both.
  package func composite(over target: Bitmap, x: Int, y: Int, in rect: PixelRect) {
    if let fills { return fills.composite(over: target, x: x, y: y, in: rect) }
    if let runs { return target.composite(runs, x: x, y: y, over: rect) }
    guard let bitmap else { return }
    for ink in ink.rects {
      target.composite(bitmap, x: x, y: y, over: ink.moved(x: x, y: y).intersection(rect))
    }
  }

  /// Whether the drawing hides everything below the pixels of `rect`, a rectangle of the image. Only a static drawing is known to.
  package func isOpaque(in rect: PixelRect) -> Bool { runs?.isOpaque(in: rect) ?? false }

  /// Draws `view` where no drawing of it can be used.
  package func makeUsable(for view: any LayerSource, at place: LayerPlace) {
    guard !isUsable(at: place) else { return }
    if isStatic { return drawStatic(view, at: place) }
    begin(at: place)
    draw(view, at: place)
  }

  private func begin(at place: LayerPlace) {
    key = place.key
    // A mark on the view while it is drawn invalidates the drawing again: it is shown now, and a newer one in the next frame.
    isValid = true
    isRefused = false
  }

  private func draw(_ view: any LayerSource, at place: LayerPlace) {
    if view.drawsPlainFills, !isRefused {
      let list = fills ?? FillList()
      fills = list
      list.begin(key.pixels)
      let canvas = Canvas.open(scale: key.scale, transform: place.transform, size: key.pixels, fills: list)
      view.draw(canvas)
      canvas.close()
      if list.isPlain { return backing.release() }
      isRefused = true
    }
    fills = nil
    backing.prepare(key.pixels)
    draw(view, at: place, into: backing)
    if ink.isEmpty { backing.release() }
  }

  /// Makes a static drawing in memory that is freed at once, or in `target`, which must be clear unless the drawing is opaque.
  package func drawStatic(_ view: any LayerSource, at place: LayerPlace, into target: Bitmap? = nil) {
    begin(at: place)
    runs = nil
    let isOpaque = view.isStaticDrawingOpaque
    let backing = target.map { Backing($0) } ?? Backing()
    backing.prepare(key.pixels)
    // Every pixel is looked at, drawn on or not.
    backing.isFilled = true
    backing.draw(scale: key.scale, transform: place.transform, notesInk: false) { canvas in
      if isOpaque { canvas.fill(.black) }
      view.drawStatic(canvas)
    }
    runs = backing.bitmap.map { SpanBitmap($0) }
  }

  /// Draws `view` again, and calls `body` with the rectangles of the image that changed. Requires a usable drawing.
  package func redraw(_ view: any LayerSource, at place: LayerPlace, _ body: (PixelRect) -> Void) {
    if fills != nil || view.drawsPlainFills && !isRefused {
      let hadFills = fills != nil
      draw(view, at: place)
      // The old or the new drawing is kept as pixels: there are no two lists of fills to compare, so all of it changed.
      guard hadFills, let fills else { return body(PixelRect(key.pixels)) }
      Self.both.removeAll()
      fills.noteChanges(in: &Self.both)
      for rect in Self.both.rects { body(rect) }
      return
    }
    guard let old = bitmap else {
      // Everything was clear.
      draw(view, at: place, into: backing)
      return ink.rects.forEach(body)
    }
    withScratch { spare in
      draw(view, at: place, into: spare)
      Self.both.replace(by: ink)
      Self.both.join(spare.ink)
      for rect in Self.both.rects {
        guard let new = spare.bitmap else {
          body(rect)
          continue
        }
        old.forEachDifference(from: new, in: rect) { part in
          old.copy(new, to: part)
          body(part)
        }
      }
      backing.ink.replace(by: spare.ink)
      if ink.isEmpty { backing.release() }
    }
  }

  private func draw(_ view: any LayerSource, at place: LayerPlace, into target: Backing) {
    target.draw(scale: key.scale, transform: place.transform) { view.draw($0) }
  }

  /// Passes `body` a clear image of the same size for its exclusive use.
  private func withScratch(_ body: (Backing) -> Void) {
    let spare = Self.spare ?? Backing()
    Self.spare = nil
    spare.prepare(key.pixels, keepsMemory: true)
    body(spare)
    spare.clear()
    Self.spare = spare
  }
}
