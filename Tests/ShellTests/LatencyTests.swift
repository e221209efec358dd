import Shell
import Stage
import Testing
import UICore

/// A drag at a steady rate against a steady refresh, with content that takes `painting` to draw.
@MainActor private final class Drag {
  /// From each motion to the commit that shows it or a later one.
  private(set) var latencies: [Duration] = []
  private(set) var commits = 0
  private let show: Show
  private var painting: Duration
  private var nextRefresh: MonotonicTime
  private var nextMotion: MonotonicTime
  private let period: Duration
  private var waiting: [(number: Int, sent: MonotonicTime)] = []
  private var number = 0
  private var shown = 0
  private var heard = 0

  init(_ show: Show, painting: Duration, period: Duration, offset: Duration) {
    self.show = show
    self.painting = painting
    self.period = period
    let interval = show.stage.refreshInterval.inNanoseconds
    nextRefresh = MonotonicTime(nanoseconds: (show.stage.clock.now.nanoseconds / interval + 1) * interval)
    nextMotion = nextRefresh + offset
    show.content.onInput = { [weak self] event in
      guard let self, case .touches(let points) = event, let place = points.last?.location else { return }
      heard = Int(place.x)
      show.content.paint(PixelRect(x: heard % 50, y: 2, width: 4, height: 4), UInt32(0xff00_0000 + heard))
    }
    show.content.onDraw = { [weak self] in
      guard let self else { return }
      show.stage.clock.advance(by: self.painting)
      shown = heard
    }
    show.stage.onCommit = { [weak self] _, record in
      guard let self, record.hasContent else { return }
      commits += 1
      latencies += waiting.filter { $0.number <= self.shown }.map { show.stage.clock.now - $0.sent }
      waiting.removeAll { $0.number <= self.shown }
    }
    show.seat.touchDown(0, 0, 0)
    show.seat.touchFrame()
    show.settle()
    latencies.removeAll()
    commits = 0
  }

  /// Plays `motions`; `slow` is what the first frame's painting takes.
  func play(_ motions: Int, slow: Duration? = nil) {
    let usual = painting
    if let slow { painting = slow }
    commits = 0
    let last = number + motions
    while number < last {
      // Painting may have taken the clock past what is due.
      let due = min(nextRefresh, nextMotion)
      if show.stage.clock.now < due { show.stage.clock.now = due }
      happen()
      show.stage.step()
      runClient()
      if slow != nil, commits > 0 { painting = usual }
    }
  }

  /// Runs the work that is due, in its order. A commit that was made after a refresh is not yet read here.
  private func happen() {
    while min(nextRefresh, nextMotion) <= show.stage.clock.now {
      if nextRefresh <= nextMotion {
        show.stage.finishFrame()
        nextRefresh = nextRefresh + show.stage.refreshInterval
      } else {
        number += 1
        // The event's own time is when it happened.
        let now = show.stage.clock.now
        show.stage.clock.now = nextMotion
        show.seat.touchMotion(0, Double(number), 1)
        show.seat.touchFrame()
        show.stage.clock.now = now
        waiting.append((number, nextMotion))
        nextMotion = nextMotion + period
      }
    }
  }

  /// Gives the client its turns, and its timers their time, until the next thing is due.
  private func runClient() {
    while true {
      show.turn()
      happen()
      show.stage.step()
      show.turn()
      happen()
      show.stage.step()
      guard show.stage.clock.now + .microseconds(250) < min(nextRefresh, nextMotion) else { return }
      show.stage.clock.advance(by: .microseconds(250))
    }
  }

  func forget() {
    latencies.removeAll()
    commits = 0
  }

  func percentile(_ part: Double) -> Duration {
    let sorted = latencies.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}

@MainActor @Suite(.serialized) struct LatencyTests {
  /// The wait of a motion at `offset` after a refresh if drawing takes `painting`: only its painting when that
  /// ends before the next refresh; else a picture is still on its way when the motion comes, until the refresh after.
  private func best(offset: Double, painting: Double, refresh: Double) -> Double {
    offset + painting < refresh - 1 ? painting : refresh - offset + painting
  }

  @Test(arguments: [0.5, 2, 5, 9, 13, 16], [1.0, 4, 8])
  func `a motion is answered as soon as it is painted, also after a slow frame`(offset: Double, painting: Double) throws
  {
    try play { show in
      show.calm()
      let drag = Drag(
        show, painting: .microseconds(Int64(painting * 1000)), period: show.stage.refreshInterval,
        offset: .microseconds(Int64(offset * 1000)))
      let best = best(offset: offset, painting: painting, refresh: show.stage.refreshInterval.inSeconds * 1000)
      drag.play(60)
      #expect(drag.percentile(0.5).inSeconds * 1000 < best + 0.6)
      drag.play(20, slow: .milliseconds(25))
      drag.forget()
      drag.play(120)
      #expect(drag.percentile(0.5).inSeconds * 1000 < best + 0.6)
      #expect(drag.percentile(0.9).inSeconds * 1000 < best + 0.6)
      #expect(drag.commits >= 119, "no refresh is missed")
    }
  }

  @Test func `motions that drift through every phase are mostly answered at once`() throws {
    try play { show in
      show.calm()
      let drag = Drag(show, painting: .milliseconds(1), period: .milliseconds(17), offset: .milliseconds(3))
      drag.play(60)
      drag.play(20, slow: .milliseconds(40))
      drag.forget()
      drag.play(200)
      #expect(drag.percentile(0.5) <= .microseconds(1100))
      #expect(drag.percentile(0.9) < .milliseconds(3))
    }
  }

  @Test func `1000 motions a second are painted once a refresh, with a motion that is fresh`() throws {
    try play { show in
      show.calm()
      let drag = Drag(show, painting: .milliseconds(1), period: .milliseconds(1), offset: .microseconds(300))
      drag.play(100)
      drag.forget()
      drag.play(1000)
      #expect((59...61).contains(drag.commits))
    }
  }

  @Test func `an animation alone is painted straight from the callback`() throws {
    try play { show in
      show.calm()
      show.content.isAnimating = true
      show.settle()
      for _ in 0..<5 {
        show.stage.nextRefresh()
        let refresh = show.stage.clock.now
        show.settle()
        #expect(show.surface.contentCommits.last?.time == refresh)
      }
    }
  }
}
