import Stage
import Testing
import UICore
import Wayland
import WaylandServer

/// Subsurfaces: when their state applies, where they are, and who takes the input.
@MainActor @Suite(.serialized) struct SubsurfaceTests {
  private let stage = Stage()

  /// A shown window of 60 x 40 points with a subsurface of 8 x 8 at (10, 10), which is shown too.
  private func make() throws -> (actor: RuleActor, window: RawWindow, part: WlSubsurface, surface: WlSurface) {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let surface = try actor.surface()
    let part = actor.keep(
      try actor.global(WlSubcompositor.self).getSubsurface(surface: surface, parent: window.surface))
    part.setPosition(x: 10, y: 10)
    actor.show(try actor.buffer(), on: surface)
    window.surface.commit()
    actor.settle()
    return (actor, window, part, surface)
  }

  private var parent: StageSurface { stage.toplevel.surface }
  private var child: StageSurface? { parent.subsurfaces.first?.surface }

  @Test func `a synchronized subsurface applies its commits with its parent's`() throws {
    let (actor, window, part, surface) = try make()
    #expect(
      child?.contentCommits.count == 1 && child?.isShown == true && child?.subsurface?.place == Point(x: 10, y: 10))
    actor.show(try actor.buffer(6, 6), on: surface)
    actor.settle()
    #expect(child?.logicalSize == Size(width: 8, height: 8) && child?.subsurface?.isSynchronized == true)
    window.surface.commit()
    actor.settle()
    #expect(child?.logicalSize == Size(width: 6, height: 6))
    actor.show(try actor.buffer(5, 5), on: surface)
    part.setDesync()
    actor.settle()
    #expect(child?.logicalSize == Size(width: 5, height: 5), "what was kept applies when the mode ends")
    actor.show(try actor.buffer(4, 4), on: surface)
    actor.settle()
    #expect(child?.logicalSize == Size(width: 4, height: 4))
    #expect(stage.violations == [])
  }

  @Test func `a desynchronized child of a synchronized one waits for the whole tree`() throws {
    let (actor, window, _, surface) = try make()
    let inner = try actor.surface()
    let part = actor.keep(try actor.global(WlSubcompositor.self).getSubsurface(surface: inner, parent: surface))
    part.setDesync()
    actor.show(try actor.buffer(3, 3), on: inner)
    surface.commit()
    actor.settle()
    #expect(child?.subsurfaces.isEmpty == true)
    window.surface.commit()
    actor.settle()
    let grandchild = try #require(child?.subsurfaces.first)
    #expect(grandchild.surface.isShown && grandchild.isSynchronized)
  }

  @Test func `stacking and places apply with the parent's commit, and decide who takes the input`() throws {
    let (actor, window, part, surface) = try make()
    func hit(_ x: Double, _ y: Double) -> String {
      parent.hit(Point(x: x, y: y)).map { "\($0.surface === parent ? "parent" : "child") \($0.point.x) \($0.point.y)" }
        ?? "-"
    }
    #expect(hit(12, 11) == "child 2.0 1.0" && hit(9, 9) == "parent 9.0 9.0" && hit(60, 1) == "-")
    part.placeBelow(sibling: window.surface)
    actor.settle()
    #expect(hit(12, 11) == "child 2.0 1.0" && child?.subsurface?.isAboveParent == true)
    window.surface.commit()
    actor.settle()
    #expect(hit(12, 11) == "parent 12.0 11.0" && child?.subsurface?.isAboveParent == false)
    part.placeAbove(sibling: window.surface)
    surface.setInputRegion(region: try actor.region(PixelRect(x: 0, y: 0, width: 2, height: 8)))
    surface.commit()
    window.surface.commit()
    actor.settle()
    #expect(hit(11, 11) == "child 1.0 1.0" && hit(12, 11) == "parent 12.0 11.0")
    part.end()
    actor.settle()
    #expect(hit(11, 11) == "parent 11.0 11.0" && parent.subsurfaces.isEmpty)
  }

  @Test func `a hidden parent hides its subsurfaces`() throws {
    let (actor, window, _, _) = try make()
    let part = try #require(child)
    window.surface.attach(buffer: nil, x: 0, y: 0)
    window.surface.commit()
    actor.settle()
    #expect(part.isMapped && !part.isShown && parent.hit(Point(x: 12, y: 12)) == nil)
  }
}
