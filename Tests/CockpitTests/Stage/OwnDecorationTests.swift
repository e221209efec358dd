import ControlHarness
import Controls
import Shell
import Stage
import Testing
import UICore

@testable import cockpit

/// The real scene on compositors that draw no frame: the cockpit's own is moved, resized and closed as users would.
@MainActor @Suite(.serialized) struct OwnDecorationTests {
  private func play(
    _ globals: StageGlobals = .weston10, prepare: (Stage, inout WindowOptions) -> Void = { _, _ in },
    _ script: (Drive) throws -> Void
  ) throws {
    FontLibrary.shared = ControlHarness.fonts
    let stage = Stage(globals: globals)
    stage.onViolation = { Issue.record("\($0)") }
    var options = WindowOptions(title: "Cockpit", applicationID: "org.example", size: Size(width: 480, height: 320))
    prepare(stage, &options)
    let drive = try Drive(stage, options)
    try script(drive)
    drive.end()
  }

  /// A cockpit on a stage.
  @MainActor final class Drive {
    let scene = CockpitScene()
    private let shown: StageWindow

    init(_ stage: Stage, _ options: WindowOptions) throws {
      scene.cluster.beacon.isEnabled = false
      shown = try StageWindow(scene, on: stage, options)
    }

    var stage: Stage { shown.stage }
    var window: Window? { shown.window }
    var toplevel: StageToplevel { stage.toplevel }
    var surface: StageSurface { stage.toplevel.surface }

    func refresh() { shown.refresh() }
    func end() { shown.end() }
  }

  @Test func `behaviour 31: without xdg-decoration the window has a frame, and its geometry leaves the handles out`()
    throws
  {
    try play { drive in
      #expect(drive.window?.drawsDecoration == true)
      #expect(drive.toplevel.geometry == PixelRect(x: 14, y: 14, width: 482, height: 365))
      #expect(drive.surface.logicalSize == Size(width: 510, height: 393))
      #expect(drive.scene.bounds.size == Size(width: 480, height: 320), "the content has the size that was asked for")
      #expect(drive.toplevel.minimumSize == PixelSize(width: 482, height: 365))
      #expect(drive.surface.picture?.pixel(x: 2, y: 2) == 0, "nobody sees the handles")
    }
  }

  @Test func `after the compositor has restarted, the content and the frame have the sizes that they had`() throws {
    try play { drive in
      for _ in 0..<2 {
        drive.stage.clients.last?.hangUp()
        for _ in 0..<20 { drive.refresh() }
        #expect(drive.toplevel.geometry == PixelRect(x: 14, y: 14, width: 482, height: 365))
        #expect(drive.scene.bounds.size == Size(width: 480, height: 320))
      }
    }
  }

  @Test func `behaviours 26 and 31: a finger on the title moves the window with the serial of its down`() throws {
    try play { drive in
      let serial = drive.stage.seat.touchDown(5, 100, 40)
      drive.stage.seat.touchFrame()
      drive.refresh()
      drive.stage.seat.touchMotion(5, 120, 40)
      drive.stage.seat.touchFrame()
      drive.refresh()
      #expect(drive.toplevel.requests == [.move(serial: serial)])
      drive.stage.seat.touchCancel()
      drive.refresh()
      let next = drive.stage.seat.touchDown(2, 3, 200)
      drive.stage.seat.touchFrame()
      drive.refresh()
      #expect(drive.toplevel.requests.last == .resize(serial: next, edges: 4))
    }
  }

  @Test func `fingers reach the controls through the frame, and the close button closes`() throws {
    try play { drive in
      let lever = drive.scene.lever(.neutral)
      drive.stage.seat.touchDown(1, lever.x + 15, lever.y + 58)
      drive.stage.seat.touchFrame()
      drive.refresh()
      #expect(drive.scene.gearbox.isTracking)
      drive.stage.seat.touchUp(1)
      drive.stage.seat.touchDown(2, 14 + 482 - 22, 36)
      drive.stage.seat.touchFrame()
      drive.refresh()
      drive.stage.seat.touchUp(2)
      drive.stage.seat.touchFrame()
      drive.refresh()
      #expect(drive.window?.isOpen != true)
    }
  }

  @Test func `maximised, tiled, fullscreen and back: sizes are kept to and handles go where there is nothing to pull`()
    throws
  {
    try play { drive in
      let states: [(Set<StageToplevel.State>, PixelRect, Size, Size)] = [
        (
          [.maximized, .activated], PixelRect(x: 0, y: 0, width: 1280, height: 720), Size(width: 1280, height: 720),
          Size(width: 1280, height: 676)
        ),
        (
          [.fullscreen], PixelRect(x: 0, y: 0, width: 1280, height: 720), Size(width: 1280, height: 720),
          Size(width: 1280, height: 720)
        ),
        (
          [.resizing], PixelRect(x: 14, y: 14, width: 1280, height: 720), Size(width: 1308, height: 748),
          Size(width: 1278, height: 675)
        ),
        (
          [.tiledLeft, .tiledTop, .tiledBottom], PixelRect(x: 0, y: 0, width: 1280, height: 720),
          Size(width: 1294, height: 720), Size(width: 1279, height: 676)
        ),
        (
          [.activated], PixelRect(x: 14, y: 14, width: 1280, height: 720), Size(width: 1308, height: 748),
          Size(width: 1278, height: 675)
        ),
      ]
      for (state, geometry, surface, content) in states {
        drive.toplevel.configure(1280, 720, state)
        drive.refresh()
        drive.refresh()
        #expect(drive.toplevel.geometry == geometry, "\(state)")
        #expect(drive.surface.logicalSize == surface && drive.scene.bounds.size == content, "\(state)")
        // Never an ack without a commit, a wrong size or a lie about damage: the stage looks.
      }
      drive.toplevel.configure(0, 0, [])
      drive.refresh()
      #expect(drive.scene.bounds.size == Size(width: 1278, height: 675), "the last size of its own")
    }
  }

