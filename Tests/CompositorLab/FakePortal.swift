import CLaboratory
import Glibc

/// A private dbus-daemon with org.freedesktop.portal.Desktop on it. It answers in `step()`, on the caller's thread.
public final class FakePortal {
  /// The bus address, for DBUS_SESSION_BUS_ADDRESS.
  public let address: String
  /// The answer to ReadAll in GVariant's text format, such as "({'org.freedesktop.appearance': {'contrast': <uint32 1>}},)"; nil
  /// answers with an error.
  public var settings: String?
  /// How often ReadAll was called.
  public private(set) var questions = 0
  /// True to leave calls unanswered.
  public var isSilent = false

  private let folder: PrivateFolder
  private let daemon: ChildProcess
  private let context: OpaquePointer
  private var connection: OpaquePointer?
  private var description: UnsafeMutablePointer<GDBusNodeInfo>?
  private var isOver = false

  private static let path = "/org/freedesktop/portal/desktop"
  private static let interface = "org.freedesktop.portal.Settings"

  /// The required programs that are not installed.
  public static var missingPrograms: [String] { find(program: "dbus-daemon") == nil ? ["dbus-daemon"] : [] }

  /// Starts the bus, and the portal unless `hasPortal` is false.
  public init(settings: String? = nil, hasPortal: Bool = true) throws(LabError) {
    self.settings = settings
    let folder = try PrivateFolder(owner: .compositor)
    self.folder = folder
    try folder.writeBusConfiguration()
    address = "unix:path=\(folder.path)/bus"
    let wait = try SocketWait(folder: folder.path)
    let log = try folder.newLog()
    daemon = try ChildProcess(
      folder.owner.running(["dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile"]),
      environment: [:], folder: folder.path, group: folder.group, output: log.descriptor, errors: log.descriptor)
    try wait.waitFor("bus", of: daemon, log: log.path, until: Deadline(in: .seconds(10)))
    guard let context = g_main_context_new() else { throw .failed(operation: "g_main_context_new", errno: ENOMEM) }
    self.context = context
    if hasPortal { try publish() }
  }

  deinit { stop() }

  /// Lets the portal answer the calls that have arrived.
  public func step() {
    while !isOver, g_main_context_iteration(context, 0) != 0 {}
  }

  /// Runs iterations of an event loop, each by `turn`, until `condition` holds; returns false after ten seconds.
  public func wait(turn: () -> Void, until condition: () -> Bool) -> Bool {
    let deadline = Deadline(in: .seconds(10))
    while !condition() {
      guard !deadline.isOver else { return false }
      turn()
      step()
    }
    return true
  }

  /// Emits SettingChanged; `value` is in GVariant's text format, such as "uint32 2".
  public func change(_ namespace: String, _ key: String, to value: String) {
    guard let connection, let arguments = g_variant_parse(nil, "('\(namespace)', '\(key)', <\(value)>)", nil, nil, nil)
    else { return }
    g_dbus_connection_emit_signal(connection, nil, Self.path, Self.interface, "SettingChanged", arguments, nil)
    g_dbus_connection_flush_sync(connection, nil, nil)
    g_variant_unref(arguments)
  }

  /// Ends the portal and the bus.
  public func stop() {
    guard !isOver else { return }
    isOver = true
    if let connection {
      g_dbus_connection_close_sync(connection, nil, nil)
      g_object_unref(UnsafeMutableRawPointer(connection))
    }
    connection = nil
    if let description { g_dbus_node_info_unref(description) }
    g_main_context_unref(context)
    folder.close()
    _ = daemon.waitForEnd(until: Deadline(in: .seconds(1)))
  }

  private func publish() throws(LabError) {
    g_main_context_push_thread_default(context)
    defer { g_main_context_pop_thread_default(context) }
    let flags = GDBusConnectionFlags(
      rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    let xml = """
      <node><interface name="\(Self.interface)">
        <method name="ReadAll"><arg type="as" direction="in"/><arg type="a{sa{sv}}" direction="out"/></method>
        <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
      </interface></node>
      """
    guard let made = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil),
      let described = g_dbus_node_info_new_for_xml(xml, nil), let first = described.pointee.interfaces?.pointee
    else { throw .picture("the test's own bus refuses a connection") }
    connection = made
    description = described
    var table = GDBusInterfaceVTable()
    table.method_call = { _, _, _, _, _, _, invocation, data in
      guard let data else { return }
      Unmanaged<FakePortal>.fromOpaque(data).takeUnretainedValue().answer(invocation)
    }
    let this = Unmanaged.passUnretained(self).toOpaque()
    guard g_dbus_connection_register_object(made, Self.path, first, &table, this, nil, nil) != 0,
      let name = g_variant_parse(nil, "('org.freedesktop.portal.Desktop', uint32 4)", nil, nil, nil)
    else { throw .picture("the portal could not be registered") }
    let reply = g_dbus_connection_call_sync(
      made, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName", name, nil,
      G_DBUS_CALL_FLAGS_NONE, 5000, nil, nil)
    g_variant_unref(name)
    guard let reply else { throw .picture("the portal's name was not granted") }
    g_variant_unref(reply)
  }

  private func answer(_ invocation: OpaquePointer?) {
    questions += 1
    guard let invocation, !isSilent else { return }
    if let settings, let answer = g_variant_parse(nil, settings, nil, nil, nil) {
      g_dbus_method_invocation_return_value(invocation, answer)
      g_variant_unref(answer)
    } else {
      g_dbus_method_invocation_return_dbus_error(invocation, "org.freedesktop.portal.Error.Failed", "no settings")
    }
  }
}
