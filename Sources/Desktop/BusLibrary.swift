import Glibc

/// The functions of sd-bus that `BusConnection` uses.
///
/// They are looked up by name, because linking would load the library, and everything that it needs, before the first frame.
nonisolated struct BusLibrary {
  typealias Handler =
    @convention(c) (_ message: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ error: UnsafeMutableRawPointer?) ->
    Int32

  let openUser: @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  let make: @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  let setAddress: @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> Int32
  let setClient: @convention(c) (OpaquePointer, Int32) -> Int32
  let start: @convention(c) (OpaquePointer) -> Int32
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
  let serve:
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?, UnsafePointer<CChar>, Handler, UnsafeMutableRawPointer?
    ) -> Int32
  let newSignal:
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<OpaquePointer?>, UnsafePointer<CChar>, UnsafePointer<CChar>,
      UnsafePointer<CChar>
    ) -> Int32
  let newAnswer: @convention(c) (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Int32
  let newError: @convention(c) (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>, UnsafeRawPointer) -> Int32
  let send: @convention(c) (OpaquePointer, OpaquePointer, UnsafeMutablePointer<UInt64>?) -> Int32
  let setAutoStart: @convention(c) (OpaquePointer, Int32) -> Int32
  let path: @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
  let interface: @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
  let member: @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
  let destination: @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
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

  /// Loads the library; nil if it is missing or too old.
  init?() {
    // Never unloaded: it keeps thread-specific data.
    guard let library = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) else { return nil }
    func find<Function>(_ name: String) throws(Missing) -> Function {
      guard let symbol = dlsym(library, "sd_bus_" + name) else { throw Missing() }
      return unsafeBitCast(symbol, to: Function.self)
    }
    do throws(Missing) {
      openUser = try find("open_user")
      make = try find("new")
      setAddress = try find("set_address")
      setClient = try find("set_bus_client")
      start = try find("start")
      descriptor = try find("get_fd")
      events = try find("get_events")
      process = try find("process")
      close = try find("close_unref")
      newCall = try find("message_new_method_call")
      call = try find("call_async")
      matchSignal = try find("match_signal_async")
      serve = try find("add_fallback")
      newSignal = try find("message_new_signal")
      newAnswer = try find("message_new_method_return")
      newError = try find("message_new_method_error")
      send = try find("send")
      setAutoStart = try find("message_set_auto_start")
      path = try find("message_get_path")
      interface = try find("message_get_interface")
      member = try find("message_get_member")
      destination = try find("message_get_destination")
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
