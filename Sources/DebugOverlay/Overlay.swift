import UICore

/// Debug marks drawn over a window's content. `OverlaidContent` shows them.
///
/// The marks are a list of coloured rectangles, rebuilt with each frame. Besides the content's own damage, a frame repaints the
/// marks that appeared, disappeared or changed. Only fingers request a frame: an idle window stays idle.
package nonisolated struct Overlay {
  /// The marks that can be chosen, by their words in the variable.
  package enum Kind: String, CaseIterable, Sendable {
    /// The rectangles that the latest frame with changes repainted, in another colour than those before.
    case damage
    /// The outlines of all views.
    case bounds
    /// A square around each finger, stylus and pressed button.
    case touches
    /// The painting times of the latest frames as bars, the newest at the right; the line marks a refresh.
    case frames
  }

  /// A rectangle over the image.
  struct Mark: Hashable {
    var rect: PixelRect
    /// Premultiplied, as in a `PixelBuffer`.
    var color: UInt32

    /// A mark of the colour `rgb` (0xRRGGBB) with an alpha of 0...255.
    init(_ rect: PixelRect, _ rgb: UInt32, alpha: UInt32 = 255) {
      self.rect = rect
      func channel(_ shift: UInt32) -> UInt32 { ((rgb >> shift & 0xff) * alpha / 255) << shift }
      color = alpha << 24 | channel(16) | channel(8) | channel(0)
    }
  }

  private static let damageColors: [UInt32] = [0xff3b30, 0x30d158, 0x0a84ff, 0xffd60a]
  private static let frameCount = 60
  /// A refresh in the bars, in points.
  private static let refreshHeight = 40

  private let kinds: Set<Kind>
  /// The marks of the latest image.
  private(set) var marks: [Mark] = []
  private var damageMarks: [Mark] = []
  private var paintedFrames = 0
  private var paintingTimes: [Duration] = []
  private var touches: [(id: TouchID, location: Point)] = []
  /// True while a touch waits to be shown.
  private(set) var needsFrame = false

  init?(_ kinds: Set<Kind>) {
    guard !kinds.isEmpty else { return nil }
    self.kinds = kinds
  }

  /// The kinds in the comma-separated `words` of the environment variable `name`, and one line about unknown words.
  package static func read(_ words: String, of name: String) -> (kinds: Set<Kind>, mistake: String?) {
    let words = words.split(separator: ",").map { $0.drop { $0 == " " } }
    let unknown = words.filter { Kind(rawValue: String($0)) == nil }
    let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    return (
      Set(words.compactMap { Kind(rawValue: String($0)) }),
      unknown.isEmpty
        ? nil : "\(name): no overlay is called \(unknown.joined(separator: ", ")); there are \(known)"
    )
  }

  // MARK: What happens

  mutating func note(_ event: InputEvent) {
    guard kinds.contains(.touches), case .touches(let points) = event else { return }
    for point in points {
      touches.removeAll { $0.id == point.id }
      if point.phase == .began || point.phase == .moved { touches.append((point.id, point.location)) }
    }
    needsFrame = true
  }

  /// Records how long a frame took to paint; the next frame shows it.
  mutating func note(painting: Duration) {
    if paintingTimes.count == Overlay.frameCount { paintingTimes.removeFirst() }
    paintingTimes.append(painting)
  }

  // MARK: Marks

  /// Whether `outlines` are shown, so that they are not computed in vain.
  var showsBounds: Bool { kinds.contains(.bounds) }

  /// Creates the marks of a frame of `size` whose content repaints `damage`, and adds the changed marks to `damage`.
  mutating func prepare(
    _ damage: inout Region, outlines: [Rect], size: PixelSize, scale: Scale, refresh: Duration
  ) {
    needsFrame = false
    let unit = max(Int(scale.factor.rounded()), 1)
    if kinds.contains(.damage), !damage.isEmpty {
      let color = Overlay.damageColors[paintedFrames % Overlay.damageColors.count]
      damageMarks = damage.rects.flatMap { [Mark($0, color, alpha: 48)] + Overlay.frame($0, unit, color, alpha: 160) }
      paintedFrames += 1
    }
    var new = damageMarks
    for outline in outlines { new += Overlay.frame(scale.pixelRect(covering: outline), unit, 0xff40ff, alpha: 160) }
    for touch in touches {
      let place = Rect(x: touch.location.x - 22, y: touch.location.y - 22, width: 44, height: 44)
      new += Overlay.frame(scale.pixelRect(covering: place), 2 * unit, 0x00c8ff)
      new.append(Mark(scale.pixelRect(covering: place.insetBy(dx: 20, dy: 20)), 0x00c8ff))
    }
    if kinds.contains(.frames) { new += bars(unit, refresh) }

    let (kept, shown) = (Set(new), Set(marks))
    for mark in marks where !kept.contains(mark) { damage.join(mark.rect) }
    for mark in new where !shown.contains(mark) { damage.join(mark.rect) }
    damage.clip(to: PixelRect(size))
    marks = new
  }

  /// The four sides of `rect`, `width` pixels thick, inside it.
  private static func frame(_ rect: PixelRect, _ width: Int, _ color: UInt32, alpha: UInt32 = 255) -> [Mark] {
    guard rect.width > 2 * width, rect.height > 2 * width else { return [Mark(rect, color, alpha: alpha)] }
    let (left, right) = (rect.x + width, rect.maxX - width)
    return [
      PixelRect(x: rect.x, y: rect.y, width: rect.width, height: width),
      PixelRect(x: rect.x, y: rect.maxY - width, width: rect.width, height: width),
      PixelRect(left: rect.x, top: rect.y + width, right: left, bottom: rect.maxY - width),
      PixelRect(left: right, top: rect.y + width, right: rect.maxX, bottom: rect.maxY - width),
    ].map { Mark($0, color, alpha: alpha) }
  }

  /// A dark background with a bar for each of the latest frames, red if painting took longer than a refresh.
  private func bars(_ unit: Int, _ refresh: Duration) -> [Mark] {
    let (width, most) = (3 * unit, 3 * Overlay.refreshHeight * unit / 2)
    let ground = PixelRect(x: 8 * unit, y: 8 * unit, width: Overlay.frameCount * width, height: most)
    var marks = [Mark(ground, 0x000000, alpha: 176)]
    for (index, time) in paintingTimes.reversed().enumerated() {
      let refreshes = time.inSeconds / max(refresh.inSeconds, 1e-3)
      let height = min(max(Int(refreshes * Double(Overlay.refreshHeight * unit)), unit), most)
      let bar = PixelRect(
        x: ground.maxX - (index + 1) * width, y: ground.maxY - height, width: width - unit, height: height)
      marks.append(Mark(bar, refreshes > 1 ? 0xff3b30 : 0x2dd4bf))
    }
    let line = ground.maxY - Overlay.refreshHeight * unit
    return marks + [Mark(PixelRect(x: ground.x, y: line, width: ground.width, height: unit), 0xffd60a, alpha: 176)]
  }

  // MARK: Drawing

  /// Draws the parts of the marks in `region`, which the content has just painted.
  func draw(_ region: Region, into buffer: PixelBuffer) {
    for mark in marks {
      for rect in region.rects { Overlay.fill(mark.rect.intersection(rect), mark.color, buffer) }
    }
  }

  private static func fill(_ rect: PixelRect, _ color: UInt32, _ buffer: PixelBuffer) {
    let rest = 255 - color >> 24
    // Two channels at once, each divided by 255.
    func faded(_ channels: UInt32) -> UInt32 {
      let product = (channels & 0xff_00ff) * rest + 0x80_0080
      return (product + (product >> 8 & 0xff_00ff)) >> 8 & 0xff_00ff
    }
    for y in rect.y..<max(rect.maxY, rect.y) {
      for x in rect.x..<rect.maxX {
        let old = buffer[x, y]
        buffer[x, y] = color + (faded(old) | faded(old >> 8) << 8)
      }
    }
  }
}
