import CockpitControls
import Controls
import Shell
import UICore

/// Checks the dial's gear with each frame. A gear that is shown wrong is redrawn and reported. A gear that stays wrong, or that
/// no frame shows in time, ends the drive.
final class DisplayWatch: SessionPart {
  /// The number of consecutive wrong frames that end the drive: one may be wrong by chance, the others were redrawn.
  static let wrongFrameLimit = 3

  /// The longest time from the command of a gear to a frame that shows it; a frozen screen shows an old one.
  static let frameLimit = Duration.milliseconds(500)

  /// The last gear that a frame showed right, or could not show because no dial is readable; and the time since which a
  /// different gear is commanded.
  private var shownGear: Int?
  private var waitsSince: MonotonicTime?
  private var isProved = true
  /// The number of consecutive frames that showed a wrong gear.
  private(set) var wrongFrames = 0
  private let scene: CockpitScene
  private let session: DriveSession

  init(scene: CockpitScene, session: DriveSession) {
    self.scene = scene
    self.session = session
  }

  /// Checks a frame that is about to be committed.
  func didDraw(_ buffer: PixelBuffer) {
    let gear = Gear(number: session.output.stream.line.command.gear)
    let dial = scene.cluster.speedometer
    let isRight = isReadable(dial) ? dial.gear == gear.description : nil
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
    if wrongFrames >= DisplayWatch.wrongFrameLimit { session.reportLoss(.displayFault) }
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
    session.reportLoss(.displayFault)
  }

  /// Whether the gear's letter can be read: false if it is hidden, not entirely in the window, or covered by another view, such
  /// as the inspector, a menu, or a card for which the scene leaves no other position.
  private func isReadable(_ dial: Speedometer) -> Bool {
    let letter = dial.gearWindowFrame
    guard dial.root === scene, dial.isShown, !dial.bounds.isEmpty, letter.union(scene.bounds) == scene.bounds
    else { return false }
    func covers(_ view: View) -> Bool {
      guard !view.isHidden, view.windowFrame.intersects(letter) else { return false }
      return view.subviews.isEmpty || view is Control || view.hasStaticDrawing || view.backgroundColor != nil
        || view.subviews.contains(where: covers)
    }
    var view: View = dial
    while let parent = view.superview {
      let later = parent.subviews.drop { $0 !== view }.dropFirst()
      if later.contains(where: covers) { return false }
      view = parent
    }
    return true
  }
}
