import UICore
import WaylandServer

extension StageSeat {
  /// A finger comes down on `surface` (else the first window's) at a place in its logical points; the event's serial.
  @discardableResult
  public func touchDown(_ id: Int32, _ x: Double, _ y: Double, on surface: StageSurface? = nil) -> UInt32 {
    guard let surface = surface ?? stage.frontSurface else { return 0 }
    let serial = stage.display.nextSerial()
    touchPoints[id] = (surface, serial)
    for touch in touches(of: surface) {
      touch.sendDown(
        serial: serial, time: stage.clock.milliseconds, surface: surface.resource, id: id, x: x, y: y)
    }
    return serial
  }

  /// A finger moves; one that is not down is sent too, as some compositors do.
  public func touchMotion(_ id: Int32, _ x: Double, _ y: Double) {
    for touch in touches(of: touchPoints[id]?.surface) {
      touch.sendMotion(time: stage.clock.milliseconds, id: id, x: x, y: y)
    }
  }

  /// A finger goes up.
  public func touchUp(_ id: Int32) {
    let surface = touchPoints.removeValue(forKey: id)?.surface
    for touch in touches(of: surface) {
      touch.sendUp(serial: stage.display.nextSerial(), time: stage.clock.milliseconds, id: id)
    }
  }

  /// What was sent since the last frame belongs together.
  public func touchFrame() {
    for touch in touches { touch.sendFrame() }
  }

  /// The compositor takes every finger away.
  public func touchCancel() {
    touchPoints.removeAll()
    for touch in touches { touch.sendCancel() }
  }

  private func touches(of surface: StageSurface?) -> [WlTouchResource] {
    guard let surface = surface ?? stage.frontSurface, surface.resource.isAlive else { return [] }
    return touches.filter { $0.client == surface.resource.client }
  }
}
