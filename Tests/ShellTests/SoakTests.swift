import CLinux
import Glibc
import Shell
import Stage
import Testing
import UICore

/// Long runs in simulated time: what is slow to go wrong.
@MainActor @Suite(.serialized) struct SoakTests {
  @Test func `behaviour 33: after ten minutes of animation under a finger every refresh still has its frame`() throws {
    try play(stage: Stage(checks: false)) { show in
      show.calm()
      show.content.isAnimating = true
      show.seat.touchDown(0, 1, 1)
      show.seat.touchFrame()
      show.settle()
      minute(show)
      let objects = show.application?.liveObjectCount
      var growth: [(bytes: Int, descriptors: Int)] = []
      for _ in 0..<9 {
        let (bytes, descriptors) = (Int(cockpit_allocated_bytes()), openDescriptors)
        #expect(minute(show) >= 3599)
        growth.append((Int(cockpit_allocated_bytes()) - bytes, openDescriptors - descriptors))
      }
      // What leaks does so every minute. Other tests' threads come and go.
      #expect((growth.map(\.bytes).min() ?? 0) < 4096, "in bytes: \(growth.map(\.bytes))")
      #expect((growth.map(\.descriptors).min() ?? 0) <= 0)
      #expect(show.application?.liveObjectCount == objects)
      show.content.isAnimating = false
    }
  }

  /// Plays a minute at 60 refreshes a second; how many of them had a new picture.
  @discardableResult private func minute(_ show: Show) -> Int {
    var frames = 0
    for second in 0..<60 {
      for refresh in 0..<60 {
        show.stage.nextRefresh()
        show.seat.touchMotion(0, Double(refresh), Double(second) / 2)
        show.seat.touchFrame()
        show.stage.step()
        show.turn()
        show.stage.clock.advance(by: .milliseconds(2))
        show.turn()
        show.stage.step()
      }
      frames += show.surface.contentCommits.count
      show.surface.forgetCommits()
      show.content.forget()
    }
    return frames
  }

  private var openDescriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
