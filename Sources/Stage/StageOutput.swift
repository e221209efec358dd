/// A wl_output; change its values and `announce()` them.
package final class StageOutput {
  /// The pixels of its mode.
  package var mode: PixelSize
  /// The integer scale that it announces.
  package var scale: Int
  /// The transform of the output.
  package var transform: WlOutputResource.Transform
  /// Refreshes in a thousand seconds, as the protocol has it.
  package var refresh: Int
  /// The connector's name.
  package let name: String

  /// The objects that clients bound.
  package private(set) var resources: [WlOutputResource] = []
  private var global: Global?
  private unowned let stage: Stage

  init(
    name: String, mode: PixelSize, scale: Int, transform: WlOutputResource.Transform, refresh: Int, stage: Stage
  ) {
    self.name = name
    self.mode = mode
    self.scale = scale
    self.transform = transform
    self.refresh = refresh
    self.stage = stage
    global = stage.offer(WlOutputResource.self, stage.globals.output) { [weak self] in self?.serve($0) }
  }

  /// Sends the present values to every client.
  package func announce() {
    resources.forEach(describe)
    for surface in stage.surfaces where surface.outputs.contains(where: { $0 === self }) { surface.sendWholeScale() }
  }

  /// The space for popups, in logical points of an output that is not rotated.
  var size: Size { Size(width: Double(mode.width / max(scale, 1)), height: Double(mode.height / max(scale, 1))) }

  /// The number of bindings that clients have not released.
  package var boundCount: Int { resources.count }

  /// Withdraws the output; clients that bind it before they know are still served.
  func withdraw() { global?.withdraw() }

  private func serve(_ bound: WlOutputResource) {
    stage.list(bound, in: \.resources, of: self)
    describe(bound)
    for surface in stage.surfaces where surface.outputs.contains(where: { $0 === self }) { surface.bound(bound) }
  }

  private func describe(_ bound: WlOutputResource) {
    bound.sendGeometry(
      x: 0, y: 0, physicalWidth: 300, physicalHeight: 200, subpixel: .unknown, make: "stage", model: name,
      transform: transform)
    bound.sendMode(
      flags: [.current, .preferred], width: Int32(mode.width), height: Int32(mode.height), refresh: Int32(refresh))
    if bound.version >= 2 { bound.sendScale(factor: Int32(scale)) }
    if bound.version >= 4 { bound.sendName(name: name) }
    if bound.version >= 2 { bound.sendDone() }
  }
}
