/// An image that is drawn into repeatedly.
final class Backing {
  private(set) var size = PixelSize.zero
  /// The pixels drawn on since the last clearing: perhaps too many, never too few.
  var ink = Region()
  /// True when every pixel will be drawn on.
  var isFilled = false
  private var memory: Memory?
  private var context: Context?
  /// The contexts for the memory at the sizes that it had, because a few views' drawings share one memory alternately.
  private var known: [Context] = []
  private static let mostKnown = 6

  /// Draws into another owner's memory, with any content.
  init(_ bitmap: Bitmap) {
    size = bitmap.size
    context = Context(bitmap)
    ink.removeAll()
  }

  /// Draws into its own memory, allocated when needed.
  init() {}

  /// The pixels; nil if nothing was drawn.
  var bitmap: Bitmap? { context?.bitmap }

  /// Clears everything and sets a size. Memory of a different size is kept if `keepsMemory` and it is large enough.
  func prepare(_ size: PixelSize, keepsMemory: Bool = false) {
    clear()
    guard size != self.size else { return }
    self.size = size
    context = nil
    if !keepsMemory || (memory?.count ?? 0) < size.area * 4 {
      memory = nil
      known.removeAll()
    }
    ink.removeAll()
  }

  func release() {
    context = nil
    memory = nil
    known.removeAll()
    ink.removeAll()
  }

  /// The context to draw with; allocates its memory first if needed. Nil if that fails, or for an impossible size.
  func open() -> Context? {
    if let context { return context }
    if memory == nil, size.area <= PixelSize.maximumBitmapArea {
      memory = Memory(count: size.area * 4, isFilled: isFilled)
    }
    if let again = known.first(where: { $0.bitmap.size == size && $0.isValid }) {
      context = again
      return again
    }
    guard let memory, let bitmap = Bitmap(size: size, in: memory), let made = Context(bitmap) else { return nil }
    context = made
    if known.count >= Self.mostKnown { known.removeFirst() }
    known.append(made)
    return made
  }

  /// A new context in place of one that failed permanently.
  func reopen() -> Context? {
    context = (context?.bitmap).flatMap { Context($0) }
    return context
  }

  /// Draws: `transform` maps the points of the drawing to pixels.
  func draw(scale: Scale, transform: Transform, notesInk: Bool = true, _ body: (Canvas) -> Void) {
    let canvas = Canvas.open(scale: scale, transform: transform, size: size, backing: self, notesInk: notesInk)
    body(canvas)
    canvas.close()
    guard let context else { return }
    // The next drawing begins with no clip.
    context.resetClip()
    context.bitmap.flush()
    // A context that failed once fails forever; the next drawing starts with a new one.
    if !context.isValid { _ = reopen() }
  }

  /// Clears the pixels that were drawn on.
  func clear() {
    if let bitmap, !ink.isEmpty {
      for rect in ink.rects { bitmap.set(0, in: rect) }
      bitmap.markDirty()
    }
    ink.removeAll()
  }
}
