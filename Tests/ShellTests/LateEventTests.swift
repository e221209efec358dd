import Stage
import Testing
import UICore

@testable import Shell

/// Tests of events that are under way when their receiver goes, and of a compositor that is slow to read.
@MainActor @Suite(.serialized) struct LateEventTests {
  @Test func `objects that events make come while their maker goes, and the connection lives on`() throws {
    try play { show in
      let other = show.stage.addSeat(capabilities: [.touch, .keyboard])
      show.settle()
      other.touchDown(0, 1, 1)
      other.touchFrame()
      show.settle()
      #expect(show.window?.setClipboard("text") == true)
      show.settle()
      let objects = show.application?.liveObjectCount ?? 0
      show.stage.remove(other)
      show.stage.step()
      for _ in 0..<3 { show.turn() }
      // The compositor has not read yet that the client lets go of them.
      other.addPen()
      show.stage.copyElsewhere()
      show.settle()
      // The next object that an event makes must have the number that the client expects.
      let pen = show.seat.addPen()
      show.settle()
      #expect(show.failure == nil && pen.boundCount == 1)
      show.seat.remove(pen)
      show.settle()
      #expect(show.application?.liveObjectCount ?? 0 < objects, "the seat's objects have ended")
    }
  }

  @Test(arguments: [StageGlobals.everything, .kwin527])
  func `behaviour 28: a compositor that sends and does not read is not written to death`(globals: StageGlobals) throws {
    let stage = Stage(globals: globals)
    stage.clientRoom = 4608
    try play(stage: stage) { show in
      show.calm()
      stage.answerDelay = .seconds(1000)
      for round in 0..<3000 {
        show.toplevel.configure(64, 48, round % 2 == 0 ? [.activated] : [])
        if round % 100 == 0 { show.content.paint(PixelRect(x: round % 50, y: 0, width: 3, height: 3)) }
        stage.step()
        show.turn()
        guard show.failure == nil else { break }
      }
      #expect(show.failure == nil)
      stage.answerDelay = .zero
      show.toplevel.configure(70, 50)
      show.settle()
      for _ in 0..<3 { show.refresh() }
      #expect(show.surface.logicalSize == Size(width: 70, height: 50))
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 1e300, 0.2])
  func `sizes that content can't mean are sent as lengths that there are`(length: Double) throws {
    try play(prepare: { _, options in options.size = Size(width: length, height: 48) }) { show in
      show.content.minimumSize = Size(width: length, height: length)
      show.toplevel.configure(80, 60)
      show.settle()
      let side = length > 0 ? Int(min(length.rounded(.up), 32_767)) : 0
      #expect(show.toplevel.minimumSize == PixelSize(width: side, height: side) && show.failure == nil)
    }
  }

  @Test func `a pointer that comes again over its window, without having left it, presses nothing any more`() throws {
    try play { show in
      show.seat.pointerEnter(1, 1)
      show.seat.pointerButton(true)
      show.settle()
      #expect(show.content.touches.last == "pointer began 1.0,1.0")
      show.content.forget()
      show.seat.pointerEnter(2, 2)
      show.settle()
      #expect(show.content.touches == ["pointer cancelled"])
    }
  }

  @Test func `behaviours 2 and 12: who comes over another window without having left the first holds nothing any more`()
    throws
  {
    try play { show in
      let other = TestContent()
      show.application?.openWindow(
        content: other, options: WindowOptions(title: "2", applicationID: "x", size: Size(width: 30, height: 20)))
      show.settle()
      let pen = show.seat.addPen()
      show.settle()
      let second = try #require(show.stage.toplevels.last).surface
      show.seat.keyboardEnter()
      show.seat.key(StageKeymap.Code.a, true)
      show.seat.pointerEnter(1, 1)
      show.seat.pointerButton(true)
      pen.enterProximity()
      pen.move(3, 3)
      pen.down()
      pen.frame()
      show.settle()
      show.content.forget()
      show.seat.keyboardEnter(on: second)
      show.seat.pointerEnter(2, 2, on: second)
      pen.enterProximity(on: second)
      pen.frame()
      show.seat.key(StageKeymap.Code.a, false)
      show.settle()
      #expect(show.content.keys == ["a cancelled"] && other.keys.isEmpty)
      #expect(show.content.touches == ["pointer cancelled", "pen 1 cancelled"] && other.touches.isEmpty)
      #expect(show.content.calls.first == "lost keyboardLeft" && show.content.calls.contains("hover out"))
    }
  }

  @Test func `a picture of more than 100 MB is shown, and its memory goes with the size`() throws {
    let stage = Stage(checks: false)
    try play(stage: stage) { show in
      show.toplevel.configure(6400, 4200)
      show.settle()
      show.refresh()
      #expect(show.surface.buffer?.size == PixelSize(width: 6400, height: 4200))
      show.toplevel.configure(64, 48)
      show.settle()
      for _ in 0..<4 { show.refresh() }
      #expect(show.surface.buffer?.size == PixelSize(width: 64, height: 48) && stage.bufferCount <= 3)
    }
  }

  @Test func `a picture that can't be had is asked for four times a second, not at every event`() throws {
    try play { show in
      show.calm()
      show.toplevel.configure(32_767, 32_767)
      show.settle()
      show.content.forget()
      for _ in 0..<1000 {
        show.stage.clock.advance(by: .milliseconds(1))
        show.seat.touchMotion(0, 1, 1)
        show.content.paint(PixelRect(x: 0, y: 0, width: 1, height: 1))
        show.turn()
        show.stage.step()
      }
      #expect((3...5).contains(show.content.times.count), "\(show.content.times.count)")
      // Another size is tried at once.
      show.toplevel.configure(80, 60)
      show.settle()
      #expect(show.surface.picture?.size.width == 80)
    }
  }
}
