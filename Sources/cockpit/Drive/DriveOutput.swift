import CockpitControls
import Controls
import DriveLink
import UICore

protocol DriveSink: AnyObject {
  /// Sends the stream's newest line. Returns false if the sink took over the stream, because the loop hung, the machine slept
  /// or the consumer is missing; call `reclaim` then.
  func publish(_ stream: DriveStream) -> Bool
  /// Records that the loop is alive. Returns false as with `publish`.
  func beat() -> Bool
  /// Returns the stream as the sink continued it after it took over; nil if it did not.
  func reclaim() -> DriveStream?
}

extension DriveSender: DriveSink {}

/// Turns gearbox, wheel and horn into the drive's lines.
///
/// All changes within one event make one line, so that fingers that move together take effect at once. Every loss of input ends
/// in `enterSafeState`: first the neutral line is sent, then the controls follow. After that nothing is commanded until another touch or
/// key press begins on gearbox or wheel.
///
/// Only hands drive: only a device's event (`Hand`) creates a hold, and a value of lever or wheel whose origin is no hand is never obeyed
/// (`judgeChanges`).
final class DriveOutput: SessionPart {
  /// The longest time between two reports to the sink that the loop is alive, while the vehicle may move.
  private static let beatPeriod = Duration.milliseconds(50)

  /// True if the lever and the wheel are only obeyed while they are held.
  let isDeadMan: Bool
  private(set) var stream: DriveStream
  /// Called with each new line, after the sink accepted it.
  var onLine: ((DriveStream.Line) -> Void)?
  /// Called after the sink took over the stream, with the stream as it was continued.
  var onHang: ((DriveStream) -> Void)?
  var onWakeTimeChange: (() -> Void)?

  private let scene: CockpitScene
  private let sink: (any DriveSink)?
  private var hold: DriveHold
  private var wasHeld = false
  /// Gear count, bands, lock and reachability of lever and wheel at the last check; a change of them ends the drive.
  private var rules: DriveRules
  /// The last command of lever and wheel, as they show it.
  private var obeyed = DriveCommand.neutral
  /// True while a wheel that no hand holds still shows an angle from before the command began. It commands nothing until it is
  /// straight or held, even if a tilt sensor begins to move it.
  private var isWheelStray = false
  /// False while the picture that the driver looks at is too old, or is not there.
  private var seesClearly = true
  /// True during an event of a hand, and during a request that assistive technology may make: only then a channel may change.
  private(set) var isOperated = false
  /// The loss that `evaluate` has not acted on yet.
  private var loss: DriveReason?
  /// The consumer's latest answer; nil if that is too long ago.
  private var answer: DriveAnswer?
  /// How often the driver has released the emergency stop of another cockpit.
  private var lifts = 0
  /// The number of the first line after the newest release of an emergency stop.
  private var releaseLine: UInt64 = 0
  /// The consumer's state, as far as the sink reported it.
  private(set) var link = DriveSender.Status.open
  /// The fault of this machine that keeps the link from being open; nil if it has none.
  private(set) var linkFault: LinkFault?
  /// The notice that is shown before anyone drives.
  var startNotice: LossNotice? { didSet { informDriver() } }
  private var askedWakeTime: MonotonicTime?
  private var lastBeat: MonotonicTime

  /// Connects the scene's controls, which obey only input with the proof of a device (`Hand`). Without a sink the output sends
  /// nothing and only applies the dead-man's switch.
  convenience init(scene: CockpitScene, isDeadMan: Bool, stream: DriveStream, sink: (any DriveSink)?) {
    self.init(scene, isDeadMan, stream, sink, DriveHold(.devices))
  }

  /// Repeats a recorded session, whose events count as made by hand. It cannot send: the only sink that it accepts is the record's
  /// own hangs, nil if the session drove nothing real.
  convenience init(replaying scene: CockpitScene, isDeadMan: Bool, stream: DriveStream, hangs: RecordedHangs?) {
    self.init(scene, isDeadMan, stream, hangs, DriveHold(.record))
  }

