import CockpitControls
import Controls
import DriveLink
import UICore

@testable import cockpit

/// Judges every message and every frame of a session by rules of its own, from what hands at the devices do.
@MainActor final class Judge {
  enum Rule: String, CaseIterable {
    /// With the dead-man's rule, each command has a hand that holds it.
    case hand
    /// After a loss nothing is commanded until a touch or press that began after it.
    case safe
    /// The throttle rises by an event of the hand on the lever only, and a key press shifts one gear.
    case throttle
    /// The steering grows by the hand on the wheel, by a held key, or by a tilt of the device only.
    case steering
    /// The screen shows what is sent.
    case shown
    /// Missing, hidden and disabled controls command nothing.
    case absent
    /// Every loss is sent at once.
    case told
    /// A held control that does not obey is marked.
    case marked
    /// A consumer that is there again gets no command without a new touch.
    case link
    /// The brake brakes.
    case brake
    /// A loop that hangs stops the vehicle.
    case hang
    /// While the emergency stop is pressed, all lines are neutral.
    case stop
    /// A hold that gives no sign ends, where that is watched.
    case silent
    /// The throttle keeps to its limits and its ramp.
    case limits
    /// Who looks at a picture drives by none that is too old, and loses none that is not.
    case sight
    /// The cockpit never takes a screen for faulty that is right.
    case display
    /// The vehicle is armed by a completed hold only, never in a drive, and disarmed by the losses that must.
    case armed
    /// Channels change by hands on their controls, have their safe values after a loss, and end with the hand that holds them.
    case channel
  }

  struct Fault {
    let rule: Rule
    let text: String
  }

  /// How long the picture may differ from what is sent: a wheel that swings back.
  private static let swing = Duration.milliseconds(1200)

  /// The first breach of a rule.
  private(set) var fault: Fault?
  /// The rules that count.
  var rules = Set(Rule.allCases)
  /// The holds of the hands.
  var hands = Hands()
  /// The number of the present step.
  private(set) var step = 0
  /// When the latest pictures came to the screen.
  private var pictureTimes: [MonotonicTime] = []
  /// The time of the latest change of the tilt, and the latest at which the present tilt may have become the middle.
  var tiltTime = MonotonicTime.zero
  var middleTime = MonotonicTime.zero

  private let scene: CockpitScene
  private let output: DriveOutput
  private let setting: AdversarySetting
  private let clock: ManualClock
  /// The step of the latest loss, of the latest touch or press on lever or wheel, and of the latest loss of the link.
  private var lossStep = 0
  private var lossReason = DriveReason.start
  private var linkLossStep = -1
  /// The order of losses and of the touches and presses on lever and wheel, as the cockpit got them.
  private var order = 0
  private var lossOrder = 0
  private var gripOrder = -1
  /// The step of the latest change of the screen; what a compositor did that ends a drive, up to the present step if that delivers it.
  private var turnStep = 0
  private var losses: [(reason: DriveReason, step: Int)] = []
  private var areLossesDelivered = false
  /// True for a turn by another angle that the cockpit can't know yet; the time when it got the latest one.
  private var isTurnPending = false
  private var turnTime = MonotonicTime.zero
  private var before: DriveStream.Line
  private var holdsBefore: [Hands.Contact: Hands.Hold] = [:]
  /// The messages of the step: when each was made, and when the latest touch or press before it came.
  private var lines: [(line: DriveStream.Line, order: Int, gripOrder: Int)] = []
  private var acts: [Hands.Act] = []
  /// The events that the connection that ended in this step had delivered.
  private var dropped: [Hands.Contact: Hands.Hold] = [:]
  /// True when hands act on the wheel in this step, or hold a key that steers; and the time of the latest such step.
  private var isWheelHeld = false
  private var wheelTime = MonotonicTime.zero
  /// The time of the latest step in which a hand on lever or wheel gave a sign.
  private var signTime: MonotonicTime
  /// Since when the wheel on the screen differs from what is sent, and the refreshes since then.
  private var difference: (since: MonotonicTime, refreshes: Int)?

  init(scene: CockpitScene, output: DriveOutput, setting: AdversarySetting, clock: ManualClock) {
    (self.scene, self.output, self.setting, self.clock) = (scene, output, setting, clock)
    before = output.stream.line
    signTime = clock.now
  }

