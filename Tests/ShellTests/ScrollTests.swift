import Shell
import Stage
import Testing
import UICore

/// Wheels and touchpads.
@MainActor @Suite(.serialized) struct ScrollTests {
  private func scrolls(_ show: Show) -> [ScrollEvent] {
    show.content.events.compactMap { if case .scroll(let event) = $0 { event } else { nil } }
  }

  @Test(arguments: [Int32(4), 5, 7, 8, 9, 10])
  func `a wheel scrolls in logical points and tells its detents where the version has them`(version: Int32) throws {
    var globals = StageGlobals.everything
    globals.seat = version
    try play(globals) { show in
      show.seat.pointerEnter(5, 6)
      show.seat.pointerAxis(dy: 15, clicks: 1)
      show.seat.pointerAxis(dx: -4)
      show.seat.pointerAxis(dy: 7.5, clicks: 0.5, isInverted: true)
      show.settle()
      let heard = scrolls(show)
      #expect(heard.map(\.dy) == [15, 0, 7.5] && heard.map(\.dx) == [0, -4, 0])
      #expect(heard.allSatisfy { $0.location == Point(x: 5, y: 6) && $0.phase == .changed && $0.time != .zero })
      #expect(heard.map(\.clicksY) == (version < 5 ? [0, 0, 0] : [1, 0, version < 8 ? 0 : 0.5]))
      #expect(heard.map(\.source) == (version < 5 ? [.unknown, .unknown, .unknown] : [.wheel, .finger, .wheel]))
      #expect(heard.map(\.isInverted) == [false, false, version >= 9])
    }
  }

  @Test func `both directions of one frame are one scroll`() throws {
    try play { show in
      show.seat.pointerEnter(5, 6)
      show.seat.pointerAxis(dx: 3, dy: 4)
      show.settle()
      let heard = scrolls(show)
      #expect(heard.count == 1 && heard.first?.dx == 3 && heard.first?.dy == 4)
    }
  }

  @Test func `a finger that leaves the touchpad ends its scroll, once, and scrolls nothing by that`() throws {
    try play { show in
      show.seat.pointerEnter(5, 6)
      show.seat.pointerAxis(dx: 1, dy: 4)
      show.seat.pointerAxisStop()
      show.seat.pointerAxis(dy: 2)
      show.seat.pointerAxisStop(horizontal: false)
      show.settle()
      let heard = scrolls(show)
      #expect(heard.map(\.phase) == [.changed, .ended, .changed, .ended])
      #expect(heard.filter { $0.phase == .ended }.allSatisfy { $0.dx == 0 && $0.dy == 0 && $0.source == .finger })
    }
  }

  @Test func `a scroll whose frame is missing counts when the batch of messages ends`() throws {
    try play { show in
      show.seat.pointerEnter(5, 6)
      show.settle()
      show.seat.sendsPointerFrames = false
      show.seat.pointerAxis(dy: 4)
      show.seat.pointerAxis(dy: 5)
      show.settle()
      #expect(scrolls(show).map(\.dy) == [9])
      show.seat.pointerAxisStop()
      show.settle()
      #expect(scrolls(show).last?.phase == .ended)
    }
  }

  @Test func `a wheel turned over nothing, or over another window, is not heard of`() throws {
    try play { show in
      show.seat.pointerAxis(dy: 4)
      show.seat.pointerEnter(5, 6)
      show.seat.pointerLeave()
      show.seat.pointerAxis(dy: 4)
      show.settle()
      #expect(scrolls(show).isEmpty)
    }
  }

  @Test func `each seat's wheel scrolls at its own pointer`() throws {
    try play { show in
      let other = show.stage.addSeat(capabilities: .pointer)
      show.settle()
      show.seat.pointerEnter(1, 2)
      other.pointerEnter(30, 40)
      show.seat.pointerAxis(dy: 1)
      other.pointerAxis(dy: 2)
      show.settle()
      let heard = scrolls(show)
      #expect(heard.map(\.location) == [Point(x: 1, y: 2), Point(x: 30, y: 40)])
      #expect(Set(heard.map(\.seat)).count == 2)
    }
  }
}
