import CockpitControls
import ControlHarness
import ControlTools
import Controls
import Shell
import Stage
import UICore

@testable import DriveLink
@testable import cockpit

/// A cockpit that drives, on a stage with a clock of its own, to which steps happen.
@MainActor final class World {
  let judge: Judge
  private let setting: AdversarySetting
  private let stage: Stage
  private let scene = CockpitScene()
  private let relay: ContentRelay
  private let application: Application
  private let keys: KeyCommands
  private let link: PlayedLink
  private let session: DrivePart
  private let watch: DisplayWatch
  private let tape: LineTape?
  private let devices: PlayedDevices

  private var isFrozen = false
  private var isStarved = false
  private var isSuspended = false
  private var hasFocus = false
  private var hasPointer = false
  private var isPenNear = false
  private var output: DriveOutput { session.output }

  /// A cockpit with `setting`, judged as one with `judged`, whose lines go to `tape`.
  init(_ setting: AdversarySetting, judged: AdversarySetting? = nil, tape: LineTape? = nil) throws {
    FontLibrary.shared = ControlHarness.fonts
    self.setting = setting
    self.tape = tape
    let stage = Stage(globals: setting.globals, checks: false)
    self.stage = stage
    scene.cluster.beacon.isEnabled = false
    scene.gearbox.followsFinger = setting.isShaped
    keys = KeyCommands(scene: scene)
    relay = ContentRelay(scene: scene)
    application = try Application(clock: stage.clock) { stage.connectClient() }
    application.reconnection = .tries(for: nil)
    let vehicle = setting.hasChannels ? ChannelJudge.vehicle(disarmsAtLoss: setting.disarmsAtLoss) : nil
    if let vehicle { scene.adopt(vehicle) }
    let stream = DriveStream(
      rate: 50, shaping: setting.shaping, identifier: DriveIdentifier(), channels: vehicle?.model, at: stage.clock.now)
    link = try PlayedLink(stream: stream, clock: stage.clock)
    let output = DriveOutput(scene: scene, isDeadMan: setting.isDeadMan, stream: stream, sink: link)
    relay.parts = [output]
    session = DrivePart(output, relay: relay, loop: application.loop)
    judge = Judge(scene: scene, output: output, setting: judged ?? setting, clock: stage.clock)
    devices = PlayedDevices(judge: judge, clock: stage.clock)
    if vehicle != nil { judge.watchChannels(disarmsAtLoss: setting.disarmsAtLoss) }
    watch = DisplayWatch(scene: scene, session: session, loop: application.loop) {
      [loop = application.loop] in PlayedWitness(loop)
    }
    watch.onFault = { [judge] in judge.noteFaultOfScreen($0) }
    session.watch = watch
    relay.parts.append(watch)
    session.vigilance = setting.vigilance.map { Vigilance(limit: $0, output: output, at: stage.clock.now) }
    // Unowned: the judge has the output, and a world of each of thousands of sessions would stay.
    output.onLine = { [unowned judge] in judge.hear($0) }
    if let tape {
      link.onLine = { [unowned self, unowned stage] in
        noteHands()
        tape.note($0, at: stage.clock.now)
      }
    }
    relay.parts.insert(SessionProbe(willHandle: { [judge] in judge.locate($0) }), at: 0)
    relay.parts.append(
      SessionProbe(didDraw: { [judge] _ in judge.see() }))
    if setting.hasTilt { devices.addSensor(relay, session, application, keys: keys) }
    if setting.hasVideo { devices.addCamera(relay, output, application) }
    if setting.hasPads { devices.addPads(relay, output, application) }
    let size = setting.isWide ? Size(width: 820, height: 400) : Size(width: 480, height: 320)
    application.openWindow(
      content: relay, options: WindowOptions(title: "Cockpit", applicationID: "org.example", size: size)
    ) { [unowned self] in for part in relay.parts { part.follow($0) } }
    for _ in 0..<4 { refresh() }
    perform(.focus)
    settle()
  }

  /// The newest message.
  var line: DriveStream.Line { output.stream.line }

  func end() {
    application.closeAll()
    try? application.step()
    stage.thaw()
    stage.step()
    session.end()
  }

  /// Has `step` happen, and all that follows from it at once. A step that makes no sense now does nothing.
  func apply(_ step: Step) {
    judge.begin()
    stage.clock.advance(by: .milliseconds(1))
    devices.film()
    perform(step)
    settle()
    noteHands()
    judge.end()
  }