  private init(
    _ scene: CockpitScene, _ isDeadMan: Bool, _ stream: DriveStream, _ sink: (any DriveSink)?, _ hold: DriveHold
  ) {
    self.scene = scene
    self.isDeadMan = isDeadMan
    self.stream = stream
    self.sink = sink
    self.hold = hold
    rules = DriveRules(scene)
    lastBeat = stream.line.time
    // A value that no hand set must never move a vehicle.
    putInNeutral()
    straighten()
    scene.drivesVehicle = sink != nil
    scene.gearbox.releasePolicy = isDeadMan ? .neutral : .latch
    for (control, part) in [(scene.gearbox, .lever), (scene.wheel, .wheel)] as [(Control, IgnoredControls)] {
      control.addAction(for: .touchDown) { [unowned self] in
        if let touch = $0.trackedTouches.last { self.hold.noteHold(on: part, by: touch) }
      }
    }
    scene.driveOutput = self
  }

  /// True if a driving key may act on its control: it was pressed by hand, or is released.
  func takes(_ key: KeyEvent) -> Bool {
    guard hold.isHand(key) || key.phase == .up || key.phase == .cancelled else { return false }
    if hold.noteKey(key) { loss = loss ?? .keyboardLeft }
    return true
  }

  /// True if a gamepad may act on lever and wheel: a hand is on it.
  func takes(_ event: GamepadEvent) -> Bool { hold.isHand(event) }

  /// Records the controls that a gamepad has after `event`.
  func noteHold(of event: GamepadEvent, on parts: IgnoredControls) { hold.notePad(event, has: parts) }

  /// True while a driving key holds the control `part`.
  func isHeldByKeys(_ part: IgnoredControls) -> Bool { hold.isHeldByKeys(part) }

  // MARK: Events

