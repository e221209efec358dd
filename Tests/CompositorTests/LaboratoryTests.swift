import CompositorLab
import Glibc
import Testing

extension RealCompositors {
  /// Each compositor starts, shows a client, gives screenshots and leaves nothing behind.
  @Suite struct LaboratoryTests {
    @Test(arguments: CompositorKind.tested)
    func `a compositor starts, shows a client and leaves nothing behind`(kind: CompositorKind) throws {
      let compositor = try Compositor(kind)
      let empty = try compositor.screenshot()
      #expect(empty.width == 1280 && empty.height == 720)
      #expect(empty.colours.count == 1, "an empty screen has one colour")

      let flower = try compositor.launch(["weston-flower"])
      let picture = try compositor.screenshot { $0.colours.count > 2 }
      let painted = try #require(picture.difference(from: empty)).pixels
      #expect((1000..<40_000).contains(painted), "a flower is at most 200 x 200")
      if let folder = getenv("COCKPIT_PICTURES") {
        try picture.write(png: "\(String(cString: folder))/\(kind.rawValue).png")
      }
      #expect(try flower.terminate() == .signalled(SIGTERM))

      let folder = String(compositor.socket[..<(compositor.socket.lastIndex(of: "/") ?? compositor.socket.endIndex)])
      #expect(access(folder, F_OK) == 0)
      compositor.stop()
      #expect(access(folder, F_OK) != 0)
    }

    @Test(arguments: CompositorKind.tested)
    func `clients find the interfaces that the cockpit needs`(kind: CompositorKind) throws {
      let compositor = try Compositor(kind)
      let text = String(decoding: try compositor.output(of: ["wayland-info"]), as: UTF8.self)
      for interface in ["wl_compositor", "wl_shm", "xdg_wm_base", "wp_viewporter", "wl_output"] {
        #expect(text.contains("'\(interface)'"), "\(kind.rawValue) offers no \(interface)")
      }
    }

    @Test(arguments: CompositorKind.tested)
    func `an output has the size and scale that were asked for`(kind: CompositorKind) throws {
      let compositor = try Compositor(kind, .init(width: 800, height: 600, scale: 2))
      let picture = try compositor.screenshot()
      #expect(picture.width == 800 && picture.height == 600)
      let text = String(decoding: try compositor.output(of: ["wayland-info"]), as: UTF8.self)
      #expect(text.contains("scale: 2"))
    }

    @Test(.needs(.sway))
    func `an error shows what a program said`() throws {
      let compositor = try Compositor(.sway)
      #expect(throws: LabError.self) { try compositor.output(of: ["grim", "--nonsense"]) }
      do {
        _ = try compositor.output(of: ["grim", "--nonsense"])
      } catch {
        #expect("\(error)".contains("invalid option"))
      }
    }

    @Test(.needs(.weston))
    func `children are started by a thread that has no descriptor of a test`() throws {
      let compositor = try Compositor(.weston)
      // While it starts a child, the thread also has that child's streams: the script waits until it does nothing.
      let script = """
        for thread in $1/*; do
          read -r name <$thread/comm
          while [ "$name" = starter ] && [ $(ls $thread/fd | wc -l) != 4 ]; do sleep 0.01; done
          echo "$name"
        done
        """
      let words = ["sh", "-c", script, "look", "/proc/\(getpid())/task"]
      let text = String(decoding: try compositor.output(of: words), as: UTF8.self)
      #expect(text.contains("starter"), "the standard streams and the socket of the thread, and nothing else")
    }

    @Test(.needs(.weston))
    func `waiting ends at its limit`() throws {
      let compositor = try Compositor(.weston)
      let silent = try compositor.launch(["cat"])
      #expect(throws: LabError.self) { try silent.line(within: .milliseconds(20)) }
      try silent.send("a word")
      #expect(try silent.line() == "a word")
      silent.closeInput()
      #expect(try silent.waitForEnd() == .exited(0))
    }
  }
}
