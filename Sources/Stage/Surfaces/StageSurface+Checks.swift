import UICore
import WaylandServer

extension StageSurface {
  /// Checks `new` before it is shown.
  func check(_ new: StageBuffer, _ record: CommitRecord) {
    guard stage.checks else { return }
    if !new.isAlive { stage.report(.protocolError, "wl_surface@\(resource.id) attached a buffer that has ended") }
    if hasFrameToWaitFor && record.acknowledged == nil {
      stage.report(
        .commitBeforeFrameCallback, "wl_surface@\(resource.id) commits again while its frame callback is pending")
    }
    checkDamage(new, record)
    checkOpaqueRegion(new, record)
    checkBufferSize(new, record)
    window?.checkSize(record)
  }

  /// True while a frame callback is pending that can still be hoped for: not one that is a second late, not one of a
  /// surface that is given none, and not one from before such a time.
  private var hasFrameToWaitFor: Bool {
    guard callbacks.count > excusedCallbacks, !stage.isStarved(self),
      let asked = commits.last(where: \.asksForFrame)?.earliest
    else {
      return false
    }
    return stage.clock.now - asked < .seconds(1)
  }

  private func checkDamage(_ new: StageBuffer, _ record: CommitRecord) {
    let now = new.picture()
    guard let old = picture, old.size == now.size, old.hasAlpha == now.hasAlpha else {
      if record.damagedPixels < now.size.area {
        stage.report(
          .damageLies,
          "wl_surface@\(resource.id): \(record.damagedPixels) of \(now.size.area) pixels damaged in the first picture of this size"
        )
      }
      return
    }
    if let place = now.firstDifference(from: old, outside: record.damage) {
      stage.report(
        .damageLies, "wl_surface@\(resource.id): the pixel (\(place.x), \(place.y)) changed outside the damage")
    }
  }

  private func checkOpaqueRegion(_ new: StageBuffer, _ record: CommitRecord) {
    guard new.hasAlpha, !state.opaque.isEmpty, state.transform == .normal, state.source == nil else { return }
    let picture = new.picture()
    let x = Double(new.size.width) / record.logicalSize.width
    let y = Double(new.size.height) / record.logicalSize.height
    let bounds = PixelRect(
      x: 0, y: 0, width: Int(record.logicalSize.width.rounded(.up)), height: Int(record.logicalSize.height.rounded(.up))
    )
    for rect in state.opaque.rects.map({ $0.intersection(bounds) }) {
      let left = Int((Double(rect.x) * x).rounded(.up))
      let top = Int((Double(rect.y) * y).rounded(.up))
      let inner = PixelRect(
        x: left, y: top, width: Int((Double(rect.maxX) * x).rounded(.down)) - left,
        height: Int((Double(rect.maxY) * y).rounded(.down)) - top)
      for part in record.damage {
        guard let place = picture.firstTransparent(in: part.intersection(inner)) else { continue }
        stage.report(
          .opaqueRegionLies, "wl_surface@\(resource.id): the pixel (\(place.x), \(place.y)) is not opaque")
        return
      }
    }
  }

  private func checkBufferSize(_ new: StageBuffer, _ record: CommitRecord) {
    if new.size.width % state.scale != 0 || new.size.height % state.scale != 0 {
      stage.forbid(
        .wrongBufferSize, "a \(new.size.width) x \(new.size.height) buffer at buffer scale \(state.scale)",
        on: resource, code: WlSurfaceResource.ErrorCode.invalidSize)
      return
    }
    guard role == .window else { return }
    let whole = toldWhole.acceptable(havingRead: stage.readEpoch(of: resource))
    let allowed: [PixelSize]
    if fractionalScale != nil, state.destination != nil {
      allowed = toldFractional.acceptable(havingRead: stage.readEpoch(of: resource)).map {
        $0.pixelSize(record.logicalSize)
      }
    } else {
      allowed = whole.map { Scale(Double($0)).pixelSize(record.logicalSize) }
    }
    if !allowed.contains(new.size) {
      let wanted = allowed.map { "\($0.width) x \($0.height)" }.joined(separator: " or ")
      stage.report(
        .wrongBufferSize,
        "wl_surface@\(resource.id): \(new.size.width) x \(new.size.height) pixels for \(record.logicalSize.width) x \(record.logicalSize.height) points, not \(wanted)"
      )
    }
  }
}
