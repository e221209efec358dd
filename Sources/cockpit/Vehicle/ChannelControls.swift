import Controls
import DriveLink
import UICore

/// The controls of a vehicle's channels, wherever they are: in the scene's file, in the strip, and on gamepads. It collects what is asked for,
/// and has all of them show what the line says; `DriveOutput` decides between the two.
///
/// Only an event of a hand, or a request that assistive technology may make, counts: what a file, the inspector or code sets is shown back to what
/// it was.
final class ChannelControls {
  /// What somebody asks for.
  enum Wish: Equatable {
    case value(Int, Double)
    /// A hand takes the control of a momentary channel, or lets go of it.
    case hold(Int, Bool)
    case mode(Int)
    case disarm

    /// True for a wish that only ends something: it is always obeyed, and needs no hand.
    var isEnd: Bool {
      switch self {
      case .disarm, .hold(_, false): true
      default: false
      }
    }
  }

  private final class Binding {
    let control: Control
    /// The number of the channel; nil for the mode.
    let channel: Int?
    /// True for a control of the scene's file, false for one of the strip.
    let isOfScene: Bool
    var tokens: [ObservationToken] = []
    /// The touches that were on the control at a loss, until all are lifted: they count no more.
    var stale: [Touch] = []
    var isStale: Bool { !stale.isEmpty }

    init(_ control: Control, _ channel: Int?, isOfScene: Bool) {
      (self.control, self.channel, self.isOfScene) = (control, channel, isOfScene)
    }
  }

  let file: VehicleFile
  /// The button that arms; nil for a vehicle that needs none.
  let arm: ArmButton?
  private unowned let scene: CockpitScene
  private var bindings: [Binding] = []
  private var wishes: [Wish] = []
  /// The gamepads that hold the button of each momentary channel.
  private var padHolds: [Int: Set<SeatID>] = [:]
  /// The axes whose stick must be in its middle once before it counts again: after a loss.
  private var blockedAxes: Set<Int> = []
  /// The state where nothing is driven, and so nobody else keeps one.
  private var own: ChannelModel?

  /// The controls of the vehicle of `file`; nil for one without channels, arming and mode.
  init?(_ file: VehicleFile, scene: CockpitScene) {
    guard let model = file.model else { return nil }
    (self.file, self.scene, own) = (file, scene, model)
    arm = file.arm.map { ArmButton(hold: $0.hold) }
    arm?.onDisarm = { [unowned self] in ask(.disarm) }
    arm?.isReady = false
  }

  /// True if a gamepad sets a channel.
  var usesGamepads: Bool { file.channels.contains { $0.gamepad != nil } }

  // MARK: Bindings

  /// Forgets the controls of the scene's file, or those of the strip.
  func unbind(ofScene: Bool) {
    for token in bindings.filter({ $0.isOfScene == ofScene }).flatMap(\.tokens) { token.remove() }
    bindings.removeAll { $0.isOfScene == ofScene }
  }

  /// Binds the controls of the scene's file to the channels that they name, in place of those of another file. Returns what is wrong with them.
  func bind(_ named: [(control: Control, channel: String)]) -> [(control: Control, reason: String)] {
    unbind(ofScene: true)
    var faults: [(Control, String)] = []
    for (control, name) in named {
      guard let index = file.channels.firstIndex(where: { $0.name == name }) else {
        faults.append((control, "the vehicle has no channel \"\(shown(name))\""))
        continue
      }
      if !bind(control, to: index, isOfScene: true) {
        faults.append((control, "such a control cannot command \"\(name)\""))
      }
    }
    return faults
  }

  /// The channels that no control of the scene's file commands.
  var unbound: [Int] {
    let bound = Set(bindings.filter(\.isOfScene).compactMap(\.channel))
    return file.channels.indices.filter { !bound.contains($0) }
  }

  /// Binds `control` to the channel of that number. Returns false if such a control cannot command it.
  @discardableResult func bind(_ control: Control, to index: Int, isOfScene: Bool = false) -> Bool {
    let channel = file.channels[index]
    let binding = Binding(control, index, isOfScene: isOfScene)
    if case .momentary = channel.kind {
      let down = control.addAction(for: .touchDown) { [unowned self] control in
        if control.trackedTouches.last.map(isHand) == true { ask(.hold(index, true)) }
      }
      let up = control.addAction(for: [.touchUpInside, .touchUpOutside, .touchCancel]) { [unowned self] _ in
        if !isHeld(index) { ask(.hold(index, false)) }
      }
      binding.tokens = [down, up]
      bindings.append(binding)
      return true
    }
    guard let reading = ChannelReading(control), channel.accepts(reading) else { return false }
    let event: Control.Event = reading == .next ? .primaryActionTriggered : .valueChanged
    let token = control.addAction(for: event) { [unowned self, unowned binding] control in
      guard !binding.isStale, let reading = ChannelReading(control), let model,
        let value = channel.value(reading, present: model.value(index))
      else { return }
      ask(.value(index, value))
    }
    binding.tokens = [token]
    bindings.append(binding)
    return true
  }

  /// Binds a list of the modes' names.
  func bindMode(_ control: SelectionControl) {
    let binding = Binding(control, nil, isOfScene: false)
    binding.tokens = [
      control.addAction(for: .valueChanged) { [unowned self, unowned binding] in
        if !binding.isStale { ask(.mode($0.selectedIndex)) }
      }
    ]
    bindings.append(binding)
  }

