import CockpitControls
import Controls
import Shell
import UICore

/// Checks the displayed gear after each frame. A gear that is shown wrong is redrawn and reported. A gear that stays wrong, or
/// that no frame shows in time, ends the drive.
final class DisplayWatch: SessionPart {
  /// The number of consecutive wrong frames that end the drive: one may be wrong by chance, the others were redrawn.
  static let wrongFrameLimit = 3

  /// The longest time from the command of a gear to a frame that shows it; a frozen screen shows an old one.
  static let frameLimit = Duration.milliseconds(500)

  /// The gear of the newest frame, and the time since which a different one is commanded.
  private var shownGear: Int?
  private var waitsSince: MonotonicTime?
  private var isProved = true
  /// The number of frames in a row that showed another gear.
  private(set) var wrongFrames = 0
  private let check: GearCheck
  private unowned let scene: CockpitScene
  private unowned let session: DriveSession

  init(scene: CockpitScene, session: DriveSession) {
    self.scene = scene
    self.session = session
    check = GearCheck(scene: scene)
  }

  func didDraw(_ buffer: PixelBuffer) { examine(buffer) }

  /// Checks a frame that is about to be committed.
  func examine(_ buffer: PixelBuffer) {
    let gear = Gear(number: session.output.stream.line.command.gear)
    let isRight = check.shows(gear: gear, in: buffer)
    if isProved, isRight == nil {
      Log.write(.drive, .error, "no frame proves the gear: no dial shows its whole letter")
    }
    isProved = isRight != nil
    if isRight != false { shownGear = gear.number }
    guard let isRight else { return }
    if isRight {
      wrongFrames = 0
      return
    }
    wrongFrames += 1
    if wrongFrames == 1 { Log.write(.drive, .error, "the screen shows another gear than is commanded") }
    scene.cluster.speedometer.setNeedsStaticDisplay()
    if wrongFrames >= DisplayWatch.wrongFrameLimit { session.lose(.displayFault) }
  }

  /// Checks, with every line, for how long no frame has shown the commanded gear. Without a free buffer, memory or a connection
  /// that accepts requests no frame is drawn, and nothing else would report it.
  func follow(at time: MonotonicTime) {
    let stream = session.output.stream
    guard stream.isCommanding, stream.line.command.gear != shownGear else {
      waitsSince = nil
      return
    }
    let since = waitsSince ?? time
    waitsSince = since
    guard time - since >= DisplayWatch.frameLimit else { return }
    waitsSince = nil
    session.lose(.displayFault)
  }
}

/// Checks the gear's letter in each frame before it is committed.
///
/// A separate speedometer draws the expected letter once for each gear, position and scale; after that a frame costs one sum
/// over the letter's pixels.
final class GearCheck {
  private struct Look: Hashable {
    let gear: Int
    let frame: Rect
    let scale: Scale
    /// True for a dark theme.
    let isDark: Bool
    let isHighContrast: Bool
    let face: Speedometer.Face
  }

  /// The maximum number of sums kept; only a window that is resized repeatedly would have more.
  private static let mostLooks = 64

  private unowned let scene: CockpitScene
  private var expected: [Look: UInt64] = [:]

  init(scene: CockpitScene) {
    self.scene = scene
  }

  /// True if `buffer`, a whole frame, shows `gear`; nil if the letter is missing, covered or not entirely in the window.
  func shows(gear: Gear, in buffer: PixelBuffer) -> Bool? {
    let dial = scene.cluster.speedometer
    guard dial.root === scene, !dial.bounds.isEmpty else { return nil }
    let scale = scene.scale
    let place = GearCheck.place(of: dial, scale: scale)
    guard !place.isEmpty, place.x >= 0, place.y >= 0, place.maxX <= buffer.size.width, place.maxY <= buffer.size.height
    else { return nil }
    let look = Look(
      gear: gear.number, frame: dial.windowFrame, scale: scale, isDark: scene.theme.isDark,
      isHighContrast: scene.theme.isHighContrast, face: dial.face)
    let wanted: UInt64
    if let known = expected[look] {
      wanted = known
    } else {
      guard let drawn = draw(gear, like: dial, scale: scale) else { return nil }
      if expected.count >= GearCheck.mostLooks { expected.removeAll() }
      expected[look] = drawn
      wanted = drawn
    }
    if GearCheck.sum(of: buffer, place) == wanted { return true }
    return isCovered(dial) ? nil : false
  }

  /// True if another view is drawn over the letter: a card if the scene leaves it no other position, the inspector, a menu.
  private func isCovered(_ dial: Speedometer) -> Bool {
    let letter = dial.gearWindowFrame
    func covers(_ view: View) -> Bool {
      guard !view.isHidden, view.windowFrame.intersects(letter) else { return false }
      return view.subviews.isEmpty || view is Control || view.hasStaticDrawing || view.backgroundColor != nil
        || view.subviews.contains(where: covers)
    }
    var view: View = dial
    while let parent = view.superview {
      let later = parent.subviews.drop { $0 !== view }.dropFirst()
      if later.contains(where: covers) { return true }
      view = parent
    }
    return false
  }

  /// The whole pixels of the gear's letter in the window.
  private static func place(of dial: Speedometer, scale: Scale) -> PixelRect {
    scale.pixelRect(covering: dial.gearWindowFrame)
  }

  /// The sum of the expected letter, drawn apart from the scene.
  private func draw(_ gear: Gear, like dial: Speedometer, scale: Scale) -> UInt64? {
    // 120 points are whole pixels at every scale, so the dial has the same pixel alignment as in the window.
    let shift = Point(
      x: (dial.windowFrame.minX / 120).rounded(.down) * 120, y: (dial.windowFrame.minY / 120).rounded(.down) * 120)
    let copy = Speedometer()
    copy.frame = dial.windowFrame.offsetBy(dx: -shift.x, dy: -shift.y)
    copy.gear = gear.description
    copy.face = dial.face
    copy.gearColor = DriveController.color(of: gear, in: scene.palette)
    let root = RootView(frame: .zero)
    root.theme = scene.theme
    root.addSubview(copy)
    let size = Size(width: copy.frame.maxX.rounded(.up), height: copy.frame.maxY.rounded(.up))
    guard let pixels = PixelMemory(scale.pixelSize(size)) else { return nil }
    defer { withExtendedLifetime(pixels) {} }
    root.resize(to: size, scale: scale)
    root.prepareFrame(for: .zero)
    root.draw(Region(PixelRect(pixels.buffer.size)), into: pixels.buffer)
    return GearCheck.sum(of: pixels.buffer, GearCheck.place(of: copy, scale: scale))
  }

  /// A sum that differs if any pixel's colour or position differs.
  private static func sum(of buffer: PixelBuffer, _ place: PixelRect) -> UInt64 {
    guard let base = buffer.bytes.baseAddress else { return 0 }
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for y in place.y..<place.maxY {
      let row = (base + y * buffer.stride + place.x * 4).assumingMemoryBound(to: UInt32.self)
      // The alpha of an opaque buffer has no meaning.
      for x in 0..<place.width { sum = (sum ^ UInt64(row[x] & 0xff_ffff)) &* 0x100_0000_01b3 }
    }
    return sum
  }
}
