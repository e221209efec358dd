import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

extension RuleScene {
  /// Single pixels, and what a client says of a surface beside its content.
  @MainActor static let hints: [Violation.Rule: RuleScene] = [
    .pixelNotPremultiplied: RuleScene {
      let manager = try $0.global(WpSinglePixelBufferManagerV1.self)
      $0.keep(manager.createU32RgbaBuffer(r: 0, g: $1 ? 0x8000_0001 : 0x8000_0000, b: 0, a: 0x8000_0000))
    },
    .alphaModifierExists: RuleScene {
      let (manager, surface) = (try $0.global(WpAlphaModifierV1.self), try $0.surface())
      let first = $0.keep(manager.getSurface(surface: surface))
      if !$1 { first.end() }
      $0.keep(manager.getSurface(surface: surface))
    },
    .alphaModifierNoSurface: RuleScene {
      let surface = try $0.surface()
      let modifier = $0.keep(try $0.global(WpAlphaModifierV1.self).getSurface(surface: surface))
      if !$1 { modifier.end() }
      surface.end()
      if $1 { modifier.setMultiplier(factor: 0) }
    },
    .contentTypeExists: RuleScene {
      let (manager, surface) = (try $0.global(WpContentTypeManagerV1.self), try $0.surface())
      let first = $0.keep(manager.getSurfaceContentType(surface: surface))
      if !$1 { first.end() }
      $0.keep(manager.getSurfaceContentType(surface: surface))
    },
    .tearingControlExists: RuleScene {
      let (manager, surface) = (try $0.global(WpTearingControlManagerV1.self), try $0.surface())
      let first = $0.keep(manager.getTearingControl(surface: surface))
      if !$1 { first.end() }
      $0.keep(manager.getTearingControl(surface: surface))
    },
  ]
}
