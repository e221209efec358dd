import Stage
import Testing
import UICore

@testable import Shell

/// A screen that turns under fingers: their places count no more.
@MainActor @Suite(.serialized) struct ScreenTurnTests {
  /// Two fingers, a pen and a key are down.
  private func hold(_ show: Show) {
    show.seat.keyboardEnter()
    show.seat.key(StageKeymap.Code.a, true)
    let pen = show.seat.addPen()
    show.settle()
    pen.enterProximity()
    pen.move(3, 3)
    pen.down()
    pen.frame()
    for finger: Int32 in [0, 1] { show.seat.touchDown(finger, 1, 1) }
    show.seat.touchFrame()
    show.settle()
    show.content.forget()
  }

  /// The ways in which places come to lie elsewhere.
  enum Change: CaseIterable, Sendable { case turn, mode, scale, move }

  @Test(arguments: Change.allCases)
  func `when the output's mapping changes fingers and pens are lost, the loss first, and keys stay held`(
    change: Change
  ) throws {
    let stage = Stage(globals: .kwin527)
    try play(stage: stage) { show in
      show.calm()
      let other = stage.addOutput(transform: .turned90)
      show.settle()
      hold(show)
      switch change {
      case .turn:
        stage.output.transform = .turned270
        stage.output.announce()
      case .mode:
        stage.output.mode = PixelSize(width: 720, height: 1280)
        stage.output.announce()
      case .scale:
        stage.output.scale = 2
        stage.output.announce()
      case .move:
        show.surface.enter(other)
        show.surface.leave(stage.output)
      }
      show.settle()
      let told = show.content.calls.filter { $0 == "touches" || $0 == "key" || $0.hasPrefix("lost") }
      #expect(
        told == ["lost screenTurned"] + Array(repeating: "touches", count: max(told.count - 1, 0)) && told.count > 1)
      #expect(
        show.content.touches.joined(separator: " + ").split(separator: " + ").sorted() == [
          "0 cancelled", "1 cancelled", "pen 1 cancelled",
        ])
      show.content.forget()
      show.seat.touchMotion(0, 30, 30)
      show.seat.touchUp(1)
      show.seat.touchFrame()
      show.seat.key(StageKeymap.Code.a, false)
      show.settle()
      #expect(show.content.touches.isEmpty && show.content.keys == ["a up"])
    }
  }

  @Test
  func `what an output says at first, says again, or says of a screen that does not show the window loses nothing`()
    throws
  {
    try play { show in
      show.calm()
      let other = show.stage.addOutput(transform: .turned90)
      show.settle()
      hold(show)
      show.stage.output.announce()
      other.transform = .normal
      other.announce()
      // The window comes to lie on both: the first one counts.
      other.transform = .turned180
      other.announce()
      show.surface.enter(other)
      show.settle()
      #expect(show.content.calls.allSatisfy { !$0.hasPrefix("lost") } && show.content.touches.isEmpty)
      #expect(show.window?.outputTransform == .normal)
      show.surface.leave(show.stage.output)
      show.settle()
      #expect(show.window?.outputTransform == .turned180 && show.content.calls.contains("lost screenTurned"))
      show.content.forget()
      show.surface.leave(other)
      show.settle()
      #expect(show.window?.outputTransform == .turned180, "a screen that sleeps turns nothing")
      #expect(!show.content.calls.contains("lost screenTurned"))
    }
  }
}