  @Test func `behaviour 31: a compositor with xdg-decoration draws the frame, unless it says that the program shall`()
    throws
  {
    try play(.everything) { drive in
      #expect(drive.window?.drawsDecoration == false && drive.toplevel.geometry == nil)
      drive.stage.decorationMode = .clientSide
      drive.toplevel.configure(600, 500)
      drive.refresh()
      drive.refresh()
      #expect(drive.window?.drawsDecoration == true)
      #expect(drive.scene.bounds.size == Size(width: 598, height: 455))
      drive.stage.decorationMode = .serverSide
      drive.toplevel.configure(600, 500)
      drive.refresh()
      drive.refresh()
      #expect(drive.window?.drawsDecoration == false && drive.scene.bounds.size == Size(width: 600, height: 500))
      #expect(drive.toplevel.geometry == PixelRect(x: 0, y: 0, width: 600, height: 500))
    }
    try play(.everything, prepare: { stage, _ in stage.decorationMode = .clientSide }) { drive in
      #expect(drive.window?.drawsDecoration == true && drive.scene.bounds.size == Size(width: 480, height: 320))
    }
    try play(prepare: { _, options in options.hasDecoration = false }) { drive in
      #expect(drive.window?.drawsDecoration == false && drive.scene.bounds.size == Size(width: 480, height: 320))
    }
  }

  @Test(arguments: [Set<StageToplevel.State>([.fullscreen]), [.maximized]])
  func `a frame that comes or goes while the window fills the screen leaves its own size alone`(
    state: Set<StageToplevel.State>
  ) throws {
    try play(.everything) { drive in
      @MainActor func configure(_ width: Int, _ height: Int, _ state: Set<StageToplevel.State>) {
        drive.toplevel.configure(width, height, state)
        for _ in 0..<2 { drive.refresh() }
      }
      drive.stage.decorationMode = .clientSide
      configure(0, 0, [])
      let own = Size(width: 480, height: 320)
      #expect(drive.window?.drawsDecoration == true && drive.scene.bounds.size == own)
      configure(1280, 720, state)
      drive.stage.decorationMode = .serverSide
      configure(1280, 720, state)
      configure(0, 0, [])
      #expect(drive.window?.drawsDecoration == false && drive.scene.bounds.size == own, "the compositor's came")
      configure(1280, 720, state)
      drive.stage.decorationMode = .clientSide
      configure(1280, 720, state)
      configure(0, 0, [])
      #expect(drive.window?.drawsDecoration == true && drive.scene.bounds.size == own, "its own came")
    }
  }

  @Test func `the title is the window's, also when it changes`() throws {
    try play { drive in
      drive.window?.title = "仪表"
      drive.refresh()
      #expect(drive.toplevel.title == "仪表")
    }
  }

  @Test(arguments: [150, 180, 240])
  func `at other scales pixels and points still agree`(in120ths: Int) throws {
    var globals = StageGlobals.everything
    globals.decoration = nil
    try play(globals, prepare: { stage, _ in stage.scale = Scale(in120ths: in120ths) }) { drive in
      #expect(drive.surface.logicalSize == Size(width: 510, height: 393))
      #expect(drive.surface.buffer?.size == Scale(in120ths: in120ths).pixelSize(Size(width: 510, height: 393)))
    }
  }

  @Test func `the screen is kept awake while a control is held, and not a moment longer`() throws {
    try play(.everything) { drive in
      let idle = ScreenAwake(scene: drive.scene)
      if let window = drive.window { idle.follow(window) }
      #expect(!drive.surface.inhibitsIdle)
      drive.stage.seat.touchDown(1, drive.scene.rim(0).x, drive.scene.rim(0).y)
      drive.stage.seat.touchFrame()
      drive.refresh()
      #expect(drive.surface.inhibitsIdle)
      drive.stage.seat.touchUp(1)
      drive.stage.seat.touchFrame()
      drive.refresh()
      #expect(!drive.surface.inhibitsIdle)
      let lever = drive.scene.lever(.neutral)
      drive.stage.seat.touchDown(1, lever.x, lever.y)
      drive.stage.seat.touchFrame()
      drive.refresh()
      #expect(drive.surface.inhibitsIdle)
      drive.toplevel.suspend()
      drive.refresh()
      #expect(!drive.surface.inhibitsIdle && !drive.scene.gearbox.isTracking)
      drive.toplevel.resume()
      drive.refresh()
      #expect(!drive.surface.inhibitsIdle)
    }
  }
}
