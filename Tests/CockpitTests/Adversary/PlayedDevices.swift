import Controls
import DriveLink
import Shell
import UICore

@testable import cockpit

/// What the adversary's devices send that no compositor knows: the sensor of the tilt, the camera, the gamepads.
@MainActor final class PlayedDevices {
  private let judge: Judge
  private let clock: ManualClock
  private var pads: Pads?

  private var sensor: PlayedSensor?
  private var tilt: TiltSteering?

  private var video: VideoPart?
  private var feed: PlayedFeed?
  private var camera = Step.Camera.live
  private var lastPicture = MonotonicTime.zero

  /// Devices of which `judge` knows, by the stage's clock. There are none yet.
  init(judge: Judge, clock: ManualClock) { (self.judge, self.clock) = (judge, clock) }

  func addPads(_ relay: ContentRelay, _ output: DriveOutput, _ application: Application) {
    pads = Pads(relay, output, application, judge: judge, clock: clock)
  }

  func addSensor(_ relay: ContentRelay, _ session: DrivePart, _ application: Application, keys: KeyCommands) {
    let sensor = PlayedSensor()
    self.sensor = sensor
    let tilt = TiltSteering(scene: relay.scene, loop: application.loop, read: sensor.open)
    tilt.record = { [relay] in relay.record($0, $1) }
    session.follow(tilt)
    keys.calibrateTilt = { tilt.calibrate() }
    self.tilt = tilt
  }

  func addCamera(_ relay: ContentRelay, _ output: DriveOutput, _ application: Application) {
    var options = Options()
    options.video = VideoChoice.read("test") ?? []
    relay.scene.addVideoButton()
    relay.scene.videoMode = .full
    let part = VideoPart(options, scene: relay.scene, output: output, relay: relay, loop: application.loop) {
      [unowned self] choice in
      let made = PlayedFeed(choice, clock: clock)
      feed = made
      return made
    }
    relay.parts.append(part)
    video = part
  }

  /// All hands leave the gamepads.
  func letGo() { pads?.letGo() }

  /// A device moves, fails, works or goes; nothing if there is none.
  func perform(_ step: Step) {
    switch step {
    case .tilt(let degrees):
      sensor?.degrees = Double(degrees)
      judge.tiltTime = clock.now + .milliseconds(400)
    case .tiltFails: sensor?.fails = true
    case .tiltWorks: sensor?.fails = false
    case .camera(let camera): self.camera = camera
    default: pads?.perform(step)
    }
  }

  // MARK: Sending

  /// What sensor and camera send by now.
  func send() {
    sensor?.feed(at: clock.now)
    film()
  }

  /// What the camera sends by now: thirty pictures a second while it lives.
  func film() {
    guard let video, let feed, clock.now - lastPicture >= .milliseconds(33) else { return }
    lastPicture = clock.now
    if feed.ring == nil { try? feed.begin(48, 32) }
    let before = video.shownCount
    switch camera {
    case .live: feed.picture(0xff00_0000 | UInt32(truncatingIfNeeded: clock.now.nanoseconds >> 20))
    case .frozen: break
    case .repeating: feed.picture(isRepeat: true)
    case .undecodable:
      feed.say(.undecodable)
      feed.report(nil)
    case .gone: feed.say(.ended)
    }
    if video.shownCount > before { judge.notePicture() }
  }
}
