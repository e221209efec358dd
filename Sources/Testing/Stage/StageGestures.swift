internal import WaylandServer

/// Gestures of fingers on a touchpad (zwp_pointer_gestures_v1), for the surface under the pointer.
extension StageSeat {
  /// The kinds of gestures.
  public enum Gesture: Hashable, Sendable, CaseIterable {
    /// Fingers that move in one direction.
    case swipe
    /// Fingers that move apart, together or around each other.
    case pinch
    /// Fingers that rest.
    case hold
  }

  /// Whether the client under the pointer has an object for a kind of gesture.
  public func listens(for gesture: Gesture) -> Bool { !gestures(gesture, of: pointerFocus).isEmpty }

  /// Begins a gesture of some fingers where the pointer is; returns the serial of the event.
  @discardableResult
  public func beginGesture(_ gesture: Gesture, fingers: Int) -> UInt32 {
    guard let surface = pointerFocus, surface.resource.isAlive else { return 0 }
    noteActivity()
    let (serial, count) = (nextSerial(), UInt32(fingers))
    for (resource, kind) in gestures(gesture, of: surface) {
      switch kind {
      case .swipe: resource.swipe?.sendBegin(serial: serial, time: time, surface: surface.resource, fingers: count)
      case .pinch: resource.pinch?.sendBegin(serial: serial, time: time, surface: surface.resource, fingers: count)
      case .hold: resource.hold?.sendBegin(serial: serial, time: time, surface: surface.resource, fingers: count)
      }
    }
    gestureSurface = surface
    return serial
  }

  /// Moves the fingers of a swipe, in logical points.
  public func updateSwipe(dx: Double, dy: Double) {
    noteActivity()
    for (resource, _) in gestures(.swipe, of: gestureSurface) {
      resource.swipe?.sendUpdate(time: time, dx: dx, dy: dy)
    }
  }

  /// Moves the fingers of a pinch: their centre in logical points, their distance as a multiple of that at the begin, and their angle in
  /// degrees clockwise since the last update.
  public func updatePinch(dx: Double, dy: Double, scale: Double, rotation: Double) {
    noteActivity()
    for (resource, _) in gestures(.pinch, of: gestureSurface) {
      resource.pinch?.sendUpdate(time: time, dx: dx, dy: dy, scale: scale, rotation: rotation)
    }
  }

  /// Ends a gesture: the fingers are lifted, or it was none after all.
  public func endGesture(_ gesture: Gesture, isCancelled: Bool = false) {
    noteActivity()
    let (serial, cancelled) = (nextSerial(), Int32(isCancelled ? 1 : 0))
    for (resource, kind) in gestures(gesture, of: gestureSurface) {
      switch kind {
      case .swipe: resource.swipe?.sendEnd(serial: serial, time: time, cancelled: cancelled)
      case .pinch: resource.pinch?.sendEnd(serial: serial, time: time, cancelled: cancelled)
      case .hold: resource.hold?.sendEnd(serial: serial, time: time, cancelled: cancelled)
      }
    }
    gestureSurface = nil
  }

  private func gestures(_ kind: Gesture, of surface: StageSurface?) -> [(GestureObject, Gesture)] {
    guard let surface, surface.resource.isAlive else { return [] }
    return gestureObjects.filter { $0.kind == kind && $0.resource.hasClient(of: surface.resource) }.map { ($0, kind) }
  }
}

/// A client's object for one kind of gesture.
final class GestureObject {
  let kind: StageSeat.Gesture
  let resource: Resource

  init(_ kind: StageSeat.Gesture, _ resource: Resource) { (self.kind, self.resource) = (kind, resource) }

  var swipe: ZwpPointerGestureSwipeV1Resource? { resource as? ZwpPointerGestureSwipeV1Resource }
  var pinch: ZwpPointerGesturePinchV1Resource? { resource as? ZwpPointerGesturePinchV1Resource }
  var hold: ZwpPointerGestureHoldV1Resource? { resource as? ZwpPointerGestureHoldV1Resource }
}

extension Stage {
  func handle(_ request: ZwpPointerGesturesV1Resource.Request) {
    let (kind, made, pointer): (StageSeat.Gesture, Resource, WlPointerResource?)
    switch request {
    case .release: return
    case .getSwipeGesture(let new, let target): (kind, made, pointer) = (.swipe, new, target)
    case .getPinchGesture(let new, let target): (kind, made, pointer) = (.pinch, new, target)
    case .getHoldGesture(let new, let target): (kind, made, pointer) = (.hold, new, target)
    }
    guard let seat: StageSeat = model(pointer) else { return }
    let object = GestureObject(kind, made)
    seat.gestureObjects.append(object)
    made.whenDestroyed { [weak seat] in seat?.gestureObjects.removeAll { $0 === object } }
  }
}
