// Owns painting a tree of views into pixels: which views, in what order, within which pixels.
// Must not know input or layout.

/// Paints the part of a tree that lies in a region, from the back to the front.
final class Painter {
  private struct Entry {
    let view: View
    let clip: PixelRect
    let origin: Point
    /// True when the view and everything inside go through a picture of their own, to be faded as one.
    let isGroup: Bool
    var isCovered = false
  }

  private var entries: [Entry] = []
  private var opaque: [PixelRect] = []

  func paint(_ root: RootView, region: Region, into buffer: PixelBuffer) {
    let canvas = Canvas(scale: root.scale)
    canvas.open(buffer, region: region)
    if !root.isOpaque { canvas.clearPixels() }
    paint(root, extra: root.focusRing, clip: canvas.region.bounds, superOrigin: .zero, on: canvas)
    canvas.close()
  }

  /// Paints `view` and everything inside, then `extra`; the opacity of `view` itself is the caller's business.
  private func paint(_ view: View, extra: View?, clip: PixelRect, superOrigin: Point, on canvas: Canvas) {
    let outer = entries
    entries.removeAll(keepingCapacity: true)
    collect(view, clip: clip, superOrigin: superOrigin, canvas: canvas, isTop: true)
    if let extra { collect(extra, clip: clip, superOrigin: superOrigin, canvas: canvas, isTop: false) }
    findCovered(canvas.region)
    let list = entries
    entries = outer
    for entry in list where !entry.isCovered {
      if entry.isGroup { paintGroup(entry, on: canvas) } else { paint(entry, on: canvas) }
    }
  }

  private func collect(_ view: View, clip: PixelRect, superOrigin: Point, canvas: Canvas, isTop: Bool) {
    guard !view.isHidden, view.storedAlpha > 0 else { return }
    let origin = superOrigin + view.storedFrame.origin
    let pixels = canvas.scale.pixelRect(covering: Rect(origin: origin, size: view.storedFrame.size))
    let inside = pixels.intersection(clip)
    guard !inside.isEmpty, canvas.region.intersects(inside) else { return }
    let isGroup = !isTop && view.storedAlpha < 1
    entries.append(Entry(view: view, clip: inside, origin: origin, isGroup: isGroup))
    guard !isGroup else { return }
    for inner in view.subviews {
      collect(inner, clip: inside, superOrigin: origin, canvas: canvas, isTop: false)
    }
  }

  /// Marks the views whose part of the region lies under one opaque view.
  private func findCovered(_ region: Region) {
    opaque.removeAll(keepingCapacity: true)
    for index in entries.indices.reversed() {
      let clip = entries[index].clip
      if !opaque.isEmpty {
        entries[index].isCovered = region.rects.allSatisfy { rect in
          let part = rect.intersection(clip)
          return part.isEmpty || opaque.contains { $0.contains(part) }
        }
      }
      if !entries[index].isGroup && entries[index].view.isOpaque { opaque.append(clip) }
    }
  }

  private func paint(_ entry: Entry, on canvas: Canvas) {
    let view = entry.view
    let factor = canvas.scale.factor
    let transform = Transform(
      a: factor, b: 0, c: 0, d: factor, tx: entry.origin.x * factor, ty: entry.origin.y * factor)
    let state = Canvas.State(transform: transform, clip: entry.clip, mask: nil, alpha: 1)
    canvas.state = state
    if let color = view.backgroundColor { canvas.fill(color) }
    if view.hasStaticDrawing {
      let whole = canvas.scale.pixelRect(covering: Rect(origin: entry.origin, size: view.storedFrame.size))
      let picture = staticPicture(of: view, pixels: whole, transform: transform, scale: canvas.scale)
      canvas.copy(picture, atPixelX: whole.x, y: whole.y)
    }
    let box = canvas.region.rects.reduce(PixelRect.zero) { $0.union($1.intersection(entry.clip)) }
    let dirty = Rect(
      x: Double(box.x) / factor - entry.origin.x, y: Double(box.y) / factor - entry.origin.y,
      width: Double(box.width) / factor, height: Double(box.height) / factor)
    view.draw(canvas, dirty)
  }

  private func staticPicture(of view: View, pixels: PixelRect, transform: Transform, scale: Scale) -> Picture {
    let key = StaticKey(
      scale: scale, size: view.storedFrame.size,
      phaseX: Int(((transform.tx - Double(pixels.x)) * 1024).rounded()),
      phaseY: Int(((transform.ty - Double(pixels.y)) * 1024).rounded()))
    if let picture = view.staticPicture, view.staticKey == key { return picture }
    let isOpaque = view.isStaticDrawingOpaque
    let picture = Picture(pixels: pixels, scale: scale, transform: transform, isOpaque: isOpaque) { canvas in
      view.drawStatic(canvas)
    }
    view.staticPicture = picture
    view.staticKey = key
    return picture
  }

  private func paintGroup(_ entry: Entry, on canvas: Canvas) {
    var region = canvas.region
    region.clip(to: entry.clip)
    let box = region.bounds
    let memory = PixelMemory(size: PixelSize(width: box.width, height: box.height))
    guard !memory.size.isEmpty else { return }
    let inner = Canvas(scale: canvas.scale)
    inner.open(memory.buffer, x: box.x, y: box.y, region: region)
    let superOrigin = entry.origin - entry.view.storedFrame.origin
    paint(entry.view, extra: nil, clip: entry.clip, superOrigin: superOrigin, on: inner)
    inner.close()
    canvas.state = Canvas.State(transform: .identity, clip: entry.clip, mask: nil, alpha: entry.view.storedAlpha)
    canvas.copy(memory, isOpaque: false, atPixelX: box.x, y: box.y)
  }
}
