internal import WaylandServer

/// A wl_region, in logical points.
final class StageRegion {
  private(set) var pixels = Region()

  init(resource: WlRegionResource) {
    resource.onRequest = { [unowned self] in
      switch $0 {
      case .destroy: break
      case .add(let x, let y, let width, let height):
        pixels.add(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
      case .subtract(let x, let y, let width, let height):
        pixels.subtract(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
      }
    }
  }
}

extension Stage {
  func handle(_ request: WpViewporterResource.Request, of viewporter: WpViewporterResource) {
    guard case .getViewport(let viewport, let target) = request, let surface: StageSurface = model(target) else {
      return
    }
    extend(surface, with: viewport, in: \.viewport, orBreak: .viewportExists, of: viewporter) {
      $0.coming.destination = nil
      $0.coming.source = nil
    }
    viewport.onRequest = { [unowned self, weak surface, unowned viewport] in
      handle($0, of: viewport, on: surface)
    }
  }

  private func handle(
    _ request: WpViewportResource.Request, of viewport: WpViewportResource, on surface: StageSurface?
  ) {
    if case .destroy = request { return }
    guard let surface, surface.resource.isAlive else {
      return forbid(.viewportNoSurface, "wp_viewport@\(viewport.id)", on: viewport)
    }
    switch request {
    case .destroy: break
    case .setSource(let x, let y, let width, let height):
      if [x, y, width, height].allSatisfy({ $0 == -1 }) {
        surface.coming.source = nil
      } else if x < 0 || y < 0 || width <= 0 || height <= 0 {
        forbid(.viewportBadValue, "a source of \(width) x \(height) at (\(x), \(y))", on: viewport)
      } else {
        surface.coming.source = Rect(x: x, y: y, width: width, height: height)
      }
    case .setDestination(let width, let height):
      if width == -1 && height == -1 {
        surface.coming.destination = nil
      } else if width < 1 || height < 1 {
        forbid(.viewportBadValue, "a destination of \(width) x \(height)", on: viewport)
      } else {
        surface.coming.destination = PixelSize(width: Int(width), height: Int(height))
      }
    }
  }
}
