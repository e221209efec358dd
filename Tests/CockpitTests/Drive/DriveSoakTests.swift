// Owns the long drive in simulated time: memory stays, and so does what a frame asks of it.

import CAllocations
import CLinux
import DriveLink
import Glibc
import Interface
import Stage
import Testing

@testable import cockpit

@MainActor @Suite(.serialized, .timeLimit(.minutes(60))) struct DriveSoakTests {
  /// How many minutes are driven; COCKPIT_SOAK_MINUTES asks for more.
  nonisolated static let minutes = getenv("COCKPIT_SOAK_MINUTES").flatMap { Int(String(cString: $0)) } ?? 1

  @Test func `an hour of driving keeps the memory that it began with`() throws {
    let desk = try DriveDesk(stage: Stage(globals: .everything, checks: false))
    desk.takeLever(to: .forward(5))
    desk.takeWheel(degrees: 10)
    var allocations: [Int] = []
    /// A second at 60 refreshes, the wheel turned with each.
    func second(_ number: Int) {
      for refresh in 0..<60 {
        let place = desk.scene.rim(30 * sin(Double(number * 60 + refresh) / 40))
        desk.stage.nextRefresh()
        desk.stage.seat.touchMotion(2, place.x, place.y)
        desk.stage.seat.touchFrame()
        desk.stage.step()
        allocations_begin()
        try? desk.application.step()
        try? desk.application.step()
        allocations.append(allocations_end())
        desk.stage.step()
        desk.stage.clock.advance(by: .milliseconds(1))
      }
      desk.stage.toplevel.surface.forgetCommits()
      desk.forgetLines()
    }
    for number in 0..<20 { second(number) }
    allocations.removeAll()
    let before = Int(cockpit_allocated_bytes())
    for number in 20..<20 + DriveSoakTests.minutes * 60 {
      second(number)
      if allocations.count > 6000 { allocations.removeFirst(3000) }
    }
    let growth = Int(cockpit_allocated_bytes()) - before
    let median = allocations.sorted()[allocations.count / 2]
    print(
      "soak: \(DriveSoakTests.minutes) minutes of 60 Hz driving, \(growth) bytes more, \(median) allocations a frame")
    #expect(desk.line.state == .driving && desk.line.command.gear == 5)
    #expect(growth < 200_000)
    desk.end()
  }
}
