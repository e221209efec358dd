import CompositorLab
import Foundation
import TestSupport
import Testing

extension RealCompositors {
  /// Outputs that change under the cockpit.
  ///
  /// weston 10 takes part by being restarted: its headless backend has one output that cannot be changed or removed while it
  /// runs, and no seat that could resize a window. sway 1.7 has no fractional scale: at 1.5 it sends 2 and scales the image down
  /// itself, so its output is compared with what the cockpit draws at 2 (`CockpitWindowTests`).
  @Suite struct CockpitOutputTests {
    @Test(.needs(.kwin))
    func `behaviours 23 and 32: the scale changes to 2, 1.5 and back, and each picture is sharp`() throws {
      let desk = try Desk(.kwin, .init(width: 1440, height: 960))
      try desk.expectPicture(desk.offscreen())
      for (scale, size) in [(2.0, "720x480"), (1.5, "960x640"), (1.0, "1440x960")] {
        try desk.give("output scale 0 \(scale)")
        // Equal byte for byte, because the compositor does not resample.
        try desk.expectPicture(desk.offscreen(size: size, scale: scale))
      }
      #expect(try desk.cockpit.terminate() == .exited(0))
    }

    @Test(.needs(.weston))
    func `behaviours 23 and 32: weston comes back at scale 2, and at 1 again, and each picture is sharp`() throws {
      let desk = try Desk(.weston, .init(width: 1440, height: 960), hasHands: false)
      try desk.expectPicture(desk.offscreen())
      for (scale, size) in [(2.0, "720x480"), (1.0, "1440x960")] {
        desk.compositor.kill()
        try desk.compositor.restart(with: .init(width: 1440, height: 960, scale: scale))
        try desk.expectPicture(desk.offscreen(size: size, scale: scale))
      }
      #expect(try desk.cockpit.terminate() == .exited(0))
    }

    @Test(arguments: [CompositorKind.sway, .kwin].filter { CompositorKind.tested.contains($0) })
    func `behaviours 36 and 37: an output goes and returns 200 times under the window, and nothing grows`(
      kind: CompositorKind
    ) throws {
      var settings = Compositor.Settings(width: 640, height: 480)
      // KWin keeps at least one output, so it gets a second one; sway can lose its only one.
      if kind == .kwin { settings.outputs = 2 }
      let desk = try Desk(kind, settings, hasHands: kind == .kwin, options: ["--fullscreen"], logs: "wayland")
      let offscreen = try desk.offscreen()
      func isShown(_ picture: ScreenPicture) -> Bool {
        (0..<(picture.width / 640)).contains {
          picture.cropped(x: $0 * 640, y: 0, width: 640, height: 480) == offscreen
        }
      }
      _ = try desk.compositor.screenshot(where: isShown)
      var early = (memory: 0, files: 0)
      for round in 0..<200 {
        if kind == .kwin {
          try desk.give("output off \(round % 2)", "output on \(round % 2)")
        } else {
          try desk.compositor.sway("output", "HEADLESS-1", "disable")
          try desk.compositor.sway("output", "HEADLESS-1", "enable")
        }
        if round == 60 { early = try holdings(desk.cockpit.id) }
      }
      _ = try desk.compositor.screenshot(where: isShown)
      let late = try holdings(desk.cockpit.id)
      #expect(late.files <= early.files, "open files: \(early.files), then \(late.files)")
      #expect(late.memory - early.memory < 1024, "KB: \(early.memory), then \(late.memory)")
      #expect(try desk.cockpit.terminate() == .exited(0))
      #expect(WireJudge(log: desk.cockpit.errors).faults.isEmpty)
    }

    /// A process's anonymous memory in KB, and the number of its open files.
    private func holdings(_ id: pid_t) throws -> (memory: Int, files: Int) {
      let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
      let memory = try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
      return (memory, try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count)
    }

    @Test(.needs(.sway))
    func `behaviours 16 and 17: resized 500 times fast, no picture has a wrong size`() throws {
      let desk = try Desk(.sway, hasHands: false, options: ["--size", "700x500"], logs: "wayland")
      try desk.expectWindow((700, 500), x: 130, y: 20)
      for round in 0..<500 {
        try desk.compositor.sway("resize", "set", "\(500 + round * 37 % 400)", "\(330 + round * 53 % 200)")
      }
      // During the fast resizes sway takes the size of a late frame as a request, and forgets its own. Once idle it does not.
      _ = try desk.compositor.screenshot()
      try desk.compositor.sway("resize", "set", "520", "540")
      // Rounding has moved the window during the resizes.
      try desk.compositor.sway("move", "absolute", "position", "220", "0")
      try desk.expectWindow((520, 540), x: 220, y: 0)
      #expect(try desk.cockpit.terminate() == .exited(0))
      let judge = WireJudge(log: desk.cockpit.errors)
      #expect(judge.faults.isEmpty && judge.sizes > 50, "\(judge.sizes) sizes: \(judge.faults.prefix(3))")
    }

    @Test(.needs(.kwin))
    func `behaviours 16 and 17: 500 other scales of the output, and with each another size, none of them wrong`() throws
    {
      let desk = try Desk(.kwin, .init(width: 960, height: 720), logs: "wayland")
      let offscreen = try desk.offscreen()
      try desk.expectPicture(offscreen)
      for round in 0..<500 { try desk.give("output scale 0 \([1.25, 2, 1.5, 1.75, 1][round % 5])") }
      try desk.expectPicture(offscreen)
      #expect(try desk.cockpit.terminate() == .exited(0))
      let judge = WireJudge(log: desk.cockpit.errors)
      #expect(judge.faults.isEmpty && judge.sizes > 100, "\(judge.sizes) sizes: \(judge.faults.prefix(3))")
    }

    @Test(arguments: CompositorKind.tested)
    func `what the compositor offers, and what follows from it, is said`(kind: CompositorKind) throws {
      let compositor = try Compositor(kind)
      let text = String(decoding: try compositor.output(of: [Product.cockpit.path, "--info"]), as: UTF8.self)
      func says(_ words: String...) -> Bool {
        text.split(separator: "\n").contains { line in words.allSatisfy { line.contains($0) } }
      }
      #expect(
        says("wl_compositor") && says("hidden window", "by a missing frame callback") && says("pointer", "theme"))
      #expect(says("decoration", kind == .weston ? "drawn by the program" : "the compositor's") && says("1280 x 720"))
      #expect(says("scale", "any, by fractional-scale") == (kind == .kwin))
    }
  }
}
