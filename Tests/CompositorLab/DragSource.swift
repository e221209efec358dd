import Glibc

/// A program of another toolkit, GTK, from whose window a pointer drags things. The window is 120 x 80 points, undecorated and titled
/// "source".
public enum DragSource {
  /// What the window offers to be dragged.
  public enum Load: Sendable {
    /// Files of this machine, by their paths.
    case files([String])
    /// A list of addresses as it is, line by line.
    case addresses([String])
    /// A text, in every type that GTK knows.
    case text(String)

    fileprivate var arguments: [String] {
      switch self {
      case .files(let paths): ["files"] + paths
      case .addresses(let lines): ["addresses"] + lines
      case .text(let text): ["text", text]
      }
    }
  }

  /// The required packages that are not installed.
  public static var missingPackages: [String] {
    let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)/girepository-1.0" }
    var missing: [String] = []
    if access("/usr/lib/python3/dist-packages/gi/__init__.py", R_OK) != 0 { missing.append("python3-gi") }
    if !folders.contains(where: { access("\($0)/Gtk-3.0.typelib", R_OK) == 0 }) { missing.append("gir1.2-gtk-3.0") }
    return missing
  }

  fileprivate static let program = """
    import sys, gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, GLib, Gtk

    kind, load = sys.argv[1], sys.argv[2:]
    if kind == "files":
        load = [GLib.filename_to_uri(path, None) for path in load]

    def say(words):
        print(words, flush=True)

    def begun(window, context):
        context.connect("action-changed", lambda context, action: say("action %d" % action))
        say("begun")

    def give(window, context, data, info, time):
        if kind == "text":
            data.set_text(load[0], -1)
        else:
            data.set_uris(load)
        say("given")

    window = Gtk.Window(title="source", decorated=False, default_width=120, default_height=80)
    window.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
    if kind == "text":
        window.drag_source_add_text_targets()
    else:
        window.drag_source_add_uri_targets()
    window.add_events(Gdk.EventMask.ENTER_NOTIFY_MASK)
    window.connect("enter-notify-event", lambda window, event: say("entered"))
    window.connect("drag-begin", begun)
    window.connect("drag-data-get", give)
    window.connect("drag-failed", lambda window, context, result: say("failed"))
    window.connect("drag-end", lambda window, context: say("ended"))
    window.show_all()
    say("ready")
    Gtk.main()

    """
}

extension Compositor {
  /// Starts a `DragSource`. It prints "ready", "entered" for each time that the pointer enters its window, "begun", "action NUMBER"
  /// for each change of what would be done with a drop here (2 for a copy, 0 for nothing), "given" once it was asked for the data, "failed" if the
  /// drop was not taken, and then "ended".
  public func startDragSource(_ load: DragSource.Load) throws(LabError) -> ClientProcess {
    try folder.write(DragSource.program, to: "source.py")
    return try launch(["/usr/bin/python3", "-u", path(of: "source.py")] + load.arguments)
  }
}
