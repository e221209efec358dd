/// Paints the part of a tree that lies in a region, from the back to the front.
///
/// The views' kept pictures are laid over each other, each pixel by itself, and what is drawn directly is never cut by a clip.
/// So a repaired part equals the whole, byte for byte.
final class Painter {
  private struct Entry {
    let view: View
    let clip: PixelRect
    let origin: Point
    /// True when the view and everything inside go through a picture of their own, to be faded as one.
    let isGroup: Bool
    var isCovered = false
  }

  /// What is painted into: pixels, which of the window's pixels the first is, and which of the window's to paint.
  private struct Sheet {
    let bitmap: Bitmap
    let x: Int
    let y: Int
    let region: Region
    /// False for a group's picture.
    var isWindow = false

    /// A rectangle of the window in the bitmap.
    func place(_ rect: PixelRect) -> PixelRect {
      PixelRect(x: rect.x - x, y: rect.y - y, width: rect.width, height: rect.height)
    }
  }

  /// What is to be painted; that of a group lies behind that of what the group is in.
  private var entries: [Entry] = []
  private var opaque: [PixelRect] = []
  /// Pictures for groups within groups, kept from frame to frame.
  private var groups: [Bitmap] = []
  private var scale = Scale.one
  private var window = PixelRect.zero
  private var drawsAnew = false
  /// What draws right into the pixels that are painted.
  private var direct: Backing?
  /// What lays and draws right into the window's pixels: for the memory that windows draw into in turn, the latest first.
  private var targets: [Target] = []
  /// As many as a window has buffers.
  private static let mostTargets = 3

  /// A window's pixels as something to draw into. It touches them only while they are painted: who gives the same memory again
  /// says that it is there.
  private struct Target {
    let pixels: PixelBuffer
    let bitmap: Bitmap
    let backing: Backing

    func isOf(_ other: PixelBuffer) -> Bool {
      pixels.bytes.baseAddress == other.bytes.baseAddress && pixels.size == other.size && pixels.stride == other.stride
    }
  }

  /// Paints `region`. With `drawsAnew` the views' kept drawings are left alone, and made again for this time only.
  func paint(_ root: RootView, region: Region, into buffer: PixelBuffer, drawsAnew: Bool = false) {
    guard let target = target(of: buffer) else { return }
    let bitmap = target.bitmap
    scale = root.scale
    window = PixelRect(scale.pixelSize(root.bounds.size))
    self.drawsAnew = drawsAnew
    direct = target.backing
    defer { direct = nil }
    var inside = region
    inside.clip(to: bitmap.rect)
    let sheet = Sheet(bitmap: bitmap, x: 0, y: 0, region: inside, isWindow: true)
    if !root.isOpaque {
      for rect in inside.rects { bitmap.set(0, in: rect) }
    }
    paint(root, extra: root.focusRing, clip: bitmap.rect, superOrigin: .zero, on: sheet, depth: 0)
  }

  /// Paints `view` and everything inside, then `extra`; the opacity of `view` itself is the caller's business.
  private func paint(
    _ view: View, extra: View?, clip: PixelRect, superOrigin: Point, on sheet: Sheet, depth: Int
  ) {
    let first = entries.count
    collect(view, clip: clip, superOrigin: superOrigin, sheet.region, isTop: true)
    if let extra { collect(extra, clip: clip, superOrigin: superOrigin, sheet.region, isTop: false) }
    findCovered(sheet.region, from: first)
    let end = entries.count
    for index in first..<end where !entries[index].isCovered {
      let entry = entries[index]
      if entry.isGroup { paintGroup(entry, on: sheet, depth: depth) } else { paint(entry, on: sheet) }
    }
    entries.removeLast(end - first)
  }

