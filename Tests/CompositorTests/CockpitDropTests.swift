import CompositorLab
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// What the pointer drags from another program's window to the cockpit.
  @Suite(
    .enabled(
      if: DragSource.missingPackages.isEmpty || getenv("COCKPIT_STRICT") != nil,
      "python3-gi and gir1.2-gtk-3.0 are not installed; ./dev test installs them"))
  struct CockpitDropTests {
    static let kinds = CompositorKind.tested.filter { $0 != .weston }

    /// A cockpit that covers the output.
    private func startDesk(_ kind: CompositorKind, logs: String = "app,window") throws -> Desk {
      // On sway a tiled window covers it, and leaves another one to float above.
      let desk = try Desk(kind, options: kind == .sway ? [] : ["--fullscreen"], logs: logs)
      if kind == .sway { try desk.compositor.sway("for_window", "[title=source]", "floating", "enable") }
      try desk.putMouseAway()
      try desk.expectControls(desk.offscreen())
      return desk
    }

    /// A program in the middle of the output, which offers this.
    private func startSource(of load: DragSource.Load, on desk: Desk) throws -> ClientProcess {
      let source = try desk.compositor.startDragSource(load)
      _ = try source.line { $0 == "ready" }
      // It does not report when it is visible.
      try move(480, 270, on: desk) { says("entered", source) }
      return source
    }

    /// Drags from the program's window to a place on the cockpit that no control covers, until this is so.
    private func drag(from source: ClientProcess, on desk: Desk, until isAnswered: () throws -> Bool) throws {
      try desk.give("pointer motion 470 270", "pointer press")
      // GTK may miss the motion that comes with the press, and the cockpit the one that comes with GTK's request to drag.
      try move(490, 275, on: desk) { says("begun", source) }
      try move(200, 100, on: desk, until: isAnswered)
    }

    /// Moves the pointer to and fro until this is so.
    private func move(_ x: Int, _ y: Int, on desk: Desk, until isDone: () throws -> Bool) throws {
      for turn in 0..<100 {
        try desk.give("pointer motion \(x + turn % 2 * 20) \(y)")
        if try isDone() { return }
      }
      try #require(Bool(false), "the program never noticed the pointer")
    }

    private func says(_ words: String, _ source: ClientProcess) -> Bool {
      (try? source.line(within: .milliseconds(100)) { $0 == words }) != nil
    }

    private func scene(_ color: String) -> String {
      "{\"type\": \"View\", \"backgroundColor\": \"\(color)\", \"subviews\": [{\"type\": \"Horn\"}]}\n"
    }

    @Test(arguments: kinds)
    func `files that another program drops arrive whatever their names, and the last one is shown`(
      kind: CompositorKind
    ) throws {
      let desk = try startDesk(kind)
      let names = ["first.json", "my scène #1 50%41 ?.json"]
      for (name, color) in zip(names, ["#802020", "#204080"]) { try desk.compositor.write(scene(color), to: name) }
      let paths = names.map(desk.compositor.path(of:))
      let source = try startSource(of: .files(paths), on: desk)
      try drag(from: source, on: desk) { says("action 2", source) }
      try desk.give("pointer release")
      try desk.expect("\(paths[1]) is shown")
      // The program learns that the drop was taken.
      #expect(try source.line { ["failed", "ended"].contains($0) } == "ended")
      #expect(try source.terminate() == .signalled(SIGTERM))
      try desk.putMouseAway()
      try desk.expectControls(desk.offscreen("--scene", paths[1]))
      #expect(try desk.cockpit.terminate() == .exited(0))
    }

    @Test(arguments: kinds)
    func `an address elsewhere that another program drops is told, and the picture stays`(kind: CompositorKind) throws {
      let desk = try startDesk(kind)
      let source = try startSource(of: .addresses(["https://example.org/scene.json"]), on: desk)
      try drag(from: source, on: desk) { says("action 2", source) }
      try desk.give("pointer release")
      _ = try desk.cockpit.line {
        $0 == "cockpit: https://example.org/scene.json is not a file of this machine: copy it here first"
      }
      #expect(try source.terminate() == .signalled(SIGTERM))
      try desk.expectControls(desk.offscreen())
      #expect(try desk.cockpit.terminate() == .exited(0))
    }

    @Test(arguments: kinds)
    func `a text dragged over the cockpit is refused, and the mouse drives after that`(kind: CompositorKind) throws {
      let desk = try startDesk(kind, logs: "app,window,wayland:debug")
      let source = try startSource(of: .text("scene.json"), on: desk)
      try drag(from: source, on: desk) {
        (try? desk.cockpit.line(within: .milliseconds(100)) { $0.contains("wl_data_offer@") && $0.contains(", nil)") })
          != nil
      }
      try desk.give("pointer release")
      #expect(try source.line { ["failed", "given"].contains($0) } == "failed")
      #expect(try source.terminate() == .signalled(SIGTERM))
      try desk.give("pointer motion \(desk.plan.rim(quarterTurns: 0))", "pointer press")
      try desk.expect("wheel held true")
      try desk.give("pointer motion \(desk.plan.rim(quarterTurns: 1))")
      try desk.expect("steering 90")
      try desk.give("pointer release")
      try desk.expect("wheel held false", "steering 0")
      #expect(try desk.cockpit.terminate() == .exited(0))
    }
  }
}