  private var isDeadMan: Bool { setting.isDeadMan }

  private func report(_ rule: Rule, _ text: @autoclosure () -> String) {
    guard fault == nil, rules.contains(rule) else { return }
    fault = Fault(rule: rule, text: text())
  }

  // MARK: What happens

  func begin() {
    step += 1
    channels?.begin()
    before = output.stream.line
    holdsBefore = hands.holds
    lines.removeAll(keepingCapacity: true)
    acts.removeAll(keepingCapacity: true)
    dropped = [:]
    placed.removeAll(keepingCapacity: true)
    if areLossesDelivered { (losses, areLossesDelivered) = ([], false) }
  }

  /// The connection ends, and with it every hold, after all that was on its way.
  func drop() {
    deliver()
    dropped = hands.holds
    hands.drop()
  }

  /// All that hands did reaches the cockpit.
  func deliver() {
    acts += hands.deliver(step: step)
    areLossesDelivered = true
    if isTurnPending { (isTurnPending, turnTime) = (false, clock.now) }
  }

  /// What hands did with gamepads reaches the cockpit, though the compositor stands still.
  func deliverPads() { acts += hands.deliver(step: step, onlyPads: true) }

  /// A message was made.
  func hear(_ line: DriveStream.Line) {
    order += 1
    lines.append((line, order, gripOrder))
    channels?.hear(line)
  }

  private func noteGrip() { (order, gripOrder) = (order + 1, order + 1) }

  /// The window gets an event: what its touches begin on.
  func locate(_ event: InputEvent) {
    channels?.locate(event)
    if case .key(let key) = event, key.phase == .down {
      noteGrip()
      if let contact = Hands.Contact(key.key) { hands.place(contact, on: Hands.control(of: contact), order: order) }
    }
    if case .gamepad(let pad) = event { locate(pad) }
    guard case .touches(let points) = event else { return }
    for point in points where point.phase == .began {
      var (view, control) = (scene.hitTest(point.location), Hands.Control.other)
      let isFree = (view as? Button)?.isTracking == false
      if isFree, view === scene.view(named: Step.Wish.Action.brake.buttonName) {
        brakeTouches.insert(Hands.Contact(point.id))
      }
      while let current = view, control == .other {
        if current === scene.gearbox { control = .lever }
        if current === scene.wheel { control = .wheel }
        view = current.superview
      }
      placed[Hands.Contact(point.id)] = control
      if control != .other { noteGrip() }
      hands.place(Hands.Contact(point.id), on: control, order: order)
      guard control != .other else { continue }
      touched.insert(control)
    }
  }
  /// The window gets what a gamepad asks for: a hold may begin.
  private func locate(_ event: GamepadEvent) {
    let isHeld = event.phase == .changed && event.state.isHeld
    defer { heldPads[event.seat] = isHeld }
    guard isHeld, heldPads[event.seat] != true, let number = padNumbers[event.seat] else { return }
    noteGrip()
    for control in [Hands.Control.lever, .wheel] { hands.place(.pad(number, control), on: control, order: order) }
  }
  private var heldPads: [SeatID: Bool] = [:]
  /// The numbers of the gamepads by their seats, and how far each one's throttle is truly pressed, 0 to 1.
  var padNumbers: [SeatID: Int] = [:]
  var padThrottles: [Int: Double] = [:]
  /// True from a press of a gamepad's stop in this step.
  var isStopPressed = false

  /// Where gamepads alone hold the lever, no line has more throttle than a trigger asks for.
  private func checkPads(_ line: DriveStream.Line) {
    let levers = hands.holds.filter { $0.value.control == .lever }.keys
    let pressed = levers.compactMap { contact -> Double? in
      if case .pad(let number, _) = contact { padThrottles[number] ?? 0 } else { nil }
    }
    guard isDeadMan, line.state == .driving, !levers.isEmpty, pressed.count == levers.count else { return }
    let most = abs(line.command.gear) * 1000 / max(scene.gearbox.gearCount, 1)
    let limit = (line.command.gear < 0 ? 1 : Double(most) / 1000) * (pressed.max() ?? 0)
    if abs(line.command.throttle) > limit + 0.02 {
      report(.throttle, "more than the trigger's \(pressed): \(words(line))")
    }
  }

