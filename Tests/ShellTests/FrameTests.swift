import Shell
import Stage
import Testing
import UICore

/// Frames: when they are drawn, what they repair, which buffers they use. The stage compares every picture with the one before
/// and with the damage, and every held buffer with what was committed.
@MainActor @Suite(.serialized) struct FrameTests {
  @Test func `a window with nothing new commits nothing`() throws {
    try play { show in
      show.calm()
      for _ in 0..<30 { show.refresh() }
      show.pass(.seconds(60))
      #expect(show.surface.commits.isEmpty && show.content.drawn.isEmpty)
    }
  }

  @Test func `a change is drawn at once when no frame is pending, and only what changed`() throws {
    try play { show in
      show.calm()
      show.content.paint(PixelRect(x: 5, y: 6, width: 7, height: 8))
      show.settle()
      #expect(show.surface.contentCommits.map(\.damagedPixels) == [56])
      #expect(show.surface.commits.last?.asksForFrame == true)
    }
  }

  @Test func `never two pictures in one refresh, however much changes`() throws {
    try play { show in
      show.calm()
      for round in 0..<20 {
        for spot in 0..<5 {
          show.content.paint(PixelRect(x: round * 2, y: spot * 3, width: 2, height: 2), UInt32(0xff00_0000 + round))
          show.settle()
        }
        show.refresh()
      }
      #expect((20...21).contains(show.surface.contentCommits.count))
      show.refresh()
      #expect(show.surface.picture?.pixel(x: 38, y: 12) == 0xff00_0013)
    }
  }

  @Test(arguments: ReleasePolicy.allCases, [StageGlobals.everything, .sway17])
  func `random changes leave every pixel right, whatever is held`(policy: ReleasePolicy, globals: StageGlobals) throws {
    var random = SeededRandom(seed: 20_261_121)
    try play(globals, prepare: { stage, _ in stage.releasePolicy = policy }) { show in
      for _ in 0..<120 {
        for _ in 0..<Int(random.next() % 4) {
          let x = Int(random.next() % 64)
          let y = Int(random.next() % 48)
          show.content.paint(
            PixelRect(x: x, y: y, width: Int(random.next() % 20), height: Int(random.next() % 20)),
            0xff00_0000 | UInt32(random.next() % 0xff_ffff))
        }
        switch random.next() % 4 {
        case 0: show.settle()
        case 1: show.stage.releaseBuffers()
        default: show.refresh()
        }
      }
      show.stage.releaseBuffers()
      show.calm()
      show.stage.releaseBuffers()
      // The same content drawn as a whole.
      let kept = try #require(show.surface.picture)
      show.toplevel.configure(65, 48)
      show.settle()
      show.stage.releaseBuffers()
      show.calm()
      let whole = try #require(show.surface.picture)
      for y in 0..<48 {
        for x in 0..<64 where kept.pixel(x: x, y: y) != whole.pixel(x: x, y: y) {
          Issue.record("(\(x), \(y)) is \(kept.pixel(x: x, y: y)), not \(whole.pixel(x: x, y: y))")
          return
        }
      }
    }
  }

  @Test func `behaviour 27: with every buffer held nothing is drawn, a release lets the newest through`() throws {
    try play(prepare: { stage, _ in stage.releasePolicy = .byHand }) { show in
      for round in 0..<6 {
        show.content.paint(PixelRect(x: round, y: 0, width: 1, height: 1))
        show.refresh()
      }
      #expect(show.stage.bufferCount == 3 && show.stage.heldBufferCount == 3)
      #expect(show.surface.contentCommits.count == 3)
      show.stage.releaseBuffers()
      show.settle()
      #expect(show.surface.contentCommits.count == 4)
      #expect(show.surface.picture?.pixel(x: 5, y: 0) == 0xffff_ffff)
    }
  }

  @Test func `behaviour 27: a compositor that gives nothing back gets eight buffers of earlier sizes, then waits`()
    throws
  {
    try play(prepare: { stage, _ in stage.releasePolicy = .byHand }) { show in
      for round in 0..<40 {
        show.toplevel.configure(64 + round, 48)
        show.refresh()
      }
      #expect(show.stage.bufferCount <= 11, "\(show.stage.bufferCount)")
      #expect(show.surface.picture?.size.width ?? 0 < 64 + 39)
      show.stage.releaseBuffers()
      show.settle()
      show.refresh()
      #expect(show.surface.picture?.size.width == 64 + 39 && show.stage.bufferCount <= 3)
    }
  }

