// What a window is to the session around it: taking the focus when it was started for that, keeping the screen awake.

import Wayland

extension Window {
  /// Holds an idle inhibitor exactly while it is wanted and the window is seen. A surface that is not seen inhibits nothing
  /// anyhow (idle-inhibit); giving it up then says so to every compositor.
  func updateIdleInhibitor() {
    let isWanted = inhibitsIdle && isOpen && isVisible
    guard isWanted != (idleInhibitor != nil) else { return }
    if isWanted {
      idleInhibitor = globals.idleInhibit?.createInhibitor(surface: parts.surface)
    } else {
      idleInhibitor?.end()
      idleInhibitor = nil
    }
  }

  /// Uses the token that the window was opened with, once it shows something: before that some compositors ignore it.
  func activateOnce() {
    guard let token = activationToken else { return }
    activationToken = nil
    globals.activation?.activate(token: token, surface: parts.surface)
  }
}
