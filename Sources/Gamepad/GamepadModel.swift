import UICore

/// What a driver asks for, from the reports of one device: a value, which knows neither files nor windows.
///
/// - A button or pedal that was down when the device came, or when its input did not count, counts only after it was let go once (`block`).
/// - A report that waited too long asks for nothing: the program stood still, and the hand may be elsewhere by now.
/// - Where the kernel dropped events, a release may be among them: everything that is down then must be let go first.
/// - A brake that must be let go first brakes on, if it was seen let go before: it holds nothing, as a handbrake.
/// - A wheel's pedals rest at either end of their axes. Throttle and brake must be seen at the same end once, let go both, before they count.
///   Both pressed at once contradict what was learnt: hardly anybody does that, and who connected the wheel with both feet down does it by
///   lifting them. Then neither counts until both have been at the same end for `longRest`.
/// - Steering is told while the device is held only, so that a stick that trembles at rest says nothing.
public struct GamepadModel: Sendable {
  /// The age from which a report counts as old; so long may the user interface hang before the sender says so.
  public static let oldestReport = Duration.milliseconds(200)
  /// How far a pedal must be pressed to begin a hold. The hold lasts until it is in its dead zone.
  static let firstPressure = 0.08
  /// How long pedals that contradicted what was learnt of them must be at the same end, both, to be taken for let go.
  static let longRest = Duration.seconds(5)
  /// The smallest changes of steering and pedals that are told.
  private static let (steeringStep, pedalStep, extraStep) = (0.001, 0.002, 0.01)

  /// What the device's controls command.
  public let layout: GamepadLayout
  /// The newest state that was told.
  public private(set) var state = GamepadState()
  /// True if the newest report ended what was held, because it was old or because events were dropped.
  public private(set) var hasLostInput = false

  /// True if the further buttons and the right stick are told too; false, the default, where no vehicle has channels for them.
  public var tellsExtras = false

  private(set) var steering: StickAxis?
  /// The right stick's axes; a stick that is aside when the device comes, or when its input did not count, must be let go first.
  private(set) var sticks: [UInt16: StickAxis] = [:]
  private(set) var blockedSticks: Set<UInt16> = []
  private(set) var pedals: [UInt16: PedalAxis] = [:]
  private var values: [UInt16: Int32] = [:]
  private var isDown: Set<UInt16>
  /// The buttons and pedals that must be let go before they count.
  private(set) var blocked: Set<UInt16> = []
  /// The pedals that were seen let go, so that what they say later is no fault of the device.
  private var seenLetGo: Set<UInt16> = []
  /// The pedals that are pressed, from `firstPressure` on.
  private var pressed: Set<UInt16> = []
  private var areEventsMissing = false
  /// The end at which both pedals are that are doubted (true for the least value, nil for different ones), and since when; nil without a
  /// doubt.
  private var doubted: (end: Bool?, since: MonotonicTime)?

  /// The model of a device as it is when it is opened.
  public init(_ device: DeviceDescription, _ layout: GamepadLayout) {
    self.layout = layout
    isDown = device.pressed
    let isWheel = layout.kind == .wheel
    if let code = layout.steering, let info = device.axes[code] {
      // Worn sticks stand up to a fifth of their way beside the middle; wheels have no play.
      steering = isWheel ? StickAxis(info, zone: 0.005, reach: 0.05) : StickAxis(info, zone: 0.08, reach: 0.2)
    }
    for code in layout.axes {
      guard let info = device.axes[code] else { continue }
      values[code] = info.value
      if code != layout.steering {
        pedals[code] = PedalAxis(info, restsAtMinimum: isWheel || layout.kind == .handbrake ? nil : true)
      }
    }
    for code in layout.extraAxes {
      guard let info = device.axes[code] else { continue }
      values[code] = info.value
      if code == layout.rightX || code == layout.rightY { sticks[code] = StickAxis(info, zone: 0.12, reach: 0.25) }
    }
    block()
  }

  /// Nothing that is down now counts until it was let go: its input did not count, or was lost.
  public mutating func block() {
    blocked = isDown
    for (code, axis) in pedals where axis.pressure(values[code] ?? 0) > 0 { blocked.insert(code) }
    pressed.removeAll()
    blockedSticks = Set(sticks.keys.filter { sticks[$0]?.steering(values[$0] ?? 0) != 0 })
    areCrossesBlocked = !cross.isEmpty
    state = GamepadState(buttons: state.buttons.intersection(.stop))
  }

  // MARK: Events