  /// A hand holds what the cockpit knows of, and the device has not lost it.
  private func noteHands() {
    let isHeld = judge.hands.holds.contains { $0.value.control != .other && isDown($0.key) }
    tape?.note(isHeld, at: stage.clock.now)
  }

  // MARK: Time

  private var isSeen: Bool { !isFrozen && !isStarved && !isSuspended && !stage.toplevels.isEmpty }

  /// Delivers what is pending; the clock stands still.
  private func settle() {
    if isFrozen { judge.deliverPads() } else { judge.deliver() }
    stage.step()
    try? application.step()
    stage.step()
    try? application.step()
    stage.step()
    link.turn()
  }

  private func refresh() {
    if isSeen {
      stage.nextRefresh()
      judge.noteRefresh()
    } else {
      stage.clock.advance(by: .milliseconds(16))
      judge.noteUnseen()
    }
    devices.send()
    settle()
    // A frame that was held back for fresher input is drawn now.
    stage.clock.advance(by: .milliseconds(12))
    settle()
  }

  /// Some time, the loop's turns 10 ms apart, with a refresh now and then.
  private func pass(_ duration: Duration, frameEach: Int = 12) {
    let end = stage.clock.now + duration
    var piece = 0
    while stage.clock.now < end, judge.fault == nil {
      piece += 1
      if piece % frameEach == 0 {
        refresh()
        continue
      }
      stage.clock.advance(by: min(.milliseconds(10), end - stage.clock.now))
      devices.send()
      settle()
    }
  }

  // MARK: Steps

  private func perform(_ step: Step) {
    switch step {
    case .outputGone, .outputCame, .resume, .tiltFails, .tiltWorks:
      // Another middle: a wheel that is not commanded goes there.
      if !output.stream.isCommanding { judge.middleTime = stage.clock.now }
    default: break
    }
    switch step {
    // A wheel that follows the tilt is straightened where its rules change, and goes there again.
    case .save, .edit, .code: if setting.hasTilt { judge.tiltTime = max(judge.tiltTime, stage.clock.now) }
    default: break
    }
    switch step {
    case .down(let finger, let spot): down(finger, spot)
    case .move(let finger, let spot): move(finger, spot)
    case .up(let finger): up(finger)
    case .tap(let finger, let spot):
      down(finger, spot, isAlone: false)
      up(finger)
    case .touchCancel:
      stage.seat.touchCancel()
      end { $0.isOfTouchscreen }
    case .point, .press, .release, .pointerLeave: pointer(step)
    case .pen, .penDown, .penUp, .penLeave, .penGone: pen(step)
    case .focus, .unfocus, .key: keyboard(step)
    case .pad, .padButton, .padNoise, .padUnplug, .padPlug, .padDrop, .camera, .tiltFails, .tiltWorks:
      devices.perform(step)
    case .activate(let isActivated): if !isFrozen { stage.toplevels.first?.set(.activated, isActivated) }
    case .unplug(let device):
      stage.seat.capabilities.remove(Self.capability(device))
      switch device {
      case .touch: end { $0.isOfTouchscreen }
      case .pointer: (hasPointer, _) = (false, end { $0 == .pointer })
      case .keyboard: (hasFocus, _) = (false, end { $0.isKey })
      }
    case .plug(let device): stage.seat.capabilities.insert(Self.capability(device))
    case .tilt:
      guard setting.hasTilt else { return }
      devices.perform(step)
      pass(.milliseconds(400), frameEach: 3)
    case .assist(let part, let wish): assist(part, wish)
    case .save(let text): save(text)
    case .edit(let edit):
      // Its panel, opened by a key before, edits by a touch on it.
      scene.inspector.open()
      guard scene.isInspectorOpen else { return }
      relay.record(.wake) { apply(edit) }
    case .code(let edit): relay.record(.wake) { apply(edit) }
    case .look(let isLight, let hasHighContrast):
      let look = SceneLook(isLight: isLight, hasHighContrast: hasHighContrast)
      relay.record(.look(look)) { scene.adopt(look) }
    case .language(let isChinese):
      Language.current = isChinese ? .chinese : .english
      scene.car.showControls()
      // The program takes its language before its scene.
      scene.cluster.beacon.setNeedsStaticDisplay()
      scene.cluster.brake.setNeedsDisplay()
    case .turn, .mode, .outputGone, .outputCame, .resize, .suspend, .resume: compositor(step)
    case .freeze:
      stage.freeze()
      isFrozen = true
    case .thaw:
      stage.thaw()
      isFrozen = false
    case .starve: starve(true)
    case .feed: starve(false)
    case .kill: kill()
    case .linkLost: connect(.waiting)
    case .linkStalled: connect(.stalled)
    case .linkBack: connect(.open)
    case .stall(let milliseconds): stall(milliseconds) { stage.clock.advance(by: $0) }
    case .sleep(let milliseconds): stall(milliseconds) { link.sleep($0) }
    case .stop: if scene.stop?.isPressed == false { touchStop(for: .milliseconds(20)) }
    case .releaseStop: if scene.stop?.isPressed == true { touchStop(for: .milliseconds(1200)) }
    case .arm(let milliseconds): touchArm(for: .milliseconds(milliseconds))
    case .pass(let milliseconds): pass(.milliseconds(milliseconds))
    case .frame: refresh()
    }
  }

