import Testing
import UICore

@Suite struct MonotonicTimeTests {
  @Test func `durations and times beyond 292 years end there`() {
    let longest = Duration.nanoseconds(Int64.max)
    for long in [Duration.seconds(10_000_000_000), .seconds(Int64.max), longest] {
      #expect(long.inNanoseconds == .max && (Duration.zero - long).inNanoseconds <= -Int64.max)
      #expect(long.inSeconds == Double(Int64.max) / 1e9)
      let time = MonotonicTime(nanoseconds: 5)
      #expect((time + long).nanoseconds == .max && (time - (Duration.zero - long)).nanoseconds == .max)
      #expect((time + (Duration.zero - long) - long).nanoseconds == .min)
    }
    let (first, last) = (MonotonicTime(nanoseconds: .min), MonotonicTime(nanoseconds: .max))
    #expect(last - first == longest && (first - last).inNanoseconds == .min)
    #expect(last - MonotonicTime.zero == longest && first < last)
  }

  @Test func `shorter ones are exact`() {
    #expect(Duration.seconds(-9_000_000_000).inNanoseconds == -9_000_000_000_000_000_000)
    #expect((Duration.seconds(3) + .nanoseconds(7)).inNanoseconds == 3_000_000_007)
    #expect((MonotonicTime(nanoseconds: 3) - .nanoseconds(7)).nanoseconds == -4)
  }
}
