import Shell
import Stage
import Testing
import UICore

/// Configures: sizes, states, acknowledgements, scales. The stage itself checks serials and sizes on every commit.
@MainActor @Suite(.serialized) struct HandshakeTests {
  @Test func `behaviour 18: nothing is drawn before the first configure`() throws {
    try play(prepare: { stage, _ in stage.initialConfigure = nil }) { show in
      show.pass(.seconds(2))
      #expect(show.surface.commits.count == 1 && show.surface.contentCommits.isEmpty)
      show.toplevel.configure(0, 0)
      show.settle()
      #expect(show.surface.logicalSize == Size(width: 64, height: 48))
      #expect(show.surface.contentCommits.count == 1)
    }
  }

  @Test func `behaviour 16: a new size is acknowledged in the commit that shows it`() throws {
    try play { show in
      show.calm()
      show.toplevel.configure(200, 100, [.fullscreen, .activated])
      show.settle()
      #expect(show.surface.commits.count == 1)
      #expect(show.surface.commits.first?.acknowledged != nil)
      #expect(show.surface.logicalSize == Size(width: 200, height: 100))
      #expect(show.window?.isFullscreen == true)
      show.refresh()
      show.toplevel.configure(0, 0)
      show.settle()
      #expect(show.surface.logicalSize == Size(width: 64, height: 48), "the size before fullscreen comes back")
    }
  }

  @Test(arguments: ReleasePolicy.allCases)
  func `behaviours 16 and 27: a storm of sizes ends at the last one, whatever is held`(policy: ReleasePolicy) throws {
    try play(prepare: { stage, _ in stage.releasePolicy = policy }) { show in
      for round in 0..<60 {
        show.toplevel.configure(40 + round * 7 % 50, 30 + round * 5 % 40, round % 3 == 0 ? [.maximized] : [.resizing])
        if round % 2 == 0 { show.turn() }
        show.stage.step()
        if round % 5 == 0 { show.stage.nextRefresh() }
      }
      show.toplevel.configure(71, 53, [.maximized])
      show.settle()
      show.stage.releaseBuffers()
      show.calm()
      #expect(show.surface.logicalSize == Size(width: 71, height: 53))
      #expect(show.stage.bufferCount <= 3)
    }
  }

  @Test func `behaviour 17: a configure that changes nothing is acknowledged with a commit only`() throws {
    try play { show in
      show.toplevel.configure(64, 48)
      show.settle()
      show.calm()
      show.toplevel.configure(64, 48, [])
      show.settle()
      #expect(show.surface.commits.count == 1)
      #expect(show.surface.commits.first?.acknowledged != nil)
      #expect(show.surface.contentCommits.isEmpty)
    }
  }

  @Test func `behaviour 17: of many configures at once only the last is honoured`() throws {
    try play { show in
      show.calm()
      for width in 50..<60 { show.toplevel.configure(width, 40) }
      show.settle()
      #expect(show.surface.commits.count == 1 && show.surface.logicalSize.width == 59)
    }
  }

  @Test func `behaviour 22: activated comes and goes without any effect`() throws {
    try play { show in
      show.calm()
      for _ in 0..<5 {
        show.toplevel.set(.activated, false)
        show.settle()
        show.toplevel.set(.activated, true)
        show.settle()
      }
      #expect(show.content.life.isEmpty && show.surface.contentCommits.isEmpty)
    }
  }

  @Test(arguments: [
    (scale: 120, width: 64, height: 48), (150, 101, 33), (160, 31, 77), (180, 41, 31), (200, 43, 57), (210, 333, 11),
    (240, 64, 48), (300, 65, 47), (130, 1, 1),
  ])
  func `behaviours 23 and 24: a fractional scale gives rounded pixels and a viewport of the logical size`(
    scale: Int, width: Int, height: Int
  ) throws {
    try play(prepare: { stage, _ in
      stage.scale = Scale(in120ths: scale)
      stage.initialConfigure = Configure(width: width, height: height, states: [.fullscreen])
    }) { show in
      let buffer = try #require(show.surface.commits.last?.bufferSize)
      // Half away from zero.
      #expect(buffer.width == Int((Double(width * scale) / 120).rounded()))
      #expect(buffer.height == Int((Double(height * scale) / 120).rounded()))
      #expect(show.surface.logicalSize == Size(width: Double(width), height: Double(height)))
    }
  }

