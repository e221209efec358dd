public import WaylandServer

/// A zwlr_layer_surface_v1, such as a strip along a side of the screen.
public final class StageLayerSurface {
  /// Edges of the screen (zwlr_layer_surface_v1.anchor).
  public typealias Edges = ZwlrLayerSurfaceV1Resource.Anchor
  /// Where a layer surface is stacked, lowest first (zwlr_layer_shell_v1.layer). Windows are between `bottom` and `top`.
  public typealias Layer = ZwlrLayerShellV1Resource.Layer
  /// How a layer surface takes keys (zwlr_layer_surface_v1.keyboard_interactivity).
  public typealias Interactivity = ZwlrLayerSurfaceV1Resource.KeyboardInteractivity

  /// The double-buffered state.
  private struct State {
    var size = PixelSize.zero
    var anchor: Edges = []
    var exclusiveZone = 0
    var margin = (top: 0, right: 0, bottom: 0, left: 0)
    var interactivity = Interactivity.none
    var layer: Layer
  }

  /// The surface that it is the role of.
  public let surface: StageSurface
  /// The size that the client requests, in logical points; 0 in a direction in which the anchors stretch it. Like the rest, it is
  /// that of the last commit.
  public var size: PixelSize { state.size }
  /// The sides of the screen that the surface is anchored to.
  public var anchor: Edges { state.anchor }
  /// Where it is stacked, by the last commit.
  public var layer: Layer { state.layer }
  /// How far from its edge others should not cover the screen, in logical points; -1 to ignore the others' zones.
  public var exclusiveZone: Int { state.exclusiveZone }
  /// How it takes keys, by the last commit.
  public var interactivity: Interactivity { state.interactivity }
  /// The serial that the client last acknowledged; nil before the first, and after the surface is unmapped.
  public private(set) var acknowledged: UInt32?
  /// The place that a script gave the surface; nil for the one by its anchors.
  var fixedPlace: Point?
  /// True from the first commit on, until the surface is unmapped.
  private(set) var isConstructed = false
  let resource: ZwlrLayerSurfaceV1Resource
  private var state: State
  private var coming: State
  private var configured: PixelSize?
  private var sent: [UInt32] = []
  private weak var stage: Stage?

