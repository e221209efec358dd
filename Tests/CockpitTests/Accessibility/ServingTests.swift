import Controls
import Testing
import UICore

@testable import Accessibility

/// The numbers of objects, and when the accessibility bus is looked for.
@MainActor @Suite struct ServingTests {
  @Test func `views that went keep no numbers for ever, but for those that somebody was told of`() {
    var numbers = ViewNumbers(after: 1, most: 100)
    let stays = View()
    let told = numbers.number(of: View()) { _ in false }.number
    let first = numbers.number(of: stays) { _ in false }.number
    var gone: Set<Int> = []
    for _ in 0..<10_000 { gone.formUnion(numbers.number(of: View()) { $0 == told }.gone) }
    #expect(numbers.count <= 200 && gone.count > 9000 && !gone.contains(told) && !gone.contains(first))
    #expect(numbers.number(of: stays) { _ in false }.number == first && numbers.view(first) === stays)
    #expect(numbers.view(told) == nil)
    numbers.forget(first)
    #expect(numbers.view(first) == nil && numbers.number(of: stays) { _ in false }.number > first)
  }

  private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func `a bus that restarts, or was not there, is looked for again and again while somebody wants it`() {
    var visit = BusVisit()
    #expect(visit.nextTime == nil && !visit.advance(to: time(1000)))
    visit.begin(at: time(0))
    #expect(visit.isWanted && visit.nextTime == time(0.5))
    #expect(!visit.advance(to: time(0.4)) && visit.advance(to: time(0.5)) && visit.nextTime == time(1.5))
    visit.noteJoined(at: time(1))
    #expect(visit.nextTime == nil && !visit.advance(to: time(100)))
    // Its restart tells the session nothing.
    visit.noteLost(at: time(100))
    #expect(visit.isWanted && visit.nextTime == time(100.5))
    // One that hangs up at once is not asked without end.
    var looks = 0
    var now = 100.5
    while now < 3700 {
      if visit.advance(to: time(now)) {
        looks += 1
        visit.noteJoined(at: time(now))
        visit.noteLost(at: time(now))
      }
      now += 0.5
    }
    #expect((110...140).contains(looks), "\(looks) in an hour")
    visit.end()
    #expect(!visit.isWanted && visit.nextTime == nil)
    visit.noteLost(at: time(4000))
    #expect(visit.nextTime == nil)
  }
}
