@_spi(Devices) import UICore
import Wayland

/// The pointer capability of one seat, from its arrival to its removal.
final class PointerDevice: InputDevice {
  /// The kernel's code of the primary button (BTN_LEFT).
  private static let primaryButton: UInt32 = 0x110

  /// The kernel's code of the middle button (BTN_MIDDLE).
  private static let middleButton: UInt32 = 0x112

  let proxy: WlPointer
  private let seat: SeatContext
  private let cursor: PointerCursor
  private let times: EventTimes
  /// The window under the pointer. Nil once the window is gone, even if a new window has its address.
  private weak var focus: Window?
  private var location = Point.zero
  private var scroll: ScrollAccumulator
  private var isPressed = false
  /// The window that gets the press: where it began, or the popup it opened, once over it; `offset` is that popup's corner.
  private var pressTarget: (window: InputTarget, offset: Point)?
  /// A press that has left its window in this batch of messages: a popup that it opened, and that it enters, takes it over.
  private var leavingPress: InputTarget?
  private var pressSerial: UInt32 = 0
  /// True if the press was passed to the compositor and the content has not been notified.
  private var isHandedOver = false

  init(proxy: WlPointer, seat: SeatContext) {
    self.proxy = proxy
    self.seat = seat
    cursor = PointerCursor(of: proxy, globals: seat.globals)
    times = EventTimes(seat.globals[ZwpInputTimestampsManagerV1.self]?.getPointerTimestamps(pointer: proxy))
    scroll = ScrollAccumulator(seat: seat.id)
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  func setCursor(_ shape: CursorShape?, over window: Window) {
    if focus === window { cursor.set(shape, scale: window.scale) }
  }

  /// Cancels the press but keeps the pointer's position: no enter event follows when the window is visible again.
  func cancel(on window: Window, onlyPlaces: Bool) {
    if pressTarget?.window.window === window, !onlyPlaces { cancelPress() }
  }

  func press(of contact: TouchID.Contact, on window: Window, handsOver: Bool) -> UInt32? {
    guard contact == .pointer, isPressed, !isHandedOver, pressTarget?.window.window === window else { return nil }
    isHandedOver = handsOver
    return pressSerial
  }

  func endBatch() {
    if scroll.isPending { deliverScroll() }
    if isHandedOver { cancelPress() }
    leavingPress = nil
  }

  func end() {
    leave()
    cursor.end()
    times.end()
    proxy.end()
  }

  private var touch: TouchID { TouchID(seat: seat.id, contact: .pointer) }

  private func handle(_ event: WlPointer.Event) {
    switch event {
    case .enter(let serial, let surface, let x, let y):
      // As for keyboards, a press would otherwise continue over another window. No button is down after `enter`, even on the
      // same window: a compositor that sends it there has lost the release.
      let window = seat.window(of: surface)
      if focus !== window { leave() }
      cancelPress()
      guard let window else { return }
      focus = window
      location = Point(x: x, y: y)
      cursor.enter(serial: serial, scale: window.scale)
      window.receive(.hover(seat.id, location))
      if let left = leavingPress?.window, window.popup?.grab?.touch == touch, window.popup?.parent === left {
        begin(on: window, offset: .zero, seat.now)
      }
      leavingPress = nil
    case .leave:
      leave()
    case .motion(let time, let x, let y):
      let time = times.time(time)
      location = Point(x: x, y: y)
      guard let window = focusedWindow else { return }
      if let press = pressTarget, press.offset == .zero,
        let (popup, origin) = seat.application?.popup(openedBy: touch, on: press.window.window, at: location)
      {
        cancelPress()
        begin(on: popup, offset: origin, time)
      } else if isPressed {
        send(.moved, time)
      }
      window.receive(.hover(seat.id, location))
    case .button(let serial, let time, let button, let state):
      let time = times.time(time)
      guard let window = focusedWindow else { return }
      if button == PointerDevice.middleButton, state == .pressed {
        seat.pressed(serial)
        seat.seat?.pasteSelection(into: window, at: location)
      }
      guard button == PointerDevice.primaryButton else { return }
      let pressed = state == .pressed
      guard pressed != isPressed else { return }
      guard pressed else {
        isPressed = false
        return send(.ended, time)
      }
      isHandedOver = false
      pressSerial = serial
      seat.pressed(serial)
      begin(on: window, offset: .zero, time)
    case .axis(let time, let axis, let value):
      scroll.move(isVertical: axis == .verticalScroll, by: value, time: times.time(time))
      if proxy.version < 5 { deliverScroll() }
    case .axisValue120(let axis, let value):
      scroll.turn(isVertical: axis == .verticalScroll, by120ths: Int(value))
    case .axisDiscrete(let axis, let detents):
      scroll.turn(isVertical: axis == .verticalScroll, by120ths: Int(detents) * 120)
    case .axisStop(let time, _):
      scroll.stop(time: times.time(time))
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

  private var focusedWindow: Window? { focus?.isOpen == true ? focus : nil }

  private func begin(on window: Window, offset: Point, _ time: MonotonicTime) {
    isPressed = true
    pressTarget = (window.inputTarget, offset)
    send(.began, time)
  }

  /// Delivers the press. It has no target after its end.
  private func send(_ phase: TouchPoint.Phase, _ time: MonotonicTime) {
    guard let (target, offset) = pressTarget else { return }
    if phase == .ended || phase == .cancelled { pressTarget = nil }
    guard let window = target.window else { return }
    var points = seat.outbox.touchList()
    let hand = Hand(.pointer, seat: seat.id)
    points.append(TouchPoint(id: touch, phase: phase, location: location - offset, time: time, hand: hand))
    window.receive(.touches(points))
  }

  /// The pointer left. A held press is cancelled, because its release will never arrive.
  private func leave() {
    let window = focusedWindow
    focus = nil
    if isPressed { leavingPress = pressTarget?.window }
    cancelPress()
    window?.receive(.hover(seat.id, nil))
  }

  private func cancelPress() {
    guard isPressed else { return }
    isPressed = false
    isHandedOver = false
    send(.cancelled, seat.now)
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

/// Gathers the axes of a wheel or touchpad until the pointer's frame applies them.
///
/// wl_pointer (version 5): the axes of one frame belong together, with the detents and the source sent beside them. Before
/// version 5 there are no frames, and each axis event applies at once.
nonisolated struct ScrollAccumulator: Sendable {
  /// The event so far; its clicks are 120ths of a detent.
  private var event: ScrollEvent
  private var hasMoved = false
  private var hasStopped = false

  init(seat: SeatID) {
    event = ScrollEvent(seat: seat, location: .zero)
  }

  /// True while gathered changes wait for a frame.
  var isPending: Bool { hasMoved || hasStopped }

  /// wl_pointer.axis.
  mutating func move(isVertical: Bool, by distance: Double, time: MonotonicTime) {
    if isVertical { event.dy += distance } else { event.dx += distance }
    event.time = time
    hasMoved = true
  }

  /// wl_pointer.axis_value120, and axis_discrete of older versions with 120 for each detent.
  mutating func turn(isVertical: Bool, by120ths detents: Int) {
    if isVertical { event.clicksY += Double(detents) } else { event.clicksX += Double(detents) }
    hasMoved = true
  }

  /// wl_pointer.axis_stop.
  mutating func stop(time: MonotonicTime) {
    hasStopped = true
    event.time = time
  }

  /// wl_pointer.axis_source.
  mutating func note(source: ScrollEvent.Source) { event.source = source }

  /// wl_pointer.axis_relative_direction.
  mutating func note(isInverted: Bool) { event.isInverted = isInverted }

  /// The scroll that the frame completes; nil if the frame has none. An axis that stops while the other moves does not
  /// end the scroll.
  mutating func take(at location: Point) -> ScrollEvent? {
    defer { self = ScrollAccumulator(seat: event.seat) }
    guard isPending else { return nil }
    event.phase = hasMoved ? .changed : .ended
    event.location = location
    event.clicksX /= 120
    event.clicksY /= 120
    return event
  }
}
