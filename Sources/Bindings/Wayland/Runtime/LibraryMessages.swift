import CLinux
import CWayland
import Synchronization

/// libwayland's own messages to developers.
@MainActor public enum LibraryMessages {
  /// Receives each message without its line end, in place of standard error.
  public static var sink: ((String) -> Void)? {
    // At each change, as libwayland keeps one receiver only. (A private constant of type Void, set up once, ends Debian's 6.2.3
    // compiler, which has its assertions on, when it optimises across modules.)
    didSet { unsafe cockpit_wayland_log(receive) }
  }

  /// The last message about a protocol error. It is kept in the call that brings it, on whichever thread: whoever reads the error
  /// reads its reason right afterwards.
  nonisolated fileprivate static let lastError = Mutex("")

  /// The reason that came with the last protocol error, if its code was `code`; empty otherwise. libwayland has the text of an
  /// error only in its own message, "INTERFACE@ID: error CODE: TEXT", which it writes when it reads the error.
  static func reason(ofError code: UInt32) -> String {
    let parts = lastError.withLock { $0 }.split(separator: ": error \(code): ", maxSplits: 1)
    return parts.count == 2 ? String(parts[1].prefix(400)) : ""
  }
}

nonisolated private func receive(message: UnsafePointer<CChar>?) {
  guard let message = unsafe message else { return }
  let text = String(unsafe String(cString: message).prefix { $0 != "\n" })
  if text.contains(": error ") { LibraryMessages.lastError.withLock { $0 = text } }
  // The handler applies to the whole process: another library may use libwayland on its own thread, and its lines are reported
  // one iteration later. So are ours where the main actor has left the first thread, as it has under dispatchMain.
  if cockpit_is_first_thread() != 0 {
    MainActor.assumeIsolated { LibraryMessages.sink?(text) }
  } else {
    Task { @MainActor in LibraryMessages.sink?(text) }
  }
}
