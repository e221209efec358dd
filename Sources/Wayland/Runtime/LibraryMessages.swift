import CLinux
import CWayland

/// libwayland's own messages to developers.
@MainActor public enum LibraryMessages {
  /// Receives each message without its line end, in place of standard error.
  public static var sink: ((String) -> Void)? { didSet { installed } }

  private static let installed: Void = unsafe cockpit_wayland_log(receive)
}

nonisolated private func receive(message: UnsafePointer<CChar>?) {
  guard let message = unsafe message else { return }
  let text = String(unsafe String(cString: message).prefix { $0 != "\n" })
  // The handler applies to the whole process: another library may use libwayland on its own thread, and its lines are reported
  // one iteration later.
  if cockpit_is_first_thread() != 0 {
    MainActor.assumeIsolated { LibraryMessages.sink?(text) }
  } else {
    Task { @MainActor in LibraryMessages.sink?(text) }
  }
}
