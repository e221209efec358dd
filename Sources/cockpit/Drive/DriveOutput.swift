import Controls
import DriveLink
import UICore

/// Where a stream of lines goes.
protocol DriveSink: AnyObject {
  /// Has the stream's newest line sent. False when somebody else took the stream over because the loop hung.
  func publish(_ stream: DriveStream) -> Bool
  /// Says that the loop lives. False as with `publish`.
  func beat() -> Bool
  /// The stream as it was gone on with after the loop hung; nil when it was not.
  func reclaim() -> DriveStream?
}

extension DriveSender: DriveSink {}

/// Turns gearbox, wheel and horn into the drive's lines.
///
/// What happens within one event counts at once: fingers that move together are one line. Whatever takes input away ends in
/// `lose`: first the neutral line goes out, then the controls follow. After that nothing is commanded until another touch or key
/// press begins on gearbox or wheel.
final class DriveOutput {
  /// How often the sink hears that the loop lives, at least, while the vehicle may move.
  private static let beatPeriod = Duration.milliseconds(50)

  /// Whether the lever and the wheel are only obeyed while somebody holds them.
  let isDeadMan: Bool
  /// The newest lines.
  private(set) var stream: DriveStream
  /// Called when a line was said.
  var onLine: ((DriveStream.Line) -> Void)?
  /// Called when lines were said while the loop hung: since when, and the newest one's number.
  var onHang: ((MonotonicTime, UInt64) -> Void)?
  /// Called when `wakeTime` became another.
  var onWakeTimeChange: (() -> Void)?

  private unowned let scene: CockpitScene
  private let sink: (any DriveSink)?
  private var actions: [ActionToken] = []
  private var hold = DriveHold()
  private var wasHeld = false
  /// What has just been lost, until it is acted on.
  private var loss: DriveReason?
  private var isReleasing = false
  private var askedWakeTime: MonotonicTime?
  private var lastBeat: MonotonicTime

  /// Connects the scene's controls. Without a sink it is only the dead-man's lever.
  init(scene: CockpitScene, isDeadMan: Bool, stream: DriveStream, sink: (any DriveSink)?) {
    self.scene = scene
    self.isDeadMan = isDeadMan
    self.stream = stream
    self.sink = sink
    lastBeat = stream.line.time
    // A vehicle is never driven by what nobody touched.
    putInNeutral()
    scene.gearbox.releasePolicy = isDeadMan ? .neutral : .latch
    actions = ([scene.gearbox, scene.wheel] as [Control]).flatMap { control in
      [
        control.addAction(for: .touchDown) { [unowned self] in hold.noteGrip(by: $0.trackedTouches.last?.id) },
        control.addAction(for: .editingDidCancel) { [unowned self] _ in
          if !isReleasing { loss = loss ?? .touchCancelled }
        },
      ]
    }
    scene.onDrivingKey = { [unowned self] key in
      if hold.noteKey(key), !isReleasing { loss = loss ?? .keyboardLeft }
    }
  }

  // MARK: What happens

  /// Notes what an event means for driving, before the controls hear of it.
  ///
  /// Keys count where lever and wheel take them, not here: an arrow key typed into a field drives nothing.
  func note(_ event: InputEvent) {
    hold.noteEnds(in: event)
    if case .lost(let what) = event, let reason = reason(of: what) { loss = reason }
  }

  /// What a loss means: nothing when it is of a device that does not drive.
  private func reason(of loss: InputLoss) -> DriveReason? {
    switch loss.cause {
    case .touchCancelled:
      return hold.isHeld(in: scene, by: .touch, seat: loss.seat) ? .touchCancelled : nil
    case .deviceLost(let device):
      let isDriver = hold.isHeld(in: scene, by: device, seat: loss.seat)
      let hasLatched = stream.isCommanding && hold.wasLast(device, seat: loss.seat)
      return isDriver || hasLatched ? .deviceLost : nil
    case .keyboardLeft: return hold.isHeld(in: scene, by: .keyboard, seat: loss.seat) ? .keyboardLeft : nil
    case .hidden: return stream.line.state == .ready ? nil : .hidden
    case .compositorFrozen: return stream.isSteady ? .compositorFrozen : nil
    case .disconnected: return .compositorLost
    case .closing: return .closed
    case .terminating: return .terminated
    }
  }

  /// Acts on all that happened up to `time`. Called after every event and every frame.
  func flush(at time: MonotonicTime) {
    adoptHang()
    sayDue(until: time)
    // A lever that nobody holds falls into neutral, whoever put it elsewhere.
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

  /// Says the steady lines that are due by `time`, and that the loop lives.
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

  /// When `wake` should be called next; nil for not at all.
  var wakeTime: MonotonicTime? {
    guard sink != nil, let steady = stream.nextSteadyTime else { return nil }
    return stream.isCommanding ? min(steady, lastBeat + DriveOutput.beatPeriod) : steady
  }

  // MARK: Lines

  /// What the controls ask for.
  private func command(isHeld: Bool) -> DriveCommand {
    let obeysLever = !isDeadMan || hold.isLeverHeld(in: scene)
    // Tilt is somebody's hands too; it moves nothing by itself.
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
    if sink?.publish(stream) == false { adoptHang() }
    onLine?(line)
  }

  private func askForWake() {
    guard wakeTime != askedWakeTime else { return }
    askedWakeTime = wakeTime
    onWakeTimeChange?()
  }

  // MARK: The one way on which input is lost

  /// Input is lost for a reason that is no event of the window; `flush` acts on it.
  func noteLoss(_ reason: DriveReason) { loss = reason }

  private func lose(_ reason: DriveReason, at time: MonotonicTime) {
    loss = nil
    if let line = stream.lose(reason, at: time) { say(line) }
    releaseAll(isLift: reason == .lift)
  }

  /// The loop hung and its stream was gone on with: input counts as lost.
  private func adoptHang() {
    guard let other = sink?.reclaim() else { return }
    stream = other
    onHang?(other.changeTime, other.line.sequence)
    releaseAll(isLift: false)
    onLine?(stream.line)
    tellDriver()
  }

  /// Shows why nothing is commanded, and which held controls do not obey. After the line: what is shown makes none later.
  private func tellDriver() {
    guard stream.line.state == .safe else { return scene.showLoss(nil, ignored: hold.ignored) }
    let ignored = hold.ignored
    let notice = LossNotice(reason: stream.line.reason, isByKeys: hold.isByKeys, isStillHeld: !ignored.isEmpty)
    // The sensor turns the wheel on the screen, and nothing else.
    scene.showLoss(notice, ignored: scene.wheel.followsSensor ? ignored.union(.wheel) : ignored)
  }

  /// Brings the controls to where the line already is. What is held meanwhile is taken away: it counts again when it is let go
  /// and touched anew.
  private func releaseAll(isLift: Bool) {
    guard !isReleasing else { return }
    isReleasing = true
    defer { isReleasing = false }
    if !isLift {
      hold.ignoreAll(in: scene)
      scene.cancelInput()
      // Nobody sees it swing back, and it must not begin where it was left.
      if !scene.isActive { scene.wheel.angle = 0 }
    }
    putInNeutral()
    wasHeld = false
    // Also those that came with the loss: a finger that is down again and cancelled with the others is no new touch.
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

extension DriveOutput {
  /// The gear of the newest line.
  var commandedGear: Gear { Gear(number: stream.line.command.gear) }
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
