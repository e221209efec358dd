import Glibc
import Testing

@testable import cockpit

@MainActor @Suite(.serialized) struct HuntTests {
  @Test func `speed`() throws {
    guard getenv("SPEED") != nil else { return }
    for seed in 1...10 {
      let start = ContinuousClock.now
      let setting = AdversarySetting(session: seed)
      var source = StepSource(seed: UInt64(seed), setting: setting)
      let steps = (0..<2000).map { _ in source.next() }
      _ = try Adversary.play(steps, setting, rules: [])
      print("SPEED", seed, setting.hasTilt, setting.isWide, setting.compositor, ContinuousClock.now - start)
    }
  }

  @Test func `hunt`() throws {
    guard let list = getenv("HUNT") else { return }
    defer { Language.current = .english }
    for line in String(cString: list).split(separator: ";") {
      // name:rules:only-or-without cases:max sessions:findings
      let part = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      let rules =
        part[1].isEmpty
        ? Set(Judge.Rule.allCases) : Set(part[1].split(separator: ",").compactMap { Judge.Rule(rawValue: String($0)) })
      let without = Set(part[2].split(separator: ",").map(String.init))
      var left = Int(part[4]) ?? 1
      for seed in 1...(Int(part[3]) ?? 50) where left > 0 {
        var setting = AdversarySetting(session: seed)
        setting.without = without
        if part.count > 5, part[5] == "dead", !setting.isDeadMan { continue }
        if part.count > 5, part[5] == "latch", setting.isDeadMan { continue }
        if part.count > 5, part[5] == "tilt", !setting.hasTilt { continue }
        if let found = try Adversary.search(seed: seed, steps: 2000, setting, rules: rules) {
          left -= 1
          print(
            "HUNT \(part[0]) seed \(seed) step \(found.number) \(found.fault.rule): \(found.fault.text)\n     \(found.steps.map(\.text).joined(separator: ", "))"
          )
        }
      }
      if left > 0 { print("HUNT \(part[0]) over, \(left) left") }
    }
  }
}
