/// Keys that act on a program's window wherever the focus is.
package enum WindowCommands {
  /// Applies `event` to `host`'s window; true if it is handled.
  package static func handle(_ event: KeyEvent, in host: (any WindowHost)?) -> Bool {
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