  // MARK: Wishes

  private func isHand(_ touch: Touch) -> Bool { scene.driveOutput?.isHand(touch) ?? true }

  private func ask(_ wish: Wish) {
    guard scene.driveOutput != nil else { return obeyAlone(wish) }
    if wish.isEnd || scene.driveOutput?.isOperated == true { wishes.append(wish) }
  }

  /// What was asked for since the last call, in order.
  func takeWishes() -> [Wish] {
    for binding in bindings where binding.isStale && !binding.control.isTracking { binding.stale.removeAll() }
    defer { wishes.removeAll(keepingCapacity: true) }
    return wishes
  }

  /// True while a hand holds a control of the momentary channel, or its button of a gamepad, that began to since the latest loss.
  func isHeld(_ index: Int) -> Bool {
    if padHolds[index]?.isEmpty == false { return true }
    return bindings.contains { binding in
      binding.channel == index
        && binding.control.trackedTouches.contains { touch in
          isHand(touch) && !binding.stale.contains { $0 === touch }
        }
    }
  }

  private var model: ChannelModel? { scene.driveOutput?.stream.channels ?? own }

  /// Has a control act where nothing is driven, and nothing can be armed.
  private func obeyAlone(_ wish: Wish) {
    own?.obey(wish)
    if let own { show(own, canArm: false) }
  }

  // MARK: Gamepads

  /// Takes the further buttons and the right stick of a gamepad, whose state before was `old`.
  func note(_ event: GamepadEvent, before old: GamepadState) {
    let state = event.phase == .cancelled ? GamepadState() : event.state
    // Nobody sees what a gamepad does behind a dialog: buttons only let go, and sticks must be in their middle after it.
    let isBehind = scene.viewInFront != nil
    for (index, channel) in file.channels.enumerated() {
      guard let place = channel.gamepad else { continue }
      if place.isAxis {
        guard event.phase == .changed else { continue }
        if isBehind { blockedAxes.insert(index) }
        note(place == .rightX ? state.rightX : state.rightY, before: place == .rightX ? old.rightX : old.rightY, index)
      } else {
        let (isDown, wasDown) = (state.extras.contains(place.button), old.extras.contains(place.button))
        if isDown != wasDown, !isDown || !isBehind { press(index, isDown, event.seat) }
      }
    }
  }

  private func press(_ index: Int, _ isDown: Bool, _ seat: SeatID) {
    let channel = file.channels[index]
    if case .momentary = channel.kind {
      if isDown { padHolds[index, default: []].insert(seat) } else { padHolds[index]?.remove(seat) }
      if isDown || !isHeld(index) { ask(.hold(index, isDown)) }
    } else if isDown, let model, let value = channel.value(.next, present: model.value(index)) {
      ask(.value(index, value))
    }
  }

  private func note(_ stick: Double, before old: Double, _ index: Int) {
    if stick == 0, scene.viewInFront == nil { blockedAxes.remove(index) }
    guard stick != old, !blockedAxes.contains(index) else { return }
    if let value = file.channels[index].value(.position((stick + 1) / 2), present: 0) { ask(.value(index, value)) }
  }

  // MARK: Showing

  /// Has controls that were just bound show the present state.
  func showAgain() {
    if let model { show(model, canArm: arm?.isReady ?? false) }
  }

  /// Input was lost: what a stick still holds aside counts no more, nor does a touch that is on a control.
  func noteLoss() {
    for binding in bindings where binding.control.isTracking { binding.stale = binding.control.trackedTouches }
    padHolds.removeAll()
    blockedAxes.formUnion(file.channels.indices.filter { file.channels[$0].gamepad?.isAxis == true })
    arm?.endHold()
  }

  /// Has all controls show `model`, whatever has set them.
  func show(_ model: ChannelModel, canArm: Bool) {
    for binding in bindings {
      guard let index = binding.channel else {
        ChannelReading.index(model.mode).show(on: binding.control)
        continue
      }
      guard let form = ChannelReading(binding.control) else { continue }
      file.channels[index].reading(of: model.value(index), like: form)?.show(on: binding.control)
    }
    if let arm {
      if arm.isReady != canArm { arm.isReady = canArm }
      if !canArm { arm.endHold() }
      if arm.isArmed != model.isArmed {
        arm.isArmed = model.isArmed
        scene.announce(model.isArmed ? Language.current.armed : Language.current.disarmed)
      }
    }
  }
}

extension ChannelModel {
  /// Does what is asked for; whether it may is decided before.
  mutating func obey(_ wish: ChannelControls.Wish) {
    switch wish {
    case .value(let index, let value): set(index, to: value)
    case .hold(let index, let isHeld): hold(index, isHeld)
    case .mode(let number): choose(mode: number)
    case .disarm: disarm()
    }
  }
}

extension GamepadPlace {
  /// The button of the place; none for an axis.
  fileprivate nonisolated var button: GamepadState.Extras {
    switch self {
    case .west: .west
    case .select: .select
    case .start: .start
    case .leftStick: .leftStick
    case .rightStick: .rightStick
    case .padUp: .padUp
    case .padDown: .padDown
    case .padLeft: .padLeft
    case .padRight: .padRight
    case .rightX, .rightY: []
    }
  }
}
