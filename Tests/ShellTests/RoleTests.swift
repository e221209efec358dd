import Shell
import Stage
import Testing
import UICore

/// Windows with other places than among windows: surfaces of a car's display, and strips.
@MainActor @Suite(.serialized) struct RoleTests {
  private func globals(_ change: (inout StageGlobals) -> Void) -> StageGlobals {
    var globals = StageGlobals.everything
    change(&globals)
    return globals
  }

  @Test func `a surface of a car's display is shown before anybody says its size, and takes the size then`() throws {
    try play(globals { $0.ivi = 1 }) { stage, options in
      options.role = .ivi(id: 7001)
    } _: { show in
      show.refresh()
      let ivi = try #require(show.stage.iviSurfaces.first)
      #expect(ivi.id == 7001 && show.stage.toplevels.isEmpty && ivi.surface.isMapped)
      #expect(show.window?.size == Size(width: 64, height: 48))
      ivi.configure(80, 60)
      show.settle()
      show.refresh()
      #expect(show.window?.size == Size(width: 80, height: 60))
      #expect(ivi.surface.buffer?.size == PixelSize(width: 80, height: 60))
      // Two fingers.
      show.seat.touchDown(1, 10, 10, on: ivi.surface)
      show.seat.touchDown(2, 50, 40, on: ivi.surface)
      show.seat.touchFrame()
      show.seat.touchMotion(1, 12, 10)
      show.seat.touchUp(2)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches.last == "1 moved 12.0,10.0 + 2 ended")
      // What an ordinary window can do does nothing.
      show.window?.setFullscreen(true)
      show.window?.setMaximized(true)
      show.window?.minimize()
      show.window?.title = "Another"
      show.settle()
    }
  }

  @Test func `a finger whose place jumps off a strip is lost: it may be told as it lies on another window`() throws {
    for isStrip in [true, false] {
      try play(globals { $0.layerShell = 4 }) { _, options in
        if isStrip { options.role = .strip(.top) }
      } _: { show in
        show.stage.layerSurfaces.first?.configure(320, 120)
        show.stage.toplevels.first?.configure(320, 120)
        show.settle()
        show.refresh()
        let surface = try #require(show.stage.surfaces.first { $0.role.isWindow })
        for finger: Int32 in [0, 1] { show.seat.touchDown(finger, 50, 100, on: surface) }
        show.seat.touchFrame()
        show.settle()
        show.content.forget()
        // Along the strip, over its edge, and then as the place on the window beneath.
        for y in [110.0, 119, 121, 4] {
          show.seat.touchMotion(0, 50, y)
          show.seat.touchFrame()
          show.settle()
        }
        show.seat.touchMotion(0, 60, 8)
        show.seat.touchMotion(1, 52, 101)
        show.seat.touchFrame()
        show.settle()
        let moves = ["0 moved 50.0,110.0", "0 moved 50.0,119.0", "0 moved 50.0,121.0"]
        if isStrip {
          #expect(show.content.touches == moves + ["0 cancelled", "1 moved 52.0,101.0"])
          #expect(show.content.calls.firstIndex(of: "lost touchCancelled") == 3)
        } else {
          #expect(show.content.touches == moves + ["0 moved 50.0,4.0", "0 moved 60.0,8.0 + 1 moved 52.0,101.0"])
        }
      }
    }
  }

  @Test(arguments: [WindowRole.ivi(id: 3), .strip(.top)])
  func `a compositor without the protocol shows an ordinary window`(role: WindowRole) throws {
    try play { _, options in
      options.role = role
    } _: { show in
      show.refresh()
      #expect(show.toplevel.surface.isMapped && show.window?.size == Size(width: 64, height: 48))
    }
  }

  @Test(arguments: [
    (WindowRole.Side.top, PixelSize(width: 0, height: 48), UInt32(13)), (.bottom, PixelSize(width: 0, height: 48), 14),
    (.left, PixelSize(width: 64, height: 0), 7), (.right, PixelSize(width: 64, height: 0), 11),
  ])
  func `a strip is as long as its side, and takes input where its content does`(
    side: WindowRole.Side, size: PixelSize, anchor: UInt32
  ) throws {
    try play(globals { $0.layerShell = 4 }) { _, options in
      options.role = .strip(side)
    } _: { show in
      let strip = try #require(show.stage.layerSurfaces.first)
      #expect(strip.size == size && strip.anchor.rawValue == anchor && !strip.surface.isMapped)
      show.content.inputArea = [Rect(x: 4, y: 5, width: 6, height: 7)]
      strip.configure(320, 48)
      show.settle()
      show.refresh()
      #expect(strip.surface.isMapped && strip.acknowledged != nil)
      #expect(show.window?.size == Size(width: 320, height: 48))
      #expect(strip.surface.inputRegion == Region(PixelRect(x: 4, y: 5, width: 6, height: 7)))
      show.content.inputArea = []
      show.content.paint(PixelRect(x: 0, y: 0, width: 2, height: 2))
      show.refresh()
      #expect(strip.surface.inputRegion == Region())
      show.content.inputArea = nil
      show.content.paint(PixelRect(x: 0, y: 0, width: 2, height: 2))
      show.refresh()
      #expect(strip.surface.inputRegion == nil)
    }
  }

  /// Plays with a strip that is shown, 320 points long.
  private func playStrip(_ script: (Show, StageLayerSurface) throws -> Void) throws {
    try play(globals { $0.layerShell = 4 }) { _, options in
      options.role = .strip(.top)
    } _: { show in
      let strip = try #require(show.stage.layerSurfaces.first)
      strip.configure(320, 48)
      show.settle()
      show.refresh()
      try #require(strip.surface.isMapped)
      // Longer than a strip that is refused stays away.
      show.pass(.seconds(2))
      show.content.forget()
      try script(show, strip)
    }
  }

  @Test(arguments: [true, false])
  func `a strip outlives its output: it is hidden, and opened on another`(isOutputGoneFirst: Bool) throws {
    try playStrip { show, strip in
      show.seat.keyboardEnter(on: strip.surface)
      show.seat.key(StageKeymap.Code.a, true)
      show.settle()
      show.stage.addOutput(mode: PixelSize(width: 800, height: 600))
      show.settle()
      let gone = show.stage.output
      if isOutputGoneFirst { show.stage.remove(gone) }
      strip.close()
      if !isOutputGoneFirst { show.stage.remove(gone) }
      show.settle()
      #expect(show.content.keys == ["a down", "a cancelled"] && show.content.calls.contains("lost hidden"))
      #expect(show.content.life == [.willResignActive, .didEnterBackground] && show.failure == nil)
      let next = try #require(show.stage.layerSurfaces.first)
      #expect(next !== strip && show.stage.layerSurfaces.count == 1 && next.size == PixelSize(width: 0, height: 48))
      next.configure(800, 48)
      show.settle()
      show.refresh()
      #expect(next.surface.isMapped && show.window?.size == Size(width: 800, height: 48))
      #expect(show.content.life.suffix(2) == [.willEnterForeground, .didBecomeActive])
    }
  }

  @Test func `a strip without an output waits for the next, and does not return once it is closed`() throws {
    for isClosed in [false, true] {
      try playStrip { show, strip in
        strip.close()
        show.stage.remove(show.stage.output)
        show.pass(.seconds(100))
        #expect(show.stage.layerSurfaces.isEmpty && show.failure == nil)
        #expect(show.content.life == [.willResignActive, .didEnterBackground])
        if isClosed {
          show.application?.closeAll()
          show.settle()
          #expect(show.content.life.last == .willTerminate)
        }
        show.stage.addOutput(mode: PixelSize(width: 800, height: 600))
        show.settle()
        #expect(show.stage.layerSurfaces.count == (isClosed ? 0 : 1))
      }
    }
  }

  @Test func `a strip that is refused again and again is opened once a second`() throws {
    try playStrip { show, _ in
      var count = 0
      for _ in 0..<100 {
        if let strip = show.stage.layerSurfaces.first {
          count += 1
          strip.close()
        }
        show.pass(.milliseconds(100))
      }
      #expect((9...11).contains(count), "\(count) in ten seconds")
    }
  }
}
