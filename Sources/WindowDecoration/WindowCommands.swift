/// The keys that control a program's window wherever the focus is: F11 toggles fullscreen, Escape leaves it, Control+Q closes the
/// window.
package enum WindowCommands {
  /// Applies `event` to the window of `host`. Returns false if the event is not one of these keys, or if Escape is pressed
  /// outside fullscreen.
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
