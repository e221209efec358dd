import CLinux
import Glibc
import Testing
import UICore

@testable import MainLoop

/// The loop's turns: the order of its handlers, and descriptors that other code closes.
@MainActor @Suite(.serialized) struct EventLoopTests {
  private let loop = EventLoop(clock: ManualClock())

  /// A pipe with a byte in it.
  private func readyPipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    #expect(cockpit_pipe(&ends) == 0)
    _ = write(ends[1], "x", 1)
    return (ends[0], ends[1])
  }

  @Test func `what is watched while another one prepares is heard of in that turn`() {
    let (first, second) = (readyPipe(), readyPipe())
    var heard: [String] = []
    var isAdded = false
    loop.watch(
      EventLoop.Watch(
        descriptor: first.read,
        prepare: { [loop] in
          if !isAdded {
            isAdded = true
            loop.watchReadable(second.read) { heard.append("second") }
          }
          return .readable
        }, handle: { if $0.contains(.readable) { heard.append("first") } }))
    loop.turn(waits: false)
    #expect(heard == ["first", "second"])
    for end in [first.read, first.write, second.read, second.write] { close(end) }
  }

  @Test func `one that stops watching another one while it prepares is obeyed at once`() {
    let (first, second) = (readyPipe(), readyPipe())
    var heard: [String] = []
    loop.watchReadable(second.read) { heard.append("second") }
    loop.watch(
      EventLoop.Watch(
        descriptor: first.read,
        prepare: { [loop] in
          loop.unwatch(second.read)
          return .readable
        }, handle: { _ in heard.append("first") }))
    loop.turn(waits: false)
    #expect(heard == ["first"])
    for end in [first.read, first.write, second.read, second.write] { close(end) }
  }

  @Test func `a descriptor that is closed and taken by another file in one turn is not told of the first file's data`()
  {
    let (first, second) = (readyPipe(), readyPipe())
    let empty = { () -> (Int32, Int32) in
      var ends: [Int32] = [-1, -1]
      cockpit_pipe(&ends)
      return (ends[0], ends[1])
    }()
    var heard: [String] = []
    loop.watchReadable(first.read) { [loop] in
      heard.append("first")
      loop.unwatch(first.read)
      // The second one's number is another file's from now on, which has no data.
      loop.unwatch(second.read)
      dup2(empty.0, second.read)
      loop.watchReadable(second.read) { heard.append("third") }
    }
    loop.watchReadable(second.read) { heard.append("second") }
    loop.turn(waits: false)
    #expect(heard == ["first"])
    _ = write(empty.1, "y", 1)
    loop.turn(waits: false)
    #expect(heard == ["first", "third"])
    for end in [first.read, first.write, second.read, second.write, empty.0, empty.1] { close(end) }
  }

  @Test func `a watched descriptor that its owner closed is told once and not watched any more`() {
    let ends = readyPipe()
    var count = 0
    loop.watchReadable(ends.read) { count += 1 }
    close(ends.read)
    for _ in 0..<5 { loop.turn(waits: false) }
    #expect(count == 1)
    close(ends.write)
  }

  @Test func `a timer that becomes due while a handler works waits for what has arrived meanwhile`() {
    let clock = ManualClock()
    let loop = EventLoop(clock: clock)
    let (first, second) = (readyPipe(), readyPipe())
    var byte: UInt8 = 0
    read(second.read, &byte, 1)
    var heard: [String] = []
    loop.watchReadable(first.read) {
      read(first.read, &byte, 1)
      heard.append("first")
      clock.advance(by: .seconds(1))
      _ = write(second.write, "x", 1)
    }
    loop.watchReadable(second.read) {
      read(second.read, &byte, 1)
      heard.append("second")
    }
    loop.schedule(at: clock.now + .milliseconds(500)) { heard.append("timer") }
    for _ in 0..<3 { loop.turn(waits: false) }
    #expect(heard == ["first", "second", "timer"])
    for end in [first.read, first.write, second.read, second.write] { close(end) }
  }

  @Test func `a turn within a turn does nothing`() {
    let ends = readyPipe()
    var count = 0
    loop.watchReadable(ends.read) { [loop] in
      count += 1
      loop.turn(waits: false)
    }
    loop.turn(waits: false)
    #expect(count == 1)
    close(ends.read)
    close(ends.write)
  }

  @Test func `a timer that is set again and again fires once for the last time it was set to, and ends with its owner`()
  {
    let clock = ManualClock()
    let loop = EventLoop(clock: clock)
    var fired: [MonotonicTime] = []
    var again: MonotonicTime?
    weak var itself: LoopTimer?
    var timer: LoopTimer? = LoopTimer(loop: loop) {
      fired.append(clock.now)
      #expect(itself?.time == nil)
      itself?.time = again
      again = nil
    }
    itself = timer
    func pass() {
      clock.advance(by: .milliseconds(10))
      loop.turn(waits: false)
    }
    for delay in [50, 5, 15, 15] { timer?.time = clock.now + .milliseconds(delay) }
    again = clock.now + .milliseconds(20)
    for _ in 0..<8 { pass() }
    #expect(fired.map(\.nanoseconds) == [20_000_000, 30_000_000], "set in its own handler it waits for the next turn")
    timer?.time = clock.now
    timer?.time = nil
    pass()
    timer?.time = clock.now
    timer = nil
    pass()
    #expect(fired.count == 2 && itself == nil)
  }
}
