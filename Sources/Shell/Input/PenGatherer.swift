// Turns a pen's events into touches with pressure. Pure: knows no protocol objects.

import Interface

/// Gathers what a tablet's pen does until the frame that makes it count (zwp_tablet_tool_v2.frame).
///
/// The tip on the surface is a finger; a pen that hovers is none.
nonisolated struct PenGatherer: Sendable {
  private let touch: TouchID
  private var location = Point.zero
  private var pressure: Double?
  private var phases: [TouchPoint.Phase] = []
  /// The serial of the tip's coming down, while it is down.
  private(set) var serial: UInt32?

  init(touch: TouchID) {
    self.touch = touch
  }

  /// True when something was gathered that no frame has made count yet.
  var isPending: Bool { !phases.isEmpty }

  /// The pen can tell its pressure.
  mutating func notePressureIsKnown() { pressure = pressure ?? 0 }

  /// The tip came down; where that is, the same frame says.
  mutating func down(serial: UInt32) {
    if self.serial != nil { phases.append(.cancelled) }
    self.serial = serial
    phases.append(.began)
  }

  /// The pen moved.
  mutating func motion(to location: Point) {
    guard location.isFinite else { return }
    self.location = location
    noteChange()
  }

  /// The pressure changed, from 0 to 65535.
  mutating func press(_ pressure: UInt32) {
    self.pressure = min(1, Double(pressure) / 65_535)
    noteChange()
  }

  /// The tip was lifted.
  mutating func up() {
    guard serial != nil else { return }
    serial = nil
    phases.append(.ended)
  }

  /// The pen left or was taken away. A touch whose beginning was not told is forgotten.
  mutating func cancel() {
    guard serial != nil else { return }
    serial = nil
    if let unseen = phases.lastIndex(of: .began) {
      phases.removeSubrange(unseen...)
    } else {
      phases.removeAll { $0 == .moved }
      phases.append(.cancelled)
    }
  }

  /// What counts now, oldest first. A frame is atomic: all of it happened at its last place.
  mutating func take(time: MonotonicTime) -> [TouchPoint] {
    defer { phases.removeAll(keepingCapacity: true) }
    return phases.map { TouchPoint(id: touch, phase: $0, location: location, pressure: pressure, time: time) }
  }

  private mutating func noteChange() {
    guard serial != nil, phases.last != .began, phases.last != .moved else { return }
    phases.append(.moved)
  }
}