  /// The consumer goes, takes nothing, or comes. The sender's thread wakes the loop.
  private func connect(_ status: DriveSender.Status) {
    guard status != link.status else { return }
    judge.channels?.isLinked = status == .open
    if link.status == .open { judge.noteLinkLost() }
    if let line = link.set(status) { judge.greet(with: line) }
    output.wake(at: stage.clock.now)
    relay.record(.link(status)) { output.noteLink(status) }
  }

  /// The loop has no turns meanwhile; the sender's thread has.
  private func stall(_ milliseconds: Int, _ pass: (Duration) -> Void) {
    let wasCommanding = output.stream.isCommanding
    pass(.milliseconds(milliseconds))
    link.turn()
    if wasCommanding, milliseconds >= 200, link.status == .open { judge.noteHang(link.newest) }
  }

  /// A finger that does nothing else is on the emergency stop for so long.
  private func touchStop(for duration: Duration) {
    guard let stop = scene.stop, !isFrozen, has(.touch), !isDown(.finger(9)) else { return }
    let place = onSurface(stop.windowFrame.center)
    stage.seat.touchDown(9, place.x, place.y)
    stage.seat.touchFrame()
    pass(duration, frameEach: 4)
    stage.seat.touchUp(9)
    stage.seat.touchFrame()
  }

  private func touchArm(for duration: Duration) {
    guard let arm = scene.channels?.arm, arm.root === scene, arm.isShown, !isFrozen, has(.touch), !isDown(.finger(8))
    else {
      return
    }
    let place = onSurface(arm.windowFrame.center)
    stage.seat.touchDown(8, place.x, place.y)
    stage.seat.touchFrame()
    pass(duration, frameEach: 4)
    stage.seat.touchUp(8)
    stage.seat.touchFrame()
  }

  private func kill() {
    devices.letGo()
    settle()
    stage.clients.last?.hangUp()
    judge.drop()
    stage.thaw()
    (isFrozen, isStarved, isSuspended, hasFocus, hasPointer, isPenNear) = (false, false, false, false, false, false)
    for _ in 0..<60 where stage.clients.last?.end != nil || stage.toplevels.isEmpty {
      stage.clock.advance(by: .milliseconds(20))
      settle()
    }
    for _ in 0..<3 { refresh() }
  }

  private func starve(_ isStarved: Bool) {
    guard let surface = stage.frontSurface, !isSuspended else { return }
    stage.starve(surface, isStarved)
    self.isStarved = isStarved
  }

  private func compositor(_ step: Step) {
    switch step {
    case .turn, .mode, .outputGone, .outputCame, .resize: judge.noteTurn()
    default: break
    }
    switch step {
    case .turn(let quarters):
      guard let output = stage.outputs.first else { return }
      let transform: OutputTransform = [.normal, .turned90, .turned180, .turned270][quarters & 3]
      if transform != output.transform { judge.noteOtherAngle() }
      output.transform = transform
      output.announce()
    case .mode(let width, let height):
      guard let output = stage.outputs.first else { return }
      output.mode = PixelSize(width: width, height: height)
      output.announce()
    case .outputGone: if let output = stage.outputs.last { stage.remove(output) }
    case .outputCame: if stage.outputs.count < 2 { stage.frontSurface?.enter(stage.addOutput()) }
    case .resize(let width, let height): stage.toplevels.first?.configure(width, height)
    case .suspend:
      guard !isSuspended, let toplevel = stage.toplevels.first else { return }
      toplevel.suspend()
      judge.noteSuspended()
      isSuspended = true
    case .resume:
      guard isSuspended, let toplevel = stage.toplevels.first else { return }
      toplevel.resume()
      (isSuspended, isStarved) = (false, false)
    default: break
    }
  }

