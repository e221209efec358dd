import UICore
import Wayland

/// The pointer capability of one seat, from its coming to its going.
final class PointerDevice: InputDevice {
  /// The kernel's code of the primary button (BTN_LEFT).
  private static let primaryButton: UInt32 = 0x110

  let proxy: WlPointer
  private let seat: SeatID
  private unowned let application: Application
  private let cursor: PointerCursor
  private var focus: ObjectIdentifier?
  private var location = Point.zero
  private var scroll: ScrollAccumulator
  private var isPressed = false
  /// The serial of the press that is held.
  private var pressSerial: UInt32 = 0
  /// True when the press was handed to the compositor and the content has not heard of it.
  private var isHandedOver = false

  init(proxy: WlPointer, seat: SeatID, application: Application, cursor: PointerCursor) {
    self.proxy = proxy
    self.seat = seat
    self.application = application
    self.cursor = cursor
    scroll = ScrollAccumulator(seat: seat)
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  func setCursor(_ shape: CursorShape?, over window: Window) {
    if focus == ObjectIdentifier(window) { cursor.set(shape, scale: window.scale) }
  }

  /// The press is cancelled, and the pointer stays where it is: no enter will tell when the window is seen again.
  func cancel(on window: Window) {
    if focus == ObjectIdentifier(window) { cancelPress(on: window) }
  }

  func handOver(_ contact: TouchID.Contact, on window: Window) -> UInt32? {
    guard contact == .pointer, isPressed, !isHandedOver, focus == ObjectIdentifier(window) else { return nil }
    isHandedOver = true
    return pressSerial
  }

  func endBatch() {
    if scroll.isPending { deliverScroll() }
    if isHandedOver, let window = focusedWindow { cancelPress(on: window) }
  }

  func end() {
    leave()
    cursor.end()
    proxy.end()
  }

  private var touch: TouchID { TouchID(seat: seat, contact: .pointer) }

  private func handle(_ event: WlPointer.Event) {
    switch event {
    case .enter(let serial, let surface, let x, let y):
      guard let window = application.window(of: surface) else { return }
      // As for keyboards: a press would go on over another window.
      if let focus, focus != ObjectIdentifier(window) { leave() }
      focus = ObjectIdentifier(window)
      location = Point(x: x, y: y)
      cursor.enter(serial: serial, scale: window.scale)
      window.receive(.hover(seat, location))
    case .leave:
      leave()
    case .motion(let time, let x, let y):
      location = Point(x: x, y: y)
      guard let window = focusedWindow else { return }
      if isPressed { send(.moved, MonotonicTime(milliseconds: time), to: window) }
      window.receive(.hover(seat, location))
    case .button(let serial, let time, let button, let state):
      guard button == PointerDevice.primaryButton, let window = focusedWindow else { return }
      let pressed = state == .pressed
      guard pressed != isPressed else { return }
      isPressed = pressed
      isHandedOver = false
      pressSerial = serial
      if pressed { application.pressed(serial, on: seat) }
      send(pressed ? .began : .ended, MonotonicTime(milliseconds: time), to: window)
    case .axis(let time, let axis, let value):
      scroll.move(isVertical: axis == .verticalScroll, by: value, time: MonotonicTime(milliseconds: time))
      if proxy.version < 5 { deliverScroll() }
    case .axisValue120(let axis, let value):
      scroll.turn(isVertical: axis == .verticalScroll, by120ths: Int(value))
    case .axisDiscrete(let axis, let detents):
      scroll.turn(isVertical: axis == .verticalScroll, by120ths: Int(detents) * 120)
    case .axisStop(let time, let axis):
      scroll.stop(isVertical: axis == .verticalScroll, time: MonotonicTime(milliseconds: time))
    case .axisSource(let source):
      scroll.note(source: ScrollEvent.Source(source))
    case .axisRelativeDirection(_, let direction):
      scroll.note(isInverted: direction == .inverted)
    case .frame:
      deliverScroll()
    }
  }

  private func deliverScroll() {
    if let event = scroll.take(at: location) { focusedWindow?.receive(.scroll(event)) }
  }

  private var focusedWindow: Window? { focus.flatMap { application.window(identified: $0) } }

  private func send(_ phase: TouchPoint.Phase, _ time: MonotonicTime, to window: Window) {
    var points = application.outbox.touchList()
    points.append(TouchPoint(id: touch, phase: phase, location: location, time: time))
    window.receive(.touches(points))
  }

  /// The focus went. A press that has not ended is cancelled: its release will never come.
  private func leave() {
    guard let window = focusedWindow else { return }
    focus = nil
    cancelPress(on: window)
    window.receive(.hover(seat, nil))
  }

  private func cancelPress(on window: Window) {
    guard isPressed else { return }
    isPressed = false
    isHandedOver = false
    send(.cancelled, application.now, to: window)
  }
}

extension ScrollEvent.Source {
  fileprivate init(_ wire: WlPointer.AxisSource) {
    switch wire {
    case .wheel, .wheelTilt: self = .wheel
    case .finger: self = .finger
    case .continuous: self = .continuous
    default: self = .unknown
    }
  }
}

/// Gathers what a wheel or touchpad does until the pointer's frame that makes it count.
///
/// wl_pointer (version 5): the axes of one frame belong together, with the detents and the source told beside them. Before
/// version 5 there are no frames, and each axis event counts at once.
nonisolated struct ScrollAccumulator: Sendable {
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
    defer { self = ScrollAccumulator(seat: seat) }
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
