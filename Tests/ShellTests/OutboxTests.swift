import Stage
import Testing
import UICore

@testable import Shell

/// Tests of when events are delivered to contents, which may then do anything.
@MainActor @Suite(.serialized) struct OutboxTests {
  /// An action of a content in any call.
  enum Act: CaseIterable, Sendable {
    case closeWindow, closeAll, openAnother
  }

  nonisolated static let calls = [
    "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground", "resize", "prepareFrame",
    "takeDamage", "draw", "touches", "hover", "hover out", "scroll", "key", "focus", "focus lost", "wake",
    "lost deviceLost(UICore.InputLoss.Device.touch)", "lost deviceLost(UICore.InputLoss.Device.pointer)",
    "lost deviceLost(UICore.InputLoss.Device.keyboard)", "lost touchCancelled", "lost keyboardLeft", "lost hidden",
  ]

  /// Everything that makes a window call its content.
  private func happenings(_ show: Show) {
    show.window?.setWake(at: show.stage.clock.now + .milliseconds(1))
    show.useEveryDevice()
    show.content.paint(PixelRect(x: 0, y: 0, width: 4, height: 4))
    show.pass(.milliseconds(5))
    show.stage.toplevels.first?.configure(90, 70)
    show.settle()
    show.seat.pointerLeave()
    show.seat.keyboardLeave()
    show.seat.touchCancel()
    show.settle()
    show.seat.touchDown(0, 1, 1)
    show.seat.touchFrame()
    show.seat.pointerEnter(1, 1)
    show.seat.pointerButton(true)
    show.seat.keyboardEnter()
    show.seat.key(StageKeymap.Code.s, true)
    show.settle()
    show.seat.capabilities = []
    show.settle()
    show.seat.capabilities = [.touch, .pointer, .keyboard]
    show.settle()
    show.stage.toplevels.first?.suspend()
    show.settle()
    show.stage.toplevels.first?.resume()
    show.settle()
  }

  @Test(arguments: calls, [Act.closeWindow, .closeAll])
  func `contents may end their window in every call, and the last thing they hear is that it ends`(
    call: String, act: Act
  ) throws {
    let keeper = TestContentKeeper()
    try play { show in
      keeper.content = show.content
      // What begins a window's life comes again when it is seen again.
      var isDone = false
      show.content.onCall = { [weak show] name in
        guard name == call, !isDone, let show else { return }
        isDone = true
        if act == .closeAll { show.application?.closeAll() } else { show.window?.close() }
        // Nothing happens in the middle of it.
        #expect(show.window?.isOpen == true)
      }
      happenings(show)
      #expect(isDone, "\(call) was not called")
      #expect(show.stage.toplevels.isEmpty && show.failure == nil)
    }
    let content = try #require(keeper.content)
    #expect(content.calls.last == "willTerminate" && content.life.filter { $0 == .willTerminate }.count == 1)
    #expect(
      content.life.suffix(3) == [.willResignActive, .didEnterBackground, .willTerminate], "\(content.life)")
    #expect(content.host == nil)
  }

  @Test(arguments: ["prepareFrame", "touches", "willResignActive"])
  func `another window opened in a call, and closed with the first, is whole`(call: String) throws {
    try play { show in
      let other = TestContent()
      var isDone = false
      show.content.onCall = { [weak show] name in
        guard name == call, !isDone, let application = show?.application else { return }
        isDone = true
        application.openWindow(
          content: other, options: WindowOptions(title: "2", applicationID: "x", size: Size(width: 30, height: 20)))
        show?.window?.close()
      }
      happenings(show)
      show.settle()
      #expect(isDone && show.stage.toplevels.count == 1 && show.application?.windows.count == 1)
      #expect(other.life.first == .willEnterForeground && other.life.last == .didBecomeActive && show.surface.isMapped)
    }
  }

  @Test func `a frame's report may close every window`() throws {
    try play { show in
      show.calm()
      show.window?.onFrame = { [weak show] _ in show?.application?.closeAll() }
      show.content.paint(PixelRect(x: 0, y: 0, width: 4, height: 4))
      show.settle()
      #expect(show.stage.toplevels.isEmpty && show.content.calls.last == "willTerminate")
    }
  }

  @Test func `what came in is told in the same turn, a loss before what it cancels`() throws {
    try play { show in
      show.calm()
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.stage.step()
      show.turn()
      #expect(show.content.calls == ["touches"])
      show.seat.touchCancel()
      show.stage.step()
      show.turn()
      #expect(show.content.calls == ["touches", "lost touchCancelled", "touches"])
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      show.content.forget()
      show.seat.capabilities = [.pointer]
      show.stage.step()
      show.turn()
      #expect(show.content.calls.first == "lost deviceLost(UICore.InputLoss.Device.touch)")
      #expect(show.content.calls.contains("touches") && show.content.touches == ["0 cancelled"])
    }
  }

  @Test func `a touch is answered by a frame in the same turn`() throws {
    try play { show in
      show.calm()
      show.content.onInput = { [weak show] _ in show?.content.paint(PixelRect(x: 0, y: 0, width: 3, height: 3)) }
      show.seat.touchDown(0, 1, 1)
      show.stage.step()
      show.turn()
      show.turn()
      show.stage.step()
      #expect(show.surface.contentCommits.count == 1)
    }
  }

  @Test func `a window that is moved from within a frame hears in the same turn that its finger is the compositor's`()
    throws
  {
    try play { show in
      show.calm()
      show.seat.touchDown(4, 1, 1)
      show.seat.touchFrame()
      show.settle()
      show.content.onCall = { [weak show] name in
        guard name == "prepareFrame", let show, case .touches(let points)? = show.content.events.last else { return }
        show.window?.beginMove(by: points[0].id)
      }
      show.content.paint(PixelRect(x: 0, y: 0, width: 3, height: 3))
      show.turn()
      #expect(show.content.touches.last == "4 cancelled")
      show.settle()
      #expect(show.toplevel.requests.count == 1)
    }
  }

  @Test func `messages in order, steps when all is told, nothing within a hold`() {
    let outbox = Outbox()
    var told: [String] = []
    func say(_ word: String, _ more: @escaping () -> Void = {}) {
      outbox.post(
        .call {
          told.append(word)
          more()
        })
    }
    outbox.hold()
    say("a") {
      outbox.whenEmpty { told.append("rest") }
      say("c")
      outbox.deliver()
      told.append("end of a")
    }
    say("b")
    outbox.deliver()
    #expect(told.isEmpty && !outbox.isEmpty)
    outbox.release()
    #expect(told.isEmpty)
    outbox.deliver()
    #expect(told == ["a", "end of a", "b", "c", "rest"] && outbox.isEmpty)
  }

  @Test func `lists of touches serve again once they are told`() {
    let outbox = Outbox()
    let touch = TouchPoint(
      id: TouchID(seat: SeatID(1), contact: .pointer), phase: .moved, location: .zero, time: .zero)
    var places: Set<UnsafeRawPointer?> = []
    for _ in 0..<20 {
      for _ in 0..<2 {
        var list = outbox.touchList()
        list.append(touch)
        places.insert(list.withUnsafeBytes { $0.baseAddress })
        outbox.post(.input(.touches(list)))
      }
      outbox.deliver()
    }
    #expect(places.count == 2)
  }
}
