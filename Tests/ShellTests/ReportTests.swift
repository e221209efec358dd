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

  @Test func `the newest compositor is told with its seats, outputs and globals`() throws {
    let report = try report(.everything)
    #expect(report.seats == ["seat0: touch, pointer, keyboard"])
    #expect(report.outputs == ["output0: 1280 x 720 at 60.0 Hz, scale 1, 300 x 200 mm"])
    let display = try #require(report.displays.first)
    #expect(display.name == "output0" && display.size == Size(width: 1280, height: 720))
    #expect(display.millimetres == Size(width: 300, height: 200))
    let base = try #require(report.globals.first { $0.interface == "xdg_wm_base" })
    #expect(base.offered == 7 && base.used == 6)
  }

  @Test func `a display that stands upright is told upright, in points of its scale`() throws {
    let stage = Stage(globals: .everything)
    (stage.output.transform, stage.output.scale) = (.turned90, 2)
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

  @Test func `it is readable, and what is not used is marked`() throws {
    let text = "\(try report(.weston10))"
    #expect(text.contains("globals") && text.contains("outputs"))
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