  /// The effect of watching the scene's file, or of dropping a different file.
  private func save(_ text: Step.SceneText) {
    guard let file = try? LayoutFile(text: text.json, name: "a scene") else { return }
    try? relay.record(.scene(file.source)) { () throws(LayoutFileError) in try scene.load(file) }
  }

  private func apply(_ edit: Step.Edit) {
    let (gearbox, wheel) = (scene.gearbox, scene.wheel)
    switch edit {
    case .gear(let number): gearbox.gear = Gear(number: number)
    case .gearCount(let count): gearbox.gearCount = count
    case .leverEnabled(let isEnabled): gearbox.isEnabled = isEnabled
    case .leverHidden(let isHidden): gearbox.isHidden = isHidden
    case .angle(let degrees): wheel.angle = Double(degrees)
    case .lock(let degrees): wheel.lock = Double(degrees)
    case .springsBack(let springs): wheel.springsBack = springs
    case .wheelEnabled(let isEnabled): wheel.isEnabled = isEnabled
    case .wheelHidden(let isHidden): wheel.isHidden = isHidden
    case .brake:
      gearbox.brake()
      judge.noteBrake()
    }
    scene.car.showControls()
  }

  private func assist(_ part: Step.Part, _ wish: Step.Wish) {
    let view: View?
    switch part {
    case .lever: view = scene.gearbox
    case .wheel: view = scene.wheel
    case .horn: view = scene.horn
    case .tiltLamp: view = scene.cluster.tilt
    case .stop: view = scene.stop
    case .button(let action): view = scene.view(named: action.buttonName)
    case .channel(let channel):
      view = channelControl(channel)
      judge.channels?.noteAssistance()
    case .panel(let number):
      let elements = scene.inspector.panel.map { panel in
        scene.accessibilityElements.filter { $0.isDescendant(of: panel) }
      }
      view = elements.flatMap { $0.isEmpty ? nil : $0[number % $0.count] }
    }
    guard let view, view.root === scene else { return }
    let command: AccessibilityCommand
    switch wish {
    case .value(let number): command = .setValue(Double(number))
    case .action(let action): command = .perform(action.rawValue)
    case .focus: command = .focus
    case .press:
      guard let action = view.accessibilityActions.first else { return }
      command = .perform(action.name)
    }
    try? relay.carryOut(command, on: view)
    if part == .lever, wish == .action(.brake) { judge.noteBrake() }
    if part == .tiltLamp { judge.middleTime = stage.clock.now }
  }
}

// MARK: - Devices

extension World {
  private func note(_ kind: Hands.Act.Kind, _ contact: Hands.Contact) {
    judge.hands.note(kind, contact, step: judge.step)
    if kind == .ended { noteHands() }
  }

  private func isDown(_ contact: Hands.Contact) -> Bool { judge.hands.isDown.contains(contact) }

  private func end(where isMeant: (Hands.Contact) -> Bool) {
    for contact in judge.hands.isDown where isMeant(contact) { note(.ended, contact) }
  }

  private static func capability(_ device: Step.Device) -> StageSeat.Capabilities {
    switch device {
    case .touch: .touch
    case .pointer: .pointer
    case .keyboard: .keyboard
    }
  }

  private func has(_ device: Step.Device) -> Bool {
    !stage.toplevels.isEmpty && stage.seat.capabilities.contains(Self.capability(device))
  }

  private func down(_ finger: Int32, _ spot: Step.Spot, isAlone: Bool = true) {
    guard has(.touch), !isDown(.finger(finger)) else { return }
    let place = place(of: spot)
    stage.seat.touchDown(finger, place.x, place.y)
    if isAlone { stage.seat.touchFrame() }
    note(.began, .finger(finger))
  }

  private func move(_ finger: Int32, _ spot: Step.Spot) {
    guard isDown(.finger(finger)) else { return }
    let place = place(of: spot)
    stage.seat.touchMotion(finger, place.x, place.y)
    stage.seat.touchFrame()
    note(.moved, .finger(finger))
  }

  private func up(_ finger: Int32) {
    guard isDown(.finger(finger)) else { return }
    stage.seat.touchUp(finger)
    stage.seat.touchFrame()
    note(.ended, .finger(finger))
  }

