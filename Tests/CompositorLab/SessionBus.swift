import CLaboratory
import Glibc

/// A connection to a session bus.
final class SessionBus {
  /// A D-Bus value.
  final class Value {
    fileprivate let raw: OpaquePointer

    /// Takes ownership of one reference.
    fileprivate init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { g_variant_unref(raw) }

    /// An element of a container.
    func child(_ index: Int) -> Value { Value(g_variant_get_child_value(raw, gsize(index))) }

    /// The value in GVariant's text format, which `call` takes as arguments.
    var text: String {
      guard let text = g_variant_print(raw, 1) else { return "" }
      defer { g_free(text) }
      return String(cString: text)
    }

    /// The number for a key of a dictionary; nil if the key is missing.
    func number(_ key: String) -> Int? {
      guard let value = g_variant_lookup_value(raw, key, nil).map(Value.init) else { return nil }
      return Int(g_variant_get_uint32(value.raw))
    }
  }

  private let connection: OpaquePointer

  init(address: String) throws(LabError) {
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    guard let made = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil) else {
      throw .refused("the session bus at \(address) refuses a connection")
    }
    connection = made
  }

  deinit {
    g_dbus_connection_close_sync(connection, nil, nil)
    g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// Calls a method with arguments in GVariant's text format, and returns its answer.
  func call(
    _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: String
  ) throws(LabError) -> Value {
    guard let parsed = g_variant_parse(nil, arguments, nil, nil, nil) else {
      throw .refused("\(method): \(arguments) are no arguments")
    }
    // A parsed value is not floating: the call takes a reference of its own.
    defer { g_variant_unref(parsed) }
    var error: UnsafeMutablePointer<GError>?
    let answer = g_dbus_connection_call_sync(
      connection, name, path, interface, method, parsed, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, 10_000, nil, &error)
    guard let answer else {
      defer { if let error { g_error_free(error) } }
      throw .refused("\(method): \(error.map { String(cString: $0.pointee.message) } ?? "no answer")")
    }
    return Value(answer)
  }

  /// Returns once `name` has an owner.
  func waitForOwner(of name: String, within limit: Duration = .seconds(10)) throws(LabError) {
    let deadline = Deadline(in: limit)
    let bus = "org.freedesktop.DBus"
    while try call(bus, "/org/freedesktop/DBus", bus, "NameHasOwner", "('\(name)',)").child(0).text != "true" {
      guard !deadline.isOver else { throw .refused("nobody has the name \(name)") }
      poll(nil, 0, 10)
    }
  }

  /// The object path in an answer.
  func objectPath(_ answer: Value) throws(LabError) -> String {
    guard let path = g_variant_get_string(answer.child(0).raw, nil) else {
      throw .refused("an answer without an object")
    }
    return String(cString: path)
  }

  /// A screenshot of the whole workspace, or nil if KWin did not answer in time.
  func kwinScreenshot(until deadline: Deadline) throws(LabError) -> ScreenPicture? {
    let (reading, writing) = try SharedDescriptor.pipe()
    guard let reply = callKWin("CaptureWorkspace", handing: writing, until: deadline) else { return nil }
    writing.close()
    let description = reply.child(0)
    guard let width = description.number("width"), let height = description.number("height"),
      let stride = description.number("stride"), let format = description.number("format")
    else { throw .picture("KWin described its picture in another way than expected") }
    // QImage's formats RGB32, ARGB32 and premultiplied ARGB32, which are native 32-bit words.
    guard (4...6).contains(format) else { throw .picture("KWin's picture has format \(format)") }
    guard let bytes = reading.readToEnd(until: deadline) else { return nil }
    return try ScreenPicture(rows: bytes, width: width, height: height, stride: stride)
  }

  /// Ends an effect of KWin, with all that it had begun, and starts it anew.
  func reloadKWinEffect(_ name: String) throws(LabError) {
    for method in ["unloadEffect", "loadEffect"] {
      _ = try call("org.kde.KWin", "/Effects", "org.kde.kwin.Effects", method, "('\(name)',)")
    }
  }

  /// Calls a method of KWin's ScreenShot2 in the output's own resolution, with a descriptor to write to; nil without an answer.
  private func callKWin(_ method: String, handing descriptor: SharedDescriptor, until deadline: Deadline) -> Value? {
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
      nil, nil
    ).map(Value.init)
  }
}
