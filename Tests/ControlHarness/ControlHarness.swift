import Testing
import UICore

/// Shows views in a window without a screen, and acts on them as a user would.
///
/// Every frame is checked byte for byte in three ways. Painting only the damage over garbage must equal painting everything.
/// Painting stays inside the damage. And drawing every view without its cached pixels must equal the window's pixels;
/// otherwise a view changed without `setNeedsDisplay`.
public final class ControlHarness {
  /// The tree that is shown.
  public let root: RootView
  /// The window, with its clock.
  public let host = ManualHost()
  /// The window's pixels after the last frame.
  public private(set) var shown: Snapshot
  /// The damage of the last frame.
  public private(set) var lastDamage = Region()
  /// The number of frames so far.
  public private(set) var frameCount = 0
  /// The number of wake-ups that the content requested and received.
  public private(set) var wakeCount = 0
  /// The time between two frames.
  public var frameInterval = Duration.nanoseconds(16_666_667)
  /// Called with each fault that the harness finds. If nil, every fault is recorded as an issue of the test.
  public var onFault: ((String) -> Void)?
  /// Whether each frame is checked. Set it to false in tests that measure time.
  public var checksDamage = true

  /// The default fonts of tests: those of screenshots, which do not depend on the machine's fonts.
  public static let fonts = ScreenshotFonts.library

  /// DejaVu Sans with the Chinese glyphs of Debian's fonts-droid-fallback, for tests of font fallback.
  public static let chineseFonts = FontLibrary(files: debian + [droid], defaultFamily: "DejaVu Sans")

  /// The fonts of `chineseFonts`, and the emoji of Debian's fonts-noto-color-emoji.
  public static let emojiFonts = FontLibrary(
    files: debian + [droid, "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"], defaultFamily: "DejaVu Sans")

  /// Inter, the cockpit's typeface, of Debian's fonts-inter, with the fonts of `chineseFonts`: for images as users see them.
  public static let screenFonts = FontLibrary(
    files: ["Regular", "Medium", "SemiBold", "Bold"].map { "/usr/share/fonts/opentype/inter/Inter-\($0).otf" } + debian
      + [droid], defaultFamily: "Inter, DejaVu Sans")

  private static let debian = ["DejaVuSans", "DejaVuSans-Bold"].map { "/usr/share/fonts/truetype/dejavu/\($0).ttf" }
  private static let droid = "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"

  private let fonts: FontLibrary