  private func pointer(_ step: Step) {
    guard has(.pointer) else { return }
    switch step {
    case .point(let spot):
      let place = place(of: spot)
      if hasPointer { stage.seat.pointerMotion(place.x, place.y) } else { stage.seat.pointerEnter(place.x, place.y) }
      hasPointer = true
      if isDown(.pointer) { note(.moved, .pointer) }
    case .press where hasPointer && !isDown(.pointer):
      stage.seat.pointerButton(true)
      note(.began, .pointer)
    case .release where isDown(.pointer):
      stage.seat.pointerButton(false)
      note(.ended, .pointer)
    case .pointerLeave where hasPointer:
      stage.seat.pointerLeave()
      hasPointer = false
      if isDown(.pointer) { note(.ended, .pointer) }
    default: break
    }
  }

  private func pen(_ step: Step) {
    guard setting.globals.tablets != nil, !stage.toplevels.isEmpty else { return }
    if stage.seat.pens.isEmpty {
      guard case .pen = step else { return }
      stage.seat.addPen()
      settle()
    }
    guard let pen = stage.seat.pens.first else { return }
    switch step {
    case .pen(let spot):
      let place = place(of: spot)
      if !isPenNear { pen.enterProximity() }
      isPenNear = true
      pen.move(place.x, place.y)
      pen.frame()
      if isDown(.pen) { note(.moved, .pen) }
    case .penDown where isPenNear && !isDown(.pen):
      pen.down()
      pen.frame()
      note(.began, .pen)
    case .penUp where isDown(.pen):
      pen.up()
      pen.frame()
      note(.ended, .pen)
    case .penLeave where isPenNear, .penGone:
      if case .penGone = step { stage.seat.remove(pen) } else { pen.leaveProximity() }
      if case .penLeave = step { pen.frame() }
      isPenNear = false
      if isDown(.pen) { note(.ended, .pen) }
    default: break
    }
  }

  private func keyboard(_ step: Step) {
    guard has(.keyboard) else { return }
    switch step {
    case .focus where !hasFocus:
      stage.seat.keyboardEnter()
      hasFocus = true
    case .unfocus where hasFocus:
      stage.seat.keyboardLeave()
      hasFocus = false
      end { $0.isKey }
    case .key(let key, let isPressed) where hasFocus && isDown(.key(key)) != isPressed:
      stage.seat.key(key.code, isPressed)
      note(isPressed ? .began : .ended, .key(key))
    default: break
    }
  }

  /// The control of that name on the page of the strip that is shown.
  private func channelControl(_ channel: Step.Channel) -> Control? {
    scene.channelStrip?.subviews.compactMap { $0 as? Control }.first { $0.name == channel.rawValue && !$0.isHidden }
  }

  /// The place in the window's surface of a point of the scene: the cockpit's own frame lies around it.
  private func onSurface(_ place: Point) -> Point {
    session.window?.drawsDecoration == true ? Point(x: place.x + 15, y: place.y + 58) : place
  }

  /// Where a spot is in the window's surface now.
  private func place(of spot: Step.Spot) -> Point {
    func center(_ view: View?) -> Point { view.map { $0.windowFrame.center } ?? Point(x: 5, y: 5) }
    let place: Point
    switch spot {
    case .lever(let number):
      place = scene.lever(Gear(number: number).clamped(toGears: scene.gearbox.gearCount))
    case .rim(let degrees): place = scene.rim(Double(degrees))
    case .horn: place = center(scene.horn)
    case .tiltLamp: place = center(scene.cluster.tilt)
    case .channel(let channel, let hundredths):
      let frame =
        (channelControl(channel) ?? channelControl(.more))?.windowFrame ?? Rect(x: 5, y: 5, width: 1, height: 1)
      place = Point(x: frame.minX + frame.width * Double(hundredths) / 100, y: frame.midY)
    case .button(let action): place = center(scene.view(named: action.buttonName))
    case .panel(let x, let y):
      let panel = scene.inspector.panel?.windowFrame ?? scene.bounds
      place = Point(x: panel.minX + panel.width * Double(x) / 100, y: panel.minY + panel.height * Double(y) / 100)
    case .free(let x, let y): place = Point(x: Double(x), y: Double(y))
    }
    return place.x.isFinite && place.y.isFinite ? onSurface(place) : .zero
  }
}

extension Step.StageKey {
  fileprivate var code: UInt32 {
    switch self {
    case .up: StageKeymap.Code.up
    case .down: StageKeymap.Code.down
    case .left: StageKeymap.Code.left
    case .right: StageKeymap.Code.right
    case .space: StageKeymap.Code.space
    case .f12: StageKeymap.Code.f12
    case .escape: StageKeymap.Code.escape
    case .tab: StageKeymap.Code.tab
    }
  }
}
