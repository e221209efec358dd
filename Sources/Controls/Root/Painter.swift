/// Paints the part of a tree that lies in a region, from the back to the front.
///
/// The views' cached drawings are composited pixel by pixel, so a repaired part equals the whole, byte for byte.
final class Painter {
  private struct Entry {
    let view: View
    let clip: PixelRect
    let origin: Point
    /// True if the view and everything inside are painted into a separate bitmap, to be faded as one.
    let isGroup: Bool
    /// True if the view hides what lies under it.
    let isOpaque: Bool
    var isCovered = false
    /// A layer to composite, from the back to the front: a colour, or a drawing whose first pixel lies at `place` in the
    /// window.
    var background: UInt32?
    var staticLayer: Layer?
    var layer: Layer?
    var place = PixelRect.zero
    /// The pixels of the window that are cleared before the layers; empty for none.
    var opening = PixelRect.zero
  }

  /// The target of a painting: pixels, the position of the first one in the window, and the window's pixels to paint.
  private struct PaintTarget {
    let bitmap: Bitmap
    let x: Int
    let y: Int
    let region: Region

    /// A rectangle of the window in the bitmap.
    func place(_ rect: PixelRect) -> PixelRect { rect.moved(x: -x, y: -y) }

    /// The pixels of `rect`, a rectangle of the window, if all of them are to be painted; otherwise nil.
    func part(_ rect: PixelRect, clip: PixelRect) -> Bitmap? {
      guard clip == rect, region.rects.contains(where: { $0.contains(rect) }) else { return nil }
      return bitmap.part(place(rect))
    }
  }

  /// The entries to paint; a group's entries follow those of its enclosing group.
  private var entries: [Entry] = []
  private var opaque: [PixelRect] = []
  /// The bitmaps of nested groups, kept from frame to frame.
  private var groups: [(bitmap: Bitmap, region: Region)] = []
  private var scale = Scale.one
  private var window = PixelRect.zero
  private var drawsAnew = false
  /// The memory that the window draws into alternately, the latest first. It is touched only during painting: the caller that
  /// passes the same memory again guarantees that it is valid.
  private var buffers: [Bitmap] = []
  /// The number of buffers that a window has.
  private static let mostBuffers = 3

  /// Paints `region`. With `drawsAnew` the views' cached drawings are left alone, and drawn again for this time only.
  func paint(_ root: RootView, region: Region, into buffer: PixelBuffer, drawsAnew: Bool = false) {
    guard let bitmap = bitmap(of: buffer) else { return }
    scale = root.scale
    window = PixelRect(scale.pixelSize(root.bounds.size))
    self.drawsAnew = drawsAnew
    var inside = region
    inside.clip(to: bitmap.rect)
    let target = PaintTarget(bitmap: bitmap, x: 0, y: 0, region: inside)
    paint(root, extra: root.focusRing, clip: bitmap.rect, superOrigin: .zero, on: target, depth: 0)
  }

  private func bitmap(of buffer: PixelBuffer) -> Bitmap? {
    if let index = buffers.firstIndex(where: { $0.isOf(buffer) }) {
      if index > 0 { buffers.swapAt(0, index) }
      return buffers[0]
    }
    guard let bitmap = unsafe Bitmap(buffer) else { return nil }
    // Memory of a different size will not be passed again.
    buffers.removeAll { $0.size != buffer.size }
    if buffers.count >= Self.mostBuffers { buffers.removeLast() }
    buffers.insert(bitmap, at: 0)
    return bitmap
  }

  /// Paints `view` and everything inside, then `extra`; the caller applies the opacity of `view` itself.
  private func paint(
    _ view: View, extra: View?, clip: PixelRect, superOrigin: Point, on target: PaintTarget, depth: Int
  ) {
    let first = entries.count
    collect(view, clip: clip, superOrigin: superOrigin, target.region, isTop: true)
    if let extra { collect(extra, clip: clip, superOrigin: superOrigin, target.region, isTop: false) }
    findCovered(target.region, from: first)
    // A group's bitmap is clear already.
    if depth == 0, (view as? RootView)?.isClearedBeforePainting == true {
      for rect in target.region.rects where !opaque.contains(where: { $0.contains(rect) }) {
        target.bitmap.set(0, in: rect)
      }
    }
    let end = entries.count
    paint(first..<end, on: target, depth: depth)
    entries.removeLast(end - first)
  }

