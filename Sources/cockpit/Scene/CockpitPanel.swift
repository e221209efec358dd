import Controls
import UICore

/// Places the subviews named backdrop, cluster, gearbox, wheel and horn as `CockpitLayout` says, each if it is there. Others,
/// and those with anchors, lie where their file says.
final class CockpitPanel: View {
  override func layoutSubviews() {
    let layout = CockpitLayout(size: bounds.size)
    for view in subviews where view.anchors == nil {
      switch view.name {
      case "backdrop":
        view.frame = bounds
        guard let backdrop = view as? Backdrop else { break }
        backdrop.dashboardEdge = layout.dashboardEdge
        backdrop.console = subviews.contains { $0.name == "gearbox" } ? layout.gearbox : .zero
      case "cluster": view.frame = layout.cluster
      case "gearbox": view.frame = layout.gearbox
      case "wheel": view.frame = layout.wheel
      case "horn": view.frame = hub(layout)
      default: break
      }
    }
  }

  /// The place of the horn: the wheel's hub, wherever the wheel lies.
  private func hub(_ layout: CockpitLayout) -> Rect {
    let wheel = subviews.first { $0.name == "wheel" } as? SteeringWheel
    guard let wheel else { return WheelGeometry(size: layout.wheel.size).hub(at: layout.wheel.center) }
    if wheel.anchors == nil { wheel.frame = layout.wheel }
    return wheel.hubFrame
  }
}

extension WheelGeometry {
  /// The square around the hub of a wheel with its middle at `center`.
  fileprivate nonisolated func hub(at center: Point) -> Rect {
    Rect(x: center.x - hubRadius, y: center.y - hubRadius, width: 2 * hubRadius, height: 2 * hubRadius)
  }
}