  /// A button went down or up, or an axis moved. Nothing counts before `report`.
  public mutating func note(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    switch type {
    case InputCode.key:
      if value == 0 { isDown.remove(code) } else { isDown.insert(code) }
    case InputCode.absolute: if values[code] != nil { values[code] = value }
    default: break
    }
  }

  /// The kernel dropped events. Those that follow up to the next `report` say how everything is now.
  public mutating func noteDropped() { areEventsMissing = true }

  /// All that happened at one `time` is noted, and it is `now`. Returns the state if it changed; `counts` is false while the window is not in use, and
  /// then only the stop does.
  public mutating func report(at time: MonotonicTime, now: MonotonicTime, counts: Bool = true) -> GamepadState? {
    let wasHeld = state.isHeld
    let isContradicted = contradictsRests(at: time)
    learnRests(at: time)
    release()
    let isOld = now - time > Self.oldestReport
    if areEventsMissing || isOld || isContradicted || !counts {
      // A press of the stop is never too old.
      let stops = isDown.subtracting(blocked).filter { layout.buttons[$0] == .stop }
      let old = state
      block()
      blocked.subtract(stops)
      hasLostInput = wasHeld && (areEventsMissing || isOld || isContradicted)
      areEventsMissing = false
      state.buttons = stops.isEmpty ? [] : .stop
      return state != old ? state : nil
    }
    hasLostInput = false
    var new = GamepadState(buttons: buttons)
    new.throttle = told(pressure(layout.throttle, at: time) * (1 - pressure(layout.clutch, at: time)), state.throttle)
    new.brake = told(pressure(layout.brake, at: time), state.brake)
    let handbrake = layout.handbrake.map { GamepadLayout.Pedal.axis($0) }
    let stale = max(stalePressure(layout.brake), stalePressure(handbrake))
    new.handbrake = told(max(pressure(handbrake, at: time), stale), state.handbrake)
    if new.isHeld, !wasHeld { concludeRests(at: time) }
    noteRests(isHeld: new.isHeld, at: time)
    if new.isHeld, let code = layout.steering, let value = values[code], let steering {
      let turned = steering.steering(value)
      let isSmall = abs(turned - state.steering) < Self.steeringStep && turned != 0 && abs(turned) < 1
      new.steering = isSmall ? state.steering : turned
    }
    if tellsExtras { addExtras(to: &new) }
    defer { state = new }
    return new != state ? new : nil
  }

  // MARK: Extras

  private var areCrossesBlocked = false

  /// The directions of a cross that is axes; their numbers are -1, 0 and 1, upwards and to the left negative.
  private var cross: GamepadState.Extras {
    var extras: GamepadState.Extras = []
    let (x, y) = (layout.crossX.flatMap { values[$0] } ?? 0, layout.crossY.flatMap { values[$0] } ?? 0)
    if x != 0 { extras.insert(x < 0 ? .padLeft : .padRight) }
    if y != 0 { extras.insert(y < 0 ? .padUp : .padDown) }
    return extras
  }

  private mutating func addExtras(to state: inout GamepadState) {
    for code in isDown where !blocked.contains(code) { state.extras.formUnion(layout.extras[code] ?? []) }
    if cross.isEmpty { areCrossesBlocked = false }
    if !areCrossesBlocked { state.extras.formUnion(cross) }
    func stick(_ code: UInt16?, _ old: Double) -> Double {
      guard let code, let axis = sticks[code], let value = values[code] else { return 0 }
      let moved = axis.steering(value)
      if moved == 0 { blockedSticks.remove(code) }
      if blockedSticks.contains(code) { return 0 }
      return abs(moved - old) < Self.extraStep && moved != 0 && abs(moved) < 1 ? old : moved
    }
    state.rightX = stick(layout.rightX, self.state.rightX)
    // Devices count downwards.
    state.rightY = -stick(layout.rightY, -self.state.rightY)
  }

  /// What is let go counts again.
  private mutating func release() {
    for (code, axis) in pedals where axis.restsAtMinimum != nil && axis.pressure(values[code] ?? 0) == 0 {
      seenLetGo.insert(code)
    }
    blocked = blocked.filter { code in
      if let axis = pedals[code] { return axis.pressure(values[code] ?? 0) > 0 }
      return isDown.contains(code)
    }
  }

  // MARK: Values

  private var buttons: GamepadState.Buttons {
    var buttons: GamepadState.Buttons = []
    for code in isDown where !blocked.contains(code) { buttons.formUnion(layout.buttons[code] ?? []) }
    return buttons
  }

