// A content in a real window on the stage, which checks every request and the pixels of every commit.

import ControlHarness
import Controls
import Interface
import Shell
import Stage
import Testing

/// A stage with one window on it.
@MainActor final class StageWindow {
  let stage = Stage(globals: .everything)
  private let application: Application

  /// Shows `content`; returns once it has been seen.
  init(_ content: any WindowContent, size: Size) throws {
    FontLibrary.shared = ControlHarness.fonts
    stage.onViolation = { Issue.record("\($0)") }
    let descriptor = try #require(stage.connectClient())
    application = try Application(descriptor: descriptor, clock: StageTime(stage.clock))
    application.openWindow(
      content: content, options: WindowOptions(title: "Cockpit", applicationID: "org.example", size: size))
    for _ in 0..<4 { refresh() }
  }

  /// A refresh of the stage, and what the cockpit makes of it.
  func refresh() {
    stage.nextRefresh()
    for _ in 0..<8 {
      try? application.step()
      stage.step()
      stage.clock.advance(by: stage.refreshInterval / 10)
    }
  }

  /// Closes the window; the stage looks at what is left.
  func end() {
    application.closeAll()
    try? application.step()
    stage.step()
    _ = stage.finish()
  }
}
