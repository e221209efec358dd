import Controls
import DriveLink
import UICore

@testable import cockpit

/// Judges channels, arming and mode of each message by rules of its own, from what the window gets of hands on their controls.
@MainActor final class ChannelJudge {
  /// The vehicle of a session with channels.
  static func vehicle(disarmsAtLoss: Bool) -> VehicleFile? {
    let text = """
      {"version": 1, "name": "Adversary", "channels": {
        "lights": {"kind": "switch", "off": -1, "on": 1, "gamepad": "west"},
        "pan": {"kind": "axis", "safe": 0, "gamepad": "right-x"},
        "gears": {"kind": "choice", "values": {"low": -1, "mid": 0.5, "high": 1}, "start": "mid", "safe": "mid"},
        "winch": {"kind": "momentary", "off": 0, "on": 1, "gamepad": "select"}},
       "arm": {"hold": 0.5, "safe": "\(disarmsAtLoss ? "disarm" : "keep")"}, "mode": {"values": {"manual": 0, "hold": 4}, "start": "manual"}}
      """
    return try? VehicleFile(Array(text.utf8), path: "adversary.json")
  }

  /// The safe values of the channels; nil for one that keeps its value.
  private static let safe: [Double?] = [nil, 0, 0.5, 0]
  private static let winch = 3
  private static let hold = Duration.milliseconds(500)

  private let scene: CockpitScene
  private let clock: ManualClock
  private let disarmsAtLoss: Bool
  private let report: (Judge.Rule, String) -> Void
  private var last: DriveStream.Line
  /// The touches that are on the button that arms, and since when; on the winch's; and on any control of the strip.
  private var onArm: [TouchID: MonotonicTime] = [:]
  private var onWinch: Set<TouchID> = [] {
    didSet { if onWinch.isEmpty, !oldValue.isEmpty { releaseTime = clock.now } }
  }
  private var releaseTime = MonotonicTime.zero
  private var onStrip: Set<TouchID> = []
  private var pads: [SeatID: GamepadState] = [:] {
    didSet { if isWinchHeld(by: oldValue), !isWinchHeld(by: pads) { releaseTime = clock.now } }
  }
  /// True in a step in which a hand or assistive technology acted on a control of the channels.
  private var isOperated = false
  var isLinked = true

  init(
    scene: CockpitScene, line: DriveStream.Line, clock: ManualClock, disarmsAtLoss: Bool,
    report: @escaping (Judge.Rule, String) -> Void
  ) {
    (self.scene, self.clock, self.disarmsAtLoss, self.report) = (scene, clock, disarmsAtLoss, report)
    last = line
  }

  func begin() { isOperated = false }

  func noteAssistance() { isOperated = true }

  /// The window gets an event.
  func locate(_ event: InputEvent) {
    switch event {
    case .touches(let points): for point in points { locate(point) }
    case .key: isOperated = true
    case .gamepad(let pad):
      let state = pad.phase == .cancelled ? GamepadState() : pad.state
      let old = pads[pad.seat] ?? GamepadState()
      if state.extras != old.extras || state.rightX != old.rightX { isOperated = true }
      pads[pad.seat] = state
    case .lost(let loss):
      switch loss.cause {
      case .touchCancelled: forget { if case .finger = $0.contact { true } else { false } }
      case .deviceLost(.touch): forget { if case .finger = $0.contact { true } else { false } }
      case .deviceLost(.pointer): forget { $0.contact == .pointer }
      case .deviceLost(.pen): forget { if case .pen = $0.contact { true } else { false } }
      case .disconnected, .closing, .terminating: forget { _ in true }
      default: break
      }
    default: break
    }
  }

  private func forget(_ isMeant: (TouchID) -> Bool) {
    onArm = onArm.filter { !isMeant($0.key) }
    onWinch = onWinch.filter { !isMeant($0) }
    onStrip = onStrip.filter { !isMeant($0) }
  }

  private func locate(_ point: TouchPoint) {
    switch point.phase {
    case .began:
      guard let view = scene.hitTest(point.location), let strip = scene.channelStrip, view.isDescendant(of: strip)
      else { break }
      isOperated = true
      onStrip.insert(point.id)
      if view is ArmButton { onArm[point.id] = clock.now }
      if view.name == "winch" { onWinch.insert(point.id) }
    case .moved:
      if onStrip.contains(point.id) { isOperated = true }
      if onArm[point.id] != nil, !(scene.hitTest(point.location) is ArmButton) { onArm[point.id] = nil }
    case .ended, .cancelled:
      if onStrip.contains(point.id) { isOperated = true }
      forget { $0 == point.id }
    }
  }

  /// A message was made.
  func hear(_ line: DriveStream.Line) {
    defer { last = line }
    guard let model = line.channels, let old = last.channels else { return report(.channel, "a line without channels") }
    if model.isArmed, !old.isArmed {
      if !onArm.values.contains(where: { clock.now - $0 >= Self.hold }) {
        report(.armed, "armed without a hold: \(words(line))")
      }
      if line.state == .driving || last.state == .driving { report(.armed, "armed in a drive: \(words(line))") }
      if !isLinked { report(.armed, "armed without a link: \(words(line))") }
    }
    let isNewLoss = line.state == .safe && (last.state != .safe || last.reason != line.reason)
    // Touches that were there before count no more.
    defer { if isNewLoss { forget { _ in true } } }
    let ends: Set<DriveReason> = [.emergencyStop, .terminated, .closed, .linkLost, .linkSlow, .taken, .suspended]
    if model.isArmed, isNewLoss && (disarmsAtLoss || ends.contains(line.reason)) || line.reason == .emergencyStop {
      if model.isArmed { report(.armed, "armed after the loss: \(words(line))") }
    }
    for (index, safe) in Self.safe.enumerated() {
      let value = model.value(index)
      if isNewLoss || line.reason == .emergencyStop, let safe, value != safe {
        report(.channel, "channel \(index) is \(value) after the loss: \(words(line))")
      }
      guard value != old.value(index), safe.map({ value != $0 }) ?? true else { continue }
      if !isOperated || !isLinked { report(.channel, "channel \(index) became \(value) by no hand: \(words(line))") }
    }
    if model.mode != old.mode, model.mode != 0, !isOperated {
      report(.channel, "the mode changed by no hand: \(words(line))")
    }
    // A steady line that was due before the hand left is said before the event that tells of it.
    if line.time > releaseTime { checkWinch(line) }
  }

  /// A momentary channel is on only while somebody holds it.
  func checkWinch(_ line: DriveStream.Line) {
    guard line.channels?.isOn(Self.winch) == true, onWinch.isEmpty, !isWinchHeld(by: pads) else { return }
    report(.channel, "nobody holds the winch: \(words(line))")
  }

  private func isWinchHeld(by pads: [SeatID: GamepadState]) -> Bool {
    pads.values.contains { $0.extras.contains(.select) }
  }

  private func words(_ line: DriveStream.Line) -> String {
    let model = line.channels
    return
      "\(line.state) (\(line.reason)) \((0..<4).map { model?.value($0) ?? 0 })\(model?.isArmed == true ? " armed" : "") mode \(model?.mode ?? 0)"
  }
}
