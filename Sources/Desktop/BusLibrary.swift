import Glibc

/// The functions of sd-bus that `DesktopSettings` uses.
///
/// They are looked up by name, since linking would load the library, and all that it needs, before the first frame.
nonisolated struct BusLibrary {
  typealias Handler =
    @convention(c) (_ message: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ error: UnsafeMutableRawPointer?) ->
    Int32

  let openUser: @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  let descriptor: @convention(c) (OpaquePointer) -> Int32
  let events: @convention(c) (OpaquePointer) -> Int32
  let process: @convention(c) (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  let close: @convention(c) (OpaquePointer) -> OpaquePointer?
  let newCall:
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<OpaquePointer?>, UnsafePointer<CChar>, UnsafePointer<CChar>,
      UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Int32
  let call:
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer, Handler, UnsafeMutableRawPointer?, UInt64
    ) -> Int32
  let matchSignal:
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?, UnsafePointer<CChar>, UnsafePointer<CChar>,
      UnsafePointer<CChar>, UnsafePointer<CChar>, Handler, Handler?, UnsafeMutableRawPointer?
    ) -> Int32
  let unref: @convention(c) (OpaquePointer) -> OpaquePointer?
  let isError: @convention(c) (OpaquePointer, UnsafePointer<CChar>?) -> Int32
  let append: @convention(c) (OpaquePointer, CChar, UnsafeRawPointer) -> Int32
  let openContainer: @convention(c) (OpaquePointer, CChar, UnsafePointer<CChar>) -> Int32
  let closeContainer: @convention(c) (OpaquePointer) -> Int32
  let enter: @convention(c) (OpaquePointer, CChar, UnsafePointer<CChar>?) -> Int32
  let leave: @convention(c) (OpaquePointer) -> Int32
  let read: @convention(c) (OpaquePointer, CChar, UnsafeMutableRawPointer) -> Int32
  let peek:
    @convention(c) (OpaquePointer, UnsafeMutablePointer<CChar>, UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Int32
  let skip: @convention(c) (OpaquePointer, UnsafePointer<CChar>?) -> Int32

  /// A function that the library lacks.
  private struct Missing: Error {}

  /// Loads the library; nil where it is missing or too old.
  init?() {
    // Never unloaded: it keeps thread-specific data.
    guard let library = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) else { return nil }
    func find<Function>(_ name: String) throws(Missing) -> Function {
      guard let symbol = dlsym(library, "sd_bus_" + name) else { throw Missing() }
      return unsafeBitCast(symbol, to: Function.self)
    }
    do throws(Missing) {
      openUser = try find("open_user")
      descriptor = try find("get_fd")
      events = try find("get_events")
      process = try find("process")
      close = try find("close_unref")
      newCall = try find("message_new_method_call")
      call = try find("call_async")
      matchSignal = try find("match_signal_async")
      unref = try find("message_unref")
      isError = try find("message_is_method_error")
      append = try find("message_append_basic")
      openContainer = try find("message_open_container")
      closeContainer = try find("message_close_container")
      enter = try find("message_enter_container")
      leave = try find("message_exit_container")
      read = try find("message_read_basic")
      peek = try find("message_peek_type")
      skip = try find("message_skip")
    } catch {
      return nil
    }
  }
}
