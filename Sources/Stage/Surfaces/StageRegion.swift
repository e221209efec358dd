import UICore
import WaylandServer

/// A wl_region's logical pixels.
final class StageRegion {
  private(set) var pixels = Region()

  init(resource: WlRegionResource) {
    resource.onRequest = { [weak self] request in
      switch request {
      case .destroy: break
      case .add(let x, let y, let width, let height):
        self?.pixels.add(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
      case .subtract(let x, let y, let width, let height):
        self?.pixels.subtract(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
      }
    }
  }
}
