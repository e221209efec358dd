import Testing

/// Shows views in a window without a screen, and acts on them as a person would.
///
/// After every frame two things are checked, byte for byte: that painting only the damage over garbage equals painting
/// everything, and that nothing outside the damage was touched. A third: that every view drawn from nothing looks like
/// what was kept of it, so that no change was made without `setNeedsDisplay`.
public final class ControlHarness {
  /// The tree that is shown.
  public let root: RootView
  /// The window, with its clock.
  public let host = ManualHost()
  /// What the window shows after the last frame.
  public private(set) var shown: Snapshot
  /// What the last frame damaged.
  public private(set) var lastDamage = Region()
  /// How many frames were made.
  public private(set) var frameCount = 0
  /// How often the content was woken because it had asked for it.
  public private(set) var wakeCount = 0
  /// The time between two frames.
  public var frameInterval = Duration.nanoseconds(16_666_667)
  /// Hears what the harness finds wrong; without it, every finding is an issue of the test.
  public var onFault: ((String) -> Void)?
  /// False to skip the checks after each frame, for tests that count time.
  public var checksDamage = true

  /// The fonts of tests: those of screenshots, whatever the machine has.
  public static let fonts = ScreenshotFonts.library

  /// The same with Chinese letters of Debian's fonts-droid-fallback: for tests of fonts that stand in.
  public static let chineseFonts = FontLibrary(files: debian + [droid], defaultFamily: "DejaVu Sans")

  /// The same with emoji of Debian's fonts-noto-color-emoji besides.
  public static let emojiFonts = FontLibrary(
    files: debian + [droid, "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"], defaultFamily: "DejaVu Sans")

  private static let debian = ["DejaVuSans", "DejaVuSans-Bold"].map { "/usr/share/fonts/truetype/dejavu/\($0).ttf" }
  private static let droid = "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"

  /// Shows `root` in a window of `size` points, active, with its first frame drawn. Texts are set in `fonts`.
  public init(
    size: Size, scale: Scale = .one, root: RootView = RootView(), fonts: FontLibrary = ControlHarness.fonts
  ) {
    FontLibrary.shared = fonts
    self.root = root
    shown = Snapshot(garbage: scale.pixelSize(size))
    root.host = host
    root.onFault = { [unowned self] in report($0, sourceLocation: #_sourceLocation) }
    root.handle(.willEnterForeground)
    root.handle(.didBecomeActive)
    resize(to: size, scale: scale)
  }

  /// Shows `view` at `frame` in a window of `size` points.
  public convenience init(_ view: View, size: Size, scale: Scale = .one) {
    self.init(size: size, scale: scale)
    view.frame = Rect(origin: .zero, size: size)
    root.addSubview(view)
    frame()
  }

  /// Gives the window another size and scale, and draws a frame.
  public func resize(to size: Size, scale: Scale) {
    root.resize(to: size, scale: scale)
    shown = Snapshot(garbage: scale.pixelSize(size))
    frame()
  }

  /// Makes one frame at the current time, and checks it.
  public func frame(sourceLocation: SourceLocation = #_sourceLocation) {
    root.prepareFrame(for: host.now)
    let damage = root.takeDamage()
    lastDamage = damage
    frameCount += 1
    guard checksDamage else {
      shown.withBuffer { root.draw(damage, into: $0) }
      return
    }
    let garbage = Snapshot(garbage: shown.size, seed: UInt32(truncatingIfNeeded: frameCount))
    var part = garbage
    part.withBuffer { root.draw(damage, into: $0) }
    var whole = Snapshot(garbage: shown.size, seed: 77)
    whole.withBuffer { root.draw(Region(PixelRect(shown.size)), into: $0) }
    var outside = garbage
    outside.copy(damage, from: part)
    shown.copy(damage, from: part)
    if part != outside {
      let found = part.difference(from: outside)
      report(
        "frame \(frameCount) painted \(found.count) pixels outside its region, first at \(String(describing: found.first))",
        sourceLocation: sourceLocation)
    }
    if shown != whole {
      let found = shown.difference(from: whole)
      report(
        """
        frame \(frameCount): repairing the damage differs from painting everything in \(found.count) pixels, by up to \
        \(found.largest), first at \(String(describing: found.first)); damage \(damage.rects)
        """,
        sourceLocation: sourceLocation)
      shown = whole
    }
    checkKept(damage, sourceLocation)
  }

  /// Tells what is wrong.
  func report(_ fault: String, sourceLocation: SourceLocation) {
    if let onFault { onFault(fault) } else { Issue.record("\(fault)", sourceLocation: sourceLocation) }
  }

  private func checkKept(_ damage: Region, _ sourceLocation: SourceLocation) {
    var anew = Snapshot(garbage: shown.size, seed: 99)
    anew.withBuffer { root.drawAnew(Region(PixelRect(shown.size)), into: $0) }
    let found = shown.difference(from: anew)
    guard found.count > 0 else { return }
    report(
      """
      frame \(frameCount): what is kept of the views differs from painting everything from nothing in \(found.count) \
      pixels, by up to \(found.largest), first at \(String(describing: found.first)); damage \(damage.rects)
      """,
      sourceLocation: sourceLocation)
    root.dropLayers()
    shown = anew
  }

  /// Makes a frame if one is needed; true when it was.
  @discardableResult public func frameIfNeeded(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    guard root.needsFrame else { return false }
    frame(sourceLocation: sourceLocation)
    return true
  }

  /// Lets time pass, with frames at their interval as long as any is needed; returns how many were made.
  @discardableResult public func advance(
    by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Int {
    let end = host.now + duration
    var count = 0
    while host.now + frameInterval <= end {
      count += pass(to: host.now + frameInterval, sourceLocation)
      if frameIfNeeded(sourceLocation: sourceLocation) { count += 1 }
    }
    return count + pass(to: end, sourceLocation)
  }

  /// Moves the clock to `time`, and wakes the content on the way whenever it asked for it; returns how many frames that
  /// made.
  private func pass(to time: MonotonicTime, _ sourceLocation: SourceLocation) -> Int {
    var count = 0
    while let wake = host.wakeTime, wake <= time {
      host.now = max(host.now, wake)
      host.wakeTime = nil
      wakeCount += 1
      root.handleWake(at: host.now)
      if frameIfNeeded(sourceLocation: sourceLocation) { count += 1 }
    }
    host.now = time
    return count
  }

  /// Lets frames pass until none is needed, at most `limit`; returns how many were made.
  @discardableResult public func settle(
    limit: Int = 600, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Int {
    var count = 0
    while root.needsFrame, count < limit {
      host.now = host.now + frameInterval
      frame(sourceLocation: sourceLocation)
      count += 1
    }
    return count
  }
}
