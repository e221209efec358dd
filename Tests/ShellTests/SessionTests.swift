import Glibc
import Shell
import Stage
import Testing
import UICore

/// A window in its session: focus by token, the screen kept awake, room and abilities of the compositor.
@MainActor @Suite(.serialized) struct SessionTests {
  // MARK: Activation

  @Test func `a window started with a token asks for the focus, once, when it shows something`() throws {
    try play(prepare: { stage, options in
      options.activationToken = "token-7"
      stage.initialConfigure = nil
    }) { show in
      #expect(show.surface.activations.isEmpty)
      show.toplevel.configure(0, 0)
      show.settle()
      show.content.paint(PixelRect(x: 0, y: 0, width: 5, height: 5))
      show.calm()
      #expect(show.surface.activations.map(\.token) == ["token-7"])
      #expect(show.surface.activations.allSatisfy { $0.isMapped })
    }
  }

  @Test func `the program's own token is used up by its first window`() throws {
    setenv("XDG_ACTIVATION_TOKEN", "from-the-launcher", 1)
    try play { show in
      #expect(show.surface.activations.map(\.token) == ["from-the-launcher"])
      #expect(getenv("XDG_ACTIVATION_TOKEN") == nil, "child processes must not use it again")
      let options = WindowOptions(title: "Second", applicationID: "org.example", size: Size(width: 20, height: 20))
      let content = TestContent()
      var second: Window?
      show.application?.openWindow(content: content, options: options) { second = $0 }
      show.settle()
      #expect(show.stage.toplevels.last?.surface.activations.isEmpty == true)
      second?.close()
      show.settle()
    }
  }

  @Test func `without a token, or without the protocol, nothing is asked`() throws {
    try play { show in #expect(show.surface.activations.isEmpty) }
    try play(.weston10, prepare: { _, options in options.activationToken = "token" }) { show in
      show.calm()
      #expect(show.surface.isMapped)
    }
  }

  // MARK: Idle inhibition

  @Test func `the screen is kept awake exactly while that is wanted and the window is seen`() throws {
    try play { show in
      show.calm()
      #expect(!show.surface.inhibitsIdle)
      for _ in 0..<3 {
        show.window?.inhibitsIdle = true
        show.window?.inhibitsIdle = true
        show.settle()
        #expect(show.surface.inhibitsIdle)
        show.toplevel.suspend()
        show.settle()
        #expect(!show.surface.inhibitsIdle, "released while hidden")
        show.toplevel.resume()
        show.settle()
        #expect(show.surface.inhibitsIdle)
        show.window?.inhibitsIdle = false
        show.settle()
        #expect(!show.surface.inhibitsIdle)
      }
      show.window?.inhibitsIdle = true
      show.settle()
    }
  }

  @Test func `wanting it before anything is seen is enough, and a window that closes lets go`() throws {
    try play(prepare: { stage, _ in stage.initialConfigure = nil }) { show in
      show.window?.inhibitsIdle = true
      show.settle()
      #expect(!show.surface.inhibitsIdle)
      show.toplevel.configure(0, 0)
      show.settle()
      #expect(show.surface.inhibitsIdle)
    }
  }

  @Test func `without the protocol nothing happens`() throws {
    try play(.weston10) { show in
      show.window?.inhibitsIdle = true
      show.calm()
      #expect(show.surface.isMapped && !show.surface.inhibitsIdle)
    }
  }

  // MARK: Room and abilities

  @Test func `a window that chooses its size keeps within the room that it is told, in either direction`() throws {
    for (bounds, expected) in [
      (PixelSize(width: 50, height: 300), Size(width: 50, height: 48)),
      (PixelSize(width: 300, height: 30), Size(width: 64, height: 30)),
      (PixelSize.zero, Size(width: 64, height: 48)),
    ] {
      try play(prepare: { stage, _ in stage.bounds = bounds }) { show in
        #expect(show.surface.logicalSize == expected)
        // A size that is ordered is taken, whatever the room.
        show.toplevel.configure(90, 80)
        show.settle()
        #expect(show.surface.logicalSize == Size(width: 90, height: 80))
      }
    }
  }

  @Test func `what the compositor can do with the window is known, and everything is tried where it does not say`()
    throws
  {
    try play { show in
      #expect(show.window?.capabilities == Set(WindowCapability.allCases))
      show.toplevel.capabilities = [.maximize, .windowMenu, .init(rawValue: 77)]
      show.toplevel.configure(64, 48)
      show.settle()
      #expect(show.window?.capabilities == [.maximize, .menu])
      show.toplevel.capabilities = []
      show.toplevel.configure(64, 48)
      show.settle()
      #expect(show.window?.capabilities == [])
    }
    try play(.weston10) { show in #expect(show.window?.capabilities == Set(WindowCapability.allCases)) }
  }

  @Test(arguments: [OutputTransform.turned90, .turned180, .mirrored, .mirrored270])
  func `a preferred buffer transform changes nothing: the compositor turns the picture`(
    transform: OutputTransform
  ) throws {
    try play { show in
      show.calm()
      show.surface.prefer(transform)
      show.content.paint(PixelRect(x: 1, y: 2, width: 3, height: 4))
      show.calm()
      #expect(show.surface.buffer?.size == PixelSize(width: 64, height: 48))
      #expect(show.surface.picture?.pixel(x: 1, y: 2) == 0xffff_ffff)
    }
  }

  @Test func `without named cursors, fractions, presentation times and suspension there is a window all the same`()
    throws
  {
    for lacking in [
      \StageGlobals.cursorShape, \.fractionalScale, \.presentation, \.viewporter, \.decoration, \.tablets, \.activation,
      \.idleInhibit, \.output,
    ] {
      var globals = StageGlobals.everything
      globals[keyPath: lacking] = nil
      try play(globals) { show in
        show.seat.pointerEnter(3, 3)
        show.content.paint(PixelRect(x: 1, y: 2, width: 3, height: 4))
        show.calm()
        #expect(show.surface.picture?.pixel(x: 1, y: 2) == 0xffff_ffff)
      }
    }
  }
}