  func willHandle(_ event: InputEvent) { note(event) }

  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime) { evaluate(at: time) }

  /// True if `event`, which the controls have handled, shows that a hold still has a hand: see `Vigilance`.
  func isSign(_ event: InputEvent) -> Bool { hold.isSign(event, in: scene) }

  /// Records what an event means for the drive; runs before the controls.
  ///
  /// Keys count when lever and wheel handle them, not here: an arrow key typed into a field drives nothing.
  func note(_ event: InputEvent) {
    isOperated = hold.isHand(event)
    judgeChanges()
    hold.noteEnds(in: event)
    if case .lost(let what) = event, let reason = reason(of: what) { loss = reason }
    if case .touches(let points) = event, points.contains(where: isLeap) { loss = loss ?? .touchCancelled }
  }

  /// True for a finger on the lever that suddenly moves by more than half the gate: no hand moves that far within one event.
  /// The causes are a screen that is rotated under it, or a finger's number that was reassigned to another finger.
  private func isLeap(_ point: TouchPoint) -> Bool {
    guard point.phase == .moved, let touch = scene.gearbox.trackedTouches.first(where: { $0.id == point.id }) else {
      return false
    }
    return abs(point.location.y - touch.windowLocation.y) > scene.gearbox.geometry.gate.height / 2
  }

  /// Returns the reason why assistive technology must not carry out `command`; nil if it may. It is not a hand. While something
  /// real is driven, it may only move the focus and brake, because a button, a lamp or an editor may move lever or wheel too.
  /// At other times it must not move lever and wheel under the dead-man's switch, nor before a hand has begun to drive, since
  /// the next touch would command their values. Braking is always allowed.
  ///
  /// At rest it may operate switches, axes, choices and the mode of a vehicle's channels, and it may always disarm; nobody but a hand can arm, or
  /// hold a momentary channel.
  func assistanceRefusal(of command: AccessibilityCommand, on view: View) -> AccessibilityRefusal? {
    let refusal = refusal(of: command, on: view)
    isOperated = refusal == nil
    return refusal
  }

  private func refusal(of command: AccessibilityCommand, on view: View) -> AccessibilityRefusal? {
    switch command {
    case .focus: return nil
    case .perform("disarm") where view is ArmButton: return nil
    case .perform("brake") where view === scene.gearbox: return nil
    case .setValue(let number) where view === scene.gearbox && number.rounded() == 0: return nil
    case .setValue, .setText, .perform: break
    }
    let drives = view === scene.gearbox || view === scene.wheel
    let isDriving = sink != nil && (stream.isCommanding || isHeld)
    if isDriving || (drives && isDeadMan) { return AccessibilityRefusal(Language.current.needsHand) }
    guard drives, sink != nil else { return nil }
    let notice = LossNotice(reason: stream.line.reason, means: means, isStillHeld: !hold.ignored.isEmpty)
    return AccessibilityRefusal(notice.spoken(in: .current))
  }

  /// Returns the drive's reason for a loss of input; nil if the drive does not depend on the lost input, such as a device that
  /// isn't driving.
  private func reason(of loss: InputLoss) -> DriveReason? {
    switch loss.cause {
    case .touchCancelled:
      return hold.isHeld(in: scene, by: .touch, seat: loss.seat) ? .touchCancelled : nil
    case .deviceLost(let device):
      let isDriver = hold.isHeld(in: scene, by: device, seat: loss.seat)
      let hasLatched = stream.isCommanding && hold.wasLast(device, seat: loss.seat)
      return isDriver || hasLatched ? .deviceLost : nil
    case .keyboardLeft:
      let isHeld = [InputLoss.Device.keyboard, .gamepad].contains { hold.isHeld(in: scene, by: $0, seat: loss.seat) }
      return isHeld ? .keyboardLeft : nil
    case .screenTurned: return stream.isCommanding ? .screenTurned : nil
    case .hidden: return stream.line.state == .ready && stream.channels?.isHeld != true ? nil : .hidden
    case .compositorFrozen: return stream.repeats ? .compositorFrozen : nil
    case .disconnected: return .compositorLost
    case .closing: return .closed
    case .terminating: return .terminated
    }
  }

  /// Acts on all changes up to `time`. Called after every event and every frame.
  func evaluate(at time: MonotonicTime) {
    resumeAfterHang()
    sendDue(until: time)
    judgeChanges()
    if hold.noteCancelled(in: scene) { loss = loss ?? .touchCancelled }
    obeyStop(at: time)
    obeyLift(at: time)
    obeyChannels(at: time)
    // A control that no hand holds returns to neutral or straight, whatever moved it. The spring straightens a wheel that has
    // one.
    if isDeadMan, !hold.isLeverHeld(in: scene) { putInNeutral() }
    if isDeadMan, !hold.isWheelHeld(in: scene), !scene.wheel.springsBack { straighten() }
    noteStrayWheel()
    // Also what a finished tap leaves in gear: nothing holds it, and no line has said it yet.
    if !seesClearly, isHeld || stream.isCommanding || !command.isReady { loss = loss ?? .videoStale }
    // Behind a dialog nobody sees all instruments: nothing is commanded, whatever asks for it.
    if scene.viewInFront != nil, isHeld || stream.isCommanding || !command.isReady { loss = loss ?? .sceneChanged }
    if let reason = loss {
      enterSafeState(reason, at: time)
    } else if isDeadMan, wasHeld, !isHeld {
      enterSafeState(.lift, at: time)
    } else {
      obeyed = command
      if let line = stream.update(obeyed, holdCount: hold.count, at: time) { send(line) }
    }
    if let line = stream.tellChannels(at: time) { send(line) }
    isOperated = false
    wasHeld = isHeld
    askForWake()
    informDriver()
  }

  /// Sends the steady lines that are due by `time`, and reports that the loop is alive. Judges what code has changed since the last
  /// event, since not every change is followed by a frame.
  func wake(at time: MonotonicTime) {
    resumeAfterHang()
    judgeChanges()
    if loss != nil { return evaluate(at: time) }
    sendDue(until: time)
    if stream.isCommanding {
      lastBeat = time
      if sink?.beat() == false { resumeAfterHang() }
    }
    askForWake()
  }

  /// True while lever or wheel is held, by a finger or a key.
  var isHeld: Bool { hold.isHeld(in: scene) }

  /// True while anything is commanded: the vehicle may move, its horn sounds, or a momentary channel is held.
  var isCommanding: Bool { stream.isCommanding || stream.line.command.horn || stream.channels?.isHeld == true }

  /// True while the compositor must answer: something is commanded, or a hand holds the button that arms. A frozen one would tell of no finger
  /// that is lifted.
  var needsAnswers: Bool { isCommanding || scene.channels?.arm?.holding != nil }

  /// True for a finger or button of a hand.
  func isHand(_ touch: Touch) -> Bool { hold.isHand(touch) }

  /// The time of the next call of `wake`; nil if none is needed.
  var wakeTime: MonotonicTime? {
    guard sink != nil, let steady = stream.nextSteadyTime else { return nil }
    return stream.isCommanding ? min(steady, lastBeat + DriveOutput.beatPeriod) : steady
  }

  /// The one rule for changes that are not made by hand: if a file, the inspector, a scene's button, assistive technology or
  /// program code changes what lever and wheel command, or what their positions mean, the drive ends. Even if no hand drives or
  /// holds, a lever that was changed goes to neutral and a wheel that was changed is straightened, since the next touch would
  /// command their values. Neutral is always allowed.
  private func judgeChanges() {
    let rules = DriveRules(scene)
    let isStrange = (
      lever: scene.gearbox.gear != .neutral && !hold.isHand(scene.gearbox.origin),
      wheel: !hold.isHand(scene.wheel.origin)
    )
    guard rules != self.rules || isStrange.lever || isStrange.wheel else { return }
    self.rules = rules
    if stream.isCommanding || wasHeld || isHeld, loss == nil || loss == .touchCancelled {
      loss = .sceneChanged
    }
    if isStrange.lever { putInNeutral() }
    if isStrange.wheel { straighten() }
  }

  // MARK: Lines

  /// The command of the controls' present values.
  private var command: DriveCommand {
    let obeysLever = scene.takesInput(scene.gearbox) && (!isDeadMan || hold.isLeverHeld(in: scene))
    // Under the dead-man's switch, tilt steers only while lever or wheel is held.
    let isSteered = hold.isWheelHeld(in: scene) || (scene.wheel.followsSensor && isHeld)
    let obeysWheel = scene.takesInput(scene.wheel) && !isWheelStray && (isSteered || !isDeadMan)
    let gear = obeysLever ? scene.gearbox.gear : .neutral
    return DriveCommand(
      gear: gear.number, throttle: obeysLever ? scene.gearbox.throttle : 0,
      steering: obeysWheel ? scene.wheel.steering : 0,
      horn: scene.horn.isSounding && scene.takesInput(scene.horn), isHeld: isHeld)
  }

  private func noteStrayWheel() {
    let wheel = scene.wheel
    if hold.isWheelHeld(in: scene) || abs(wheel.steering) < 0.001 {
      isWheelStray = false
    } else if !stream.isCommanding {
      isWheelStray = !wheel.followsSensor
    }
  }

  private func sendDue(until time: MonotonicTime) {
    while let line = stream.nextSteady(until: time) { send(line) }
  }

  private func send(_ line: DriveStream.Line) {
    // A refused line was not sent, so it is not reported.
    guard sink?.publish(stream) != false else { return resumeAfterHang() }
    onLine?(line)
  }

  private func askForWake() {
    guard wakeTime != askedWakeTime else { return }
    askedWakeTime = wakeTime
    onWakeTimeChange?()
  }

  // MARK: Losses

  /// Records a loss of input that no window event reports; `evaluate` acts on it.
  func recordLoss(_ reason: DriveReason) { loss = reason }

  /// Something lies in front of the controls and takes their input: what is driven ends at once, and what is held must be let go first.
  func noteCovered(at time: MonotonicTime) {
    guard isCommanding || wasHeld || isHeld else { return }
    loss = loss ?? .sceneChanged
    evaluate(at: time)
  }

  /// Records whether a consumer reads lines, and what this machine lacks for that; without one nothing is commanded.
  func noteLink(_ status: DriveSender.Status, _ fault: LinkFault? = nil) {
    (link, linkFault) = (status, fault)
    if link != .open, stream.isCommanding { loss = loss ?? .linkLost }
  }

  /// Records whether the driver sees a picture that is young enough, or looks at none; without it nothing is commanded.
  func noteSight(_ isClear: Bool) { seesClearly = isClear }

  /// Records what the consumer says of this drive; nil if it says nothing any more. A latched stop stays known until it says otherwise.
  func noteAnswer(_ answer: DriveAnswer?) {
    // An answer to a line before the release knows nothing of it.
    if let number = answer?.acknowledged, number < releaseLine { return }
    self.answer = answer
    if let answer { scene.stop?.isLatchedElsewhere = answer.stop != nil && !stream.isStopped }
  }

  /// Releases the emergency stops that are latched at the consumer, as the driver asked.
  private func obeyLift(at time: MonotonicTime) {
    guard let stop = scene.stop, stop.liftCount != lifts else { return }
    lifts = stop.liftCount
    if let line = stream.lift(at: time) {
      releaseLine = line.sequence
      send(line)
    }
    releaseAll(keepsInput: false)
  }

  /// Applies the emergency stop to the stream. The sink's stream lacks it after a takeover, so it is applied again. While it is
  /// pressed, controls that are held or moved are released again.
  private func obeyStop(at time: MonotonicTime) {
    guard let stop = scene.stop, stop.isPressed || stream.isStopped else { return }
    if stop.isPressed {
      let isNew = !stream.isStopped
      while !stream.isStopped { if let line = stream.stop(at: time) { send(line) } }
      let (lever, wheel) = (scene.gearbox, scene.wheel)
      // Without the dead-man's switch, a finished tap leaves lever and wheel where it put them.
      let isMoved = lever.gear != .neutral || (wheel.angle != 0 && !wheel.springsBack && !wheel.followsSensor)
      if isNew || isMoved || isHeld { releaseAll(keepsInput: false) }
    } else {
      if let line = stream.releaseStop(at: time) {
        releaseLine = line.sequence
        send(line)
      }
      releaseAll(keepsInput: false)
    }
  }

  /// True while a vehicle may be armed: nothing drives, no stop is pressed, and it can be reached.
  private var canArm: Bool {
    link == .open && !stream.isStopped && loss == nil && stream.line.state != .driving && command.isReady
  }

  /// Takes over what hands ask of channels, arming and mode. What lasts only as long as its hand ends with it, however it ended.
  private func obeyChannels(at time: MonotonicTime) {
    guard let controls = scene.channels, var model = stream.channels else { return }
    let isObeyed = link == .open && !stream.isStopped && loss == nil
    for wish in controls.takeWishes() where isObeyed || wish.isEnd { model.obey(wish) }
    for index in model.channels.indices where model.isOn(index) && !controls.isHeld(index) { model.hold(index, false) }
    if let arm = controls.arm, let holding = arm.holding {
      if !canArm {
        arm.endHold()
      } else if hold.isHand(holding.touch), time - holding.since >= arm.hold {
        arm.endHold()
        model.arm()
      }
    }
    stream.set(model)
  }

  private func enterSafeState(_ reason: DriveReason, at time: MonotonicTime) {
    loss = nil
    if let line = stream.enterSafeState(reason, at: time) { send(line) }
    releaseAll(keepsInput: reason == .lift)
  }

  /// Takes back the stream if the sink took it over; all input then counts as lost.
  private func resumeAfterHang() {
    guard let other = sink?.reclaim() else { return }
    stream = other
    onHang?(other)
    releaseAll(keepsInput: false)
    onLine?(stream.line)
    informDriver()
  }

  /// Shows why nothing is commanded, and which controls are not obeyed. Runs after the line was sent, so that drawing never
  /// delays it.
  private func informDriver() {
    if sink != nil { scene.cluster.beacon.status = lamp }
    if let model = stream.channels { scene.channels?.show(model, canArm: canArm) }
    let ignored = hold.ignored
    let marked = ignored.union(unlikeSent)
    let isStoppedElsewhere = scene.stop?.isLatchedElsewhere == true && !stream.isStopped
    let isFaulty = linkFault != nil && stream.line.state == .ready
    guard stream.line.state == .safe || isStoppedElsewhere || isFaulty else {
      return scene.showLoss(stream.line.state == .ready ? startNotice : nil, ignored: marked)
    }
    // Who has not driven yet has lost nothing, but must know why nothing will move.
    let reason = isFaulty ? .linkLost : stream.line.reason
    var notice = LossNotice(reason: reason, means: means, isStillHeld: !ignored.isEmpty)
    notice.fault = linkFault
    (notice.isStopped, notice.isUnlinked) = (stream.isStopped, link != .open)
    if isStoppedElsewhere {
      notice.stopOwner = answer?.stop.map { if case .cockpit(let owner) = $0 { "\(owner)" } else { "" } } ?? ""
    }
    notice.drivesByWheel = !scene.gearbox.isShown && scene.wheel.isShown
    scene.showLoss(notice, ignored: marked)
  }

  /// By what the user drove last.
  private var means: LossNotice.Means {
    switch hold.lastDevice {
    case .keyboard: .keys
    case .gamepad: .gamepad
    case .touch, .pointer, .pen, nil: .touch
    }
  }

  /// What the lamp of the vehicle's state must show.
  var lamp: DriveLamp {
    if link != .open { return .noLink }
    if answer?.driver == .other { return .taken }
    return scene.stop?.isLatchedElsewhere == true ? .stopped : DriveLamp(stream.line.state)
  }

  /// The controls whose value differs from the sent one, on the control itself or on the instruments. An example is a wheel
  /// that swings back, or that a sensor turns while no hand drives.
  private var unlikeSent: IgnoredControls {
    let sent = stream.isCommanding ? obeyed : .neutral
    let (lever, wheel, cluster) = (scene.gearbox, scene.wheel, scene.cluster)
    var unlike: IgnoredControls = []
    if lever.root === scene, lever.gear.number != sent.gear || cluster.speedometer.gear != lever.gear.description {
      unlike.formUnion(.lever)
    }
    let shown = DriveCommand(gear: 0, throttle: 0, steering: wheel.steering)
    if wheel.root === scene, shown.steering != sent.steering || cluster.steering.degrees != wheel.angle {
      unlike.formUnion(.wheel)
    }
    return unlike
  }

  /// Sets the controls to the line's values. A hold that persists is ignored until it is released and the control touched
  /// again.
  private func releaseAll(keepsInput: Bool) {
    scene.channels?.noteLoss()
    if !keepsInput {
      hold.ignoreAll(in: scene)
      scene.cancelInput()
      scene.gamepad?.cancel()
    }
    // If no window shows the swing, or no window exists, the wheel must not begin at its old angle.
    if !scene.wheel.followsSensor, !scene.wheel.springsBack || (!scene.isActive && !keepsInput) { straighten() }
    putInNeutral()
    wasHeld = false
    // Includes touches that came with the loss: a finger that was put down again and cancelled with the others is no new touch.
    stream.requireNewHold(after: hold.count)
  }

  private func putInNeutral() {
    if scene.gearbox.gear != .neutral { scene.gearbox.brake() }
  }

  private func straighten() {
    let wasStraight = scene.wheel.angle == 0
    scene.wheel.straighten()
    if !wasStraight { scene.car.showControls() }
  }
}

extension Gear {
  /// The gear with the given number in lines.
  nonisolated init(number: Int) {
    self = number < 0 ? .reverse : number == 0 ? .neutral : .forward(number)
  }

  /// The gear's number in lines: -1 for R, 0 for N.
  nonisolated var number: Int {
    switch self {
    case .reverse: -1
    case .neutral: 0
    case .forward(let number): number
    }
  }
}
