import Controls
import DriveLink
import UICore

/// A receiver of a stream of lines.
protocol DriveSink: AnyObject {
  /// Sends the stream's newest line. False when the sink took the stream over because the loop hung.
  func publish(_ stream: DriveStream) -> Bool
  /// Notes that the loop lives. False as with `publish`.
  func beat() -> Bool
  /// The stream as the sink continued it after the loop hung; nil when it did not take over.
  func reclaim() -> DriveStream?
}

extension DriveSender: DriveSink {}

/// Turns gearbox, wheel and horn into the drive's lines.
///
/// All changes within one event make one line, so that fingers that move together count at once. Every loss of input ends in
/// `lose`: first the neutral line goes out, then the controls follow. After that nothing is commanded until another touch or key
/// press begins on gearbox or wheel.
final class DriveOutput {
  /// The longest time between two reports to the sink that the loop lives, while the vehicle may move.
  private static let beatPeriod = Duration.milliseconds(50)

  /// True when the lever and the wheel are only obeyed while somebody holds them.
  let isDeadMan: Bool
  /// The newest lines.
  private(set) var stream: DriveStream
  /// Called when a line was made.
  var onLine: ((DriveStream.Line) -> Void)?
  /// Called when the sink took the stream over: with the time and the reason of its first line and the number of the newest.
  var onHang: ((MonotonicTime, DriveReason, UInt64) -> Void)?
  /// Called when `wakeTime` changed.
  var onWakeTimeChange: (() -> Void)?

  private unowned let scene: CockpitScene
  private let sink: (any DriveSink)?
  private var hold = DriveHold()
  private var wasHeld = false
  /// The loss that `flush` has not acted on yet.
  private var loss: DriveReason?
  private var isReleasing = false
  /// True while a consumer takes lines, as far as the sink tells.
  private var isLinked = true
  /// What is told before anybody drives.
  var startNotice: LossNotice? { didSet { tellDriver() } }
  private var askedWakeTime: MonotonicTime?
  private var lastBeat: MonotonicTime

  /// Connects the scene's controls. Without a sink it is only the dead-man's lever.
  init(scene: CockpitScene, isDeadMan: Bool, stream: DriveStream, sink: (any DriveSink)?) {
    self.scene = scene
    self.isDeadMan = isDeadMan
    self.stream = stream
    self.sink = sink
    lastBeat = stream.line.time
    // A value that nobody touched must never move a vehicle.
    putInNeutral()
    scene.drivesVehicle = sink != nil
    scene.gearbox.releasePolicy = isDeadMan ? .neutral : .latch
    for control in [scene.gearbox, scene.wheel] as [Control] {
      control.addAction(for: .touchDown) { [unowned self] in hold.noteGrip(by: $0.trackedTouches.last?.id) }
      control.addAction(for: .editingDidCancel) { [unowned self] _ in
        if !isReleasing { loss = loss ?? .touchCancelled }
      }
    }
    scene.judgeAssistance = { [unowned self] in refusal(of: $0, on: $1) }
    scene.onDrivingKey = { [unowned self] key in
      if hold.noteKey(key), !isReleasing { loss = loss ?? .keyboardLeft }
    }
  }

  // MARK: Events

  /// Notes an event's meaning for driving, before the controls get it.
  ///
  /// Keys count where lever and wheel take them, not here: an arrow key typed into a field drives nothing.
  func note(_ event: InputEvent) {
    hold.noteEnds(in: event)
    if case .lost(let what) = event, let reason = reason(of: what) { loss = reason }
  }

  /// Why assistive technology must not do that: it is no hand. So it never moves lever or wheel where only a hand may, nor where no hand
  /// has begun to drive, since the next touch would command what it had set. The brake is open to everyone.
  private func refusal(of command: AccessibilityCommand, on view: View) -> AccessibilityRefusal? {
    guard view === scene.gearbox || view === scene.wheel else { return nil }
    switch command {
    case .focus, .perform("brake"): return nil
    case .setValue(let number) where view === scene.gearbox && number.rounded() == 0: return nil
    case .setValue, .setText, .perform: break
    }
    if isDeadMan { return AccessibilityRefusal(Language.current.needsHand) }
    guard sink != nil, !stream.isCommanding else { return nil }
    let notice = LossNotice(reason: stream.line.reason, isByKeys: hold.isByKeys, isStillHeld: !hold.ignored.isEmpty)
    return AccessibilityRefusal(notice.spoken(in: .current))
  }

