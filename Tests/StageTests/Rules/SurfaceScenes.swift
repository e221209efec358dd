import CLinux
import Glibc
import Stage
import Testing
import UICore
import Wayland

extension RuleScene {
  /// Buffers, pictures, surfaces and connections.
  @MainActor static let surfaces: [Violation.Rule: RuleScene] = [
    .unknownFormat: RuleScene {
      let buffer = try $0.buffer()
      $0.keep(
        buffer.pool.createBuffer(
          offset: 0, width: 4, height: 4, stride: 16, format: $1 ? WlShm.Format(rawValue: 7) : .xrgb8888))
    },
    .bufferOutsidePool: RuleScene {
      let buffer = try $0.buffer()
      $0.keep(buffer.pool.createBuffer(offset: $1 ? 4096 : 0, width: 8, height: 8, stride: 32, format: .argb8888))
    },
    .poolNotMappable: RuleScene {
      var ends: [Int32] = [-1, -1]
      try #require(cockpit_pipe(&ends) == 0)
      let file = cockpit_memfd("pool")
      $0.keep(try #require($0.client.shm).createPool(fd: $1 ? ends[0] : file, size: 4096))
      (ends + [file]).forEach { close($0) }
    },
    .poolShrunk: RuleScene { try $0.buffer().pool.resize(size: $1 ? 8 : 8192) },
    .bufferNotImportable: RuleScene {
      let window = try $0.window()
      window.show($0.keep(try RawBuffer($0.client, 60, 40, hasWholePages: !$1)))
    },
    .heldBufferWritten: RuleScene {
      $0.stage.releasePolicy = .byHand
      let (surface, buffer) = (try $0.surface(), try $0.buffer())
      $0.show(buffer, on: surface)
      $0.settle()
      if $1 { buffer.fill(0) }
    },
    .destroyedBufferAttached: RuleScene {
      let (surface, buffer) = (try $0.surface(), try $0.buffer())
      surface.attach(buffer: buffer.buffer, x: 0, y: 0)
      surface.damageBuffer(x: 0, y: 0, width: 8, height: 8)
      if $1 { buffer.buffer.end() }
      surface.commit()
      buffer.buffer.end()
    },
    .damageLies: RuleScene {
      let surface = try $0.surface()
      $0.show(try $0.buffer(), on: surface)
      let second = try $0.buffer()
      second.fill(0xffff_ffff)
      surface.attach(buffer: second.buffer, x: 0, y: 0)
      surface.damageBuffer(x: 0, y: 0, width: $1 ? 7 : 8, height: 8)
      surface.commit()
    },
    .damageWithoutBuffer: RuleScene {
      let surface = try $0.surface()
      $0.show(try $0.buffer(), on: surface)
      if $1 { surface.damageBuffer(x: 0, y: 0, width: 1, height: 1) }
      surface.commit()
    },
    .opaqueRegionLies: RuleScene {
      let (surface, buffer) = (try $0.surface(), try $0.buffer())
      surface.setOpaqueRegion(region: try $0.region(PixelRect(x: 0, y: 0, width: 8, height: $1 ? 8 : 4)))
      buffer.fill(0x8000_0000, PixelRect(x: 0, y: 4, width: 1, height: 1))
      $0.show(buffer, on: surface)
    },
    .wrongBufferSize: RuleScene {
      let window = try $0.window()
      window.surface.commit()
      $0.settle()
      $0.stage.toplevel.surface.prefer(Scale(2.0))
      $0.settle()
      if !$1 { window.surface.setBufferScale(scale: 2) }
      $0.settle()
      window.show(try $0.buffer(40, 20))
    },
    .commitBeforeFrameCallback: RuleScene {
      let window = try $0.window()
      window.show(try $0.buffer(), frame: true)
      if !$1 { $0.stage.nextRefresh() }
      window.show(try $0.buffer())
    },
    .invalidScale: RuleScene { try $0.surface().setBufferScale(scale: $1 ? 0 : 1) },
    .invalidTransform: RuleScene {
      try $0.surface().setBufferTransform(transform: WlOutput.Transform(rawValue: $1 ? 8 : 7))
    },
    .bufferNotDivisible: RuleScene {
      let surface = try $0.surface()
      surface.setBufferScale(scale: 2)
      $0.show(try $0.buffer($1 ? 7 : 6, 8), on: surface)
    },
    .attachOffset: RuleScene { try $0.surface().attach(buffer: try $0.buffer().buffer, x: $1 ? 1 : 0, y: 0) },
    .surfaceBeforeRole: RuleScene {
      let window = try $0.window()
      window.surface.commit()
      if $1 { window.surface.end() } else { window.end() }
    },
    .subsurfaceRole: RuleScene {
      let (subcompositor, window) = (try $0.global(WlSubcompositor.self), try $0.shownWindow())
      $0.keep(subcompositor.getSubsurface(surface: $1 ? window.surface : try $0.surface(), parent: try $0.surface()))
    },
    .subsurfaceParent: RuleScene {
      let (subcompositor, part, parent) = (try $0.global(WlSubcompositor.self), try $0.surface(), try $0.surface())
      $0.keep(subcompositor.getSubsurface(surface: part, parent: parent))
      $0.keep(subcompositor.getSubsurface(surface: $1 ? parent : try $0.surface(), parent: part))
    },
    .notASibling: RuleScene {
      let (subcompositor, parent) = (try $0.global(WlSubcompositor.self), try $0.surface())
      let part = $0.keep(subcompositor.getSubsurface(surface: try $0.surface(), parent: parent))
      part.placeAbove(sibling: $1 ? try $0.surface() : parent)
    },
    .viewportExists: RuleScene {
      let (viewporter, surface) = (try $0.global(WpViewporter.self), try $0.surface())
      $0.keep(viewporter.getViewport(surface: surface))
      $0.keep(viewporter.getViewport(surface: $1 ? surface : try $0.surface()))
    },
    .viewportBadValue: RuleScene {
      let viewport = $0.keep(try $0.global(WpViewporter.self).getViewport(surface: try $0.surface()))
      viewport.setDestination(width: $1 ? 0 : 5, height: 5)
    },
    .viewportBadSize: RuleScene {
      let surface = try $0.surface()
      let viewport = $0.keep(try $0.global(WpViewporter.self).getViewport(surface: surface))
      viewport.setSource(x: 0, y: 0, width: 1.5, height: 1)
      if !$1 { viewport.setDestination(width: 3, height: 2) }
      surface.commit()
    },
    .viewportOutOfBuffer: RuleScene {
      let surface = try $0.surface()
      let viewport = $0.keep(try $0.global(WpViewporter.self).getViewport(surface: surface))
      viewport.setSource(x: 1, y: 0, width: $1 ? 8 : 7, height: 8)
      $0.show(try $0.buffer(), on: surface)
    },
    .viewportNoSurface: RuleScene {
      let surface = try $0.surface()
      let viewport = $0.keep(try $0.global(WpViewporter.self).getViewport(surface: surface))
      surface.end()
      if $1 { viewport.setDestination(width: 1, height: 1) }
      viewport.end()
    },
    .fractionalScaleExists: RuleScene {
      let (manager, surface) = (try $0.global(WpFractionalScaleManagerV1.self), try $0.surface())
      $0.keep(manager.getFractionalScale(surface: surface))
      $0.keep(manager.getFractionalScale(surface: $1 ? surface : try $0.surface()))
    },
    .invalidRequest: RuleScene {
      $0.client.close()
      let wire = $0.keep(try WireClient($0.stage))
      wire.request($1 ? 4711 : 1, 0, [2])
    },
    .messageTooLong: RuleScene {
      $0.client.close()
      let wire = $0.keep(try WireClient($0.stage))
      wire.request(1, 1, [2])
      for _ in 0..<($1 ? 2 : 0) { wire.request(2, 0, Array(repeating: 0, count: 1020), length: 8192) }
    },
    .unreadEvents: RuleScene {
      $0.client.close()
      let (stage, client) = ($0.stage, $0.keep(try RawClient($0.stage, sendBuffer: 4096)))
      let window = $0.keep(try RawWindow.shown(by: client, 8, 8))
      $0.keep(try #require(client.seat).getTouch())
      client.settle()
      stage.seat.touchDown(0, 1, 1)
      for index in 0..<40_000 where stage.clients.last?.end == nil {
        stage.seat.touchMotion(0, Double(index % 9), 1)
        if !$1, index % 50 == 0 { client.settle() }
      }
      stage.step()
      // libwayland gives the client up with its next request.
      window.surface.commit()
      client.turn()
      stage.step()
      withExtendedLifetime(window) {}
    },
    .objectsLeft: RuleScene {
      let buffer = try $0.buffer()
      buffer.pool.end()
      if $1 { $0.client.seat?.discard() }
      buffer.buffer.end()
      $0.client.close()
    },
    .memoryLeft: RuleScene {
      let (surface, buffer) = (try $0.surface(), try $0.buffer())
      $0.show(buffer, on: surface)
      $0.settle()
      if $1, let held = $0.stage.surfaces.last?.buffer { $0.keep(held) }
      buffer.end()
      surface.end()
      $0.client.close()
      _ = $0.stage.finish()
    },
  ]
}