  @Test func `behaviour 23: a change of scale is shown at the next frame`() throws {
    try play { show in
      show.calm()
      show.surface.prefer(Scale(1.25))
      show.settle()
      show.refresh()
      #expect(show.window?.scale == Scale(1.25))
      #expect(show.surface.commits.last?.bufferSize == PixelSize(width: 80, height: 60))
      show.calm()
      #expect(show.surface.commits.isEmpty)
    }
  }

  @Test(arguments: [StageGlobals.weston10, .sway17, .minimal])
  func `without fractional scale the outputs' whole scale is used`(globals: StageGlobals) throws {
    try play(globals, prepare: { stage, _ in stage.output.scale = 2 }) { show in
      show.calm()
      #expect(show.surface.buffer?.size == PixelSize(width: 128, height: 96))
      let second = show.stage.addOutput(scale: 3)
      show.settle()
      show.surface.enter(second)
      show.settle()
      show.refresh()
      #expect(show.surface.buffer?.size == PixelSize(width: 192, height: 144))
      show.stage.remove(second)
      show.settle()
      show.refresh()
      #expect(show.surface.buffer?.size == PixelSize(width: 128, height: 96))
      show.stage.output.scale = 1
      show.stage.output.announce()
      show.settle()
      show.refresh()
      #expect(show.surface.buffer?.size == PixelSize(width: 64, height: 48))
    }
  }

  @Test func `behaviour 32: outputs change mode, turn and scale at any time`() throws {
    try play { show in
      for (round, transform) in [OutputTransform.turned90, .mirrored270, .turned180, .normal].enumerated() {
        show.stage.output.transform = transform
        show.stage.output.mode = PixelSize(width: 100 + round, height: 200)
        show.stage.output.refresh = [0, 1, 240_000, 60_000][round]
        show.stage.output.announce()
        // Upright, lying, tiny, and back.
        let size = [(60, 100), (100, 60), (1, 1), (320, 200)][round]
        show.toplevel.configure(size.0, size.1, [.fullscreen])
        show.settle()
        show.refresh()
        #expect(show.surface.logicalSize == Size(width: Double(size.0), height: Double(size.1)))
      }
    }
  }

  @Test func `behaviour 34: the application's identifier and title are told, and the smallest size`() throws {
    try play { show in
      #expect(show.toplevel.appID == "org.example.Test")
      #expect(show.toplevel.title == "Test")
      #expect(show.toplevel.minimumSize == PixelSize(width: 1, height: 1))
    }
  }

  @Test func `behaviour 31: the compositor is asked to draw the decoration where it can`() throws {
    try play { show in
      #expect(show.toplevel.decoration?.requested == .serverSide)
    }
    try play(prepare: { stage, _ in stage.decorationMode = .clientSide }) { show in
      show.calm()
      #expect(show.surface.isMapped)
    }
  }

  @Test func `a ping is answered, also while nothing is seen`() throws {
    try play { show in
      show.toplevel.suspend()
      show.settle()
      show.stage.ping()
      show.settle()
    }
  }

  @Test(arguments: [StageGlobals.everything, .weston10, .sway17, .kwin527, .minimal])
  func `every known compositor's set of globals gives a window`(globals: StageGlobals) throws {
    try play(globals) { show in
      show.content.paint(PixelRect(x: 1, y: 2, width: 3, height: 4))
      show.calm()
      #expect(show.surface.picture?.pixel(x: 1, y: 2) == 0xffff_ffff)
      #expect(show.surface.picture?.pixel(x: 0, y: 2) == 0xff10_2030)
    }
  }

  @Test func `what nothing works without is named`() throws {
    for (missing, name) in [
      (\StageGlobals.compositor, "wl_compositor"), (\.shm, "wl_shm"), (\.windowBase, "xdg_wm_base"),
    ] {
      var globals = StageGlobals.everything
      globals[keyPath: missing] = nil
      let stage = Stage(globals: globals)
      let show = try Show(stage, options: WindowOptions(title: "", applicationID: "", size: Size(width: 9, height: 9)))
      guard case .missingGlobal(let interface, _) = show.failure else {
        Issue.record("no failure without \(name)")
        return
      }
      #expect(interface == name)
      show.drop()
      stage.step()
      _ = stage.finish()
    }
    var old = StageGlobals.everything
    old.compositor = 3
    let show = try Show(
      Stage(globals: old), options: WindowOptions(title: "", applicationID: "", size: Size(width: 9, height: 9)))
    #expect(show.failure == .oldGlobal(interface: "wl_compositor", offered: 3, needed: 4))
  }
}
