import Controls
import UICore

/// Keys that work wherever the focus is.
enum WindowCommands {
  /// Does what `event` asks of `host`'s window; true when that is all there is to do about it.
  static func handle(_ event: KeyEvent, in host: (any WindowHost)?) -> Bool {
    let isDown = event.phase == .down
    switch event.key {
    case .f11:
      if isDown, let host { host.setFullscreen(!host.isFullscreen) }
    case .escape:
      guard let host, host.isFullscreen || !isDown else { return false }
      if isDown { host.setFullscreen(false) }
    case .character("q") where event.modifiers.contains(.control):
      if isDown { host?.close() }
    default: return false
    }
    return true
  }
}
