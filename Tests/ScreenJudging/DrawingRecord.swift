import Controls

/// Records a view tree's drawing calls in order, and which of them is visible at each pixel: for tests that judge a screen by
/// its pixels and need to know their origin.
///
/// Each pixel of `owners` belongs to the last text, line or solid area over its middle. Glows, shadows and other fills of less
/// than half opacity own nothing; a text or a line owns its pixels however faint it is.
package final class DrawingRecord: CanvasObserver {
  /// One call of a canvas.
  package struct Mark {
    /// The view that drew it.
    package let view: View
    /// The kind of drawing; `line` also for an area at most three points wide or high.
    package let kind: CanvasCall
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
  /// Row by row, the number of the mark that is visible at a pixel, counted from 1; 0 if no mark is.
  package private(set) var owners: [UInt32] = []
  /// Row by row, a number computed from all marks over a pixel, including faint ones: between two pixels with the same number
  /// there is no edge (except with a probability of one in millions).
  package private(set) var strata: [UInt32] = []
  private let scale: Scale
  private var view: View
  private var alpha = 1.0
  /// True while `strata` are computed.
  private var countsAll = false

  /// Records the drawing of the tree of `root` in its present state; nil if there is no memory.
  init?(_ root: RootView) {
    (scale, view) = (root.scale, root)
    size = scale.pixelSize(root.bounds.size)
    guard let pixels = ObservedPixels(size: size) else { return nil }
    strata = numbers(of: root, on: pixels, ofAll: true)
    owners = numbers(of: root, on: pixels, ofAll: false)
  }

  private func numbers(of root: RootView, on pixels: ObservedPixels, ofAll: Bool) -> [UInt32] {
    countsAll = ofAll
    marks.removeAll()
    pixels.clear(mixing: ofAll)
    root.draw(on: pixels, for: self) { (view, alpha) = ($0, $1) }
    return pixels.values
  }

  /// Records a call. Returns the colour to draw it with, which is its number; nil if the call is not to be drawn.
  package func color(for call: CanvasCall, in bounds: Rect, _ color: Color?, opacity: Double) -> Color? {
    let opacity = opacity * alpha
    guard opacity > 0.01 else { return nil }
    let isLine = call == .fill && min(bounds.width, bounds.height) <= 3 * scale.factor
    let kind = isLine ? .line : call
    marks.append(Mark(view: view, kind: kind, bounds: bounds, color: color, opacity: opacity))
    if !countsAll, opacity < 0.5, kind == .fill || kind == .picture { return nil }
    let number = UInt32(marks.count)
    // Spread the numbers, because consecutive ones would often have the same difference.
    return Color(hex: countsAll ? number &* 2_654_435_761 >> 8 : number)
  }
}

extension RootView {
  /// Records the tree's drawing in its present state; nil if there is no memory. Cached drawings stay unchanged.
  package func record() -> DrawingRecord? { DrawingRecord(self) }
}
