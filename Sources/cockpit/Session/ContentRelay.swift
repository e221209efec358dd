import Controls
import Shell
import UICore
import WindowDecoration

/// Stands between window and scene: the scene's content for the window, and the window's host for the scene.
///
/// An event and all its consequences get one timestamp.
final class ContentRelay: ForwardingContent, OutlinedContent, ForwardingHost {
  let scene: CockpitScene
  /// The parts of the session, in the order in which they receive each event.
  var parts: [any SessionPart] = []
  var isRecorded: Bool { parts.contains { $0 is Recorder } }

  /// The time of events while there is no window.
  var clock: (any MonotonicClock)?
  weak var host: (any WindowHost)? {
    didSet { scene.host = host == nil ? nil : self }
  }
  private var moment: MonotonicTime?
  private var lastMoment = MonotonicTime.zero

  init(scene: CockpitScene) {
    self.scene = scene
  }

  /// Runs `body`, the handling of `event`, with one timestamp. The parts are notified even if `body` throws.
  func record<Failure: Error>(
    _ event: @autoclosure () -> SessionEvent, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let outer = moment
    let time = outer ?? now
    moment = time
    lastMoment = time
    defer {
      for part in parts { part.didHandle(event, at: time) }
      moment = outer
    }
    try body()
  }

  /// Has `view` do what assistive technology asks, as an event of the session: it is recorded, and the drive acts on it at once.
  func carryOut(_ command: AccessibilityCommand, on view: View) throws(AccessibilityRefusal) {
    guard let place = ViewPath(of: view, in: scene) else {
      throw AccessibilityRefusal(AccessibilityWords.current.isHidden)
    }
    try record(.assist(place, command)) { () throws(AccessibilityRefusal) in try view.carryOut(command) }
  }

  // MARK: The scene, for the window

  var content: any WindowContent { scene }

  func resize(to size: Size, scale: Scale) {
    record(.resize(size, scale, isFullscreen: isFullscreen)) { scene.resize(to: size, scale: scale) }
  }

  func handle(_ event: InputEvent) {
    record(.input(event)) {
      for part in parts { part.willHandle(event) }
      scene.handle(event)
    }
  }

  func handle(_ event: LifecycleEvent) { record(.life(event)) { scene.handle(event) } }

  func handleWake(at time: MonotonicTime) { record(.wake) { scene.handleWake(at: now) } }

  func prepareFrame(for time: MonotonicTime) { record(.frame(time)) { scene.prepareFrame(for: time) } }

  func makeDecoration() -> (any WindowDecoration)? { scene.makeDecoration(around: self) }

  var outlines: [Rect] { scene.outlines }

  func draw(_ region: Region, into buffer: PixelBuffer) {
    scene.draw(region, into: buffer)
    for part in parts { part.didDraw(buffer) }
  }

  // MARK: The window, for the scene

  var window: (any WindowHost)? { host }

  /// Returns nil while the session is recorded, because input that goes to a popup would be missing in the record. Returns nil
  /// if a vehicle is driven, because a popup would lie over the emergency stop.
  func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? {
    !isRecorded && scene.stop == nil ? window?.showPopup(content, at: placement, by: touch) : nil
  }

  /// Always true while a session is recorded, because a record contains pasted text and no clipboard.
  func canPaste(for seat: SeatID) -> Bool { isRecorded || window?.canPaste(for: seat) ?? false }

  var now: MonotonicTime { moment ?? host?.now ?? clock?.now ?? lastMoment }
}
