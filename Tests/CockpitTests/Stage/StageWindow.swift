import ControlHarness
import Controls
import Shell
import Stage
import Testing
import UICore

/// A stage with one window on it.
@MainActor final class StageWindow {
  let stage: Stage
  private let application: Application
  private(set) var window: Window?

  /// Shows `content` on a stage with everything; returns once it has been seen.
  convenience init(_ content: any WindowContent, size: Size) throws {
    FontLibrary.shared = ControlHarness.fonts
    let stage = Stage(globals: .everything)
    stage.onViolation = { Issue.record("\($0)") }
    try self.init(
      content, on: stage, WindowOptions(title: "Cockpit", applicationID: "org.example", size: size))
  }

  /// Shows `content` on `stage`; returns once it has been seen.
  init(_ content: any WindowContent, on stage: Stage, _ options: WindowOptions) throws {
    self.stage = stage
    application = try Application(clock: stage.clock) { stage.connectClient() }
    application.reconnection = .tries(for: nil)
    application.openWindow(content: content, options: options) { [unowned self] in window = $0 }
    for _ in 0..<4 { refresh() }
  }

  /// A refresh of the stage, and the cockpit's reaction.
  func refresh() {
    stage.nextRefresh()
    for _ in 0..<8 {
      try? application.step()
      stage.step()
      stage.clock.advance(by: stage.refreshInterval / 10)
    }
  }

  /// Closes the window; the stage checks for objects that are left.
  func end() {
    application.closeAll()
    try? application.step()
    stage.step()
    _ = stage.finish()
  }
}