  private func collect(_ view: View, clip: PixelRect, superOrigin: Point, _ region: Region, isTop: Bool) {
    guard !view.isHidden, view.storedAlpha > 0 else { return }
    let origin = superOrigin + view.storedFrame.origin
    let pixels = scale.pixelRect(covering: Rect(origin: origin, size: view.storedFrame.size))
    let own = pixels.intersection(clip)
    let inside = view.clipsSubviews ? own : clip
    guard !inside.isEmpty, region.intersects(inside) else { return }
    let isGroup = !isTop && view.storedAlpha < 1
    entries.append(
      Entry(
        view: view, clip: isGroup ? inside : own, origin: origin, isGroup: isGroup,
        isOpaque: !isGroup && view.isOpaque))
    guard !isGroup else { return }
    if let opening = view.clearedArea {
      entries[entries.count - 1].opening = scale.pixelRect(covering: opening.offsetBy(dx: origin.x, dy: origin.y))
    }
    view.forEachSubview(in: points(of: region, inside, from: origin)) { inner in
      collect(inner, clip: inside, superOrigin: origin, region, isTop: false)
    }
  }

  /// The region's rectangles inside `clip` in points from `origin`.
  private func points(of region: Region, _ clip: PixelRect, from origin: Point) -> [Rect] {
    let point = 1 / scale.factor
    return region.rects.compactMap { rect in
      let part = rect.intersection(clip)
      guard !part.isEmpty else { return nil }
      return Rect(
        x: Double(part.x) * point - origin.x, y: Double(part.y) * point - origin.y,
        width: Double(part.width) * point, height: Double(part.height) * point)
    }
  }

  /// Marks the views whose part of the region is covered by one opaque view.
  private func findCovered(_ region: Region, from first: Int) {
    opaque.removeAll(keepingCapacity: true)
    // By the first entry's address, as in `composite`.
    unsafe entries.withUnsafeMutableBufferPointer { buffer in
      guard let entries = buffer.baseAddress else { return }
      var index = buffer.count
      while index > first {
        index -= 1
        let clip = unsafe entries[index].clip
        unsafe entries[index].isCovered = !opaque.isEmpty && isCovered(clip, of: region)
        if unsafe entries[index].isOpaque { opaque.append(clip) }
      }
    }
  }

  private func isCovered(_ clip: PixelRect, of region: Region) -> Bool {
    // Loops, since this runs for each view of each frame: a closure's isolation is checked at every call.
    parts: for rect in region.rects {
      let part = rect.intersection(clip)
      if part.isEmpty { continue }
      for cover in opaque where cover.contains(part) { continue parts }
      return false
    }
    return true
  }

  /// Paints the entries at `indices`: draws those without a drawing, and composites consecutive ones together, one rectangle of
  /// the region after the other, so that its pixels stay in the processor's cache.
  private func paint(_ indices: Range<Int>, on target: PaintTarget, depth: Int) {
    var first = indices.lowerBound
    for index in indices {
      let entry = entries[index]
      if entry.isCovered { continue }
      guard !entry.isGroup else {
        composite(first..<index, on: target)
        paintGroup(entry, on: target, depth: depth)
        first = index + 1
        continue
      }
      let view = entry.view
      let place = LayerPlace(origin: entry.origin, size: view.storedFrame.size, scale: scale, window: window)
      entries[index].place = place.rect
      entries[index].background = view.backgroundColor.flatMap { $0.alpha > 0 ? $0.pixel : nil }
      if view.hasStaticDrawing {
        let layer = view.staticLayer ?? Layer(isStatic: true)
        view.staticLayer = layer
        entries[index].staticLayer = layer
        if !layer.isUsable(at: place), let part = target.part(place.rect, clip: entry.clip) {
          composite(first..<index, on: target)
          drawStatic(layer, in: part, index, at: place, over: indices.lowerBound..<index, on: target, depth: depth)
          (entries[index].background, entries[index].staticLayer) = (nil, nil)
          first = index
        } else {
          layer.makeUsable(for: view, at: place)
        }
      }
      let layer = drawsAnew ? Layer() : view.layer ?? Layer()
      if !drawsAnew { view.layer = layer }
      entries[index].layer = layer
      layer.makeUsable(for: view, at: place)
    }
    composite(first..<indices.upperBound, on: target)
  }

