import Controls
import Testing
import UICore

@testable import Accessibility

/// The numbers of objects, and when the accessibility bus is looked for.
@MainActor @Suite struct ServingTests {
  @Test func `destroyed views keep no numbers, but for those that were sent`() {
    var numbers = ViewNumbers(after: 1, limit: 100)
    let stays = View()
    let sent = numbers.number(of: View()) { _ in false }.number
    let first = numbers.number(of: stays) { _ in false }.number
    var removed: Set<Int> = []
    for _ in 0..<10_000 { removed.formUnion(numbers.number(of: View()) { $0 == sent }.removed) }
    #expect(numbers.count <= 200 && removed.count > 9000 && !removed.contains(sent) && !removed.contains(first))
    #expect(numbers.number(of: stays) { _ in false }.number == first && numbers.view(first) === stays)
    #expect(numbers.view(sent) == nil)
    numbers.remove(first)
    #expect(numbers.view(first) == nil && numbers.number(of: stays) { _ in false }.number > first)
  }

  private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func `a missing or restarting bus is searched for repeatedly while it is wanted`() {
    var search = BusSearch()
    #expect(search.nextTime == nil && !search.advance(to: time(1000)))
    search.start(at: time(0))
    #expect(search.isWanted && search.nextTime == time(0.5))
    #expect(!search.advance(to: time(0.4)) && search.advance(to: time(0.5)) && search.nextTime == time(1.5))
    search.noteConnected(at: time(1))
    #expect(search.nextTime == nil && !search.advance(to: time(100)))
    // A restart does not notify the session.
    search.noteDisconnected(at: time(100))
    #expect(search.isWanted && search.nextTime == time(100.5))
    // The back-off grows while the bus closes each connection at once.
    var requests = 0
    var now = 100.5
    while now < 3700 {
      if search.advance(to: time(now)) {
        requests += 1
        search.noteConnected(at: time(now))
        search.noteDisconnected(at: time(now))
      }
      now += 0.5
    }
    #expect((110...140).contains(requests), "\(requests) in an hour")
    search.stop()
    #expect(!search.isWanted && search.nextTime == nil)
    search.noteDisconnected(at: time(4000))
    #expect(search.nextTime == nil)
  }
}
