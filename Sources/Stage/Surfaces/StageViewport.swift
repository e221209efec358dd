import UICore
import WaylandServer

extension Stage {
  /// Serves a bound wp_viewporter.
  func serve(_ viewporter: WpViewporterResource) {
    viewporter.onRequest = { [weak self, weak viewporter] request in
      guard let self, let viewporter, case .getViewport(let viewport, let target) = request,
        let surface: StageSurface = target.flatMap({ self.model($0) })
      else { return }
      if let old = surface.viewport, old.isAlive {
        self.forbid(
          .protocolError, "a second viewport of wl_surface@\(surface.resource.id)", on: viewporter,
          code: WpViewporterResource.ErrorCode.viewportExists)
      }
      surface.viewport = viewport
      viewport.onRequest = { [weak self, weak surface, weak viewport] request in
        guard let self, let viewport else { return }
        self.handle(request, of: viewport, on: surface)
      }
      viewport.onDestroy = { [weak surface, weak viewport] in
        guard let surface, surface.viewport === viewport else { return }
        surface.viewport = nil
        surface.coming.destination = nil
        surface.coming.source = nil
      }
    }
  }

  private func handle(
    _ request: WpViewportResource.Request, of viewport: WpViewportResource, on surface: StageSurface?
  ) {
    if case .destroy = request { return }
    guard let surface, surface.resource.isAlive else {
      forbid(
        .destroyOrder, "wp_viewport@\(viewport.id) used after its surface", on: viewport,
        code: WpViewportResource.ErrorCode.noSurface)
      return
    }
    switch request {
    case .destroy: break
    case .setSource(let x, let y, let width, let height):
      surface.coming.source = width < 0 ? nil : Rect(x: x, y: y, width: width, height: height)
    case .setDestination(let width, let height):
      if width == -1 && height == -1 {
        surface.coming.destination = nil
      } else if width < 1 || height < 1 {
        forbid(
          .protocolError, "a viewport of \(width) x \(height)", on: viewport,
          code: WpViewportResource.ErrorCode.badValue)
      } else {
        surface.coming.destination = PixelSize(width: Int(width), height: Int(height))
      }
    }
  }
}
