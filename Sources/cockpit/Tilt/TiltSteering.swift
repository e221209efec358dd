import Controls
import DriveLink
import Shell
import Tilt
import UICore

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// Steers the scene's wheel by tilting the device, for as long as the scene is active.
///
/// A finger on the wheel or a held steering key takes precedence. A sensor that fails, or is silent for `silenceLimit`,
/// releases the wheel, which returns to the centre. A failed sensor is searched for again every `retryInterval`, on the thread
/// that reads it. The first tilt after that is the new centre, so that steering never jumps. A rotated screen gives the same
/// hand position a different tilt: it ends the steering too, and restarts it from there.
@MainActor final class TiltSteering {
  /// The time after which a silent sensor counts as lost.
  static let silenceLimit = Duration.milliseconds(300)
  /// The time between attempts to find a lost sensor.
  static let retryInterval = Duration.seconds(1)

  /// Applies an event of the sensor to the scene, with one time for its lines and its record.
  var record: (SessionEvent, () -> Void) -> Void = { _, body in body() }
  /// Called when tilt stops steering because the sensor was lost or the screen turned.
  var onLoss: ((DriveReason) -> Void)?
  private let scene: CockpitScene
  private let loop: EventLoop
  private let read: () throws(TiltError) -> AccelerometerReader
  private var reader: AccelerometerReader?
  private var model = TiltModel()
  /// The transform of the screen when the model had its last sample.
  private var transform = OutputTransform.normal
  /// The end of the allowed silence; while the sensor is lost, the next search for it.
  private lazy var deadline = LoopTimer(loop: loop) { [unowned self] in
    // A silent reader is kept: its thread may hang in the sensor, and a second thread would hang too.
    if isRunning { reportLoss("it says nothing") } else { start() }
  }
  private var lifecycle: ObservationToken?

  /// Steers by the accelerometer that `open` returns. It is called here once, before anyone drives, and later on the reader's
  /// thread.
  ///
  /// - Throws: `TiltError` if there is no sensor now.
  convenience init(
    scene: CockpitScene, loop: EventLoop, open: @escaping @Sendable () throws(TiltError) -> Accelerometer
  ) throws(TiltError) {
    _ = try open()
    self.init(scene: scene, loop: loop) { () throws(TiltError) in try AccelerometerReader(opening: open) }
  }

  /// Steers by the samples of the sensors that `read` returns in succession.
  init(scene: CockpitScene, loop: EventLoop, read: @escaping () throws(TiltError) -> AccelerometerReader) {
    (self.scene, self.loop, self.read) = (scene, loop, read)
    scene.cluster.showsTilt = true
    scene.cluster.tilt?.addAction(for: .primaryActionTriggered) { [unowned self] _ in calibrate() }
    lifecycle = scene.observeLifecycle { [unowned self] event in
      switch event {
      case .didBecomeActive: start()
      case .willResignActive: stop()
      default: break
      }
    }
    if scene.isActive { start() }
  }

  isolated deinit { if isRunning { stop() } }

  /// Whether a reader waits for samples.
  var isRunning: Bool { reader != nil }

  func calibrate() {
    noteTurn()
    model.calibrate(transform: transform)
    Log.write(.input, .info, "tilt: this is the middle")
    steer()
  }

  /// Restarts if the screen's transform changed since the last sample, by the compositor or since the window moved to a
  /// different output.
  private func noteTurn() {
    let now = scene.host?.outputTransform ?? .normal
    guard now != transform else { return }
    transform = now
    guard model.steering != nil else { return }
    if scene.wheel.followsSensor { onLoss?(.screenTurned) }
    release(isLost: false)
  }

  private func start() {
    guard reader == nil else { return }
    do throws(TiltError) {
      let reader = try read()
      loop.watchReadable(reader.descriptor) { [unowned self] in take() }
      self.reader = reader
      wait()
    } catch {
      fail("\(error)")
    }
  }

  /// Stops reading the sensor, which then neither steers nor wakes the process; for a scene that is not active.
  private func stop() {
    if let reader { loop.unwatch(reader.descriptor) }
    reader = nil
    deadline.time = nil
    release(isLost: scene.cluster.tilt?.isLost == true)
  }

  /// Closes the reader after an error, and retries after `retryInterval`.
  private func fail(_ reason: String) {
    if let reader { loop.unwatch(reader.descriptor) }
    reader = nil
    reportLoss(reason)
    deadline.time = loop.clock.now + Self.retryInterval
  }

  private func reportLoss(_ reason: String) {
    // Report the loss before releasing the wheel, because a wheel that swings back commands nothing.
    if scene.wheel.followsSensor { onLoss?(.sensorLost) }
    if scene.cluster.tilt?.isLost == false { Log.write(.input, .info, "tilt lost: \(reason)") }
    deadline.time = nil
    release(isLost: true)
  }

  private func wait() { deadline.time = loop.clock.now + Self.silenceLimit }

  private func take() {
    guard let reader else { return }
    noteTurn()
    for event in reader.take() {
      guard case .sample(let value, let time) = event else { return fail("it can't be read") }
      // An implausible sample counts as silence.
      if model.add(value, at: time, transform: transform) { wait() }
    }
    steer()
  }

  private func steer() {
    guard let steering = model.steering else { return }
    let degrees = steering * scene.wheel.lock
    record(.tilt(degrees, isLost: false)) {
      scene.cluster.tilt?.isLost = false
      scene.wheel.steer(toward: degrees)
    }
  }

  /// Ends the steering: forgets the samples, and lets the wheel return.
  private func release(isLost: Bool) {
    model.reset()
    record(.tilt(nil, isLost: isLost)) {
      scene.cluster.tilt?.isLost = isLost
      scene.wheel.steer(toward: nil)
    }
  }
}
