import Shell
import Stage
import Testing
import UICore

/// The end of a window: closing, lost connections, protocol errors, objects in legal order.
@MainActor @Suite(.serialized) struct EndingTests {
  private let shown: [LifecycleEvent] = [.willEnterForeground, .didBecomeActive]
  private let hidden: [LifecycleEvent] = [.willResignActive, .didEnterBackground]

  @Test func `closing is asked of the application, and done when it does not mind`() throws {
    try play { show in
      var asked = 0
      show.window?.onCloseRequest = { asked += 1 }
      show.toplevel.close()
      show.settle()
      #expect(asked == 1 && show.window?.isOpen == true)
      show.window?.onCloseRequest = nil
      show.toplevel.close()
      show.settle()
      #expect(show.stage.toplevels.isEmpty)
      #expect(show.content.life.last == .willTerminate)
    }
  }

  @Test(arguments: 0..<7) func `a window may be closed from within any callback`(place: Int) throws {
    try play { show in
      show.calm()
      let close = { [weak show] in
        guard let window = show?.window, window.isOpen else { return }
        window.close()
      }
      show.content.onInput = { event in
        switch (place, event) {
        case (0, .touches), (1, .key), (2, .hover(_, _?)), (3, .scroll), (4, .keyboardFocus(_, true)): close()
        default: break
        }
      }
      if place == 5 { show.content.onLife = { if $0 == .didEnterBackground { close() } } }
      if place == 6 { show.window?.onFrame = { _ in close() } }
      show.useEveryDevice()
      show.seat.key(StageKeymap.Code.a, false)
      show.content.paint(PixelRect(x: 0, y: 0, width: 4, height: 4))
      show.settle()
      show.stage.toplevels.first?.suspend()
      show.settle()
      #expect(show.stage.toplevels.isEmpty)
      #expect(show.content.life.last == .willTerminate)
    }
  }

  @Test func `a compositor that hangs up cancels input, and the reason is told`() throws {
    let keeper = TestContentKeeper()
    let stage = Stage()
    let show = try Show(
      stage, options: WindowOptions(title: "", applicationID: "", size: Size(width: 20, height: 20)))
    keeper.content = show.content
    show.seat.touchDown(0, 1, 1)
    show.seat.touchFrame()
    show.settle()
    stage.clients.first?.hangUp()
    show.turn()
    show.turn()
    guard case .connectionLost = show.failure else {
      Issue.record("no failure: \(String(describing: show.failure))")
      return
    }
    #expect(show.content.touches.last == "0 cancelled")
    #expect(show.content.life == shown + hidden)
    show.drop()
    #expect(stage.finish().isEmpty)
  }

  @Test func `a protocol error names the interface and the code`() throws {
    let stage = Stage()
    let show = try Show(
      stage, options: WindowOptions(title: "", applicationID: "", size: Size(width: 20, height: 20)))
    stage.postProtocolError(code: 6, "for the test")
    stage.step()
    show.turn()
    show.turn()
    guard case .protocolError(let interface, _, let code, _) = show.failure else {
      Issue.record("no failure")
      return
    }
    #expect(interface == "xdg_wm_base" && code == 6)
    show.drop()
  }

  @Test func `every object ends in legal order, in whatever state the window is closed`() throws {
    for state in 0..<6 {
      try play(prepare: { stage, _ in
        if state == 1 { stage.initialConfigure = nil }
        if state == 4 { stage.releasePolicy = .byHand }
      }) { show in
        switch state {
        case 2: show.toplevel.suspend()
        case 3: show.toplevel.configure(90, 80)
        case 4:
          show.toplevel.configure(90, 80)
          show.settle()
          show.content.paint(PixelRect(x: 0, y: 0, width: 1, height: 1))
        case 5: show.content.isAnimating = true
        default: break
        }
        if state != 3 { show.settle() }
      }
    }
  }
}
