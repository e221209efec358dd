import ControlHarness
import Controls
import Shell
import Testing
import UICore

@testable import cockpit

/// The measurements of `--latency` over several windows.
@MainActor @Suite(.serialized) struct LatencyReportTests {
  @Test func `the windows of one session, as after a reconnection, are measured each and add up`() throws {
    let report = LatencyReport()
    for frames in [3, 5] {
      let root = RootView()
      let shown = try StageWindow(root, size: Size(width: 64, height: 48))
      report.follow(try #require(shown.window))
      for _ in 0..<frames {
        root.damageEverything()
        shown.refresh()
      }
      shown.refresh()
      shown.end()
    }
    #expect(report.statistics.commits == 8 && report.statistics.presented == 8)
    #expect(report.statistics.refresh == .nanoseconds(16_666_666))
  }
}
