// Turns a pointer's axis events into scrolls. Pure: knows no protocol objects.

import Interface

/// Gathers what a wheel or touchpad does until the pointer's frame that makes it count.
///
/// wl_pointer (version 5): the axes of one frame belong together, with the detents and the source told beside them. Before
/// version 5 there are no frames, and each axis event counts at once.
nonisolated struct ScrollGatherer: Sendable {
  /// One axis within a frame.
  private struct Axis {
    var distance = 0.0
    /// In 120ths of a detent.
    var detents = 0
    var hasMoved = false
    var hasStopped = false
  }

  private let seat: SeatID
  private var horizontal = Axis()
  private var vertical = Axis()
  private var source = ScrollEvent.Source.unknown
  private var isInverted = false
  private var time = MonotonicTime.zero

  init(seat: SeatID) {
    self.seat = seat
  }

  /// True when something was gathered that no frame has made count yet.
  var isPending: Bool {
    horizontal.hasMoved || vertical.hasMoved || horizontal.hasStopped || vertical.hasStopped
  }

  /// wl_pointer.axis.
  mutating func move(isVertical: Bool, by distance: Double, time: MonotonicTime) {
    change(isVertical) {
      $0.distance += distance
      $0.hasMoved = true
    }
    self.time = time
  }

  /// wl_pointer.axis_value120, and axis_discrete of older versions with 120 for each detent.
  mutating func turn(isVertical: Bool, by120ths detents: Int) {
    change(isVertical) {
      $0.detents += detents
      $0.hasMoved = true
    }
  }

  /// wl_pointer.axis_stop.
  mutating func stop(isVertical: Bool, time: MonotonicTime) {
    change(isVertical) { $0.hasStopped = true }
    self.time = time
  }

  /// wl_pointer.axis_source.
  mutating func note(source: ScrollEvent.Source) { self.source = source }

  /// wl_pointer.axis_relative_direction.
  mutating func note(isInverted: Bool) { self.isInverted = isInverted }

  /// What counts now; nil for nothing. An axis that stopped while the other moves is no end.
  mutating func take(at location: Point) -> ScrollEvent? {
    defer { self = ScrollGatherer(seat: seat) }
    guard isPending else { return nil }
    return ScrollEvent(
      seat: seat, phase: horizontal.hasMoved || vertical.hasMoved ? .changed : .ended, location: location,
      dx: horizontal.distance, dy: vertical.distance, clicksX: Double(horizontal.detents) / 120,
      clicksY: Double(vertical.detents) / 120, source: source, isInverted: isInverted, time: time)
  }

  private mutating func change(_ isVertical: Bool, _ body: (inout Axis) -> Void) {
    if isVertical { body(&vertical) } else { body(&horizontal) }
  }
}