  @Test
  func `a window that would need more memory than any screen keeps its picture, and goes on at a size like others`()
    throws
  {
    try play { show in
      for (width, height) in [(Int(Int32.max), Int(Int32.max)), (32_767, 32_767), (32_767, 4_200)] {
        show.toplevel.configure(width, height)
        for _ in 0..<3 { show.refresh() }
        #expect(show.surface.picture?.size.width == 64 && show.failure == nil)
      }
      show.toplevel.configure(80, 60)
      show.refresh()
      #expect(show.surface.picture?.size.width == 80)
    }
  }

  @Test func `a compositor that gives buffers back at once needs one or two, one that shows them needs two`() throws {
    for policy in [ReleasePolicy.immediately, .atFrame, .whenReplaced] {
      try play(prepare: { stage, _ in stage.releasePolicy = policy }) { show in
        for round in 0..<10 {
          show.content.paint(PixelRect(x: round, y: 0, width: 1, height: 1))
          show.refresh()
        }
        #expect(show.stage.bufferCount <= 2, "\(policy)")
      }
    }
  }

  @Test func `an animation draws one frame a refresh and advances to when that will be seen`() throws {
    try play { show in
      show.calm()
      show.content.isAnimating = true
      for _ in 0..<12 { show.refresh() }
      #expect((11...13).contains(show.surface.contentCommits.count))
      let steps = zip(show.content.times.dropFirst(), show.content.times).map { $0 - $1 }
      for step in steps.dropFirst(2) {
        #expect(step > .milliseconds(16) && step < .milliseconds(18))
      }
      let last = try #require(show.content.times.last)
      #expect(last > show.stage.clock.now - .milliseconds(17))
      show.content.isAnimating = false
      show.calm()
      for _ in 0..<5 { show.refresh() }
      #expect(show.surface.commits.isEmpty)
    }
  }

  @Test func `an animation that changes no pixel goes on without pictures`() throws {
    try play(width: 2, height: 2) { show in
      show.calm()
      show.content.isAnimating = true
      for _ in 0..<5 { show.refresh() }
      #expect(show.surface.contentCommits.isEmpty)
      #expect(show.content.times.count >= 4)
    }
  }

  @Test func `behaviour 19: without frame callbacks timers and input go on`() throws {
    try play { show in
      show.calm()
      show.content.isAnimating = true
      show.settle()
      var fired = 0
      show.application?.loop.schedule(at: show.stage.clock.now + .milliseconds(50)) { fired += 1 }
      show.pass(.milliseconds(60))
      #expect(fired == 1)
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      #expect(show.content.touches == ["0 began 1.0,1.0"])
      #expect(show.surface.contentCommits.count == 1)
    }
  }

  @Test func `a window that is not opaque promises nothing and keeps its holes`() throws {
    try play { show in
      show.content.isOpaque = false
      show.content.paint(PixelRect(x: 1, y: 1, width: 4, height: 4), 0x8040_0000)
      show.refresh()
      #expect(show.surface.picture?.pixel(x: 2, y: 2) == 0x8040_0000)
      show.content.isOpaque = true
      show.content.paint(PixelRect(x: 0, y: 0, width: 64, height: 48), 0xff00_0000)
      show.calm()
    }
  }

  @Test func `behaviour 28: a flood of motion is read as it comes, and painted once a refresh`() throws {
    let stage = Stage()
    try play(stage: stage) { show in
      show.calm()
      show.content.onInput = { [weak content = show.content] event in
        guard case .touches(let points) = event, let place = points.last?.location else { return }
        content?.paint(PixelRect(x: Int(place.x) % 60, y: Int(place.y) % 40, width: 2, height: 2))
      }
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      for frame in 0..<10 {
        for motion in 0..<17 {
          show.seat.touchMotion(0, Double(frame * 5), Double(motion))
          show.seat.touchFrame()
          show.stage.clock.advance(by: .microseconds(900))
          show.stage.step()
          show.turn()
        }
        show.stage.nextRefresh()
        show.stage.step()
      }
      show.settle()
      #expect((10...12).contains(show.surface.contentCommits.count))
      #expect(show.stage.clients.first?.unreadBytes == 0)
      #expect((show.stage.clients.first?.mostUnreadBytes ?? 0) < 4096)
    }
  }

  @Test func `the same number of buffers and objects after a thousand frames`() throws {
    try play { show in
      show.calm()
      let objects = show.application?.liveObjectCount
      show.content.isAnimating = true
      for _ in 0..<1000 { show.refresh() }
      show.content.isAnimating = false
      show.calm()
      #expect(show.application?.liveObjectCount == objects)
      #expect(show.stage.bufferCount <= 2)
    }
  }
}

/// A reproducible source of numbers (xorshift).
struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
