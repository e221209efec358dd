import Stage
import Testing
import UICore
import Wayland
import WaylandServer

/// The stage as a desktop: places, focus, and what clients are told of both. wlcs judges the rest (docs/wlcs.md).
@MainActor @Suite(.serialized) struct DesktopTests {
  private let stage = Stage(globals: .desktop, output: PixelSize(width: 400, height: 300))
  private let desktop: StageDesktop

  init() { desktop = stage.manage() }

  /// A window that acknowledges whatever comes, with 60 x 40 pixels or the configured size.
  private func window(_ actor: RuleActor) throws -> RawWindow {
    let window = actor.keep(try RawWindow(actor.client))
    window.surface.commit()
    actor.settle()
    window.ack()
    window.show(try actor.buffer(60, 40))
    window.ack()
    window.surface.commit()
    actor.settle()
    return window
  }

  private func states(_ index: Int) -> Set<StageToplevel.State> {
    stage.toplevels[index].configured?.states ?? []
  }

  @Test func `an output that changes keeps its name, which each object is told once`() throws {
    let actor = try RuleActor(stage)
    var (names, modes) = (0, 0)
    let another = try #require(actor.client.bind(WlOutput.self))
    for output in [try #require(actor.client.output), another] {
      output.onEvent = { event in
        if case .name = event { names += 1 }
        if case .mode = event { modes += 1 }
      }
    }
    actor.settle()
    #expect(names == 1 && modes == 1, "the new one")
    stage.output.scale = 2
    stage.output.announce()
    actor.settle()
    #expect(names == 1 && modes == 3)
    another.discard()
  }

  @Test func `a new window is in the middle and active, and the one before it no longer is`() throws {
    let actor = try RuleActor(stage)
    _ = try window(actor)
    #expect(stage.toplevel.surface.place == Point(x: 170, y: 130) && states(0) == [.activated])
    _ = try window(actor)
    #expect(states(0) == [] && states(1) == [.activated])
    desktop.activate(stage.toplevel.surface)
    #expect(states(0) == [.activated] && states(1) == [] && desktop.stack.last === stage.toplevel.surface)
    desktop.minimize(stage.toplevel)
    #expect(states(0) == [] && states(1) == [.activated])
  }

  @Test func `the pointer enters what is under it, and a held button keeps the focus`() throws {
    let actor = try RuleActor(stage)
    let pointer = actor.keep(try #require(actor.client.seat).getPointer())
    var seen: [String] = []
    pointer.onEvent = { event in
      switch event {
      case .enter(_, _, let x, let y): seen.append("enter \(x) \(y)")
      case .leave: seen.append("leave")
      case .motion(_, let x, let y): seen.append("motion \(x) \(y)")
      case .button(_, _, _, let state): seen.append(state == .pressed ? "press" : "release")
      default: break
      }
    }
    _ = try window(actor)
    desktop.movePointer(to: Point(x: 180, y: 140))
    desktop.pressButton(true)
    desktop.movePointer(to: Point(x: 20, y: 20))
    desktop.pressButton(false)
    actor.settle()
    #expect(seen == ["enter 10.0 10.0", "press", "motion -150.0 -110.0", "release", "leave"])
    seen = []
    desktop.move(stage.toplevel.surface, to: Point(x: 15, y: 15))
    actor.settle()
    #expect(seen == ["enter 5.0 5.0"])
  }

  @Test func `a window follows the pointer that moves it, and is resized by its corner`() throws {
    let actor = try RuleActor(stage)
    actor.keep(try #require(actor.client.seat).getPointer())
    let shown = try window(actor)
    let surface = stage.toplevel.surface
    desktop.move(surface, to: Point(x: 100, y: 100))
    desktop.movePointer(to: Point(x: 110, y: 110))
    let press = desktop.pressButton(true)
    actor.settle()
    let seat = try #require(actor.client.seat)
    shown.toplevel.move(seat: seat, serial: press)
    actor.settle()
    desktop.movePointer(to: Point(x: 130, y: 120))
    desktop.pressButton(false)
    #expect(surface.place == Point(x: 120, y: 110) && stage.violations == [])
    let second = desktop.pressButton(true)
    shown.toplevel.resize(seat: seat, serial: second, edges: .topLeft)
    actor.settle()
    desktop.movePointer(to: Point(x: 120, y: 115))
    #expect(stage.toplevel.configured == Configure(width: 70, height: 45, states: [.activated, .resizing]))
    desktop.pressButton(false)
    #expect(stage.toplevel.configured == Configure(width: 70, height: 45, states: [.activated]))
    #expect(surface.place == Point(x: 110, y: 105))
  }

  @Test func `a maximised window leaves a panel its space, and returns to its place`() throws {
    let actor = try RuleActor(stage)
    let shown = try window(actor)
    let surface = try actor.surface()
    let panel = try actor.layer(surface)
    panel.setSize(width: 0, height: 20)
    panel.setAnchor(anchor: [.top, .left, .right])
    panel.setExclusiveZone(zone: 20)
    surface.commit()
    actor.settle()
    actor.show(try actor.buffer(400, 20), on: surface)
    actor.settle()
    #expect(desktop.workArea == Rect(x: 0, y: 20, width: 400, height: 280))
    shown.toplevel.setMaximized()
    actor.settle()
    #expect(stage.toplevel.configured == Configure(width: 400, height: 280, states: [.activated, .maximized]))
    #expect(stage.toplevel.surface.place == Point(x: 0, y: 20))
    shown.toplevel.unsetMaximized()
    actor.settle()
    #expect(
      stage.toplevel.surface.place == Point(x: 170, y: 130) && desktop.hit(Point(x: 1, y: 1))?.surface.role == .layer)
  }

  @Test func `a popup with a grab has the keys until the user presses elsewhere`() throws {
    let actor = try RuleActor(stage)
    actor.keep(try #require(actor.client.seat).getTouch())
    let shown = try window(actor)
    let press = desktop.touchDown(0, at: Point(x: 175, y: 135))
    actor.settle()
    let popup = try actor.shownPopup(over: shown.xdg, grab: press)
    #expect(stage.seat.keyboardFocus === stage.popups.first?.surface)
    desktop.touchUp(0)
    desktop.touchDown(0, at: Point(x: 5, y: 5))
    actor.settle()
    #expect(stage.popups.first?.isDismissed == true && stage.seat.keyboardFocus === stage.toplevel.surface)
    withExtendedLifetime(popup) {}
  }

  @Test func `a client that leaves takes its windows and the focus with it`() throws {
    let first = try RuleActor(stage)
    _ = try window(first)
    let second = try RuleActor(stage)
    _ = try window(second)
    desktop.movePointer(to: Point(x: 180, y: 140))
    #expect(stage.seat.pointerFocus === stage.toplevels[1].surface)
    stage.clients[1].hangUp()
    #expect(desktop.stack.count == 1 && stage.seat.pointerFocus === stage.toplevel.surface && states(0) == [.activated])
  }
}
