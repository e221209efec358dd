/// Random numbers that a seed determines (xorshift).
package struct Random: Sendable {
  private var state: UInt64

  package init(_ seed: Int) {
    state = UInt64(bitPattern: Int64(seed)) &* 0x9e37_79b9_7f4a_7c15 &+ 0x1234_5678_9abc_def1
  }

  package mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// From 0 up to, not including, `bound`.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// From `low` to `high`.
  package mutating func number(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) / Double(1 << 53)
  }
}