  /// Notes a loss of input; the loss of a device that does not drive is none.
  private func reason(of loss: InputLoss) -> DriveReason? {
    switch loss.cause {
    case .touchCancelled:
      return hold.isHeld(in: scene, by: .touch, seat: loss.seat) ? .touchCancelled : nil
    case .deviceLost(let device):
      let isDriver = hold.isHeld(in: scene, by: device, seat: loss.seat)
      let hasLatched = stream.isCommanding && hold.wasLast(device, seat: loss.seat)
      return isDriver || hasLatched ? .deviceLost : nil
    case .keyboardLeft: return hold.isHeld(in: scene, by: .keyboard, seat: loss.seat) ? .keyboardLeft : nil
    case .screenTurned: return stream.isCommanding ? .screenTurned : nil
    case .hidden: return stream.line.state == .ready ? nil : .hidden
    case .compositorFrozen: return stream.isSteady ? .compositorFrozen : nil
    case .disconnected: return .compositorLost
    case .closing: return .closed
    case .terminating: return .terminated
    }
  }

  /// Acts on all changes up to `time`. Called after every event and every frame.
  func flush(at time: MonotonicTime) {
    adoptHang()
    sayDue(until: time)
    obeyStop(at: time)
    // A lever that nobody holds falls into neutral, whatever had moved it.
    if isDeadMan, !hold.isLeverHeld(in: scene) { putInNeutral() }
    let isHeld = hold.isLeverHeld(in: scene) || hold.isWheelHeld(in: scene)
    if let reason = loss {
      lose(reason, at: time)
    } else if isDeadMan, wasHeld, !isHeld {
      lose(.lift, at: time)
    } else if let line = stream.update(command(isHeld: isHeld), grips: hold.grips, at: time) {
      say(line)
    }
    wasHeld = hold.isLeverHeld(in: scene) || hold.isWheelHeld(in: scene)
    askForWake()
    tellDriver()
  }

  /// Sends the steady lines that are due by `time`, and reports that the loop lives.
  func wake(at time: MonotonicTime) {
    adoptHang()
    sayDue(until: time)
    if stream.isCommanding {
      lastBeat = time
      if sink?.beat() == false { adoptHang() }
    }
    askForWake()
  }

  /// True while somebody commands anything: the vehicle may move, or its horn sounds.
  var isCommanding: Bool { stream.isCommanding || stream.line.command.horn }

  /// The time of the next call of `wake`; nil when none is needed.
  var wakeTime: MonotonicTime? {
    guard sink != nil, let steady = stream.nextSteadyTime else { return nil }
    return stream.isCommanding ? min(steady, lastBeat + DriveOutput.beatPeriod) : steady
  }

  // MARK: Lines

  /// The command of the controls' present values.
  private func command(isHeld: Bool) -> DriveCommand {
    let obeysLever = !isDeadMan || hold.isLeverHeld(in: scene)
    // Tilt counts as hands, but moves nothing by itself.
    let obeysWheel = !isDeadMan || hold.isWheelHeld(in: scene) || scene.wheel.followsSensor
    let gear = obeysLever ? scene.gearbox.gear : .neutral
    return DriveCommand(
      gear: gear.number, throttle: obeysLever ? scene.gearbox.throttle : 0,
      steering: obeysWheel ? scene.wheel.steering : 0,
      horn: scene.horn.isSounding, isHeld: isHeld)
  }

  private func sayDue(until time: MonotonicTime) {
    while let line = stream.nextSteady(until: time) { say(line) }
  }

  private func say(_ line: DriveStream.Line) {
    // A line that was refused is none.
    guard sink?.publish(stream) != false else { return adoptHang() }
    onLine?(line)
  }

