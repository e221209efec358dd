import Shell
import Stage
import Testing

@testable import cockpit

/// What `--info` says about the ways in which the cockpit does things with a compositor.
@MainActor @Suite(.serialized) struct CompositorChoiceTests {
  private func report(_ globals: StageGlobals) throws -> CompositorReport {
    let stage = Stage(globals: globals)
    let descriptor = try #require(stage.connectClient())
    let application = try Application(clock: stage.clock) { descriptor }
    var found: CompositorReport?
    application.inspectCompositor { found = $0 }
    for _ in 0..<8 {
      try application.step()
      stage.step()
    }
    application.closeAll()
    try application.step()
    stage.step()
    _ = stage.finish()
    return try #require(found)
  }

  @Test func `the newest compositor needs no fallback`() throws {
    let choices = CompositorChoice.all(with: try report(.everything))
    #expect(choices.allSatisfy { $0.reason == nil }, "\(choices)")
  }

  @Test func `each lack has its fallback and its reason`() throws {
    let choices = CompositorChoice.all(with: try report(.minimal))
    let reasons = choices.map { "\($0.subject): \($0.way) (\($0.reason ?? "-"))" }
    #expect(
      reasons == [
        "scale: the largest of the window's outputs, whole (no wp_viewporter; wl_compositor has version 4, not 6)",
        "hidden window: by a missing frame callback (xdg_wm_base has version 1, not 6)",
        "decoration: drawn by the program (no zxdg_decoration_manager_v1)",
        "pointer: images of the cursor theme (no wp_cursor_shape_manager_v1)",
        "frame times: guessed from frame callbacks (no wp_presentation)",
        "focus at start: as the compositor likes (no xdg_activation_v1)",
        "screen kept awake: not at all (no zwp_idle_inhibit_manager_v1)",
        "input methods: not at all (no zwp_text_input_manager_v3)",
        "input times: in milliseconds (no zwp_input_timestamps_manager_v1)",
        "pens: as pointers (no zwp_tablet_manager_v2)",
        "key repeat: by the program, at the compositor's rate (wl_seat has version 5, not 10)",
        "wheel: whole detents (wl_seat has version 5, not 8)",
        "window's room: unknown (xdg_wm_base has version 1, not 4)",
        "window's buttons: all, whatever the compositor can (xdg_wm_base has version 1, not 5)",
      ])
  }

  @Test func `the table has a line for each, short enough for a terminal`() throws {
    let lines = CompositorChoice.table(with: try report(.weston10)).split(separator: "\n")
    #expect(lines.first == "choices" && lines.count == 15)
    #expect(lines.allSatisfy { $0.count <= 140 })
    #expect(lines.contains("  pens               as pointers (no zwp_tablet_manager_v2)"))
  }
}
