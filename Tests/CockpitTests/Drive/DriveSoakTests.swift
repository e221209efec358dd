import CLinux
import DriveLink
import Glibc
import Stage
import Testing
import UICore

@testable import cockpit

/// The long drive in simulated time: memory stays. (What a frame asks of it is measured in the release build, by `./dev
/// check`.)
@MainActor @Suite(.serialized, .timeLimit(.minutes(60))) struct DriveSoakTests {
  /// The minutes to drive; COCKPIT_SOAK_MINUTES asks for more.
  nonisolated static let minutes = getenv("COCKPIT_SOAK_MINUTES").flatMap { Int(String(cString: $0)) } ?? 1

  @Test func `driving, for a minute or as many as are asked for, keeps the memory that it began with`() throws {
    let desk = try DriveDesk(stage: Stage(globals: .everything, checks: false))
    desk.takeLever(to: .forward(5))
    desk.takeWheel(degrees: 10)
    /// A second at 60 refreshes, the wheel turned with each.
    func second(_ number: Int) {
      for refresh in 0..<60 {
        let place = desk.scene.rim(30 * sin(Double(number * 60 + refresh) / 40))
        desk.stage.nextRefresh()
        desk.stage.seat.touchMotion(2, place.x, place.y)
        desk.stage.seat.touchFrame()
        desk.stage.step()
        try? desk.application.step()
        try? desk.application.step()
        desk.stage.step()
        desk.stage.clock.advance(by: .milliseconds(1))
      }
      desk.stage.toplevel.surface.forgetCommits()
      desk.forgetLines()
    }
    for number in 0..<20 { second(number) }
    var growth: [Int] = []
    for part in 0..<10 {
      let before = Int(cockpit_allocated_bytes())
      let seconds = DriveSoakTests.minutes * 6
      for number in 0..<seconds { second(20 + part * seconds + number) }
      growth.append(Int(cockpit_allocated_bytes()) - before)
    }
    let (least, whole) = (growth.min() ?? 0, growth.reduce(0, +))
    print("soak: \(DriveSoakTests.minutes) minutes of 60 Hz driving, \(whole) bytes more, at least \(least) each tenth")
    #expect(desk.line.state == .driving && desk.line.command.gear == 5)
    // A leak grows in each tenth. What other tests' threads allocate meanwhile comes and goes.
    #expect(least < 4096, "in bytes: \(growth)")
    desk.end()
  }
}
