import CLinux
import CWayland
import Glibc

/// Routes libwayland's messages to the scope `connection`.
enum LibraryLog {
  /// Takes over libwayland's messages; later calls do nothing.
  static func install() { _ = once }

  private static let once: Void = wl_log_set_handler_client(receive)
}

nonisolated private func receive(format: UnsafePointer<CChar>?, arguments: CVaListPointer?) {
  guard let format, let arguments else { return }
  var buffer = [CChar](repeating: 0, count: 512)
  vsnprintf(&buffer, buffer.count, format, arguments)
  let text = String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  // The handler applies to the whole process: another library may use libwayland on its own thread, and its lines are logged
  // one iteration later.
  if cockpit_is_first_thread() != 0 {
    MainActor.assumeIsolated { Log.write(.connection, .info, "libwayland: \(text)") }
  } else {
    Task { @MainActor in Log.write(.connection, .info, "libwayland: \(text)") }
  }
}
