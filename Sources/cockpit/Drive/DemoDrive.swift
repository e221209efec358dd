import Controls
import Glibc
import UICore

/// Simulates two fingers on gearbox and wheel, as a user would drive, then lifts them.
///
/// The script is a function of time, so that it looks the same at any refresh rate.
final class DemoDrive {
  static let duration: Duration = .seconds(10)
  private static let seat = SeatID(0)

  private let scene: CockpitScene
  private var start: MonotonicTime?
  /// The positions of the simulated fingers in the window.
  private(set) var fingers: [Int32: Point] = [:]
  private var frames: ObservationToken?

  init(scene: CockpitScene) {
    self.scene = scene
    frames = scene.observeFrames { [unowned self] in play(at: $0) }
  }

  private func play(at time: MonotonicTime) -> Bool {
    let begin = start ?? time
    start = begin
    let elapsed = (time - begin).inSeconds
    let isOver = elapsed >= DemoDrive.duration.inSeconds
    move(1, to: isOver ? nil : lever(at: elapsed), time)
    move(2, to: isOver ? nil : rim(at: elapsed), time)
    guard isOver else { return true }
    frames?.remove()
    return false
  }

  /// The left finger: takes the lever in N, pushes it up gear by gear, and moves part of the way back.
  private func lever(at time: Double) -> Point? {
    guard time > 0.5, time < 7.5 else { return nil }
    let gearbox = scene.gearbox
    let neutral = gearbox.geometry.knob(inRow: gearbox.geometry.row(of: .neutral)).midY
    let top = gearbox.geometry.knob(inRow: gearbox.geometry.row(of: .forward(8))).midY
    let fraction = time < 5 ? smooth((time - 0.8) / 3.5) : 1 - 0.4 * smooth((time - 5) / 2)
    return gearbox.convert(Point(x: gearbox.bounds.midX, y: neutral + (top - neutral) * fraction), to: nil)
  }

  /// The right finger: takes the rim at its left, turns to one side and the other.
  private func rim(at time: Double) -> Point? {
    guard time > 1.5, time < 8.8 else { return nil }
    let wheel = scene.wheel
    let swing = sin((time - 1.5) * 1.15) * smooth((time - 1.5) / 0.6) * 1.3
    let angle = Double.pi + swing
    let radius = wheel.bounds.width / 2 * 0.9
    return wheel.convert(
      Point(x: wheel.bounds.midX + cos(angle) * radius, y: wheel.bounds.midY + sin(angle) * radius), to: nil)
  }

  private func smooth(_ value: Double) -> Double {
    let fraction = value.clamped(to: 0...1)
    return fraction * fraction * (3 - 2 * fraction)
  }

  private func move(_ finger: Int32, to place: Point?, _ time: MonotonicTime) {
    let phase: TouchPoint.Phase
    switch (fingers[finger], place) {
    case (nil, nil): return
    case (nil, _): phase = .began
    case (_, nil): phase = .ended
    default: phase = .moved
    }
    let location = place ?? fingers[finger] ?? .zero
    fingers[finger] = place
    let id = TouchID(seat: DemoDrive.seat, contact: .finger(finger))
    scene.handle(.touches([TouchPoint(id: id, phase: phase, location: location, time: time)]))
  }
}