  /// The judge of channels; nil for a vehicle without any.
  private(set) var channels: ChannelJudge?

  /// Judges channels too.
  func watchChannels(disarmsAtLoss: Bool) {
    channels = ChannelJudge(scene: scene, line: output.stream.line, clock: clock, disarmsAtLoss: disarmsAtLoss) {
      [unowned self] in report($0, $1)
    }
  }

  /// The controls on which touches of this step began, also those that are over.
  private var touched: Set<Hands.Control> = []
  /// The control on which the latest touch of each contact began in this step.
  private var placed: [Hands.Contact: Hands.Control] = [:]

  /// The touches of this step that began on the button that brakes.
  private var brakeTouches: Set<Hands.Contact> = []
  private var isBraked = false

  /// A frame was drawn.
  func see() { checkGear(output.stream.line) }

  /// The cockpit takes the screen for faulty, whether something is driven or not. No step damages it, so that is a false alarm. Only
  /// frames may really be late: the compositor asks for few of them.
  func noteFaultOfScreen(_ what: String) {
    if !what.hasPrefix("no frame") { report(.display, "\(what): \(words(output.stream.line))") }
  }

  /// A refresh of the display went by, and the window could be seen.
  func noteRefresh() { difference?.refreshes += 1 }

  /// The window cannot be seen.
  func noteUnseen() { difference = nil }

  /// A new picture of the camera came to the screen.
  func notePicture() {
    if pictureTimes.count >= 200 { pictureTimes.removeFirst(100) }
    pictureTimes.append(clock.now)
  }

  func noteLinkLost() { linkLossStep = step }

  /// The screen turned, changed its mode, came or went.
  func noteTurn() {
    turnStep = step
    losses.append((.screenTurned, step))
  }

  /// The compositor says that the window cannot be seen.
  func noteSuspended() { losses.append((.hidden, step)) }

  /// The screen turned by another angle.
  func noteOtherAngle() { isTurnPending = true }

  /// Assistive technology, the inspector or the program braked.
  func noteBrake() { isBraked = true }

  /// A consumer that has just come was given `line`.
  func greet(with line: DriveStream.Line) {
    let isNew = hands.holds.values.contains { $0.arrived > linkLossStep && $0.control != .other }
    if line.state == .driving, !isNew {
      report(.link, "a consumer that came back got \(words(line)) without a new touch")
    }
  }

  /// The loop hung for 200 ms and more while something was commanded; the consumer's newest message.
  func noteHang(_ line: DriveStream.Line?) {
    if line?.state == .driving { report(.hang, "the loop hung, and \(line.map(words) ?? "") went on") }
  }

  func end() {
    let both = holdsBefore.merging(dropped) { $1 }.merging(hands.holds) { $1 }
    isWheelHeld =
      touched.contains(.wheel) || acts.contains { control(of: $0) == .wheel }
      || both.contains { $0.key.isKey && $0.value.control == .wheel && (dropped[$0.key] ?? hands.holds[$0.key]) != nil }
    if isWheelHeld { wheelTime = clock.now }
    // The lamp of the tilt, say: a tap makes the present tilt the middle.
    if acts.contains(where: { $0.kind == .ended && control(of: $0) == .other }) { middleTime = clock.now }
    let signs = acts.contains { act in
      control(of: act).map { $0 != .other } ?? false && !(act.contact.isKey && act.kind == .ended)
    }
    if signs || !touched.isEmpty { signTime = clock.now }
    var last = before
    for (line, order, gripOrder) in lines {
      check(line, after: last, holds: both, isGripNew: gripOrder > lossOrder)
      if line.state == .safe, line.state != last.state || line.reason != last.reason {
        (lossStep, lossOrder, lossReason) = (stepOfLoss(line.reason), order, line.reason)
      }
      last = line
    }
    let line = output.stream.line
    checkHands(line, holds: hands.holds, isGripNew: gripOrder > lossOrder)
    checkAbsent(line)
    checkPads(line)
    checkSilence(line)
    checkSight(line)
    channels?.checkWinch(line)
    if isStopPressed, scene.stop?.isPressed != true { report(.stop, "a pad's stop was pressed: \(words(line))") }
    isStopPressed = false
    if scene.stop?.isPressed == true, line.state == .driving { report(.stop, "stopped, and \(words(line))") }
    checkGear(line)
    checkWheel(line)
    checkTold(line)
    checkBrake(line)
    touched.removeAll()
    brakeTouches.removeAll()
    isBraked = false
  }

