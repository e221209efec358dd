import CLinux
import CWayland
import Glibc

/// libwayland's own messages to developers.
@MainActor public enum LibraryMessages {
  /// Receives each message without its line end, in place of standard error.
  public static var sink: ((String) -> Void)? { didSet { installed } }

  private static let installed: Void = unsafe wl_log_set_handler_client(receive)
}

nonisolated private func receive(format: UnsafePointer<CChar>?, arguments: CVaListPointer?) {
  guard let format = unsafe format, let arguments = unsafe arguments else { return }
  var buffer = [CChar](repeating: 0, count: 512)
  unsafe vsnprintf(&buffer, buffer.count, format, arguments)
  let text = String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  // The handler applies to the whole process: another library may use libwayland on its own thread, and its lines are reported
  // one iteration later.
  if cockpit_is_first_thread() != 0 {
    MainActor.assumeIsolated { LibraryMessages.sink?(text) }
  } else {
    Task { @MainActor in LibraryMessages.sink?(text) }
  }
}
