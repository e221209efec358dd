import JSON
import Stage

/// What a script's stage can offer to its client, by the interfaces' names.
enum OfferedGlobals {
  /// Each interface, and the version of it in a set of globals. Those of panels, input methods and other parts of a desktop are
  /// missing: they need a window manager, which a script is none of.
  private static let all: [(interface: String, version: WritableKeyPath<StageGlobals, Int32?>)] = [
    ("wl_compositor", \.compositor), ("wl_subcompositor", \.subcompositor), ("wl_shm", \.shm), ("wl_fixes", \.fixes),
    ("wl_output", \.output), ("wl_seat", \.seat), ("wl_data_device_manager", \.dataDevices),
    ("xdg_wm_base", \.windowBase), ("xdg_activation_v1", \.activation), ("wp_viewporter", \.viewporter),
    ("wp_fractional_scale_manager_v1", \.fractionalScale), ("wp_presentation", \.presentation),
    ("wp_cursor_shape_manager_v1", \.cursorShape), ("zxdg_decoration_manager_v1", \.decoration),
    ("zxdg_output_manager_v1", \.outputDetails), ("zwp_tablet_manager_v2", \.tablets),
    ("zwp_text_input_manager_v3", \.textInput), ("zwp_input_timestamps_manager_v1", \.inputTimestamps),
    ("zwp_primary_selection_device_manager_v1", \.primarySelection),
    ("zwp_idle_inhibit_manager_v1", \.idleInhibit), ("xdg_system_bell_v1", \.systemBell),
    ("wp_single_pixel_buffer_manager_v1", \.singlePixelBuffers), ("wp_alpha_modifier_v1", \.alphaModifier),
    ("wp_content_type_manager_v1", \.contentType), ("wp_tearing_control_manager_v1", \.tearingControl),
    ("wp_fifo_manager_v1", \.fifo), ("wp_commit_timing_manager_v1", \.commitTiming),
    ("xdg_toplevel_icon_manager_v1", \.toplevelIcon), ("xdg_wm_dialog_v1", \.dialog),
    ("zwp_keyboard_shortcuts_inhibit_manager_v1", \.shortcutsInhibit),
    ("zwp_pointer_gestures_v1", \.pointerGestures), ("ext_idle_notifier_v1", \.idleNotify),
    ("ext_session_lock_manager_v1", \.sessionLock), ("xdg_session_manager_v1", \.appSessions),
  ]

  private static func newest(_ version: KeyPath<StageGlobals, Int32?>) -> Int32 {
    StageGlobals.desktop[keyPath: version] ?? 0
  }

  /// Every interface with its version in each preset, as a table in Markdown with a header.
  static var table: String {
    let presets = Setup.presets
    let head = "| interface | newest | \(presets.map { "`\($0.name)`" }.joined(separator: " | ")) |\n"
    return all.reduce(head + "|---|" + String(repeating: "---:|", count: presets.count + 1) + "\n") { text, row in
      let versions = presets.map { $0.globals[keyPath: row.version].map { "\($0)" } ?? "" }
      return text + "| `\(row.interface)` | \(newest(row.version)) | \(versions.joined(separator: " | ")) |\n"
    }
  }

  /// Reads a preset's name, or an object with versions by interface, in which 0 is none and "from" names the preset of the others.
  static func read(_ value: JSONValue) throws(GlobalsComplaint) -> StageGlobals {
    guard case .object(var members) = value else { return try preset(value) }
    var globals = try members.removeValue(forKey: "from").map(preset) ?? .everything
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let row = all.first(where: { $0.interface == name }) else {
        throw GlobalsComplaint("a script's stage has no \"\(name)\"; `stage help globals` lists what it has")
      }
      guard let version = value.whole, (0...Int(newest(row.version))).contains(version) else {
        throw GlobalsComplaint("\"\(name)\" is a version from 0, for none, to \(newest(row.version))")
      }
      globals[keyPath: row.version] = version == 0 ? nil : Int32(version)
    }
    return globals
  }

  private static func preset(_ value: JSONValue) throws(GlobalsComplaint) -> StageGlobals {
    guard let preset = Setup.presets.first(where: { $0.name == value.text }) else {
      let names = Setup.presets.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw GlobalsComplaint("\"globals\" is one of \(names), or versions by interface")
    }
    return preset.globals
  }

  /// The versions' members of a JSON Schema, by interface.
  static var versions: [(interface: String, newest: Int)] { all.map { ($0.interface, Int(newest($0.version))) } }
}

/// Why a value is no set of globals.
struct GlobalsComplaint: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