  /// When the loss happened. Actions during a freeze of the compositor arrive at once, and in their order.
  private func stepOfLoss(_ reason: DriveReason) -> Int {
    if let loss = losses.first(where: { $0.reason == reason && $0.step > lossStep }) { return loss.step }
    if reason == .screenTurned { return turnStep }
    let hands: Set<DriveReason> = [.lift, .touchCancelled, .deviceLost, .keyboardLeft]
    guard hands.contains(reason) else { return step }
    // A finger that is suddenly far away counts as a new finger.
    let isLoss = { (act: Hands.Act) in act.kind == .ended || reason == .touchCancelled && act.kind == .moved }
    return acts.first(where: isLoss)?.step ?? step
  }

  /// True for a hold that began after the latest loss. Events from a short freeze of the compositor are new when they arrive; a hold that
  /// counted as frozen must pass nothing on.
  private func isNew(_ hold: Hands.Hold) -> Bool {
    hold.began > lossStep || (hold.order > lossOrder && lossReason != .compositorFrozen)
  }

  // MARK: Messages

  private func check(
    _ line: DriveStream.Line, after last: DriveStream.Line, holds: [Hands.Contact: Hands.Hold], isGripNew: Bool
  ) {
    // What came and went within the step is judged by what is left at its end.
    if touched.isEmpty, !hasBriefPress { checkHands(line, holds: holds, isGripNew: isGripNew) }
    let (command, old) = (line.command, last.command)
    // A wheel that follows the tilt comes to rest slowly.
    let rest = setting.hasTilt ? 0.03 : 0.001
    let rises = abs(command.throttle) > abs(old.throttle) + 0.0005 || command.throttle * old.throttle < 0
    // On a ramp it goes on rising to what the hand has chosen.
    let isOnRamp = setting.isShaped && command.gear == old.gear
    if rises && !isOnRamp || abs(command.gear) > abs(old.gear) { checkThrottle(line, after: last) }
    checkLimits(line, after: last)
    // It may end with the drive, and by itself it never moves during a drive.
    if line.state == .driving, abs(steered(line) - steered(last)) > rest {
      checkSteering(line, after: last)
    }
  }

  /// True when a hand let go in this step what it had taken in it: after a frozen compositor's thaw.
  private var hasBriefPress: Bool {
    let begun = Set(acts.filter { $0.kind == .began }.map(\.contact))
    return acts.contains { $0.kind == .ended && begun.contains($0.contact) }
  }

  private func checkHands(_ line: DriveStream.Line, holds: [Hands.Contact: Hands.Hold], isGripNew: Bool) {
    let command = line.command
    guard line.state == .driving else {
      return command.gear == 0 && command.steering == 0 ? () : report(.safe, "a command: \(words(line))")
    }
    guard isDeadMan else {
      if !isGripNew { report(.safe, "no new touch since the loss: \(words(line))") }
      return
    }
    func isHeld(_ isMeant: (Hands.Hold) -> Bool) -> Bool {
      holds.values.contains { $0.control != .other && isMeant($0) }
    }
    guard isHeld({ _ in true }) else { return report(.hand, "nobody holds anything: \(words(line))") }
    guard isHeld(isNew) else {
      return report(.safe, "no new touch since the loss: \(words(line))")
    }
    if command.gear != 0, !isHeld({ isNew($0) && $0.control == .lever }) {
      report(.hand, "nobody holds the lever: \(words(line))")
    }
    if steered(line) != 0, !setting.hasTilt, !isHeld({ isNew($0) && $0.control == .wheel }) {
      report(.hand, "nobody holds the wheel: \(words(line))")
    }
  }

  private func control(of act: Hands.Act) -> Hands.Control? {
    if act.isOfKnown { return holdsBefore[act.contact]?.control }
    if act.contact.isFixed { return Hands.control(of: act.contact) }
    return placed[act.contact] ?? hands.holds[act.contact]?.control ?? holdsBefore[act.contact]?.control
  }

