// libsystemd's D-Bus client, loaded when it is first needed: programs start without it, and run where it is missing.

import Glibc

/// The functions of sd-bus that the shell uses.
///
/// They are looked up by name, since linking would load the library, and what it needs, before the first frame.
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

  /// Loads the library; nil where it is missing or too old.
  init?() {
    // Never unloaded: it keeps thread-specific data.
    guard let library = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) else { return nil }
    func find<Function>(_ name: String) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard
      let openUser: @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32 = find("sd_bus_open_user"),
      let descriptor: @convention(c) (OpaquePointer) -> Int32 = find("sd_bus_get_fd"),
      let events: @convention(c) (OpaquePointer) -> Int32 = find("sd_bus_get_events"),
      let process: @convention(c) (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?) -> Int32 =
        find("sd_bus_process"),
      let close: @convention(c) (OpaquePointer) -> OpaquePointer? = find("sd_bus_close_unref"),
      let newCall:
        @convention(c) (
          OpaquePointer, UnsafeMutablePointer<OpaquePointer?>, UnsafePointer<CChar>, UnsafePointer<CChar>,
          UnsafePointer<CChar>, UnsafePointer<CChar>
        ) -> Int32 = find("sd_bus_message_new_method_call"),
      let call:
        @convention(c) (
          OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer, Handler, UnsafeMutableRawPointer?, UInt64
        ) -> Int32 = find("sd_bus_call_async"),
      let matchSignal:
        @convention(c) (
          OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?, UnsafePointer<CChar>, UnsafePointer<CChar>,
          UnsafePointer<CChar>, UnsafePointer<CChar>, Handler, Handler?, UnsafeMutableRawPointer?
        ) -> Int32 = find("sd_bus_match_signal_async"),
      let unref: @convention(c) (OpaquePointer) -> OpaquePointer? = find("sd_bus_message_unref"),
      let isError: @convention(c) (OpaquePointer, UnsafePointer<CChar>?) -> Int32 =
        find("sd_bus_message_is_method_error"),
      let append: @convention(c) (OpaquePointer, CChar, UnsafeRawPointer) -> Int32 =
        find("sd_bus_message_append_basic"),
      let openContainer: @convention(c) (OpaquePointer, CChar, UnsafePointer<CChar>) -> Int32 =
        find("sd_bus_message_open_container"),
      let closeContainer: @convention(c) (OpaquePointer) -> Int32 = find("sd_bus_message_close_container"),
      let enter: @convention(c) (OpaquePointer, CChar, UnsafePointer<CChar>?) -> Int32 =
        find("sd_bus_message_enter_container"),
      let leave: @convention(c) (OpaquePointer) -> Int32 = find("sd_bus_message_exit_container"),
      let read: @convention(c) (OpaquePointer, CChar, UnsafeMutableRawPointer) -> Int32 =
        find("sd_bus_message_read_basic"),
      let peek:
        @convention(c) (OpaquePointer, UnsafeMutablePointer<CChar>, UnsafeMutablePointer<UnsafePointer<CChar>?>) ->
          Int32 = find("sd_bus_message_peek_type"),
      let skip: @convention(c) (OpaquePointer, UnsafePointer<CChar>?) -> Int32 = find("sd_bus_message_skip")
    else { return nil }
    (self.openUser, self.descriptor, self.events, self.process, self.close) =
      (openUser, descriptor, events, process, close)
    (self.newCall, self.call, self.matchSignal, self.unref, self.isError) = (newCall, call, matchSignal, unref, isError)
    (self.append, self.openContainer, self.closeContainer) = (append, openContainer, closeContainer)
    (self.enter, self.leave, self.read, self.peek, self.skip) = (enter, leave, read, peek, skip)
  }
}
