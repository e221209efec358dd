import CompositorLab
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// A living picture below the controls, on every compositor that the cockpit is tried on.
  @Suite(.serialized) struct VideoOnCompositorsTests {
    /// Fingers; a mouse on sway, which takes no touches of a test.
    @Test(arguments: [CompositorKind.weston, .kwin, .sway].filter { CompositorKind.tested.contains($0) })
    func `hands drive over a living picture, and a key changes how it is shown`(kind: CompositorKind) throws {
      try drive(on: kind)
    }

    @Test(.needs(.mutter)) func `fingers drive over a living picture on mutter`() throws { try drive(on: .mutter) }

    private func drive(on kind: CompositorKind) throws {
      let rig = try DriveRig(
        kind, hasTouchscreen: kind != .sway, options: ["--video", "test", "--video-view", "inset"])
      // Mutter gives its picture to nobody here.
      let isSeen = kind != .mutter
      if isSeen { _ = try rig.compositor.screenshot { Self.sky(in: $0) > 500 } }
      try rig.drive()
      // A second of pictures, and of fingers that move.
      for gear in [5, 6, 5, 4] {
        try rig.give(
          kind == .sway ? "pointer motion \(rig.plan.gear(gear))" : "touch motion 0 \(rig.plan.gear(gear))",
          kind == .sway ? "pointer motion \(rig.plan.gear(gear))" : "touch frame")
        let lines = try rig.witness.lines(8)
        #expect(lines.allSatisfy { $0.contains("\"state\":\"driving\"") }, "\(lines.last ?? "")")
      }
      if isSeen { _ = try rig.compositor.screenshot { Self.sky(in: $0) > 500 } }
      #expect(try Self.mappedPictures(of: rig.cockpit.id).isEmpty, "no pixel of the camera comes into the cockpit")
      try rig.liftFingers()
      _ = try rig.witness.line("\"reason\":\"lift\"")
      // From inset to off, and from off to full, where the same picture is much larger.
      for _ in 0..<2 { try rig.give("key press 47", "key release 47") }
      guard isSeen else {
        #expect(try rig.cockpit.terminate() == .exited(0))
        return
      }
      let picture = try rig.compositor.screenshot { Self.sky(in: $0) > 60_000 }
      if let folder = getenv("COCKPIT_PICTURES") {
        try picture.write(png: "\(String(cString: folder))/video-\(kind).png")
      }
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    /// The pictures that a cockpit has mapped.
    private static func mappedPictures(of cockpit: pid_t) throws -> [String] {
      // Line by line: Foundation takes the kernel's first page for the whole of such a file.
      let file = try #require(fopen("/proc/\(cockpit)/maps", "r"))
      defer { fclose(file) }
      var (lines, buffer) = ([String](), [CChar](repeating: 0, count: 4096))
      while let line = fgets(&buffer, 4096, file) { lines.append(String(cString: line)) }
      #expect(lines.contains { $0.contains("/memfd:cockpit ") }, "its own frames are there")
      return lines.filter { $0.contains("/memfd:cockpit-video") }
    }

    /// The number of pixels that have the sky of the picture `test`, whatever the compositor makes of its colours by scaling.
    private static func sky(in picture: ScreenPicture) -> Int {
      var count = 0
      for y in 0..<picture.height {
        for x in 0..<picture.width where picture.isNear(x, y, 0x6f8faf) { count += 1 }
      }
      return count
    }
  }
}

extension ScreenPicture {
  fileprivate func isNear(_ x: Int, _ y: Int, _ colour: UInt32) -> Bool {
    let pixel = self[x, y]
    return [0, 8, 16].allSatisfy { abs(Int(pixel >> $0 & 0xff) - Int(colour >> $0 & 0xff)) < 6 }
  }
}
