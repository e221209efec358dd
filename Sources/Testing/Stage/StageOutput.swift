package import WaylandServer

/// A wl_output. After changing its values, send them with `announce()`.
public final class StageOutput {
  /// The mode's size in pixels.
  public var mode: PixelSize
  /// The integer scale.
  public var scale: Int
  /// How the content is turned to be upright on the panel.
  public var transform: OutputTransform
  /// The refresh rate in millihertz.
  public var refresh: Int
  /// The connector's name, also sent as the model.
  public let name: String

  /// The clients' bindings that are not released.
  package private(set) var resources: [WlOutputResource] = []
  private var global: Global?
  private weak var stage: Stage?

  init(
    name: String, mode: PixelSize, scale: Int, transform: OutputTransform, refresh: Int, stage: Stage
  ) {
    self.name = name
    self.mode = mode
    self.scale = scale
    self.transform = transform
    self.refresh = refresh
    self.stage = stage
    global = stage.offer(WlOutputResource.self, stage.globals.output) { [weak self] in self?.serve($0) }
  }

  /// Sends the current values to every client that bound the output.
  public func announce() {
    for bound in resources { describe(bound) }
    for surface in shown { surface.sendWholeScale() }
  }

  /// The space for popups in logical points. Ignores the transform.
  var size: Size { Size(width: Double(mode.width / max(scale, 1)), height: Double(mode.height / max(scale, 1))) }

  /// How many wl_output objects the clients have of it.
  public var boundCount: Int { resources.count }

  /// Withdraws the global; clients that bind it before they know are still served.
  func withdraw() { stage?.withdraw(global) }

  private func serve(_ bound: WlOutputResource) {
    stage?.list(bound, in: \.resources, of: self)
    describe(bound, isNew: true)
    for surface in shown { surface.bound(bound) }
  }

  /// The surfaces on the output.
  private var shown: [StageSurface] {
    stage?.surfaces.filter { $0.outputs.contains { $0 === self } } ?? []
  }

  /// Sends the values; to a new object its name too, which the protocol sends once.
  private func describe(_ bound: WlOutputResource, isNew: Bool = false) {
    bound.sendGeometry(
      x: 0, y: 0, physicalWidth: 300, physicalHeight: 200, subpixel: .unknown, make: "stage", model: name,
      transform: .init(rawValue: UInt32(transform.rawValue)))
    bound.sendMode(
      flags: [.current, .preferred], width: Int32(mode.width), height: Int32(mode.height), refresh: Int32(refresh))
    if bound.version >= 2 { bound.sendScale(factor: Int32(scale)) }
    if isNew, bound.version >= 4 { bound.sendName(name: name) }
    if bound.version >= 2 { bound.sendDone() }
  }
}
