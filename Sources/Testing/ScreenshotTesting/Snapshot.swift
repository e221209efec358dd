import Glibc

/// An image in memory. Two snapshots are equal if they have the same size and pixels.
///
/// Whole rows are compared and copied at once, because unoptimised tests would otherwise spend their time here.
nonisolated public struct Snapshot: Equatable, Sendable {
  /// The extent in pixels.
  public let size: PixelSize
  /// The pixels, 0xAARRGGBB, premultiplied; rows top first without padding.
  public var pixels: [UInt32]

  /// An image whose pixels are transparent.
  public init(size: PixelSize) {
    self.size = size
    pixels = [UInt32](repeating: 0, count: size.area)
  }

  /// An image of noise that no drawing produces, so that unpainted parts are visible.
  public init(garbage size: PixelSize, seed: UInt32 = 1) {
    self.size = size
    // Repeat a short run of noise, from a start that the seed determines.
    let noise = Snapshot.noise
    pixels = Array(noise[Int(seed &* 2_654_435_761 % 1021)...])
    pixels.reserveCapacity(size.area + noise.count)
    while pixels.count < size.area { pixels += noise }
    pixels.removeLast(pixels.count - size.area)
  }

  private static let noise: [UInt32] = (0..<8191).map { (UInt32($0) &* 2_654_435_761) ^ 0x5aa5_1234 }

  /// A copy of a buffer's pixels.
  public init(_ buffer: PixelBuffer) { (size, pixels) = (buffer.size, buffer.pixels) }

  /// True if the sizes and all pixels are the same.
  public static func == (a: Snapshot, b: Snapshot) -> Bool { a.size == b.size && a.hasRows(0..<a.size.height, of: b) }

  /// True if `rows` are the same in both images, which must have the same size.
  private func hasRows(_ rows: Range<Int>, of other: Snapshot) -> Bool {
    let row = size.width * 4
    return unsafe pixels.withUnsafeBytes { a in
      unsafe other.pixels.withUnsafeBytes { b in
        guard !rows.isEmpty, let a = a.baseAddress, let b = b.baseAddress else { return true }
        return unsafe memcmp(a + rows.lowerBound * row, b + rows.lowerBound * row, rows.count * row) == 0
      }
    }
  }

  /// The pixel at (`x`, `y`); 0 outside.
  public subscript(x: Int, y: Int) -> UInt32 {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return 0 }
    return pixels[y * size.width + x]
  }

  /// Calls `body` with the pixels as a buffer.
  public mutating func withBuffer<Result>(_ body: (PixelBuffer) -> Result) -> Result {
    let size = size
    return unsafe pixels.withUnsafeMutableBytes {
      unsafe body(PixelBuffer(size: size, stride: size.width * 4, bytes: $0))
    }
  }

  /// Writes the pixels as a PNG file. Returns false if that fails.
  @MainActor @discardableResult public func write(to path: String) -> Bool {
    var copy = self
    return copy.withBuffer { PNG.writeSmall($0, to: path) }
  }

  /// Reads the pixels of a PNG file; nil if it cannot be read.
  @MainActor public static func read(_ path: String) -> Snapshot? {
    try? PNG.read(contentsOf: path) { Snapshot($0) }
  }

  /// An image of `view` under `conditions`, `time` after the view was first shown; nil if the view has no size, or if the image
  /// would have more than 64 million pixels or a side of more than 32,767.
  ///
  /// The view is removed from its superview and shown by a new root, active and visible, with a frame for every sixtieth of a
  /// second of `time`. A `RootView` is its own root, and keeps its own background. `prepare` is called once the view is in the
  /// new tree and before the first frame, for a state that needs a tree, such as the focus.
  @MainActor public init?(
    of view: View, _ conditions: ScreenshotConditions = .init(), time: Duration = .zero, prepare: () -> Void = {}
  ) {
    let size = Self.size(of: view, conditions)
    guard let size, conditions.scale.pixelSize(size).isUsableForBitmap else { return nil }
    let root = view as? RootView ?? RootView()
    root.theme = conditions.theme
    root.layoutDirection = conditions.layoutDirection
    if root !== view {
      root.backgroundColor = conditions.background ?? conditions.theme.background
      view.frame = Rect(origin: .zero, size: size)
      root.addSubview(view)
    }
    root.resize(to: size, scale: conditions.scale)
    root.handle(.willEnterForeground)
    root.handle(.didBecomeActive)
    prepare()
    Self.pass(time, on: root)
    self.init(garbage: conditions.scale.pixelSize(size))
    let all = Region(PixelRect(self.size))
    withBuffer { root.draw(all, into: $0) }
    if root !== view { view.removeFromSuperview() }
  }

  /// The size of the conditions, or the view's own, or else its fitting size.
  @MainActor private static func size(of view: View, _ conditions: ScreenshotConditions) -> Size? {
    let size = conditions.size ?? (view.bounds.size.isEmpty ? view.fittingSize(in: view.bounds.size) : view.bounds.size)
    guard size.width.isFinite, size.height.isFinite, !size.isEmpty else { return nil }
    // Round up, because the size of a window is in whole points, and a larger view would be cut off.
    return Size(width: size.width.rounded(.up), height: size.height.rounded(.up))
  }

  @MainActor private static func pass(_ time: Duration, on root: RootView) {
    let step = Duration.nanoseconds(16_666_667)
    var passed = Duration.zero
    // Without a window, the time of a root is that of its last frame, and zero before the first frame.
    root.prepareFrame(for: .zero)
    while passed < time {
      passed = min(passed + step, time)
      root.prepareFrame(for: .zero + passed)
    }
  }

  /// The difference from `other`. A pixel counts if any of its components differs by more than `levels`, 0...255.
  public func difference(from other: Snapshot, levels: Int = 0) -> SnapshotDifference {
    var found = SnapshotDifference()
    let width = max(size.width, other.size.width)
    let height = max(size.height, other.size.height)
    found.isSameSize = size == other.size
    found.width = width
    found.total = width * height
    var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
    func count(_ x: Int, _ y: Int) {
      found.count += 1
      if found.firstIndex == nil { found.firstIndex = y * width + x }
      (left, right) = (min(left, x), max(right, x + 1))
      (top, bottom) = (min(top, y), max(bottom, y + 1))
    }
    for y in 0..<height where !found.isSameSize || !hasRows(y..<y + 1, of: other) {
      for x in 0..<width {
        guard holds(x, y), other.holds(x, y) else {
          found.largest = 255
          count(x, y)
          continue
        }
        let (new, old) = (self[x, y], other[x, y])
        if new == old { continue }
        let most = Snapshot.distance(new, old)
        found.largest = max(found.largest, most)
        if most > levels { count(x, y) }
      }
    }
    if found.count > 0 { found.bounds = PixelRect(x: left, y: top, width: right - left, height: bottom - top) }
    return found
  }

  /// An image of the difference from `other`, as wide as the wider one and as high as the higher one: pixels that differ by
  /// more than `levels` are red, pixels that differ less are amber, on a faint grey copy of this image.
  public func marked(against other: Snapshot, levels: Int) -> Snapshot {
    let whole = PixelSize(width: max(size.width, other.size.width), height: max(size.height, other.size.height))
    var result = Snapshot(garbage: whole)
    for y in 0..<whole.height {
      for x in 0..<whole.width {
        let (new, old) = (self[x, y], other[x, y])
        let isInBoth = holds(x, y) && other.holds(x, y)
        let most = isInBoth ? Snapshot.distance(new, old) : .max
        result.pixels[y * whole.width + x] =
          most > levels ? 0xffff_0000 : most > 0 ? 0xffff_b020 : Snapshot.faint(new)
      }
    }
    return result
  }

  /// A dark grey, a quarter as bright as `pixel`.
  private static func faint(_ pixel: UInt32) -> UInt32 {
    let sum = ((pixel >> 16) & 255) * 2 + ((pixel >> 8) & 255) * 5 + (pixel & 255)
    let gray = sum / 32
    return 0xff00_0000 | gray << 16 | gray << 8 | gray
  }

  private func holds(_ x: Int, _ y: Int) -> Bool { x < size.width && y < size.height }

  /// The largest difference of the four components of two pixels, 0...255.
  package static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    var most = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      most = max(most, abs(Int((a >> shift) & 255) - Int((b >> shift) & 255)))
    }
    return most
  }
}

nonisolated extension Snapshot: CustomStringConvertible {
  /// The size only, because a failed expectation that lists millions of pixels would not help.
  public var description: String { "Snapshot of \(size.width) x \(size.height) pixels" }
}

/// The extent of the difference of two images.
nonisolated public struct SnapshotDifference: Hashable, Sendable {
  /// The number of pixels that differ by more than the levels allowed; pixels that only one image has count too.
  public var count = 0
  /// The number of pixels compared.
  public var total = 0
  /// The largest difference of any component of any pixel, 0...255, allowed or not.
  public var largest = 0
  /// The smallest rectangle around the counted pixels, relative to the top left corner.
  public var bounds = PixelRect.zero
  /// The first counted pixel, row by row; nil if no pixel counted.
  public var first: (x: Int, y: Int)? {
    firstIndex.map { ($0 % max(width, 1), $0 / max(width, 1)) }
  }
  /// True if both images have the same size.
  public var isSameSize = true

  var firstIndex: Int?
  var width = 0
}
