import Shell
import Stage
import Testing
import UICore

/// Tests of events that come too often and too fast: devices that go and return, mice that report a thousand times a second.
@MainActor @Suite(.serialized) struct StressTests {
  @Test func `behaviours 9 and 37: devices that go and return a thousand times with fingers down leave nothing behind`()
    throws
  {
    try play { show in
      var growth: [(client: Int, compositor: Int)] = []
      for round in 0..<1000 {
        show.seat.touchDown(3, 5, 5)
        show.seat.touchDown(Int32(round % 7 + 10), 9, 9)
        show.seat.touchFrame()
        show.seat.pointerEnter(20, 20)
        show.seat.pointerButton(true)
        show.seat.keyboardEnter([30])
        show.turn()
        show.stage.step()
        show.turn()
        show.seat.capabilities = []
        show.settle()
        show.seat.capabilities = [.pointer, .keyboard, .touch]
        show.settle()
        growth.append((show.application?.liveObjectCount ?? 0, show.stage.clients[0].objectCount))
        #expect(show.seat.inertCount == 0)
        #expect(show.seat.touchCount == 1 && show.seat.keyboardCount == 1 && show.seat.pointerCount == 1)
      }
      // What was held is over: as many fingers ended as began.
      let points = show.content.events.flatMap { event -> [TouchPoint] in
        if case .touches(let points) = event { points } else { [] }
      }
      let began = points.filter { $0.phase == .began }.count
      #expect(began >= 3000)
      #expect(points.filter { $0.phase == .ended || $0.phase == .cancelled }.count == began)
      #expect(growth.map(\.client).max() == growth[2].client, "objects of the client")
      #expect(growth.map(\.compositor).max() == growth[2].compositor, "objects of the compositor")
    }
  }

  @Test func `behaviour 28: a mouse of 1000 Hz leaves less than 2 KB unread, also while every frame takes 20 ms`()
    throws
  {
    try play { show in
      show.calm()
      show.seat.pointerEnter(1, 1)
      show.settle()
      var ticks = 0
      var most = 0
      @MainActor func tick() {
        ticks += 1
        show.stage.clock.advance(by: .milliseconds(1))
        show.seat.pointerMotion(Double(ticks % 60), Double(ticks / 60 % 40))
        if ticks % 17 == 0 { show.stage.finishFrame() }
        show.stage.step()
        most = max(most, show.stage.clients[0].unreadBytes)
      }
      // The compositor goes on while the client draws.
      show.content.onDraw = { for _ in 0..<20 { tick() } }
      while ticks < 10_000 {
        show.content.paint(PixelRect(x: ticks % 60, y: 3, width: 2, height: 2), 0xff00_0000 | UInt32(ticks))
        show.turn()
        tick()
      }
      show.content.onDraw = nil
      #expect(most > 400 && most < 2048, "\(most) bytes")
      #expect(show.surface.contentCommits.count > 200)
      #expect(show.failure == nil)
    }
  }
}
