import CompositorLab
import Testing

extension RealCompositors {
  /// The cockpit in a window: fullscreen and back, sizes and scales, and two windows on one output.
  @Suite struct CockpitWindowTests {
    static let kinds = CompositorKind.tested.filter { $0 != .weston }

    @Test(arguments: kinds)
    func `F11 and Escape lead to fullscreen and back`(kind: CompositorKind) throws {
      let desk = try Desk(kind, options: ["--size", "700x500"])
      let fullscreen = try desk.offscreen()
      try desk.expect("700 x 500 at scale 1.0")
      _ = try desk.compositor.screenshot { $0.colours.count > 100 }
      try desk.putMouseAway()
      for key in [Key.f11, .escape] {
        try desk.press(.f11)
        try desk.expect("960 x 540 at scale 1.0")
        try desk.expectControls(fullscreen)
        try desk.press(key)
        try desk.expect("700 x 500 at scale 1.0")
      }
      #expect(try desk.cockpit.terminate() == .exited(0))
    }

    @Test(.needs(.sway))
    func `every size and scale is drawn anew, sharply`() throws {
      let desk = try Desk(.sway, hasHands: false, options: ["--size", "700x500"])
      try desk.expectWindow((700, 500), x: 130, y: 20)
      try desk.compositor.sway("resize", "set", "520", "540")
      try desk.expectWindow((520, 540), x: 220, y: 0)
      try desk.compositor.sway("floating", "disable")
      try desk.expectPicture(desk.offscreen())
      // sway sends the next whole scale, and scales the image down itself.
      try desk.compositor.sway("output", "HEADLESS-1", "scale", "1.5")
      try desk.expect("640 x 360 at scale 2.0")
      // Its filter differs from cairo's: about 3 % of the pixels, at edges, are more than 8 levels apart.
      let smaller = try desk.offscreen(size: "640x360", scale: 2).scaled(toWidth: 960, height: 540)
      _ = try desk.compositor.screenshot { picture in
        (picture.difference(from: smaller, tolerance: 8)?.pixels ?? .max) < 960 * 540 / 25
      }
      try desk.compositor.sway("output", "HEADLESS-1", "scale", "2")
      try desk.expectPicture(desk.offscreen(size: "480x270", scale: 2))
      try desk.compositor.sway("output", "HEADLESS-1", "scale", "1", "transform", "90")
      try desk.expectPicture(desk.offscreen(size: "540x960"))
      try desk.compositor.sway("output", "HEADLESS-1", "transform", "normal")
      try desk.expectPicture(desk.offscreen())
      #expect(try desk.cockpit.terminate() == .exited(0))
    }

    @Test(.needs(.sway))
    func `two cockpits share an output, and each closes alone`() throws {
      let desk = try Desk(.sway, hasHands: false, options: [])
      try desk.expectPicture(desk.offscreen())
      let other = try Desk.startCockpit(on: desk.compositor, ["--gear", "2"])
      _ = try other.line { $0.hasSuffix("window: 480 x 540 at scale 1.0") }
      try desk.expectWindow((480, 540), x: 0, y: 0)
      try desk.compositor.sway("kill")
      #expect(try other.waitForEnd() == .exited(0))
      try desk.expectPicture(desk.offscreen())
      try desk.compositor.sway("kill")
      #expect(try desk.cockpit.waitForEnd() == .exited(0))
    }
  }
}