  /// Draws a static drawing directly into the target's pixels, `part`, and repaints what lies under it. Separate memory would
  /// cost the kernel more than that, and be freed at once.
  private func drawStatic(
    _ layer: Layer, in part: Bitmap, _ index: Int, at place: LayerPlace, over lower: Range<Int>, on target: PaintTarget,
    depth: Int
  ) {
    let view = entries[index].view
    // An opaque drawing begins with black.
    let isOpaque = view.isStaticDrawingOpaque
    if !isOpaque { part.set(0, in: part.rect) }
    layer.drawStatic(view, at: place, into: part)
    guard !isOpaque else { return }
    part.set(0, in: part.rect)
    let under = PaintTarget(bitmap: target.bitmap, x: target.x, y: target.y, region: Region(place.rect))
    paint(lower, on: under, depth: depth)
    composite(index..<index + 1, on: under)
  }

  /// Composites the drawings of the entries at `indices`, none of them a group.
  private func composite(_ indices: Range<Int>, on target: PaintTarget) {
    // By the first entry's address: where code is not optimised, the subscript of an array or of a buffer copies a whole entry for
    // each field that is read.
    unsafe entries.withUnsafeBufferPointer { buffer in
      guard let entries = buffer.baseAddress else { return }
      for rect in target.region.rects {
        var index = unsafe Painter.lowest(indices, of: entries, in: rect) - 1
        while index + 1 < indices.upperBound {
          index += 1
          if unsafe entries[index].isCovered { continue }
          let part = unsafe rect.intersection(entries[index].clip)
          if part.isEmpty { continue }
          let opening = unsafe part.intersection(entries[index].opening)
          if !opening.isEmpty { target.bitmap.set(0, in: target.place(opening)) }
          if let pixel = unsafe entries[index].background { target.bitmap.composite(pixel, over: target.place(part)) }
          // An enormous view's kept drawing may be smaller than the clip.
          let place = unsafe entries[index].place
          let inside = target.place(part.intersection(place))
          if inside.isEmpty { continue }
          let (x, y) = (place.x - target.x, place.y - target.y)
          unsafe entries[index].staticLayer?.composite(over: target.bitmap, x: x, y: y, in: inside)
          unsafe entries[index].layer?.composite(over: target.bitmap, x: x, y: y, in: inside)
        }
      }
    }
  }

  /// The first of the entries at `indices` that shows in `rect`: the last one whose static drawing hides those below it there.
  private static func lowest(_ indices: Range<Int>, of entries: UnsafePointer<Entry>, in rect: PixelRect) -> Int {
    var index = indices.upperBound
    while index > indices.lowerBound {
      index -= 1
      if unsafe entries[index].isCovered || !entries[index].clip.contains(rect) { continue }
      guard let layer = unsafe entries[index].staticLayer else { continue }
      let place = unsafe entries[index].place
      if layer.isOpaque(in: rect.moved(x: -place.x, y: -place.y)) { return index }
    }
    return indices.lowerBound
  }

  private func paintGroup(_ entry: Entry, on target: PaintTarget, depth: Int) {
    var region = Region()
    if depth < groups.count { swap(&region, &groups[depth].region) }
    region.replace(by: target.region)
    region.clip(to: entry.clip)
    let box = region.bounds
    guard let bitmap = group(depth, holding: box) else { return }
    let inner = PaintTarget(bitmap: bitmap, x: box.x, y: box.y, region: region)
    for rect in region.rects { bitmap.set(0, in: inner.place(rect)) }
    let superOrigin = entry.origin - entry.view.storedFrame.origin
    paint(entry.view, extra: nil, clip: entry.clip, superOrigin: superOrigin, on: inner, depth: depth + 1)
    let fraction = UInt32(Color.clamped(entry.view.storedAlpha) * 255 + 0.5)
    for rect in region.rects {
      target.bitmap.composite(
        bitmap, x: box.x - target.x, y: box.y - target.y, over: target.place(rect), fraction: fraction)
    }
    swap(&region, &groups[depth].region)
  }

  /// A bitmap at least as large as `box` for a group within `depth` others.
  private func group(_ depth: Int, holding box: PixelRect) -> Bitmap? {
    if depth < groups.count, groups[depth].bitmap.size.width >= box.width,
      groups[depth].bitmap.size.height >= box.height
    {
      return groups[depth].bitmap
    }
    guard let bitmap = Bitmap(size: PixelSize(width: box.width, height: box.height)) else { return nil }
    if depth < groups.count { groups[depth].bitmap = bitmap } else { groups.append((bitmap, Region())) }
    return bitmap
  }
}
