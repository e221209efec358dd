import CockpitControls
import Controls
import UICore

/// A view that others should not cover, in the window's coordinates.
struct Obstacle: Hashable {
  let frame: Rect
  /// True for a disc that fills the frame.
  let isRound: Bool
  /// True for a view that the user operates or must read: a control, a lamp, gear and speed.
  let isVital: Bool

  /// True if `disc` is nearer than `distance` points.
  func isNear(_ disc: Rect, distance: Double) -> Bool {
    let reach = disc.width / 2 + distance
    if isRound {
      let (dx, dy) = (disc.midX - frame.midX, disc.midY - frame.midY)
      return (dx * dx + dy * dy).squareRoot() < min(frame.width, frame.height) / 2 + reach
    }
    let dx = max(frame.minX - disc.midX, 0, disc.midX - frame.maxX)
    let dy = max(frame.minY - disc.midY, 0, disc.midY - frame.maxY)
    return (dx * dx + dy * dy).squareRoot() < reach
  }
}

extension CockpitScene {
  /// The controls and the instruments of the scene's file.
  var obstacles: [Obstacle] {
    var found: [Obstacle] = []
    for part in content.subviews { visitObstacles(in: part) { found.append($0) } }
    return found
  }

  /// A number that changes when an obstacle moves, appears or leaves. It is computed with each frame, and must not allocate.
  var arrangement: Int {
    var hasher = Hasher()
    for part in content.subviews { visitObstacles(in: part) { hasher.combine($0) } }
    hasher.combine(content.frame)
    return hasher.finalize()
  }

  private func visitObstacles(in view: View, _ body: (Obstacle) -> Void) {
    guard !view.isHidden, !(view is Backdrop) else { return }
    if view is Control || view.subviews.isEmpty || view.hasStaticDrawing {
      let isRound = view is SteeringWheel || view is Speedometer
      body(
        Obstacle(
          frame: view.windowFrame, isRound: isRound, isVital: view is Control || view is Beacon || view is TellTale))
      if let dial = view as? Speedometer {
        body(Obstacle(frame: dial.inWindow(dial.gearBox), isRound: false, isVital: true))
        body(Obstacle(frame: dial.inWindow(dial.speedBox), isRound: false, isVital: true))
      }
    } else {
      for part in view.subviews { visitObstacles(in: part, body) }
    }
  }

  /// The frame of the emergency stop in `room`: the one that the layout reserves, otherwise the largest free one. Nil if every
  /// area that a finger can hit covers a control or the gear's letter.
  func placeOfStop(in room: Rect) -> Rect? {
    let panel = content.subviews.first as? CockpitPanel
    let kept = CockpitLayout(size: room.size, panel: panel ?? .standard).stop
    let wanted = Rect(x: room.minX + kept.minX, y: room.minY + kept.minY, width: kept.width, height: kept.height)
    let all = obstacles
    for obstacles in [all, all.filter(\.isVital)] {
      if isFree(wanted, of: obstacles, in: room) { return wanted }
      for side in [kept.width, (kept.width + Control.minimumTouchSide) / 2, Control.minimumTouchSide] {
        if let place = freePlace(side: side.rounded(), of: obstacles, in: room) { return place }
      }
    }
    return nil
  }

  private func isFree(_ disc: Rect, of obstacles: [Obstacle], in room: Rect) -> Bool {
    room.union(disc) == room && !obstacles.contains { $0.isNear(disc, distance: 2) }
  }

  /// The lowest free area along the edges of `room` and of the views in it, of these the one furthest to the right.
  private func freePlace(side: Double, of obstacles: [Obstacle], in room: Rect) -> Rect? {
    let margin = 4.0
    let bottoms =
      [room.maxY - margin] + obstacles.map { $0.frame.minY - margin }.sorted(by: >) + [room.minY + side + margin]
    let rights =
      [room.maxX - margin] + obstacles.map { $0.frame.minX - margin }.sorted(by: >) + [room.minX + side + margin]
    return bottoms.lazy.flatMap { bottom in
      rights.lazy.map { right in Rect(x: right - side, y: bottom - side, width: side, height: side) }
    }.first { isFree($0, of: obstacles, in: room) }
  }
}
