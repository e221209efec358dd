internal import WaylandServer

/// A zwp_locked_pointer_v1 or zwp_confined_pointer_v1.
final class StageConstraint {
  let surface: StageSurface
  let isLock: Bool
  /// True if it becomes active again and again, false if only once.
  private let isPersistent: Bool
  private var wasActive = false
  private var region: Region?
  private let tell: (Bool) -> Void

  /// `tell` sends whether it is active.
  init(surface: StageSurface, isLock: Bool, isPersistent: Bool, region: Region?, tell: @escaping (Bool) -> Void) {
    (self.surface, self.isLock, self.isPersistent) = (surface, isLock, isPersistent)
    (self.region, self.tell) = (region, tell)
  }

  /// The part of the surface that it applies to, in logical points: the bounds of its region, or the whole surface.
  var bounds: Rect {
    let whole = Rect(origin: .zero, size: surface.logicalSize)
    guard let part = region?.bounds else { return whole }
    return whole.intersection(
      Rect(x: Double(part.x), y: Double(part.y), width: Double(part.width), height: Double(part.height)))
  }

  func set(_ region: Region?) { self.region = region }

  private(set) var isActive = false

  /// Makes it active or not, unless it was active before and is to be so only once.
  func activate(_ wanted: Bool) {
    let isWanted = wanted && (isActive || isPersistent || !wasActive)
    guard isWanted != isActive else { return }
    isActive = isWanted
    wasActive = true
    tell(isActive)
  }
}

extension Stage {
  func handle(_ request: ZwpPointerConstraintsV1Resource.Request, of manager: ZwpPointerConstraintsV1Resource) {
    switch request {
    case .destroy: break
    case .lockPointer(let made, let target, _, let region, let lifetime):
      let constraint = constrain(target, region, lifetime, isLock: true, for: made, of: manager) { [unowned made] in
        $0 ? made.sendLocked() : made.sendUnlocked()
      }
      made.onRequest = { [unowned self] in if case .setRegion(let region) = $0 { constraint?.set(pixels(of: region)) } }
    case .confinePointer(let made, let target, _, let region, let lifetime):
      let constraint = constrain(target, region, lifetime, isLock: false, for: made, of: manager) { [unowned made] in
        $0 ? made.sendConfined() : made.sendUnconfined()
      }
      made.onRequest = { [unowned self] in if case .setRegion(let region) = $0 { constraint?.set(pixels(of: region)) } }
    }
  }

  private func constrain(
    _ target: WlSurfaceResource?, _ region: WlRegionResource?, _ lifetime: ZwpPointerConstraintsV1Resource.Lifetime,
    isLock: Bool, for made: Resource, of manager: ZwpPointerConstraintsV1Resource, tell: @escaping (Bool) -> Void
  ) -> StageConstraint? {
    guard let surface: StageSurface = model(target) else { return nil }
    if constraints.contains(where: { $0.surface === surface }) {
      forbid(.alreadyConstrained, "wl_surface@\(surface.resource.id)", on: manager)
      return nil
    }
    let constraint = StageConstraint(
      surface: surface, isLock: isLock, isPersistent: lifetime == .persistent, region: pixels(of: region), tell: tell)
    own(constraint, for: made, in: \.constraints)
    desktop?.refresh()
    return constraint
  }

  private func pixels(of region: WlRegionResource?) -> Region? { (model(region) as StageRegion?)?.pixels }

  /// Handles a request for relative motions.
  func handle(_ request: ZwpRelativePointerManagerV1Resource.Request) {
    guard case .getRelativePointer(let made, let pointer) = request, let seat: StageSeat = model(pointer) else {
      return
    }
    list(made, in: \.relativePointers, of: seat)
  }
}

extension StageSeat {
  /// Sends the pointer's way, in logical points, to the focused client's relative pointers, as part of the coming frame.
  func sendRelativeMotion(_ way: Point) {
    let microseconds = UInt64(max(0, now.nanoseconds)) / 1000
    for pointer in relativePointers where pointer.hasClient(of: pointerFocus?.resource) {
      pointer.sendRelativeMotion(
        utimeHi: UInt32(truncatingIfNeeded: microseconds >> 32), utimeLo: UInt32(truncatingIfNeeded: microseconds),
        dx: way.x,
        dy: way.y, dxUnaccel: way.x, dyUnaccel: way.y)
    }
  }
}
