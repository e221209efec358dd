internal import CCairo

/// Records a view tree's drawing calls in order, and which of them is visible at each pixel: for tests that judge a screen by
/// its pixels and need to know their origin.
///
/// Each pixel of `owners` belongs to the last text, line or solid area over its middle. Glows, shadows and other fills of less
/// than half opacity own nothing; a text or a line owns its pixels however faint it is.
package final class DrawingRecord {
  /// One call of a canvas.
  nonisolated package struct Mark {
    /// The distinguished kinds of drawing.
    package enum Kind: Hashable, Sendable {
      /// A text: its content, and its font size and capital height as shown, in points.
      case text(String, points: Double, capitals: Double)
      /// An area.
      case fill
      /// A stroke, or an area of at most three points across.
      case line
      /// The pixels of an image.
      case picture
    }

    /// The view that drew it.
    package let view: View
    /// The kind of drawing.
    package let kind: Kind
    /// Its extent in pixels of the window: for a text the extent of its glyphs, for a line including its width.
    package let bounds: Rect
    /// The colour; nil for a gradient or an image.
    package let color: Color?
    /// The effective opacity, 0...1; for a gradient the mean of its stops.
    package let opacity: Double
  }

  /// The marks, the backmost first.
  package private(set) var marks: [Mark] = []
  /// The extent of the window in pixels.
  package let size: PixelSize
  /// Row by row, the number of the mark that is visible at a pixel, counted from 1; 0 for none.
  package private(set) var owners: [UInt32] = []
  /// Row by row, a number computed from all marks over a pixel, including faint ones: between two pixels with the same number
  /// there is no edge (except with a probability of one in millions).
  package private(set) var strata: [UInt32] = []
  private let scale: Scale
  private let backing: Backing
  private var view: View
  private var alpha = 1.0
  /// The number in `owners` of what is being drawn.
  private var number: UInt32 = 0
  /// True while `strata` are made.
  private var countsAll = false

  /// Records the drawing of the tree of `root` in its present state; nil if there is no memory.
  init?(_ root: RootView) {
    (scale, view) = (root.scale, root)
    size = scale.pixelSize(root.bounds.size)
    guard let bitmap = Bitmap(size: size) else { return nil }
    backing = Backing(bitmap)
    guard let context = backing.open() else { return nil }
    // A pixel belongs to exactly one mark, never to a mixture.
    cairo_set_antialias(context.raw, CAIRO_ANTIALIAS_NONE)
    func numbers(ofAll: Bool) -> [UInt32] {
      (countsAll, number) = (ofAll, 0)
      marks.removeAll()
      bitmap.set(0xff00_0000, in: bitmap.rect)
      cairo_surface_mark_dirty(bitmap.surface)
      cairo_set_operator(context.raw, ofAll ? CAIRO_OPERATOR_DIFFERENCE : CAIRO_OPERATOR_OVER)
      add(root, alpha: 1, clip: Rect(origin: .zero, size: root.bounds.size))
      cairo_surface_flush(bitmap.surface)
      let pixels = UnsafeRawBufferPointer(start: bitmap.base, count: bitmap.stride * size.height)
      return pixels.bindMemory(to: UInt32.self).map { $0 & 0xff_ffff }
    }
    strata = numbers(ofAll: true)
    owners = numbers(ofAll: false)
  }

  private func add(_ view: View, alpha outer: Double, clip outerClip: Rect) {
    guard !view.isHidden, view.alpha > 0 else { return }
    let frame = view.windowFrame
    guard let clip = outerClip.shared(with: frame) else { return }
    (self.view, alpha) = (view, outer * view.alpha)
    let origin = frame.origin
    let transform = Transform.translation(x: origin.x, y: origin.y).then(.scale(x: scale.factor, y: scale.factor))
    let canvas = Canvas.open(scale: scale, transform: transform, size: size, backing: backing, record: self)
    canvas.saved {
      canvas.clip(to: clip.offsetBy(dx: -origin.x, dy: -origin.y))
      if let color = view.backgroundColor { canvas.fill(view.bounds, color) }
      if view.hasStaticDrawing { canvas.saved { view.drawStatic(canvas) } }
      view.draw(canvas)
    }
    canvas.close()
    let alpha = alpha
    for inner in view.subviews { add(inner, alpha: alpha, clip: clip) }
  }

  /// Records a call whose mark covers `bounds` in pixels. Returns false if it owns none of its pixels.
  func note(_ kind: Mark.Kind, _ bounds: Rect, _ color: Color?, opacity: Double) -> Bool {
    let opacity = opacity * alpha
    guard opacity > 0.01 else { return false }
    var kind = kind
    if kind == .fill, min(bounds.width, bounds.height) <= 3 * scale.factor { kind = .line }
    marks.append(Mark(view: view, kind: kind, bounds: bounds, color: color, opacity: opacity))
    number = UInt32(marks.count)
    return kind == .fill || kind == .picture ? countsAll || opacity >= 0.5 : true
  }

  /// Has cairo draw with the number of what is being drawn.
  func setSource(on cairo: OpaquePointer) {
    // Numbers in a row would often have the same difference.
    let number = countsAll ? number &* 2_654_435_761 >> 8 : number
    func part(_ shift: UInt32) -> Double { Double(number >> shift & 255) / 255 }
    cairo_set_source_rgb(cairo, part(16), part(8), part(0))
  }
}

extension RootView {
  /// The tree's drawing in its present state, in order; nil if there is no memory. Cached drawings stay unchanged.
  package func record() -> DrawingRecord? { DrawingRecord(self) }
}

extension Rect {
  /// The intersection with `other`; nil if it is empty.
  fileprivate func shared(with other: Rect) -> Rect? {
    let (left, top) = (max(minX, other.minX), max(minY, other.minY))
    let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
    return left < right && top < bottom ? Rect(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}