  private func checkThrottle(_ line: DriveStream.Line, after last: DriveStream.Line) {
    let byTouch =
      touched.contains(.lever)
      || acts.contains { $0.kind != .ended && !$0.contact.isKey && control(of: $0) == .lever }
    guard !byTouch else { return }
    let presses = acts.count { act in
      if case .key(let key) = act.contact { key.shifts && act.kind == .began } else { false }
    }
    guard presses > 0 else {
      return report(.throttle, "without the lever's hand \(words(last)) became \(words(line))")
    }
    // A loss, a press of the brake, or a finger that leaves the lever, between them begins again at N.
    let isBraked = acts.contains { $0.kind == .began && $0.contact == .key(.space) }
    let isLetGo = isDeadMan && acts.contains { $0.kind == .ended && control(of: $0) == .lever }
    let gears =
      isBraked || isLetGo || lines.contains { $0.line.state == .safe }
      ? [before.command.gear, 0] : [before.command.gear]
    if gears.allSatisfy({ abs(line.command.gear - $0) > presses }) {
      report(.throttle, "by \(presses) key presses \(words(before)) became \(words(line))")
    }
  }

  /// The steering of a line beyond the trim, which counts while anything is commanded.
  private func steered(_ line: DriveStream.Line) -> Double {
    let steering = line.command.steering - (line.state == .driving ? setting.shaping.trim : 0)
    return abs(steering) < 1e-9 ? 0 : steering
  }

  /// The steering that a line should have for the wheel as it is shown.
  private func meaning(ofWheelIn line: DriveStream.Line) -> Double {
    let (steering, shaping) = (scene.wheel.steering, setting.shaping)
    let curved = steering + shaping.expo * (steering * steering * steering - steering)
    return min(max(curved + (line.state == .driving ? shaping.trim : 0), -1), 1)
  }

  private func checkSilence(_ line: DriveStream.Line) {
    guard let limit = setting.vigilance, line.state == .driving, line.command.isHeld else { return }
    if clock.now - signTime > limit + .milliseconds(60) {
      report(.silent, "no sign for \((clock.now - signTime).inSeconds) s: \(words(line))")
    }
  }

  private func checkSight(_ line: DriveStream.Line) {
    guard setting.hasVideo else { return }
    let age = pictureTimes.last.map { clock.now - $0 }
    // The world's time passes in pieces of up to 17 ms.
    if line.state == .driving, age.map({ $0 > .milliseconds(440) }) ?? true {
      report(.sight, "the picture is \(age.map { "\($0.inSeconds)" } ?? "never") s old: \(words(line))")
    }
    // The lines that repeat a loss come while the picture may live again.
    let loss = before.reason == .videoStale ? nil : lines.first { $0.line.reason == .videoStale }?.line
    guard let loss, let time = pictureTimes.last(where: { $0 <= loss.time }) else { return }
    let ageAtLoss = loss.time - time
    if ageAtLoss < .milliseconds(395) {
      report(.sight, "the picture is \(ageAtLoss.inSeconds) s old, and lost: \(words(loss))")
    }
  }

  private func checkLimits(_ line: DriveStream.Line, after last: DriveStream.Line) {
    let (throttle, old, shaping) = (line.command.throttle, last.command.throttle, setting.shaping)
    if throttle > shaping.limit + 0.0005 || throttle < -shaping.reverseLimit - 0.0005 {
      report(.limits, "past the limit: \(words(line))")
    }
    guard shaping.ramp > .zero else { return }
    let rise = abs(throttle) - (throttle * old > 0 ? abs(old) : 0)
    if rise > (line.time - last.time).inSeconds / shaping.ramp.inSeconds + 0.002 {
      report(.limits, "faster than the ramp: \(words(last)) became \(words(line))")
    }
  }

  private func checkSteering(_ line: DriveStream.Line, after last: DriveStream.Line) {
    let now = line.time
    // A tilted device steers from the first touch on, and the wheel swings on for a while after its hand.
    let begins = setting.hasTilt && acts.contains { $0.kind == .began && control(of: $0) != .other }
    let isTilted = setting.hasTilt && now - tiltTime < .seconds(1)
    let isSwinging = (!isDeadMan || setting.hasTilt) && now - wheelTime < .seconds(3)
    // Where another tilt is the middle the wheel goes to its centre, and nowhere else: a turn of the screen moves no hand.
    let sinceTurn = line.time - turnTime
    let isAfterTurn = setting.hasTilt && turnTime > max(tiltTime, wheelTime) && sinceTurn > .milliseconds(60)
    let (steering, old) = (steered(line), steered(last))
    let isReturning = setting.hasTilt && steering * old >= 0 && abs(steering) < abs(old)
    let isCentring = isReturning && (now - middleTime < .seconds(1) || sinceTurn < .seconds(3))
    guard isWheelHeld || begins || isCentring || !isAfterTurn && (isTilted || isSwinging) else {
      return report(.steering, "without the wheel's hand \(words(last)) became \(words(line))")
    }
  }

