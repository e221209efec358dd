import Glibc
import Stage
import Testing
import UICore

@testable import Shell

/// Keymaps from a compositor that is broken or means harm: the file, its size and its text at random.
@MainActor @Suite(.serialized, .timeLimit(.minutes(60))) struct KeymapFuzzTests {
  /// How long; COCKPIT_FUZZ_SECONDS asks for more.
  nonisolated static let seconds = getenv("COCKPIT_FUZZ_SECONDS").flatMap { Double(String(cString: $0)) } ?? 2

  @Test func `a keymap is used or refused, whatever is in its file`() {
    var random = SeededRandom(seed: HostileTests.seed &* 0x9e37_79b9_7f4a_7c15)
    let storm = EventStorm(Stage()) { random.next() }
    let end = ContinuousClock.now + .seconds(KeymapFuzzTests.seconds)
    var (count, used) = (0, 0)
    while ContinuousClock.now < end {
      let (descriptor, size) = storm.keymapFile()
      defer { close(descriptor) }
      count += 1
      guard let keymap = Keymap(descriptor: descriptor, size: Int(size)) else { continue }
      used += 1
      for _ in 0..<20 {
        let number = UInt32(truncatingIfNeeded: random.next() >> (random.next() % 33))
        keymap.updateModifiers(depressed: number, latched: number, locked: number, group: number)
        _ = (
          keymap.key(code: number), keymap.text(code: number), keymap.symbol(code: number), keymap.repeats(code: number)
        )
        _ = keymap.modifiers
      }
    }
    print("fuzz keymap: seed \(HostileTests.seed), \(count) files, \(used) of them keymaps")
    #expect(count > 0)
  }
}
