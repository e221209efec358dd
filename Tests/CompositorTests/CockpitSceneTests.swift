import CompositorLab
import Glibc
import Testing

extension RealCompositors {
  /// A cockpit that watches the file of its scene.
  @Suite struct CockpitSceneTests {
    /// A file that is replaced atomically, as editors do, and removed with this object.
    private final class Scene {
      let path = "/tmp/cockpit-scene-\(getpid()).json"

      func write(_ color: String) {
        let file = fopen(path + "~", "w")
        fputs("{\"type\": \"View\", \"backgroundColor\": \"\(color)\", \"subviews\": [{\"type\": \"Horn\"}]}\n", file)
        fclose(file)
        rename(path + "~", path)
      }

      deinit { unlink(path) }
    }

    @Test(arguments: CompositorKind.tested)
    func `a changed file is on the screen within 100 ms, a bad one is told and not shown`(kind: CompositorKind) throws {
      let scene = Scene()
      scene.write("#203040")
      let desk = try Desk(kind, hasHands: false, options: ["--fullscreen", "--watch", scene.path])
      try desk.expectPicture(desk.offscreen("--scene", scene.path))
      var fastest = Duration.seconds(60)
      for color in ["#802020", "#208020", "#202080"] {
        let took = try ContinuousClock().measure {
          scene.write(color)
          try desk.expect("\(scene.path) is shown")
        }
        fastest = min(fastest, took)
      }
      #expect(fastest < .milliseconds(100))
      let good = try desk.offscreen("--scene", scene.path)
      try desk.expectPicture(good)
      scene.write("blue")
      _ = try desk.cockpit.line { $0.hasPrefix("cockpit: \(scene.path):1:37: backgroundColor: needs a colour") }
      try desk.expectPicture(good)
      #expect(try desk.cockpit.terminate() == .exited(0))
    }
  }
}