  /// Shows `root`, or a black window whatever its theme, of `size` points, active, and draws the first frame. Texts use `fonts`.
  public init(
    size: Size, scale: Scale = .one, root: RootView = ControlHarness.blackRoot(),
    fonts: FontLibrary = ControlHarness.fonts
  ) {
    FontLibrary.shared = Self.fonts
    self.root = root
    self.fonts = fonts
    shown = Snapshot(garbage: scale.pixelSize(size))
    root.host = host
    root.onFault = { [unowned self] in report($0, sourceLocation: #_sourceLocation) }
    root.handle(.willEnterForeground)
    root.handle(.didBecomeActive)
    resize(to: size, scale: scale)
  }

  /// A black root.
  public static func blackRoot() -> RootView {
    let root = RootView()
    root.backgroundColor = .black
    return root
  }

  /// Shows `view` in a window of `size` points, which it fills.
  public convenience init(_ view: View, size: Size, scale: Scale = .one) {
    self.init(size: size, scale: scale)
    view.frame = Rect(origin: .zero, size: size)
    root.addSubview(view)
    frame()
  }

  /// Changes the window's size and scale, and draws a frame.
  public func resize(to size: Size, scale: Scale) {
    root.resize(to: size, scale: scale)
    shown = Snapshot(garbage: scale.pixelSize(size))
    frame()
  }

  /// Draws one frame at the current time, and checks it.
  public func frame(sourceLocation: SourceLocation = #_sourceLocation) {
    // Other tests, with different fonts, may run between two frames of this one.
    ScreenshotFonts.use(fonts) { makeFrame(sourceLocation) }
  }

  private func makeFrame(_ sourceLocation: SourceLocation) {
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
    check(whole, "repairing the damage differs from painting everything", sourceLocation)
    var anew = Snapshot(garbage: shown.size, seed: 99)
    anew.withBuffer { root.drawAnew(Region(PixelRect(shown.size)), into: $0) }
    let isKept = check(
      anew, "what is kept of the views differs from painting everything from nothing", sourceLocation)
    if !isKept { root.dropLayers() }
  }

  /// Reports a fault.
  func report(_ fault: String, sourceLocation: SourceLocation) {
    if let onFault { onFault(fault) } else { Issue.record("\(fault)", sourceLocation: sourceLocation) }
  }

  /// Returns true if the window's pixels equal `painted`. Otherwise reports `fault` and continues with `painted` as the
  /// window's pixels.
  @discardableResult private func check(
    _ painted: Snapshot, _ fault: String, _ sourceLocation: SourceLocation
  ) -> Bool {
    if shown == painted { return true }
    let found = shown.difference(from: painted)
    report(
      """
      frame \(frameCount): \(fault) in \(found.count) pixels, by up to \(found.largest), first at \
      \(String(describing: found.first)); damage \(lastDamage.rects)
      """,
      sourceLocation: sourceLocation)
    shown = painted
    return false
  }

  /// Draws a frame if one is needed. Returns true if it did.
  @discardableResult public func frameIfNeeded(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    guard root.needsFrame else { return false }
    frame(sourceLocation: sourceLocation)
    return true
  }

  /// Lets time pass: wakes the content at the times that it requested, and draws a frame at each interval if one is needed.
  /// Returns the number of frames.
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

  /// Moves the clock to `time`, and wakes the content at every time that it requested. Returns the number of frames drawn.
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

  /// Draws frames until none is needed, at most `limit`. Returns their number.
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

  /// The seat of all input that the harness sends.
  public static let seat = SeatID(1)

  /// The identity of finger `number`; -1 is the pointer.
  public static func touchID(_ number: Int) -> TouchID {
    TouchID(seat: seat, contact: number < 0 ? .pointer : .finger(Int32(number)))
  }

  /// Sends one finger's change, and draws a frame if one is needed.
  public func touch(
    _ phase: TouchPoint.Phase, at point: Point, finger: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    send([(phase, point, finger)], sourceLocation: sourceLocation)
  }

  /// Sends several fingers' changes as one atomic frame, and draws a frame if one is needed.
  public func send(
    _ points: [(TouchPoint.Phase, Point, Int)], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    root.handle(
      .touches(
        points.map { TouchPoint(id: Self.touchID($0.2), phase: $0.0, location: $0.1, time: host.now) }))
    frameIfNeeded(sourceLocation: sourceLocation)
  }

  /// Puts a finger down and lifts it 60 ms later.
  public func tap(_ point: Point, finger: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) {
    touch(.began, at: point, finger: finger, sourceLocation: sourceLocation)
    advance(by: .milliseconds(60), sourceLocation: sourceLocation)
    touch(.ended, at: point, finger: finger, sourceLocation: sourceLocation)
  }

  /// Taps the middle of `view`.
  public func tap(_ view: View, finger: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) {
    tap(view.windowFrame.center, finger: finger, sourceLocation: sourceLocation)
  }

  /// Moves a finger that is down from `start` to `end` in `steps`, one step per frame.
  public func move(
    from start: Point, to end: Point, steps: Int = 10, finger: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for step in 1...max(steps, 1) {
      let part = Double(step) / Double(max(steps, 1))
      advance(by: frameInterval, sourceLocation: sourceLocation)
      let point = Point(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
      touch(.moved, at: point, finger: finger, sourceLocation: sourceLocation)
    }
  }

  /// Puts a finger down at `start`, moves it to `end` in `steps`, and lifts it unless `holds` is true.
  public func drag(
    from start: Point, to end: Point, steps: Int = 10, finger: Int = 0, holds: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    touch(.began, at: start, finger: finger, sourceLocation: sourceLocation)
    move(from: start, to: end, steps: steps, finger: finger, sourceLocation: sourceLocation)
    if !holds { touch(.ended, at: end, finger: finger, sourceLocation: sourceLocation) }
  }

  /// Sends one key's change, and draws a frame if one is needed.
  public func key(
    _ phase: KeyEvent.Phase, _ key: Key, _ modifiers: KeyModifiers = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    root.handle(.key(KeyEvent(seat: Self.seat, phase: phase, key: key, modifiers: modifiers, time: host.now)))
    frameIfNeeded(sourceLocation: sourceLocation)
  }

  /// Presses a key and releases it 60 ms later.
  public func press(
    _ key: Key, _ modifiers: KeyModifiers = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.key(.down, key, modifiers, sourceLocation: sourceLocation)
    advance(by: .milliseconds(60), sourceLocation: sourceLocation)
    self.key(.up, key, modifiers, sourceLocation: sourceLocation)
  }

  /// Types `text`: presses and releases one key per character.
  public func type(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for character in text {
      let key = Key(rawValue: character.lowercased().unicodeScalars.first?.value ?? 0)
      for phase in [KeyEvent.Phase.down, .up] {
        root.handle(
          .key(KeyEvent(seat: Self.seat, phase: phase, key: key, text: String(character), time: host.now)))
      }
      frameIfNeeded(sourceLocation: sourceLocation)
    }
  }

  /// Sends a text change, such as an input method's, to the text that receives key input.
  public func compose(_ edit: TextEdit, sourceLocation: SourceLocation = #_sourceLocation) {
    root.handle(.text(edit))
    frameIfNeeded(sourceLocation: sourceLocation)
  }

  /// Moves the pointer to `point`, or out of the window (nil).
  public func hover(_ point: Point?, sourceLocation: SourceLocation = #_sourceLocation) {
    root.handle(.hover(Self.seat, point))
    frameIfNeeded(sourceLocation: sourceLocation)
  }

  /// Hides the window, without drawing a frame.
  public func enterBackground() {
    root.handle(.willResignActive)
    root.handle(.didEnterBackground)
  }

  /// Shows the hidden window again, and draws a frame.
  public func enterForeground(sourceLocation: SourceLocation = #_sourceLocation) {
    root.handle(.willEnterForeground)
    root.handle(.didBecomeActive)
    frame(sourceLocation: sourceLocation)
  }

  /// Compares the window with the reference image `name` in the directory Goldens beside the test's file.
  ///
  /// A missing image is a fault. A difference is a fault too: the new image and an image of the difference are written to the
  /// artifacts, and their paths are reported. With COCKPIT_GOLDEN=record or SCREENSHOT_RECORD in the environment (see
  /// `Recording`), the reference image is written instead. `tolerance` is the greatest allowed difference of any colour
  /// component of a pixel, 0...255: use 0 for shapes and 2 for text, because versions of the font renderer differ.
  public func expectGolden(
    _ name: String, tolerance: Int = 0, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectGolden(
      name, tolerance: Tolerance(levels: tolerance),
      references: ScreenshotReferences(besideFile: filePath, folderName: "Goldens"), sourceLocation: sourceLocation)
  }

  /// Compares the window with the image `name` among `references`.
  public func expectGolden(
    _ name: String, tolerance: Tolerance, references: ScreenshotReferences,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    frameIfNeeded(sourceLocation: sourceLocation)
    do throws(ScreenshotFailure) {
      try references.verify(shown, named: name, tolerance: tolerance)
    } catch {
      report(error.description, sourceLocation: sourceLocation)
    }
  }

  /// Shows sheets made by `make` in combinations of the given scales, themes and layout directions in which every pair of them
  /// occurs, and compares each image with the golden `NAME-THEME-rtl@SCALE`. The light theme and left to right are omitted from
  /// the name. Texts use `fonts`.
  public static func expectSheets(
    _ name: String, scales: [Scale] = [.one, Scale(1.5), Scale(2)], themes: [ScreenshotTheme] = [.light, .dark],
    directions: [LayoutDirection] = [.leftToRight, .rightToLeft], tolerance: Int = 2,
    fonts: FontLibrary = ControlHarness.fonts, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation, make: () -> ScreenshotSheet
  ) {
    // Take every second combination: each pair of a scale, a theme and a direction still occurs in an image.
    let isThinned = themes.count > 1 && directions.count > 1 && scales.count > 1
    for (row, theme) in themes.enumerated() {
      for (column, direction) in directions.enumerated() {
        for (depth, scale) in scales.enumerated() where !isThinned || (row + column + depth).isMultiple(of: 2) {
          FontLibrary.shared = fonts
          let sheet = make()
          let root = RootView()
          root.theme = theme.theme
          root.backgroundColor = theme.theme.background
          root.layoutDirection = direction
          root.addSubview(sheet)
          let harness = ControlHarness(size: sheet.bounds.size, scale: scale, root: root, fonts: fonts)
          harness.expectGolden(
            screenshotName([name, theme.name], direction, scale), tolerance: tolerance, filePath: filePath,
            sourceLocation: sourceLocation)
        }
      }
    }
  }
}

extension InputEvent {
  /// A scroll with only a distance, in logical points; positive is rightwards and down.
  nonisolated public static func scroll(_ seat: SeatID, at location: Point, dx: Double, dy: Double) -> InputEvent {
    .scroll(UICore.ScrollEvent(seat: seat, location: location, dx: dx, dy: dy))
  }
}
