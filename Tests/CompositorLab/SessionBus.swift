import CLaboratory
import Glibc

/// A connection to a session bus.
final class SessionBus {
  private let connection: OpaquePointer

  init(address: String) throws(LabError) {
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    guard let made = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil) else {
      throw .picture("KWin's session bus refuses a connection")
    }
    connection = made
  }

  deinit {
    g_dbus_connection_close_sync(connection, nil, nil)
    g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// The whole workspace, or nil if KWin did not answer in time.
  func kwinScreenshot(until deadline: Deadline) throws(LabError) -> Picture? {
    let (reading, writing) = try Descriptor.pipe()
    guard let reply = call("CaptureWorkspace", handing: writing, until: deadline) else { return nil }
    defer { g_variant_unref(reply) }
    writing.close()
    guard let width = number("width", in: reply), let height = number("height", in: reply),
      let stride = number("stride", in: reply), let format = number("format", in: reply)
    else { throw .picture("KWin described its picture in another way than expected") }
    // QImage's RGB32, ARGB32 and premultiplied ARGB32: native 32-bit words.
    guard (4...6).contains(format) else { throw .picture("KWin's picture has format \(format)") }
    guard let bytes = reading.readToEnd(until: deadline) else { return nil }
    return try Picture(rows: bytes, width: width, height: height, stride: stride)
  }

  /// Calls a method of KWin's ScreenShot2, for the output's own pixels, with a descriptor; nil if there is no answer.
  private func call(_ method: String, handing descriptor: Descriptor, until deadline: Deadline) -> OpaquePointer? {
    var options = [
      g_variant_new_dict_entry(
        g_variant_new_string("native-resolution"), g_variant_new_variant(g_variant_new_boolean(1)))
    ]
    let arguments = [g_variant_new_array(nil, &options, 1), g_variant_new_handle(0)]
    let descriptors = g_unix_fd_list_new()
    defer { g_object_unref(descriptors) }
    g_unix_fd_list_append(descriptors, descriptor.number, nil)
    return g_dbus_connection_call_with_unix_fd_list_sync(
      connection, "org.kde.KWin", "/org/kde/KWin/ScreenShot2", "org.kde.KWin.ScreenShot2", method,
      g_variant_new_tuple(arguments, 2), nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, deadline.milliseconds, descriptors, nil,
      nil, nil)
  }

  /// A number in the dictionary that a reply consists of.
  private func number(_ key: String, in reply: OpaquePointer) -> Int? {
    let results = g_variant_get_child_value(reply, 0)
    defer { g_variant_unref(results) }
    guard let value = g_variant_lookup_value(results, key, nil) else { return nil }
    defer { g_variant_unref(value) }
    return Int(g_variant_get_uint32(value))
  }
}
