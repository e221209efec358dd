import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

/// Shortcuts, gestures and idleness: what a seat tells beside its devices' events.
@MainActor @Suite(.serialized) struct SeatExtensionTests {
  private let stage = Stage()

  @Test func `shortcuts are inhibited while the surface has the focus, until the user wants them back`() throws {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let manager = try actor.global(ZwpKeyboardShortcutsInhibitManagerV1.self)
    let inhibitor = actor.keep(
      manager.inhibitShortcuts(surface: window.surface, seat: try #require(actor.client.seat)))
    var events = ""
    inhibitor.onEvent = {
      switch $0 {
      case .active: events += "a"
      case .inactive: events += "i"
      }
    }
    actor.settle()
    #expect(events == "" && !stage.seat.inhibitsShortcuts)
    stage.seat.keyboardEnter()
    actor.settle()
    #expect(events == "a" && stage.seat.inhibitsShortcuts)
    stage.seat.keyboardLeave()
    actor.settle()
    #expect(events == "a" && !stage.seat.inhibitsShortcuts, "the loss of the focus is no event")
    stage.seat.keyboardEnter()
    stage.seat.overruleInhibitors(true)
    actor.settle()
    #expect(events == "aai" && !stage.seat.inhibitsShortcuts)
    stage.seat.keyboardLeave()
    stage.seat.keyboardEnter()
    actor.settle()
    #expect(events == "aai", "the user's wish stays")
    stage.seat.overruleInhibitors(false)
    actor.settle()
    #expect(events == "aaia" && stage.seat.inhibitsShortcuts)
    inhibitor.end()
    actor.settle()
    #expect(!stage.seat.inhibitsShortcuts && stage.violations == [])
  }

  @Test func `gestures go to the client under the pointer`() throws {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let manager = try actor.global(ZwpPointerGesturesV1.self)
    let (pointer, _) = try actor.enter()
    let swipe = actor.keep(manager.getSwipeGesture(pointer: pointer))
    let pinch = actor.keep(manager.getPinchGesture(pointer: pointer))
    let hold = actor.keep(manager.getHoldGesture(pointer: pointer))
    var events: [String] = []
    swipe.onEvent = {
      switch $0 {
      case .begin(_, _, let surface, let fingers): events.append("swipe \(fingers) \(surface === window.surface)")
      case .update(_, let dx, let dy): events.append("\(dx), \(dy)")
      case .end(_, _, let cancelled): events.append("end \(cancelled)")
      }
    }
    pinch.onEvent = {
      switch $0 {
      case .begin(_, _, _, let fingers): events.append("pinch \(fingers)")
      case .update(_, let dx, let dy, let scale, let turn): events.append("\(dx), \(dy), \(scale), \(turn)")
      case .end(_, _, let cancelled): events.append("end \(cancelled)")
      }
    }
    hold.onEvent = {
      switch $0 {
      case .begin(_, _, _, let fingers): events.append("hold \(fingers)")
      case .end(_, _, let cancelled): events.append("end \(cancelled)")
      }
    }
    actor.settle()
    #expect(StageSeat.Gesture.allCases.allSatisfy { stage.seat.listens(for: $0) })
    stage.seat.beginGesture(.swipe, fingers: 3)
    stage.seat.updateSwipe(dx: 4, dy: -2)
    stage.seat.endGesture(.swipe)
    stage.seat.beginGesture(.pinch, fingers: 2)
    stage.seat.updatePinch(dx: 0, dy: 1, scale: 1.5, rotation: -30)
    stage.seat.endGesture(.pinch, isCancelled: true)
    stage.seat.beginGesture(.hold, fingers: 1)
    stage.seat.endGesture(.hold)
    stage.seat.pointerLeave()
    #expect(stage.seat.beginGesture(.hold, fingers: 1) == 0)
    actor.settle()
    #expect(
      events == [
        "swipe 3 true", "4.0, -2.0", "end 0", "pinch 2", "0.0, 1.0, 1.5, -30.0", "end 1", "hold 1", "end 0",
      ])
    #expect(stage.violations == [])
  }

  @Test func `idleness is told on the stage's clock, and ends with the next input`() throws {
    let actor = try RuleActor(stage)
    let window = try actor.shownWindow()
    let (notifier, seat) = (try actor.global(ExtIdleNotifierV1.self), try #require(actor.client.seat))
    var events = ""
    func listen(_ notification: ExtIdleNotificationV1, _ name: String) {
      actor.keep(notification).onEvent = {
        switch $0 {
        case .idled: events += name
        case .resumed: events += "-\(name)"
        }
      }
    }
    listen(notifier.getIdleNotification(timeout: 1000, seat: seat), "a")
    listen(notifier.getInputIdleNotification(timeout: 1500, seat: seat), "b")
    func pass(_ time: Duration) {
      stage.clock.advance(by: time)
      actor.settle()
    }
    actor.settle()
    pass(.milliseconds(999))
    #expect(events == "")
    pass(.milliseconds(1))
    #expect(events == "a")
    pass(.milliseconds(5000))
    #expect(events == "ab")
    stage.seat.pointerEnter(1, 1)
    actor.settle()
    #expect(events == "ab-a-b")
    // A window that keeps the screen on counts for the one alone.
    let inhibitor = actor.keep(try actor.global(ZwpIdleInhibitManagerV1.self).createInhibitor(surface: window.surface))
    actor.settle()
    pass(.milliseconds(2000))
    #expect(events == "ab-a-bb")
    inhibitor.end()
    actor.settle()
    pass(.milliseconds(1000))
    #expect(events == "ab-a-bba" && stage.violations == [])
  }
}