  private func askForWake() {
    guard wakeTime != askedWakeTime else { return }
    askedWakeTime = wakeTime
    onWakeTimeChange?()
  }

  // MARK: Losses

  /// Notes a loss of input for a reason other than an event of the window; `flush` acts on it.
  func noteLoss(_ reason: DriveReason) { loss = reason }

  /// Notes whether a consumer takes lines; without one nothing is commanded.
  func noteLink(_ status: DriveSender.Status) {
    isLinked = status == .open
    if !isLinked, stream.isCommanding { loss = loss ?? .linkLost }
  }

  /// Brings the stream to what the emergency stop says; one that was taken over meanwhile knows nothing of it. While it is pressed, what
  /// somebody holds is taken away again.
  private func obeyStop(at time: MonotonicTime) {
    guard let stop = scene.stop, stop.isPressed || stream.isStopped else { return }
    if stop.isPressed {
      let isNew = !stream.isStopped
      while !stream.isStopped { if let line = stream.stop(at: time) { say(line) } }
      let isHeld = hold.isLeverHeld(in: scene) || hold.isWheelHeld(in: scene)
      if isNew || isHeld { releaseAll(isLift: false) }
    } else {
      if let line = stream.releaseStop(at: time) { say(line) }
      releaseAll(isLift: false)
    }
  }

  private func lose(_ reason: DriveReason, at time: MonotonicTime) {
    loss = nil
    if let line = stream.lose(reason, at: time) { say(line) }
    releaseAll(isLift: reason == .lift)
  }

  /// Takes the stream back after the loop hung: input counts as lost.
  private func adoptHang() {
    guard let other = sink?.reclaim() else { return }
    stream = other
    onHang?(other.changeTime, other.line.reason, other.line.sequence)
    releaseAll(isLift: false)
    onLine?(stream.line)
    tellDriver()
  }

  /// Shows why nothing is commanded, and which held controls do not obey. Runs after the line was sent, so that drawing never
  /// delays it.
  private func tellDriver() {
    if sink != nil { scene.cluster.beacon.status = isLinked ? DriveLamp(stream.line.state) : .noLink }
    let ignored = hold.ignored
    guard stream.line.state == .safe else {
      return scene.showLoss(stream.line.state == .ready ? startNotice : nil, ignored: ignored)
    }
    var notice = LossNotice(reason: stream.line.reason, isByKeys: hold.isByKeys, isStillHeld: !ignored.isEmpty)
    (notice.isStopped, notice.isUnlinked) = (stream.isStopped, !isLinked)
    notice.drivesByWheel = !scene.gearbox.isShown && scene.wheel.isShown
    // The sensor turns the wheel on the screen, and nothing else.
    scene.showLoss(notice, ignored: scene.wheel.followsSensor ? ignored.union(.wheel) : ignored)
  }

  /// Brings the controls to the line's values. A hold that lasts is ignored until it is released and the control touched anew.
  private func releaseAll(isLift: Bool) {
    guard !isReleasing else { return }
    isReleasing = true
    defer { isReleasing = false }
    if !isLift {
      hold.ignoreAll(in: scene)
      scene.cancelInput()
      // No window shows the swing, and the wheel must not begin at its old angle.
      if !scene.isActive { scene.wheel.angle = 0 }
    }
    putInNeutral()
    wasHeld = false
    // Touches that came with the loss too: a finger that was put down again and cancelled with the others is no new touch.
    stream.forget(grips: hold.grips)
  }

  private func putInNeutral() {
    guard scene.gearbox.gear != .neutral else { return }
    scene.gearbox.brake()
    // A disabled gearbox takes no brake.
    guard scene.gearbox.gear != .neutral else { return }
    scene.gearbox.gear = .neutral
    scene.drive.showControls()
  }
}

extension Gear {
  /// The gear that lines count as `number`.
  nonisolated init(number: Int) {
    self = number < 0 ? .reverse : number == 0 ? .neutral : .forward(number)
  }

  /// The gear as lines count it: -1 for R, 0 for N.
  nonisolated var number: Int {
    switch self {
    case .reverse: -1
    case .neutral: 0
    case .forward(let number): number
    }
  }
}