  private mutating func pressure(_ pedal: GamepadLayout.Pedal?, at time: MonotonicTime) -> Double {
    switch pedal {
    case nil: return 0
    case .button(let code): return isDown.contains(code) && !blocked.contains(code) ? 1 : 0
    case .axis(let code):
      guard let axis = pedals[code], let value = values[code], !blocked.contains(code) else { return 0 }
      let pressure = axis.pressure(value)
      if pressure == 0 {
        pressed.remove(code)
      } else if pressure >= Self.firstPressure {
        pressed.insert(code)
      }
      return pressed.contains(code) ? pressure : 0
    }
  }

  /// How far a pedal is pressed that must be let go first; 0 for one that was pressed ever since the device came.
  private func stalePressure(_ pedal: GamepadLayout.Pedal?) -> Double {
    switch pedal {
    case .axis(let code) where blocked.contains(code) && seenLetGo.contains(code):
      pedals[code]?.pressure(values[code] ?? 0) ?? 0
    default: 0
    }
  }

  /// A pedal's value as it is told: the old one for a change too small to matter.
  private func told(_ new: Double, _ old: Double) -> Double {
    abs(new - old) < Self.pedalStep && new > 0 && new < 1 && old > 0 ? old : new
  }

  // MARK: Rests

  /// Whether throttle and brake are known to be let go, for a device whose pedals must be learnt; true for others.
  public var knowsRests: Bool {
    [layout.throttle, layout.brake].allSatisfy { pedal in
      if case .axis(let code) = pedal { pedals[code]?.restsAtMinimum != nil } else { true }
    }
  }

  /// Learns where pedals rest. A wheel's throttle and brake rest at the same end, so one that is pressed shows as a difference; a handbrake whose
  /// rest is taken for the other end brakes, and nothing worse. What the device said of itself before its first report may be no measurement.
  private mutating func learnRests(at time: MonotonicTime) {
    if case .axis(let throttle) = layout.throttle, case .axis(let brake) = layout.brake, !knowsRests {
      guard let end = restEnd(throttle, brake, at: time) else { return }
      var codes = [throttle, brake]
      if case .axis(let clutch) = layout.clutch { codes.append(clutch) }
      for code in codes { pedals[code]?.learn(restsAtMinimum: end) }
      block()
    }
    if let code = layout.handbrake, let axis = pedals[code], axis.restsAtMinimum == nil,
      let end = axis.end(at: values[code] ?? 0)
    {
      pedals[code]?.learn(restsAtMinimum: end)
    }
  }

  /// The end at which both pedals are; nil if they are at different ones or between.
  private func commonEnd(_ throttle: UInt16, _ brake: UInt16) -> Bool? {
    let ends = [throttle, brake].map { pedals[$0]?.end(at: values[$0] ?? 0) ?? nil }
    return ends[0] == ends[1] ? ends[0] : nil
  }

  /// The end at which both pedals rest as far as is known by `time`: at once, or after a long rest if they are doubted.
  private mutating func restEnd(_ throttle: UInt16, _ brake: UInt16, at time: MonotonicTime) -> Bool? {
    let end = commonEnd(throttle, brake)
    guard let old = doubted else { return end }
    // A pedal at rest sends nothing: what it was before counts up to this report.
    if let rest = old.end, time - old.since >= Self.longRest {
      doubted = nil
      return rest
    }
    if end != old.end { doubted = (end, time) }
    return nil
  }

  /// True if both pedals are pressed wholly at once; then what was learnt of them is forgotten.
  private mutating func contradictsRests(at time: MonotonicTime) -> Bool {
    guard case .axis(let throttle) = layout.throttle, case .axis(let brake) = layout.brake, layout.kind == .wheel,
      let rest = pedals[throttle]?.restsAtMinimum, let end = commonEnd(throttle, brake), end != rest
    else { return false }
    for code in [throttle, brake] { pedals[code]?.forgetRest() }
    doubted = (end, time)
    return true
  }

  private mutating func noteRests(isHeld: Bool, at time: MonotonicTime) {
    if let code = layout.steering, let value = values[code] { steering?.note(value, isHeld: isHeld, at: time) }
    for code in pedals.keys { pedals[code]?.note(values[code] ?? 0, isHeld: isHeld, at: time) }
  }

  private mutating func concludeRests(at time: MonotonicTime) {
    steering?.conclude(at: time)
    for code in pedals.keys { pedals[code]?.conclude(at: time) }
  }

  /// The dead zones as they are measured, by the codes of the axes: for the log.
  public var deadZones: [UInt16: Double] {
    var zones = pedals.mapValues(\.zone)
    if let code = layout.steering, let steering { zones[code] = steering.zone }
    return zones
  }
}