  init(resource: ZwlrLayerSurfaceV1Resource, surface: StageSurface, layer: Layer, stage: Stage) {
    (self.resource, self.surface, self.stage) = (resource, surface, stage)
    state = State(layer: layer)
    coming = state
    surface.layer = self
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// The number of its object; 0 once that is destroyed.
  var id: UInt32 { resource.id }

  /// True if it takes every key while it is shown.
  var holdsKeyboard: Bool { state.interactivity == .exclusive && state.layer.rawValue >= 2 && surface.isMapped }

  private func handle(_ request: ZwlrLayerSurfaceV1Resource.Request) {
    guard let stage else { return }
    switch request {
    case .setSize(let width, let height): coming.size = PixelSize(width: Int(width), height: Int(height))
    case .setAnchor(let sides):
      if sides.rawValue > 15 { stage.forbid(.invalidAnchor, "the anchor \(sides.rawValue)", on: resource) }
      coming.anchor = sides
    case .setExclusiveZone(let zone): coming.exclusiveZone = Int(zone)
    case .setMargin(let top, let right, let bottom, let left):
      coming.margin = (Int(top), Int(right), Int(bottom), Int(left))
    case .setKeyboardInteractivity(let interactivity):
      if interactivity.rawValue > (resource.version < 4 ? 1 : 2) {
        stage.forbid(.invalidInteractivity, "the interactivity \(interactivity.rawValue)", on: resource)
      }
      coming.interactivity = interactivity
    case .setLayer(let layer):
      if layer.rawValue > 3 { stage.forbid(.invalidLayer, "the layer \(layer.rawValue)", on: resource) }
      coming.layer = layer
    case .getPopup(let popup): (stage.model(popup) as StagePopup?)?.layer = self
    case .ackConfigure(let serial):
      guard let index = sent.firstIndex(of: serial) else {
        return stage.report(.unknownSerial, "a layer surface acknowledges \(serial)")
      }
      sent.removeFirst(index + 1)
      acknowledged = serial
    case .destroy:
      stage.desktop?.remove(surface)
      surface.hide()
      surface.layer = nil
    }
  }

  /// Applies the state that waits for a commit.
  func willCommit() {
    state = coming
    let sides = state.anchor.rawValue
    if state.size.width == 0 && sides & 12 != 12 || state.size.height == 0 && sides & 3 != 3 {
      stage?.forbid(
        .invalidLayerSize, "\(state.size.width) x \(state.size.height) with the anchor \(sides)", on: resource)
    }
  }

  /// Continues the handshake after a commit.
  func committed(_ record: CommitRecord) {
    isConstructed = !record.unmaps
    if record.unmaps { (acknowledged, configured, sent) = (nil, nil, []) }
  }

  // MARK: Place

  /// The edge that its exclusive zone extends from, as the bit of that anchor; nil if it has no such zone.
  var exclusiveEdge: UInt32? {
    guard state.exclusiveZone > 0 else { return nil }
    // Of the opposite edges, both or neither is no edge.
    let (vertical, horizontal) = (state.anchor.rawValue & 3, state.anchor.rawValue & 12)
    let hasVertical = vertical == 1 || vertical == 2
    let hasHorizontal = horizontal == 4 || horizontal == 8
    return hasVertical == hasHorizontal ? nil : hasVertical ? vertical : horizontal
  }

  /// Places the surface in `area` by its anchors and margins, and tells it its size if that changed. Returns the area without the
  /// exclusive zone.
  func arrange(in area: Rect) -> Rect {
    let (sides, margin) = (state.anchor.rawValue, state.margin)
    func line(_ start: Double, _ length: Double, _ size: Int, _ low: Int?, _ high: Int?) -> (start: Double, size: Int) {
      let size = size == 0 ? max(0, Int(length) - (low ?? 0) - (high ?? 0)) : size
      let isCentred = (low == nil) == (high == nil) && size != Int(length) - (low ?? 0) - (high ?? 0)
      if let low, !isCentred { return (start + Double(low), size) }
      if let high, !isCentred { return (start + length - Double(size + high), size) }
      return (start + ((length - Double(size)) / 2).rounded(.towardZero), size)
    }
    let x = line(
      area.minX, area.width, state.size.width, sides & 4 != 0 ? margin.left : nil, sides & 8 != 0 ? margin.right : nil)
    let y = line(
      area.minY, area.height, state.size.height, sides & 1 != 0 ? margin.top : nil, sides & 2 != 0 ? margin.bottom : nil
    )
    surface.place = fixedPlace ?? Point(x: x.start, y: y.start)
    let size = PixelSize(width: x.size, height: y.size)
    if size != configured { configure(size.width, size.height) }

    guard let edge = exclusiveEdge else { return area }
    var (left, top, right, bottom) = (area.minX, area.minY, area.maxX, area.maxY)
    switch edge {
    case 1: top += Double(state.exclusiveZone + margin.top)
    case 2: bottom -= Double(state.exclusiveZone + margin.bottom)
    case 4: left += Double(state.exclusiveZone + margin.left)
    default: right -= Double(state.exclusiveZone + margin.right)
    }
    return Rect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// Sends a size in logical points, which the client must acknowledge.
  public func configure(_ width: Int, _ height: Int) {
    guard let serial = stage?.display.nextSerial() else { return }
    sent.append(serial)
    configured = PixelSize(width: width, height: height)
    resource.sendConfigure(serial: serial, width: UInt32(width), height: UInt32(height))
  }

  /// Sends `closed`, after which the client should destroy the surface.
  public func close() { resource.sendClosed() }
}

extension Stage {
  func handle(_ request: ZwlrLayerShellV1Resource.Request, of shell: ZwlrLayerShellV1Resource) {
    guard case .getLayerSurface(let made, let target, _, let layer, _) = request,
      let surface: StageSurface = model(target)
    else { return }
    guard surface.window == nil, surface.layer == nil, surface.take(.layer) else {
      return forbid(.layerRole, "wl_surface@\(surface.resource.id)", on: shell)
    }
    if surface.hasBuffer { return forbid(.bufferBeforeLayer, "wl_surface@\(surface.resource.id)", on: shell) }
    if layer.rawValue > 3 { return forbid(.invalidLayer, "the layer \(layer.rawValue)", on: shell) }
    own(StageLayerSurface(resource: made, surface: surface, layer: layer, stage: self), for: made, in: \.layerSurfaces)
  }
}