  private func collect(_ view: View, clip: PixelRect, superOrigin: Point, _ region: Region, isTop: Bool) {
    guard !view.isHidden, view.storedAlpha > 0 else { return }
    let origin = superOrigin + view.storedFrame.origin
    let pixels = scale.pixelRect(covering: Rect(origin: origin, size: view.storedFrame.size))
    let inside = pixels.intersection(clip)
    guard !inside.isEmpty, region.intersects(inside) else { return }
    let isGroup = !isTop && view.storedAlpha < 1
    entries.append(Entry(view: view, clip: inside, origin: origin, isGroup: isGroup))
    guard !isGroup else { return }
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

  /// Marks the views whose part of the region lies under one opaque view.
  private func findCovered(_ region: Region, from first: Int) {
    opaque.removeAll(keepingCapacity: true)
    for index in (first..<entries.count).reversed() {
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

  private func paint(_ entry: Entry, on sheet: Sheet) {
    let view = entry.view
    if let color = view.backgroundColor, color.alpha > 0 {
      let pixel = color.pixel
      for rect in sheet.region.rects { sheet.bitmap.lay(pixel, over: sheet.place(rect.intersection(entry.clip))) }
    }
    let place = LayerPlace(origin: entry.origin, size: view.storedFrame.size, scale: scale, window: window)
    if view.hasStaticDrawing { paintStatic(view, at: place, clip: entry.clip, on: sheet) }
    let layer = drawsAnew ? Layer() : view.layer ?? Layer()
    if !drawsAnew { view.layer = layer }
    layer.makeUsable(for: view, at: place)
    if layer.isDirect { return draw(view, layer, at: place, clip: entry.clip, on: sheet) }
    guard let bitmap = layer.bitmap else { return }
    let (x, y) = (place.rect.x - sheet.x, place.rect.y - sheet.y)
    for rect in sheet.region.rects {
      let part = rect.intersection(entry.clip)
      guard !part.isEmpty else { continue }
      let own = PixelRect(x: part.x - place.rect.x, y: part.y - place.rect.y, width: part.width, height: part.height)
      layer.ink.forEach(in: own) { ink in
        sheet.bitmap.lay(
          bitmap, x: x, y: y, over: PixelRect(x: ink.x + x, y: ink.y + y, width: ink.width, height: ink.height))
      }
    }
  }

  /// Has `view` draw right into the window's pixels where all that it touches is painted anyway. Elsewhere a clip would change
  /// the edges that it cuts: so it draws over a copy, of which only what is painted is used.
  private func draw(_ view: View, _ layer: Layer, at place: LayerPlace, clip: PixelRect, on sheet: Sheet) {
    var (isWhole, isSeen) = (sheet.isWindow, false)
    for ink in layer.ink.rects {
      let rect = PixelRect(x: ink.x + place.rect.x, y: ink.y + place.rect.y, width: ink.width, height: ink.height)
      isWhole = isWhole && clip.contains(rect) && sheet.region.contains(rect)
      isSeen = isSeen || sheet.region.intersects(rect)
    }
    guard isSeen else { return }
    if isWhole, let direct { return layer.draw(view, at: place, intoWindow: direct) }
    let inside = clip.intersection(place.rect)
    let rects = sheet.region.rects.compactMap { rect in
      let part = rect.intersection(inside)
      return part.isEmpty
        ? nil : PixelRect(x: part.x - place.rect.x, y: part.y - place.rect.y, width: part.width, height: part.height)
    }
    layer.draw(view, at: place, over: sheet.bitmap, x: place.rect.x - sheet.x, y: place.rect.y - sheet.y, in: rects)
  }

  private func target(of buffer: PixelBuffer) -> Target? {
    if let index = targets.firstIndex(where: { $0.isOf(buffer) }) {
      if index > 0 { targets.swapAt(0, index) }
      return targets[0]
    }
    guard let bitmap = Bitmap(buffer) else { return nil }
    // Memory of another size is given no more.
    targets.removeAll { $0.pixels.size != buffer.size }
    if targets.count >= Self.mostTargets { targets.removeLast() }
    targets.insert(Target(pixels: buffer, bitmap: bitmap, backing: Backing(bitmap)), at: 0)
    return targets[0]
  }

  private func paintStatic(_ view: View, at place: LayerPlace, clip: PixelRect, on sheet: Sheet) {
    let picture: Picture
    if let made = view.staticPicture, view.staticKey == place.key {
      picture = made
    } else {
      let isOpaque = view.isStaticDrawingOpaque
      view.isStaticMarked = false
      picture = Picture(
        size: place.key.size, pixels: place.key.pixels, scale: scale, transform: place.transform, isOpaque: isOpaque
      ) { view.drawStatic($0) }
      // Marked while it was drawn: this picture is shown now, and a newer one in the next frame.
      view.staticPicture = view.isStaticMarked ? nil : picture
      view.staticKey = place.key
    }
    guard let bitmap = picture.bitmap else { return }
    let (x, y) = (place.rect.x - sheet.x, place.rect.y - sheet.y)
    // A picture of a part of an enormous view may be smaller than the clip.
    let inside = clip.intersection(place.rect)
    for rect in sheet.region.rects {
      let part = rect.intersection(inside)
      guard !part.isEmpty else { continue }
      if picture.isOpaque {
        sheet.bitmap.copy(bitmap, x: x, y: y, to: sheet.place(part))
        continue
      }
      let own = PixelRect(x: part.x - place.rect.x, y: part.y - place.rect.y, width: part.width, height: part.height)
      picture.ink.forEach(in: own) { ink in
        sheet.bitmap.lay(
          bitmap, x: x, y: y,
          over: PixelRect(x: ink.x + x, y: ink.y + y, width: ink.width, height: ink.height))
      }
    }
  }

  private func paintGroup(_ entry: Entry, on sheet: Sheet, depth: Int) {
    var region = sheet.region
    region.clip(to: entry.clip)
    let box = region.bounds
    guard let share = SolidShare(entry.view.storedAlpha), let bitmap = group(depth, holding: box) else { return }
    let inner = Sheet(bitmap: bitmap, x: box.x, y: box.y, region: region)
    for rect in region.rects { bitmap.set(0, in: inner.place(rect)) }
    let superOrigin = entry.origin - entry.view.storedFrame.origin
    paint(entry.view, extra: nil, clip: entry.clip, superOrigin: superOrigin, on: inner, depth: depth + 1)
    for rect in region.rects {
      sheet.bitmap.lay(bitmap, x: box.x - sheet.x, y: box.y - sheet.y, over: sheet.place(rect), through: share)
    }
  }

  /// A bitmap at least as large as `box` for a group within `depth` others.
  private func group(_ depth: Int, holding box: PixelRect) -> Bitmap? {
    if depth < groups.count, groups[depth].size.width >= box.width, groups[depth].size.height >= box.height {
      return groups[depth]
    }
    guard let bitmap = Bitmap(size: PixelSize(width: box.width, height: box.height)) else { return nil }
    if depth < groups.count { groups[depth] = bitmap } else { groups.append(bitmap) }
    return bitmap
  }
}
