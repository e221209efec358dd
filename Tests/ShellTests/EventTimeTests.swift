import Stage
import Testing
import UICore

@testable import Shell

/// Times of input to the nanosecond, where the compositor sends them (input-timestamps).
@MainActor @Suite(.serialized) struct EventTimeTests {
  /// The times that input carries, in the order in which content heard it.
  private func times(_ content: TestContent) -> [Int64] {
    content.events.flatMap { event -> [Int64] in
      switch event {
      case .touches(let points): points.map(\.time.nanoseconds)
      case .key(let key): [key.time.nanoseconds]
      case .scroll(let scroll): [scroll.time.nanoseconds]
      case .hover, .keyboardFocus, .text, .textService, .gamepad, .lost: []
      }
    }
  }

  /// Uses every device, each event 100,001 nanoseconds after the one before.
  private func useDevices(_ show: Show) {
    let seat = show.seat
    let steps: [() -> Void] = [
      { seat.touchDown(0, 1, 1) }, { seat.touchFrame() }, { seat.touchMotion(0, 2, 2) }, { seat.touchFrame() },
      { seat.touchUp(0) }, { seat.touchFrame() }, { seat.key(StageKeymap.Code.a, true) },
      { seat.key(StageKeymap.Code.a, false) }, { seat.pointerButton(true) }, { seat.pointerMotion(3, 3) },
      { seat.pointerButton(false) }, { seat.pointerAxis(dy: 3) }, { seat.pointerAxisStop(horizontal: false) },
    ]
    for step in steps {
      step()
      show.stage.clock.advance(by: .nanoseconds(100_001))
    }
    show.settle()
  }

  @Test(arguments: [true, false])
  func `every event has the time that was told ahead of it, else that of its millisecond`(isExact: Bool) throws {
    var globals = StageGlobals.everything
    if !isExact { globals.inputTimestamps = nil }
    try play(globals) { show in
      show.seat.keyboardEnter()
      show.seat.pointerEnter(1, 1)
      show.settle()
      show.content.forget()
      let start = show.stage.clock.now.nanoseconds
      useDevices(show)
      let expected = [0, 2, 4, 6, 7, 8, 9, 10, 11, 12].map { start + $0 * 100_001 }
      #expect(times(show.content) == (isExact ? expected : expected.map { $0 / 1_000_000 * 1_000_000 }))
      #expect(show.seat.timestampCount == (isExact ? 3 : 0))
    }
  }

  @Test func `a device that goes takes its subscription along, and one that comes back has another`() throws {
    try play { show in
      show.seat.capabilities = .touch
      show.settle()
      #expect(show.seat.timestampCount == 1 && show.seat.timestampCount(for: .touch) == 1)
      show.seat.capabilities = [.touch, .pointer, .keyboard]
      show.settle()
      #expect(show.seat.timestampCount == 3 && show.seat.timestampCount(for: .pointer) == 1)
      let seat = show.seat
      show.stage.remove(seat)
      show.settle()
      #expect(seat.timestampCount == 0)
    }
  }

  @Test func `an exact time belongs to the next event only, and to one of its millisecond`() {
    let exact = MonotonicTime(nanoseconds: 5_000_123_456)
    let rows: [(event: UInt32, expected: MonotonicTime)] = [
      (5000, exact), (5001, exact), (4999, exact), (5002, MonotonicTime(milliseconds: 5002)),
      (4998, MonotonicTime(milliseconds: 4998)), (0, .zero),
    ]
    for row in rows {
      var time = ExactTime()
      time.note(seconds: 5, nanoseconds: 123_456)
      #expect(time.take(row.event) == row.expected, "\(row.event)")
      #expect(time.take(5000) == MonotonicTime(milliseconds: 5000))
    }
    // After 50 days milliseconds begin anew, and exact times go on.
    var time = ExactTime()
    time.note(seconds: 4_294_967 + 10, nanoseconds: 296_000_001)
    #expect(time.take(10_000).nanoseconds == 4_294_977_296_000_001)
    for (seconds, nanoseconds) in [(UInt64.max, UInt32(0)), (5, 1_000_000_000), (5, .max)] {
      time.note(seconds: seconds, nanoseconds: nanoseconds)
      #expect(time.take(5000) == MonotonicTime(milliseconds: 5000))
    }
  }

  @Test func `an exact time is when it happened; one in milliseconds was in their middle`() {
    let now = MonotonicTime(nanoseconds: 5_010_000_000)
    func happened(_ nanoseconds: Int64) -> Int64? {
      let point = TouchPoint(
        id: TouchID(seat: SeatID(1), contact: .finger(0)), phase: .moved, location: .zero,
        time: MonotonicTime(nanoseconds: nanoseconds))
      return InputEvent.touches([point]).happened(within: 100, before: now)?.nanoseconds
    }
    #expect(happened(5_000_123_456) == 5_000_123_456)
    #expect(happened(5_000_000_000) == 5_000_500_000)
    #expect(happened(4_900_123_456) == nil && happened(5_020_123_456) == nil)
  }
}
