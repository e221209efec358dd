/// Makes a sequence that breaks a rule as short as it gets, by leaving parts of it out.
@MainActor struct Shrinker {
  /// True when a sequence still breaks the rule.
  let isBroken: ([Step]) -> Bool
  /// The most sequences to play.
  var budget = 600

  /// The shortest sequence found; `steps` itself when it doesn't break the rule a second time.
  func shrink(_ steps: [Step]) -> [Step] {
    var left = budget
    func breaks(_ steps: [Step]) -> Bool {
      guard left > 0 else { return false }
      left -= 1
      return isBroken(steps)
    }
    // Most often the last few steps are enough.
    var best = steps
    var length = 8
    while length < best.count {
      let end = Array(best.suffix(length))
      if breaks(end) {
        best = end
        break
      }
      length *= 3
    }
    guard best.count < steps.count || breaks(best) else { return steps }
    var part = max(best.count / 2, 1)
    while left > 0 {
      var (start, isShorter) = (0, false)
      while start < best.count, left > 0 {
        var shorter = best
        shorter.removeSubrange(start..<min(start + part, shorter.count))
        if breaks(shorter) {
          (best, isShorter) = (shorter, true)
        } else {
          start += part
        }
      }
      if part == 1, !isShorter { break }
      if !isShorter || part > best.count { part = max(min(part, best.count) / 2, 1) }
    }
    return best
  }
}
