import Testing
import UICore
import VideoLink

@testable import cockpit

/// How old the picture is, and when that is a loss.
struct VideoFreshnessTests {
  private static let limit = Duration.milliseconds(400)
  /// 2026, in nanoseconds.
  private static let wall: Int64 = 1_795_000_000_000_000_000
  private var model = VideoFreshness(limit: limit)
  private var number: UInt64 = 0

  private func at(_ milliseconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(milliseconds * 1e6)) }

  private mutating func frame(
    _ time: Double, isRepeat: Bool = false, shown: Bool = true, stamp: VideoStamp? = nil, wallAhead: Int64 = 0
  ) {
    number += 1
    let frame = VideoFrame(
      ring: 1, slot: shown && !isRepeat ? 0 : nil, number: number, arrival: Int64(time * 1e6), isRepeat: isRepeat,
      stamp: stamp, encodedBytes: 100)
    model.note(
      frame, isShown: shown && !isRepeat, wall: Self.wall + Int64(time * 1e6) + wallAhead, now: at(time))
  }

  @Test
  mutating func `before the first picture there is none, and a picture lives until the limit and not a moment longer`()
  {
    #expect(model.state(at: at(0)) == .lost && model.age(at: at(0)) == nil && model.deadline == nil)
    model.note(.connecting)
    #expect(model.state(at: at(10)) == .lost)
    model.note(.receiving)
    frame(20)
    #expect(model.state(at: at(20)) == .live && model.deadline == at(420))
    #expect(model.state(at: at(420)) == .live && model.state(at: at(420.000001)) == .stale)
    #expect(model.age(at: at(500)) == .milliseconds(480))
    frame(500)
    #expect(model.state(at: at(500)) == .live, "the next picture lives again")
  }

  @Test mutating func `pictures that repeat are as old as the first of them, however often they come`() {
    for index in 0..<200 { frame(Double(index) * 5, isRepeat: index > 0) }
    #expect(model.state(at: at(399)) == .live || model.state(at: at(995)) == .repeating)
    #expect(model.state(at: at(995)) == .repeating && model.age(at: at(1000)) == .milliseconds(1000))
    #expect(model.framesPerSecond(at: at(995)) == 1)
    // A server that repeats each of a camera's pictures is alive.
    for index in 0..<100 {
      frame(1000 + Double(index) * 50)
      for part in 1..<10 {
        frame(1000 + Double(index) * 50 + Double(part) * 5, isRepeat: true)
        #expect(model.state(at: at(1000 + Double(index) * 50 + Double(part) * 5)) == .live)
      }
    }
  }

  @Test
  mutating func `a repeat that is shown is as old as the picture that it repeats, and only if that was not shown`() {
    frame(0)
    frame(100, shown: false)
    let again = VideoFrame(ring: 1, slot: 0, number: 3, arrival: 105_000_000, isRepeat: true, encodedBytes: 100)
    model.note(again, isShown: true, wall: Self.wall, now: at(105))
    #expect(model.age(at: at(200)) == .milliseconds(100))
    for index in 0..<100 {
      let time = 105 + Double(index) * 10
      let again = VideoFrame(
        ring: 1, slot: 0, number: 4, arrival: Int64(time * 1e6), isRepeat: true, encodedBytes: 100)
      model.note(again, isShown: true, wall: Self.wall, now: at(time))
    }
    #expect(model.state(at: at(1100)) == .repeating && model.age(at: at(1100)) == .seconds(1))
  }

  @Test mutating func `a picture that came and is not shown makes the screen no younger`() {
    frame(0)
    for index in 1..<30 { frame(Double(index) * 33, shown: false) }
    #expect(model.state(at: at(957)) == .stale)
  }

  @Test(arguments: [
    (VideoSourceState.ended, VideoFreshness.State.lost), (.connecting, .lost), (.refused, .lost),
    (.undecodable, .undecodable), (.receiving, .stale),
  ])
  mutating func `what the source says names the cause once the picture is old, and makes none old before`(
    said: VideoSourceState, expected: VideoFreshness.State
  ) {
    frame(0)
    model.note(said)
    #expect(model.state(at: at(400)) == .live && model.state(at: at(401)) == expected)
  }

  @Test mutating func `pictures that cannot be decoded make the shown one no younger`() {
    frame(0)
    for index in 1..<30 {
      model.note(.undecodable)
      frame(Double(index) * 33, shown: false)
    }
    #expect(model.state(at: at(400)) == .live && model.state(at: at(420)) == .undecodable)
    frame(1000)
    #expect(model.state(at: at(1000)) == .live)
  }

  @Test mutating func `an honest stamp of a wall clock is an age, wherever the delay began`() {
    for index in 0..<30 {
      let time = Double(index) * 33
      frame(time, stamp: VideoStamp(.wall, nanoseconds: Self.wall + Int64((time - 120) * 1e6)))
    }
    #expect(model.knowsAge && model.age(at: at(957)) == .milliseconds(120) && model.state(at: at(957)) == .live)
    #expect(model.deadline == at(957 + 280))
    frame(1000, stamp: VideoStamp(.wall, nanoseconds: Self.wall + Int64((1000 - 10_000) * 1e6)))
    #expect(model.state(at: at(1000)) == .stale && model.age(at: at(1000)) == .seconds(10))
  }

  @Test mutating func `stamps of a clock that is ahead, or far off, are differences`() {
    for offset: Int64 in [5_000_000_000, -7_200_000_000_000, .max - Self.wall] {
      model = VideoFreshness(limit: Self.limit)
      for index in 0..<30 {
        let time = Double(index) * 33
        frame(time, stamp: VideoStamp(.wall, nanoseconds: Self.wall &+ Int64(time * 1e6) &+ offset))
      }
      #expect(model.state(at: at(957)) == .live && model.age(at: at(957)) == .zero, "\(offset)")
    }
    model = VideoFreshness(limit: Self.limit)
    frame(0, stamp: VideoStamp(.wall, nanoseconds: .min))
    frame(33, stamp: VideoStamp(.wall, nanoseconds: .max))
    #expect(model.state(at: at(33)) == .live)
  }

  @Test mutating func `a delay that grows is seen by a clock whose zero nobody knows`() {
    var delay = 0.0
    for index in 0..<300 {
      let time = Double(index) * 33
      if index > 100 { delay = Double(index - 100) * 10 }
      frame(time, stamp: VideoStamp(.steady, nanoseconds: Int64((time - delay) * 1e6) + 77))
      let isLate = delay > 401
      #expect(isLate == (model.state(at: at(time)) == .stale), "\(index)")
    }
  }

  @Test mutating func `a camera that begins anew, or whose crystal is not ours, is not late`() {
    for index in 0..<100 {
      frame(Double(index) * 33, stamp: VideoStamp(.steady, nanoseconds: Int64(index) * 33_000_000))
    }
    model.note(.ended)
    model.note(.connecting)
    for index in 0..<100 {
      frame(5000 + Double(index) * 33, stamp: VideoStamp(.steady, nanoseconds: Int64(index) * 33_000_000))
    }
    #expect(model.state(at: at(8267)) == .live)
    // Its clock goes back without a word.
    frame(8300, stamp: VideoStamp(.steady, nanoseconds: 5))
    frame(8333, stamp: VideoStamp(.steady, nanoseconds: 33_000_005))
    #expect(model.state(at: at(8333)) == .live)
    // Ten hours of a crystal that is 100 parts in a million slow.
    model = VideoFreshness(limit: Self.limit)
    for index in 0..<36_000 {
      let time = Double(index) * 1000
      frame(time, stamp: VideoStamp(.steady, nanoseconds: Int64(time * 0.9999 * 1e6)))
      #expect(model.age(at: at(time)).map { $0 < .milliseconds(2) } == true)
    }
  }

  @Test mutating func `dimos' strip counts 70 minutes and begins anew`() {
    for (sent, now, expected) in [(100, 350, 250), (4_194_300, 46, 50), (400, 350, 0)] {
      model = VideoFreshness(limit: Self.limit)
      let turns: Int64 = 1 << 22
      let wall = Self.wall / 1_000_000 / turns * turns
      let frame = VideoFrame(
        ring: 1, slot: 0, number: 1, arrival: 0, stamp: VideoStamp(.strip, nanoseconds: Int64(sent) * 1_000_000),
        encodedBytes: 1)
      model.note(frame, isShown: true, wall: (wall + Int64(now)) * 1_000_000, now: at(0))
      #expect(model.age(at: at(0)) == .milliseconds(expected), "\(sent)")
    }
  }

  @Test mutating func `stamps that are ignored, or differences alone, say no age`() {
    for (stamps, known) in [(VideoFreshness.Stamps.ignored, false), (.differences, false)] {
      model = VideoFreshness(limit: Self.limit, stamps: stamps)
      for index in 0..<10 {
        let time = Double(index) * 33
        frame(time, stamp: VideoStamp(.wall, nanoseconds: Self.wall + Int64((time - 5000) * 1e6)))
      }
      #expect(model.state(at: at(297)) == .live && model.knowsAge == known)
    }
  }

  @Test mutating func `no message of a helper makes a picture younger than now`() {
    frame(0)
    let lie = VideoFrame(ring: 1, slot: 0, number: 2, arrival: .max, encodedBytes: 1)
    model.note(lie, isShown: true, wall: Self.wall, now: at(100))
    #expect(model.state(at: at(501)) == .stale && model.age(at: at(501)) == .milliseconds(401))
  }

  /// COCKPIT_FUZZ_SECONDS is for other tests; this one counts: 1,080,000 pictures.
  @Test mutating func `ten hours of thirty pictures a second, with the jitter of a radio, are no loss`() {
    var random = SystemRandomNumberGenerator()
    var worst = Duration.zero
    for index in 0..<1_080_000 {
      // Every picture is late by up to 90 ms, and one in ten thousand by up to 300.
      let late = Double(UInt64.random(in: 0...900, using: &random)) / 10
      let stall = index % 10_000 == 9_999 ? Double.random(in: 0...210, using: &random) : 0
      let time = Double(index) * 1000 / 30
      let arrival = max(time + late + stall, model.deadline.map { Double($0.nanoseconds) / 1e6 - 400 } ?? 0)
      worst = max(worst, model.age(at: at(arrival)) ?? .zero)
      if index > 0, model.state(at: at(arrival)) != .live { Issue.record("lost at \(index)") }
      frame(arrival, stamp: VideoStamp(.steady, nanoseconds: Int64(time * 1e6)))
      if model.state(at: at(arrival)) != .live { Issue.record("late at \(index)") }
    }
    #expect(worst > .milliseconds(100))
  }
}