  // MARK: The screen

  private func isThere(_ view: View) -> Bool { view.root === scene && view.isShown }

  private func checkAbsent(_ line: DriveStream.Line) {
    func isAble(_ control: Control) -> Bool { isThere(control) && control.isEnabled }
    if line.command.gear != 0, !isAble(scene.gearbox) { report(.absent, "there is no lever: \(words(line))") }
    if steered(line) != 0, !isAble(scene.wheel) { report(.absent, "there is no wheel: \(words(line))") }
  }

  private func checkBrake(_ line: DriveStream.Line) {
    guard line.command.gear != 0 else { return }
    if isBraked { report(.brake, "braked: \(words(line))") }
    guard let act = acts.last else { return }
    if act.kind == .began, act.contact == .key(.space), !scene.isTextEdited {
      report(.brake, "Space was pressed: \(words(line))")
    }
    // A tap, not a finger that the compositor took away.
    let isTap =
      act.kind == .ended && acts.contains { $0.kind == .began && $0.contact == act.contact && $0.step == act.step }
    if isTap, brakeTouches.contains(act.contact) { report(.brake, "the button that brakes was tapped: \(words(line))") }
  }

  private func checkGear(_ line: DriveStream.Line) {
    let sent = Gear(number: line.command.gear)
    // What is marked may differ.
    guard scene.lossDisplay?.marked.contains(.lever) != true else { return }
    if isThere(scene.gearbox), scene.gearbox.gear != sent {
      report(.shown, "the lever is in \(scene.gearbox.gear): \(words(line))")
    }
    if isThere(scene.cluster), scene.cluster.speedometer.gear != sent.description {
      report(.shown, "the dial says \(scene.cluster.speedometer.gear): \(words(line))")
    }
  }

  private func checkWheel(_ line: DriveStream.Line) {
    let marks = scene.lossDisplay?.marked ?? []
    let differs =
      isThere(scene.wheel) && abs(meaning(ofWheelIn: line) - line.command.steering) > 0.02 && !marks.contains(.wheel)
    guard differs else { return difference = nil }
    guard let difference else { return self.difference = (clock.now, 0) }
    if clock.now - difference.since > Judge.swing, difference.refreshes >= 12 {
      report(.shown, "the wheel stands at \(Int(scene.wheel.angle)) degrees: \(words(line))")
    }
  }

  private func checkTold(_ line: DriveStream.Line) {
    guard line.state == .safe else { return }
    let told = scene.lossDisplay?.banner.notice?.reason
    if told != line.reason { report(.told, "the screen tells \(told.map { "\($0)" } ?? "nothing"): \(words(line))") }
    let marks = scene.lossDisplay?.marked ?? []
    for (control, mark, view) in [
      (Hands.Control.lever, IgnoredControls.lever, scene.gearbox), (.wheel, .wheel, scene.wheel),
    ]
      as [(Hands.Control, IgnoredControls, Control)] where isThere(view) && view.isTracking
    {
      let isHeld = hands.holds.values.contains { $0.control == control && !isNew($0) }
      if isHeld, !marks.contains(mark) { report(.marked, "the held \(control) has no mark: \(words(line))") }
    }
  }

  private func words(_ line: DriveStream.Line) -> String {
    let command = line.command
    return
      "\(line.state) (\(line.reason)) gear \(command.gear) throttle \(command.throttle) steering \(command.steering)"
      + (command.isHeld ? " held" : "")
  }
}

extension LossDisplay {
  /// The controls that have the mark of ignored input.
  fileprivate var marked: IgnoredControls {
    var marked: IgnoredControls = []
    for (mark, control) in zip(subviews, [IgnoredControls.lever, .wheel]) where !mark.isHidden {
      marked.insert(control)
    }
    return marked
  }
}
