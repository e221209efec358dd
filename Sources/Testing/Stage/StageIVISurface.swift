internal import WaylandServer

/// An ivi_surface: a window on an in-vehicle display.
public final class StageIVISurface {
  /// The ID by which an in-vehicle compositor's layout identifies the surface.
  public let id: UInt32
  /// The surface that it is the role of.
  public let surface: StageSurface
  private let resource: IviSurfaceResource

  init(resource: IviSurfaceResource, id: UInt32, surface: StageSurface) {
    (self.resource, self.id, self.surface) = (resource, id, surface)
  }

  /// Sends a size in logical points.
  public func configure(_ width: Int, _ height: Int) {
    resource.sendConfigure(width: Int32(width), height: Int32(height))
  }
}

extension Stage {
  func handle(_ request: IviApplicationResource.Request) {
    guard case .surfaceCreate(let id, let target, let made) = request, let surface: StageSurface = model(target) else {
      return
    }
    _ = surface.take(.ivi)
    let ivi = StageIVISurface(resource: made, id: id, surface: surface)
    own(ivi, for: made, in: \.iviSurfaces)
  }
}
