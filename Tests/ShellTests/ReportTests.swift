import Shell
import Stage
import Testing
import UICore
import Wayland

/// Tests of the shell's report on a compositor, and of the readable log of the wire.
@MainActor @Suite(.serialized) struct ReportTests {
  private func report(_ globals: StageGlobals, outputs: Bool = true) throws -> CompositorReport {
    var found: CompositorReport?
    try play(globals) { show in
      show.application?.inspectCompositor { found = $0 }
      show.settle()
    }
    return try #require(found)
  }

  @Test func `the newest compositor needs no fallback`() throws {
    let report = try report(.everything)
    #expect(report.choices.allSatisfy { $0.reason == nil }, "\(report)")
    #expect(report.seats == ["seat0: touch, pointer, keyboard"])
    #expect(report.outputs == ["output0: 1280 x 720 at 60.0 Hz, scale 1, 300 x 200 mm"])
    let display = try #require(report.displays.first)
    #expect(display.name == "output0" && display.size == Size(width: 1280, height: 720))
    #expect(display.millimetres == Size(width: 300, height: 200))
    let base = try #require(report.globals.first { $0.interface == "xdg_wm_base" })
    #expect(base.offered == 6 && base.used == 6)
  }

  @Test func `a display that stands upright is told upright, in points of its scale`() throws {
    let stage = Stage(globals: .everything)
    (stage.output.transform, stage.output.scale) = (._90, 2)
    var found: CompositorReport?
    try play(stage: stage) { show in
      show.application?.inspectCompositor { found = $0 }
      show.settle()
    }
    let display = try #require(found?.displays.first)
    #expect(display.size == Size(width: 360, height: 640) && display.millimetres == Size(width: 200, height: 300))
  }

  @Test func `everybody who asks before the answer is there is told, also who asks in the answer`() throws {
    try play { show in
      var reports: [CompositorReport] = []
      show.application?.inspectCompositor { [weak show] in
        reports.append($0)
        show?.application?.inspectCompositor { reports.append($0) }
      }
      show.application?.inspectCompositor { reports.append($0) }
      show.settle()
      #expect(reports.count == 3 && Set(reports).count == 1)
    }
  }

  @Test func `each lack has its fallback and its reason`() throws {
    let report = try report(.minimal)
    let reasons = report.choices.map { "\($0.subject): \($0.way) (\($0.reason ?? "-"))" }
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

  @Test func `it is readable, and what is not used is marked`() throws {
    let text = "\(try report(.weston10))"
    #expect(text.contains("globals") && text.contains("choices"))
    #expect(text.split(separator: "\n").contains { $0.hasPrefix("  wl_compositor ") && $0.hasSuffix("4      4") })
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 140 })
  }

  @Test func `every message can be read, with names, numbers and values`() throws {
    var lines: [String] = []
    MessageTrace.sink = { lines.append($0) }
    defer { MessageTrace.sink = nil }
    try play { show in
      show.seat.touchDown(7, 10.5, 20)
      show.seat.touchFrame()
      show.settle()
    }
    func has(_ words: String...) -> Bool { lines.contains { line in words.allSatisfy { line.contains($0) } } }
    #expect(has("-> wl_compositor@", ".create_surface(new wl_surface@"))
    #expect(has("-> xdg_toplevel@", ".set_title(\"Test\")"))
    #expect(has("-> wl_registry@", ".bind(", "\"wl_compositor\", 6, new wl_compositor@"))
    #expect(has("wl_touch@", ".down(", ", wl_surface@", ", 7, 10.5, 20.0)"))
    #expect(has("-> wl_shm@", ".create_pool(new wl_shm_pool@", ", fd, "))
    #expect(has("xdg_toplevel@", ".configure(0, 0, ", " bytes)"))
    #expect(has("-> wl_surface@", ".destroy()"))
  }
}
