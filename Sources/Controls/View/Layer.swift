// Owns the kept picture of what a view's `draw` draws, and which part of it is out of date.
// Must not know windows or other views.

/// Where a view lies on the grid of pixels.
struct LayerPlace {
  /// What a drawing depends on; another key makes it void.
  struct Key: Equatable {
    var scale = Scale.one
    var size = Size.zero
    /// Where the view begins within the picture's first pixel, in 1024ths.
    var phaseX = 0
    var phaseY = 0
    /// The picture's extent.
    var pixels = PixelSize.zero
  }

  let key: Key
  /// The picture's place among the window's pixels.
  let rect: PixelRect
  /// How far the picture begins from the view's own first pixel; (0, 0) but for enormous views.
  let inset: (x: Int, y: Int)

  /// The place of a view of `size` at `origin` of a window of `window` pixels. The picture is all of the view, or of
  /// an enormous view what lies in the window.
  init(origin: Point, size: Size, scale: Scale, window: PixelRect) {
    let own = scale.pixelRect(covering: Rect(origin: origin, size: size))
    let isEnormous = !Bitmap.isUsable(PixelSize(width: own.width, height: own.height))
    rect = isEnormous ? own.intersection(window) : own
    inset = (rect.x - own.x, rect.y - own.y)
    key = Key(
      scale: scale, size: size, phaseX: Int(clamping: ((origin.x * scale.factor - Double(rect.x)) * 1024).rounded()),
      phaseY: Int(clamping: ((origin.y * scale.factor - Double(rect.y)) * 1024).rounded()),
      pixels: PixelSize(width: rect.width, height: rect.height))
  }

  /// From the view's points to the picture's pixels. Equal keys give equal transforms, to the last bit.
  var transform: Transform {
    let factor = key.scale.factor
    return Transform(
      a: factor, b: 0, c: 0, d: factor, tx: Double(key.phaseX) / 1024, ty: Double(key.phaseY) / 1024)
  }
}

/// What `draw` drew, kept until the view is marked.
///
/// A drawing is always made whole, never through a clip: a clip changes the edges that it cuts. Where only a part is
/// marked, the whole is drawn aside and that part taken from it, so that no other pixel changes.
final class Layer {
  private let backing = Backing()
  private var key = LayerPlace.Key()
  private var marks: [PixelRect] = []
  /// The marks of the present drawing; a stored list, so that drawing allocates nothing.
  private var due: [PixelRect] = []
  private var isAllMarked = true
  /// True when the last drawing went past the picture, which is then empty.
  private var isPassedBy = false
  /// All that was ever drawn on since the picture was clear; what is drawn on now is `backing.ink`.
  private var used = Ink()

  /// Where drawings are made that are taken in part only; empty while one is being made.
  private static var spare: Backing?

  /// More marks than that are not worth their care: false tells to mark all.
  private static let maximumCount = 512

  /// Marks everything.
  func markAll() {
    isAllMarked = true
    marks.removeAll(keepingCapacity: true)
  }

  private func reserveMarks(_ count: Int) {
    marks.reserveCapacity(count)
    due.reserveCapacity(count)
  }

  /// Marks `rect`, in pixels from the view's first one. False when there are too many marks.
  func mark(_ rect: PixelRect) -> Bool {
    if isAllMarked { return true }
    guard marks.count < Self.maximumCount else { return false }
    // Both lists, which take turns, grow at once: at the first mark and at the 33rd, never in a later frame.
    if marks.isEmpty, marks.capacity == 0 { reserveMarks(32) }
    if marks.count == 32, marks.capacity < Self.maximumCount { reserveMarks(Self.maximumCount) }
    marks.append(rect)
    return true
  }

  /// The picture's pixels; nil where nothing was drawn.
  var bitmap: Bitmap? { backing.bitmap }

  /// Which pixels may be other than clear.
  var ink: Ink { backing.ink }

  /// True when what was drawn before and what will be drawn lie in `region`, whose part inside `clip` is painted anew: so
  /// the drawing can be made right there. `x` and `y` are where the picture's pixels begin among the region's.
  ///
  /// Only views that mark all that they draw can say so, and only opaque shapes that do not overlap come out the same
  /// both ways.
  func canPass(_ view: View, at place: LayerPlace, clip: PixelRect, region: Region) -> Bool {
    guard view.marksAllItDraws, view.drawsApartAndOpaque else { return false }
    if isAllMarked || marks.isEmpty || place.key != key { return region.contains(clip) && clip == place.rect }
    return marks.allSatisfy { mark in
      let rect = PixelRect(
        x: mark.x - place.inset.x + place.rect.x, y: mark.y - place.inset.y + place.rect.y, width: mark.width,
        height: mark.height)
      return clip.contains(rect) && region.contains(rect)
    }
  }

  /// Draws into `target` instead of the picture; `place.rect` is the view's place there.
  func pass(_ view: View, at place: LayerPlace, into target: Backing) {
    if !isPassedBy {
      backing.release()
      used.reset(.zero)
    }
    key = place.key
    isPassedBy = true
    isAllMarked = false
    marks.removeAll(keepingCapacity: true)
    let moved = place.transform.then(.translation(x: Double(place.rect.x), y: Double(place.rect.y)))
    target.draw(scale: key.scale, transform: moved, notesInk: false) { canvas in
      // Others draw into the same target after this one.
      canvas.saved {
        canvas.limit(to: place.rect)
        view.draw(canvas, view.bounds)
      }
    }
  }

  /// Brings the picture up to date with `view`.
  func update(_ view: View, at place: LayerPlace) {
    // The marks are taken before drawing begins; marks set while it draws belong to the next frame.
    let drawsAll = isAllMarked || isPassedBy || place.key != key || (!marks.isEmpty && view.marksAllItDraws)
    swap(&marks, &due)
    isAllMarked = false
    isPassedBy = false
    if drawsAll {
      key = place.key
      backing.ink.add(used)
      backing.prepare(key.pixels)
      backing.draw(scale: key.scale, transform: place.transform) { view.draw($0, view.bounds) }
      used.reset(key.pixels)
    } else if !due.isEmpty {
      drawAside(view, at: place)
    }
    used.add(backing.ink)
    due.removeAll(keepingCapacity: true)
    if backing.ink.isEmpty {
      backing.release()
      used.reset(key.pixels)
    }
  }

  private func drawAside(_ view: View, at place: LayerPlace) {
    let aside = Self.spare ?? Backing()
    Self.spare = nil
    aside.prepare(key.pixels, keepsMemory: true)
    aside.draw(scale: key.scale, transform: place.transform) { view.draw($0, view.bounds) }
    // What was clear and stays clear needs no memory.
    if aside.bitmap != nil || bitmap != nil, let target = backing.open()?.bitmap {
      for mark in due {
        let rect = PixelRect(
          x: mark.x - place.inset.x, y: mark.y - place.inset.y, width: mark.width, height: mark.height
        ).intersection(target.rect)
        if let source = aside.bitmap { target.copy(source, to: rect) } else { target.set(0, in: rect) }
      }
    }
    backing.ink.replace(by: aside.ink)
    aside.clear()
    Self.spare = aside
  }
}
