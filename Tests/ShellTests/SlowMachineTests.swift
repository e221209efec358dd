import Glibc
import Testing
import UICore

@testable import Shell

/// A model of a program on a slow machine: input at a rhythm, painting that takes long and differs, a compositor with a
/// deadline. It plays the frame clock as a window does, and compares each frame that waited with what painting at once would
/// have given.
private struct SlowMachine {
  /// The times that painting takes in a run.
  struct Painting {
    /// The shortest, in nanoseconds.
    var base: Double
    /// The longest, as a multiple of the shortest.
    var spread: Double
    /// One frame in so many takes up to 20 ms more, as when others use the processor; 0 for none.
    var stalls: UInt64
  }

  private static let refresh = 16_666_667
  private var random: SeededRandom
  private var clock = FrameClock()
  private let painting: Painting
  private let deadline: Int
  private let isAnimating: Bool
  private let phase: Int
  private let jitter: Int
  private let drift: Int

  /// The frames that waited, those of them that missed a refresh which painting at once would have made, and all.
  private(set) var held = 0
  private(set) var harmed = 0
  private(set) var frames = 0

  init(seed: UInt64, hasStalls: Bool) {
    random = SeededRandom(seed: seed)
    func number(_ range: ClosedRange<Double>, _ random: inout SeededRandom) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * Double(random.next() >> 11) / Double(1 << 53)
    }
    let exponent = number(-1.2...1, &random)
    painting = Painting(
      base: 1e6 * pow(10, exponent), spread: pow(4, number(0...1, &random)),
      stalls: hasStalls ? 20 + random.next() % 500 : 0)
    deadline = Int(number(8e6...16e6, &random))
    isAnimating = random.next() % 2 == 0
    phase = Int(number(0...16.6e6, &random))
    jitter = Int(number(0...1.5e6, &random))
    drift = random.next() % 2 == 0 ? 0 : Int(number(-3e5...3e5, &random))
  }

  private mutating func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

  private mutating func paint() -> Int {
    var time = painting.base * (1 + (painting.spread - 1) * uniform())
    if painting.stalls > 0, random.next() % painting.stalls == 0 { time += 20e6 * uniform() }
    return Int(time)
  }

  /// The refresh that shows a commit at `time`.
  private func shown(_ time: Int) -> Int {
    (time + Self.refresh - deadline + Self.refresh - 1) / Self.refresh * Self.refresh
  }

  private func time(_ nanoseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000 + Int64(nanoseconds))
  }

  mutating func play(refreshes: Int) {
    var now = 0
    var callback: Int? = 0
    var isDirty = true
    var (hold, waitedSince): (Int?, Int?) = (nil, nil)
    var (number, input) = (0, phase)
    while now < refreshes * Self.refresh {
      now = max(now, min(callback ?? .max, min(input, hold ?? .max)))
      if let time = callback, time <= now {
        clock.noteCallback(now: self.time(now))
        callback = nil
      }
      while input <= now {
        clock.noteInput(at: time(now))
        isDirty = true
        number += 1
        input = number * (Self.refresh + drift) + phase + Int(Double(jitter) * uniform())
      }
      hold = nil
      switch clock.decide(now: time(now), needsFrame: isDirty || isAnimating) {
      case .nothing: break
      case .wait(let until):
        waitedSince = waitedSince ?? now
        hold = Int(until.nanoseconds - 1_000_000_000)
      case .draw:
        let painting = paint()
        if let waitedSince {
          held += 1
          if shown(now + painting) > shown(waitedSince + painting) { harmed += 1 }
        }
        frames += 1
        now += painting
        callback = shown(now)
        clock.noteCommit(now: time(now), painting: .nanoseconds(painting))
        (isDirty, waitedSince) = (false, nil)
      }
    }
  }
}

@Suite struct SlowMachineTests {
  /// The refreshes to play in each test; COCKPIT_REFRESHES asks for more.
  static let refreshes = getenv("COCKPIT_REFRESHES").flatMap { Int(String(cString: $0)) } ?? 200_000

  private func play(hasStalls: Bool) -> (held: Int, harmed: Int, frames: Int) {
    var (held, harmed, frames) = (0, 0, 0)
    let runs = 100
    for seed in 0..<runs {
      var machine = SlowMachine(seed: UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1, hasStalls: hasStalls)
      machine.play(refreshes: Self.refreshes / runs)
      held += machine.held
      harmed += machine.harmed
      frames += machine.frames
    }
    print("frame clock: \(Self.refreshes) refreshes, \(frames) frames, \(held) waited, \(harmed) of them harmed")
    return (held, harmed, frames)
  }

  @Test func `no frame that waits misses a refresh that painting at once would have made`() {
    let (held, harmed, frames) = play(hasStalls: false)
    #expect(held > frames / 5000, "some do wait")
    #expect(harmed == 0)
  }

  /// The first stall of a machine cannot be foreseen; after it, frames that could be hit do not wait.
  @Test func `on a machine that others use, next to no frame misses its refresh because it waited`() {
    let (_, harmed, frames) = play(hasStalls: true)
    #expect(harmed * 50_000 <= frames)
  }
}
