import Controls
import Shell
import UICore

/// After each frame: a gear that is shown wrong is drawn again and reported; one that stays wrong ends the drive.
final class DisplayWatch {
  /// So many frames one after the other: the first could be drawn wrong by chance, the others were drawn anew.
  static let patience = 3

  /// The frames that showed another gear, one after the other.
  private(set) var wrongFrames = 0
  private let check: GearCheck
  private unowned let scene: CockpitScene
  private let session: DriveSession

  init(scene: CockpitScene, session: DriveSession) {
    self.scene = scene
    self.session = session
    check = GearCheck(scene: scene)
  }

  /// Looks at a frame that is about to be committed.
  func examine(_ buffer: PixelBuffer) {
    guard let isRight = check.shows(gear: session.output.commandedGear, in: buffer) else { return }
    if isRight {
      wrongFrames = 0
      return
    }
    wrongFrames += 1
    if wrongFrames == 1 { Log.write(.drive, .error, "the screen shows another gear than is commanded") }
    scene.cluster.speedometer.setNeedsStaticDisplay()
    if wrongFrames >= DisplayWatch.patience { session.lose(.displayFault) }
  }
}
