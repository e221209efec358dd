import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

/// Single pixels, opacity, content types and tearing: what a client says of a surface, and what the stage shows of it.
@MainActor @Suite(.serialized) struct SurfaceHintTests {
  private let stage = Stage()

  private func pixel(_ actor: RuleActor, _ red: UInt32, _ green: UInt32, _ blue: UInt32, _ alpha: UInt32) throws
    -> WlBuffer
  {
    let manager = try actor.global(WpSinglePixelBufferManagerV1.self)
    return actor.keep(manager.createU32RgbaBuffer(r: red, g: green, b: blue, a: alpha))
  }

  /// Attaches a buffer and stretches it to a size.
  private func stretch(_ buffer: WlBuffer, over surface: WlSurface, _ width: Int32, _ height: Int32, _ actor: RuleActor)
    throws
  {
    let viewport = actor.keep(try actor.global(WpViewporter.self).getViewport(surface: surface))
    viewport.setDestination(width: width, height: height)
    surface.attach(buffer: buffer, x: 0, y: 0)
    surface.damageBuffer(x: 0, y: 0, width: 1, height: 1)
  }

  /// A subsurface over the whole of a window's 60 x 40 points.
  private func part(of window: RawWindow, _ actor: RuleActor) throws -> WlSurface {
    let surface = try actor.surface()
    actor.keep(try actor.global(WlSubcompositor.self).getSubsurface(surface: surface, parent: window.surface))
    return surface
  }

  @Test func `a single pixel that is stretched fills its part of a screenshot`() throws {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let part = try part(of: window, actor)
    let buffer = try pixel(actor, .max, 0, 0x8000_0000, .max)
    var releases = 0
    buffer.onEvent = { _ in releases += 1 }
    try stretch(buffer, over: part, 30, 40, actor)
    part.commit()
    window.surface.commit()
    actor.settle()
    let image = try #require(stage.screenshot(of: stage.toplevel.surface))
    #expect(image.size == PixelSize(width: 60, height: 40))
    #expect(image.pixels[0] == 0xffff_0080 && image.pixels[29] == 0xffff_0080 && image.pixels[30] == 0xff20_4060)
    stage.nextRefresh()
    actor.settle()
    #expect(releases == 1 && stage.violations == [])
  }

  @Test func `a window of a single pixel has the size of its destination in the asked scale`() throws {
    stage.scale = Scale(1.5)
    let actor = try RuleActor(stage)
    let window = try actor.window()
    actor.keep(try actor.global(WpFractionalScaleManagerV1.self).getFractionalScale(surface: window.surface))
    try stretch(try pixel(actor, 0, .max, 0, .max), over: window.surface, 20, 10, actor)
    window.surface.commit()
    actor.settle()
    let image = try #require(stage.screenshot(of: stage.toplevel.surface))
    #expect(image.size == PixelSize(width: 30, height: 15) && image.pixels.allSatisfy { $0 == 0xff00_ff00 })
    #expect(stage.violations == [])
  }

  @Test func `the alpha multiplier applies with the commit, to pixels without alpha too, and ends with its object`()
    throws
  {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let part = try part(of: window, actor)
    let plain = actor.keep(try RawBuffer(actor.client, 8, 8, format: .xrgb8888))
    plain.fill(0x00ff_ff00)
    let modifier = actor.keep(try actor.global(WpAlphaModifierV1.self).getSurface(surface: part))
    func commit() {
      part.commit()
      window.surface.commit()
      actor.settle()
    }
    func shown() -> UInt32? { stage.screenshot(of: stage.toplevel.surface)?.pixels.first }
    actor.show(plain, on: part)
    commit()
    #expect(shown() == 0xffff_ff00)
    modifier.setMultiplier(factor: 0x8000_0000)
    actor.settle()
    #expect(shown() == 0xffff_ff00, "not committed yet")
    commit()
    // Half of (255, 255, 0) over (32, 64, 96).
    #expect(shown() == 0xff90_a030)
    let surface = try #require(stage.toplevel.surface.subsurfaces.first?.surface)
    #expect(abs(surface.opacity - 0.5) < 0.001)
    modifier.setMultiplier(factor: 0)
    commit()
    #expect(shown() == 0xff20_4060)
    modifier.end()
    actor.settle()
    #expect(shown() == 0xff20_4060, "not committed yet")
    commit()
    #expect(shown() == 0xffff_ff00 && surface.opacity == 1)
    #expect(stage.violations == [])
  }

  @Test func `content type and presentation hint apply with the commit, and end with their objects`() throws {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let surface = stage.toplevel.surface
    let type = actor.keep(try actor.global(WpContentTypeManagerV1.self).getSurfaceContentType(surface: window.surface))
    let tearing = actor.keep(
      try actor.global(WpTearingControlManagerV1.self).getTearingControl(surface: window.surface))
    type.setContentType(contentType: .game)
    tearing.setPresentationHint(hint: .async)
    actor.settle()
    #expect(surface.contentType == .none && surface.presentationHint == .vsync)
    window.surface.commit()
    actor.settle()
    #expect(surface.contentType == .game && surface.presentationHint == .async)
    type.end()
    tearing.end()
    window.surface.commit()
    actor.settle()
    #expect(surface.contentType == .none && surface.presentationHint == .vsync)
    #expect(stage.violations == [])
  }

  @Test func `a content type and a tearing control without their surface are inert`() throws {
    let actor = try RuleActor(stage)
    let surface = try actor.surface()
    let type = actor.keep(try actor.global(WpContentTypeManagerV1.self).getSurfaceContentType(surface: surface))
    let tearing = actor.keep(try actor.global(WpTearingControlManagerV1.self).getTearingControl(surface: surface))
    surface.end()
    type.setContentType(contentType: .video)
    tearing.setPresentationHint(hint: .async)
    actor.settle()
    #expect(stage.violations == [] && stage.clients.first?.end == nil)
  }
}
