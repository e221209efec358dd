import CLinux
import CWayland

/// libwayland's own messages to developers.
@MainActor public enum LibraryMessages {
  /// Receives each message without its line end, in place of standard error.
  public static var sink: ((String) -> Void)? { didSet { installed } }

  private static let installed: Void = unsafe cockpit_wayland_log(receive)

  /// The last message about a protocol error.
  private static var lastError = ""

  fileprivate static func pass(_ text: String) {
    if text.contains(": error ") { lastError = text }
    sink?(text)
  }

  /// The reason that came with the last protocol error, if its code was `code`; empty otherwise. libwayland has the text of an
  /// error only in its own message, "INTERFACE@ID: error CODE: TEXT", which it writes when it reads the error.
  static func reason(ofError code: UInt32) -> String {
    let parts = lastError.split(separator: ": error \(code): ", maxSplits: 1)
    return parts.count == 2 ? String(parts[1].prefix(400)) : ""
  }
}

nonisolated private func receive(message: UnsafePointer<CChar>?) {
  guard let message = unsafe message else { return }
  let text = String(unsafe String(cString: message).prefix { $0 != "\n" })
  // The handler applies to the whole process: another library may use libwayland on its own thread, and its lines are reported
  // one iteration later.
  if cockpit_is_first_thread() != 0 {
    MainActor.assumeIsolated { LibraryMessages.pass(text) }
  } else {
    Task { @MainActor in LibraryMessages.pass(text) }
  }
}
