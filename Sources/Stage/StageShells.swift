import WaylandServer

/// An ivi_surface: a window on an in-vehicle display.
package final class StageIVISurface {
  /// The ID by which an in-vehicle compositor's layout identifies the surface.
  package let id: UInt32
  package let surface: StageSurface
  private let resource: IviSurfaceResource

  init(resource: IviSurfaceResource, id: UInt32, surface: StageSurface) {
    (self.resource, self.id, self.surface) = (resource, id, surface)
  }

  /// Sends a size in logical points.
  package func configure(_ width: Int, _ height: Int) {
    resource.sendConfigure(width: Int32(width), height: Int32(height))
  }
}

/// A zwlr_layer_surface_v1, such as a strip along a side of the screen.
package final class StageLayerSurface {
  package let surface: StageSurface
  /// The size that the client requests, in logical points; 0 in a direction in which the anchors stretch it.
  package private(set) var size = PixelSize.zero
  /// The sides of the screen that the surface is anchored to.
  package private(set) var anchor = ZwlrLayerSurfaceV1Resource.Anchor(rawValue: 0)
  /// The serial that the client last acknowledged; nil before the first.
  package private(set) var acknowledged: UInt32?
  private var serial: UInt32?
  private unowned let stage: Stage
  private let resource: ZwlrLayerSurfaceV1Resource

  init(resource: ZwlrLayerSurfaceV1Resource, surface: StageSurface, stage: Stage) {
    (self.resource, self.surface, self.stage) = (resource, surface, stage)
    resource.onRequest = { [unowned self] in
      switch $0 {
      case .setSize(let width, let height): size = PixelSize(width: Int(width), height: Int(height))
      case .setAnchor(let sides): anchor = sides
      case .ackConfigure(let serial):
        if serial != self.serial { self.stage.report(.unknownSerial, "a layer surface acknowledges \(serial)") }
        acknowledged = serial
      case .getPopup(let popup): (self.stage.model(popup) as StagePopup?)?.layer = self
      case .setExclusiveZone, .setMargin, .setKeyboardInteractivity, .destroy, .setLayer: break
      }
    }
  }

  /// Sends a size in logical points, which the client must acknowledge.
  package func configure(_ width: Int, _ height: Int) {
    let serial = stage.display.nextSerial()
    self.serial = serial
    resource.sendConfigure(serial: serial, width: UInt32(width), height: UInt32(height))
  }

  /// Sends `closed`, after which the client should destroy the surface.
  package func close() { resource.sendClosed() }
}

extension Stage {
  func handle(_ request: IviApplicationResource.Request) {
    guard case .surfaceCreate(let id, let target, let made) = request, let surface: StageSurface = model(target) else {
      return
    }
    surface.role = .window
    let ivi = StageIVISurface(resource: made, id: id, surface: surface)
    own(ivi, for: made)
    iviSurfaces.append(ivi)
    made.whenDestroyed { [weak self, weak ivi] in self?.iviSurfaces.removeAll { $0 === ivi } }
  }

  func handle(_ request: ZwlrLayerShellV1Resource.Request) {
    guard case .getLayerSurface(let made, let target, _, _, _) = request, let surface: StageSurface = model(target)
    else { return }
    surface.role = .window
    let layer = StageLayerSurface(resource: made, surface: surface, stage: self)
    own(layer, for: made)
    layerSurfaces.append(layer)
    made.whenDestroyed { [weak self, weak layer] in self?.layerSurfaces.removeAll { $0 === layer } }
  }
}
