import UICore
import WaylandServer

extension StageSeat {
  /// The button code of a mouse's left button.
  public static let leftButton: UInt32 = 0x110
  /// The button code of a mouse's right button.
  public static let rightButton: UInt32 = 0x111

  /// The pointer comes over `surface` (else the first window's) at a place in its logical points.
  public func pointerEnter(_ x: Double, _ y: Double, on surface: StageSurface? = nil) {
    guard let surface = surface ?? stage.frontSurface else { return }
    pointerFocus = surface
    cursor = nil
    enterSerial = stage.display.nextSerial()
    enterSerials.insert(enterSerial)
    for pointer in pointers(of: surface) {
      pointer.sendEnter(serial: enterSerial, surface: surface.resource, surfaceX: x, surfaceY: y)
    }
    pointerFrame()
  }

  /// The pointer moves.
  public func pointerMotion(_ x: Double, _ y: Double) {
    for pointer in focusedPointers {
      pointer.sendMotion(time: stage.clock.milliseconds, surfaceX: x, surfaceY: y)
    }
    pointerFrame()
  }

  /// A button goes down or up; the serial of the event.
  @discardableResult
  public func pointerButton(_ isPressed: Bool, button: UInt32 = leftButton) -> UInt32 {
    let serial = stage.display.nextSerial()
    presses[button] = isPressed ? serial : nil
    for pointer in focusedPointers {
      pointer.sendButton(
        serial: serial, time: stage.clock.milliseconds, button: button, state: isPressed ? .pressed : .released)
    }
    pointerFrame()
    return serial
  }

  /// A wheel turns by `dx`, `dy` logical points, in `clicks` where it has those (parts of one since version 8), or else a
  /// finger on a touchpad scrolls.
  public func pointerAxis(dx: Double = 0, dy: Double = 0, clicks: Double? = nil, isInverted: Bool = false) {
    let time = stage.clock.milliseconds
    for pointer in focusedPointers {
      if pointer.version >= 5 { pointer.sendAxisSource(axisSource: clicks == nil ? .finger : .wheel) }
      for (axis, value) in [(WlPointerResource.Axis.horizontalScroll, dx), (.verticalScroll, dy)] where value != 0 {
        if pointer.version >= 9 {
          pointer.sendAxisRelativeDirection(axis: axis, direction: isInverted ? .inverted : .identical)
        }
        if let clicks, pointer.version >= 8 {
          pointer.sendAxisValue120(axis: axis, value120: Int32((clicks * 120).rounded()))
        } else if let clicks, pointer.version >= 5 {
          pointer.sendAxisDiscrete(axis: axis, discrete: Int32(clicks))
        }
        pointer.sendAxis(time: time, axis: axis, value: value)
      }
    }
    if sendsPointerFrames { pointerFrame() }
  }

  /// The finger leaves the touchpad, on which it scrolled in these directions.
  public func pointerAxisStop(horizontal: Bool = true, vertical: Bool = true) {
    for pointer in focusedPointers where pointer.version >= 5 {
      pointer.sendAxisSource(axisSource: .finger)
      if horizontal { pointer.sendAxisStop(time: stage.clock.milliseconds, axis: .horizontalScroll) }
      if vertical { pointer.sendAxisStop(time: stage.clock.milliseconds, axis: .verticalScroll) }
    }
    if sendsPointerFrames { pointerFrame() }
  }

  /// The pointer leaves the surface that it is over.
  public func pointerLeave() {
    guard let surface = pointerFocus else { return }
    for pointer in focusedPointers {
      pointer.sendLeave(serial: stage.display.nextSerial(), surface: surface.resource)
    }
    pointerFrame()
    pointerFocus = nil
    presses.removeAll()
  }

  private func pointerFrame() {
    for pointer in focusedPointers where pointer.version >= 5 { pointer.sendFrame() }
  }

  private var focusedPointers: [WlPointerResource] { pointerFocus.map(pointers(of:)) ?? [] }

  private func pointers(of surface: StageSurface) -> [WlPointerResource] {
    surface.resource.isAlive ? pointers.filter { $0.client == surface.resource.client } : []
  }

  /// Takes a request of one of the seat's pointers.
  func handle(_ request: WlPointerResource.Request) {
    guard case .setCursor(let serial, let target, let x, let y) = request else { return }
    if let target, let surface: StageSurface = stage.model(target) {
      if surface.role == .window {
        stage.forbid(
          .protocolError, "a window's wl_surface@\(target.id) as a cursor", on: target,
          code: WlPointerResource.ErrorCode.role)
      }
      surface.role = .cursor
      choose(.surface(surface, hotspot: Point(x: Double(x), y: Double(y))), serial: serial)
    } else {
      choose(.hidden, serial: serial)
    }
  }

  /// Takes the client's choice of a cursor, made with an enter's serial.
  func choose(_ cursor: StageCursor, serial: UInt32) {
    if !enterSerials.contains(serial) {
      stage.report(.wrongSerial, "a cursor for the seat \(name) with \(serial), which is no pointer's enter")
    }
    if serial == enterSerial { self.cursor = cursor }
  }
}
