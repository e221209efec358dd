import Glibc

/// A private session bus in a compositor's directory, which starts the real accessibility bus and its registry. It ends with this
/// object, or with the compositor.
public final class AccessibilityBus {
  /// The address of the session bus, for DBUS_SESSION_BUS_ADDRESS.
  public let address: String
  private let daemon: ChildProcess

  /// The required packages that are not installed.
  public static var missingPackages: [String] {
    [
      ("dbus", "/usr/bin/dbus-daemon"), ("at-spi2-core", "/usr/libexec/at-spi-bus-launcher"),
      ("python3-pyatspi", "/usr/lib/python3/dist-packages/pyatspi/__init__.py"),
    ].filter { access($0.1, R_OK) != 0 }.map(\.0)
  }

  fileprivate init(in folder: PrivateFolder, environment: [String: String]) throws(LabError) {
    try folder.writeBusConfiguration(services: "/usr/share/dbus-1/services")
    address = "unix:path=\(folder.path)/bus"
    let wait = try SocketWait(folder: folder.path)
    let log = try folder.newLog()
    daemon = try ChildProcess(
      folder.owner.running(["dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile"]),
      environment: environment, folder: folder.path, group: folder.group, output: log.descriptor,
      errors: log.descriptor)
    try wait.waitFor("bus", of: daemon, log: log.path, until: Deadline(in: .seconds(10)))
  }

  deinit {
    daemon.signal(SIGTERM)
    _ = daemon.waitForEnd(until: Deadline(in: .seconds(1)))
  }
}

extension Compositor {
  /// Starts a session bus for clients of this compositor.
  public func startAccessibilityBus() throws(LabError) -> AccessibilityBus {
    try AccessibilityBus(in: folder, environment: clientEnvironment)
  }

  /// Starts assistive technology that performs the commands in the lines it gets: `on`, `off`, `wait there`, `wait gone`, `find
  /// ROLE|NAME`, `set NAME|NUMBER`, `do NAME|INDEX`, `focus NAME`, `hit X|Y`, `type NAME|TEXT`, `read NAME`, `letters
  /// NAME|START|END`, `states NAME`, `inside NAME`, `ask NAME|COUNT`. It answers each with a line that begins with "answer";
  /// events come between answers, as lines that begin with "event".
  public func startAssistant(on bus: AccessibilityBus) throws(LabError) -> ClientProcess {
    try folder.write(Self.assistant, to: "assistant.py")
    return try launch(
      ["/usr/bin/python3", "-u", path(of: "assistant.py")], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
  }

  /// Queries the real registry with pyatspi, a library for screen readers.
  private static let assistant = #"""
    import sys, time
    import gi
    from gi.repository import Gio, GLib

    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    atspi = None

    def switch(on):
        session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set",
            GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", on))), None, 0, 10000, None)

    def heard(event):
        data = event.any_data if isinstance(event.any_data, str) else ""
        try:
            name = event.source.name
        except Exception:
            name = "?"
        print("event %s %d %s|%s" % (str(event.type).replace("object:", ""), event.detail1, name, data))

    def begin():
        global atspi
        if atspi:
            return
        import pyatspi
        atspi = pyatspi
        atspi.Registry.registerEventListener(heard, "object:property-change:accessible-value",
            "object:property-change:accessible-description", "object:announcement", "object:state-changed:pressed",
            "object:state-changed:focused", "object:state-changed:expanded", "object:children-changed:add", "object:children-changed:remove")

    def application():
        for child in atspi.Registry.getDesktop(0):
            if child is not None and child.name:
                return child
        return None

    def find(name):
        found = atspi.findDescendant(application(), lambda one: one.name == name)
        if found is None:
            raise ValueError("nothing is called " + name)
        return found

    def value_of(one):
        try:
            value = one.queryValue()
            words = [a[10:] for a in one.getAttributes() if a.startswith("valuetext:")]
            return "%g in %g...%g %s" % (value.currentValue, value.minimumValue, value.maximumValue, "".join(words))
        except NotImplementedError:
            return "no value"

    def answer(command, arguments):
        if command == "on":
            switch(True)
            begin()
            return "ok"
        if command == "off":
            switch(False)
            return "ok"
        if command == "wait":
            # The registry tells of programs that come and go.
            late = []
            limit = GLib.timeout_add_seconds(15, late.append, True)
            while (application() is not None) != (arguments[0] == "there"):
                if late:
                    return "never"
                GLib.MainContext.default().iteration(True)
            if not late:
                GLib.source_remove(limit)
            return "ok"
        if command == "find":
            one = find(arguments[1])
            if one.getRoleName() != arguments[0]:
                return "a " + one.getRoleName()
            place = one.queryComponent().getExtents(atspi.WINDOW_COORDS)
            try:
                action = one.queryAction()
                actions = ", ".join(action.getName(index) for index in range(action.nActions))
            except NotImplementedError:
                actions = "none"
            return "%s; actions %s; at %d %d %d %d" % (
                value_of(one), actions, place.x, place.y, place.width, place.height)
        if command == "set":
            one = find(arguments[0])
            one.queryValue().currentValue = float(arguments[1])
            return "%s; %s" % (value_of(one), one.description)
        if command == "do":
            return str(find(arguments[0]).queryAction().doAction(int(arguments[1])))
        if command == "focus":
            return str(find(arguments[0]).queryComponent().grabFocus())
        if command == "hit":
            window = application()[0]
            hit = window.queryComponent().getAccessibleAtPoint(int(arguments[0]), int(arguments[1]), atspi.WINDOW_COORDS)
            return hit.name if hit else "nothing"
        if command == "type":
            return str(find(arguments[0]).queryEditableText().setTextContents(arguments[1]))
        if command == "read":
            text = find(arguments[0]).queryText()
            return "%d characters, caret %d: %s" % (text.characterCount, text.caretOffset, text.getText(0, -1))
        if command == "letters":
            text = find(arguments[0]).queryText()
            start, end = int(arguments[1]), int(arguments[2])
            x, y, width, height = text.getCharacterExtents(start, atspi.WINDOW_COORDS)
            return "%d %d %d %d; %s; %s; offset %d" % (
                x, y, width, height, " ".join(map(str, text.getRangeExtents(start, end, atspi.WINDOW_COORDS))),
                text.getCharacterExtents(start, atspi.DESKTOP_COORDS) == (x, y, width, height),
                text.getOffsetAtPoint(x + width // 2, y + height // 2, atspi.WINDOW_COORDS))
        if command == "states":
            return " ".join(sorted(atspi.stateToString(state) for state in find(arguments[0]).getState().getStates()))
        if command == "inside":
            return ", ".join("%s %s" % (one.getRoleName(), one.name) for one in find(arguments[0]))
        if command == "tree":
            def tree(one):
                kind = one.getRoleName() + (" " + one.name if one.name else "")
                value = value_of(one)
                line = kind if value == "no value" else kind + ": " + value
                inside = [tree(child) for child in one]
                return line + (" (" + "; ".join(inside) + ")" if inside else "")
            return tree(find(arguments[0]))
        if command == "ask":
            value = find(arguments[0]).queryValue()
            begun = time.monotonic()
            for turn in range(int(arguments[1])):
                value.currentValue
            return "%.6f" % (time.monotonic() - begun)
        return "what?"

    def read(channel, condition):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        command, _, rest = line.rstrip("\n").partition(" ")
        try:
            print("answer " + answer(command, rest.split("|")))
        except Exception as problem:
            print("answer failed: %r" % problem)
        return True

    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, read)
    loop = GLib.MainLoop()
    print("ready")
    loop.run()
    """#
}
