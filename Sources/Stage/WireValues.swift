// What the protocol names by numbers, without the protocol's own types: those stay inside the package.

extension StageToplevel {
  /// A state of a window that a configure asks for.
  nonisolated public struct State: RawRepresentable, Hashable, Sendable {
    /// The number of xdg_toplevel.state.
    public let rawValue: UInt32

    /// The state of a number. Correct clients ignore numbers that they do not know.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The window fills the area for windows and has exactly the configured size.
    public static let maximized = State(rawValue: 1)
    /// The window covers an output and is at most as large as configured.
    public static let fullscreen = State(rawValue: 2)
    /// The user resizes the window; the configured size is its maximum.
    public static let resizing = State(rawValue: 3)
    /// The window looks as if it is in use.
    public static let activated = State(rawValue: 4)
    /// The left edge touches another window or the edge of the screen (since version 2 of xdg_wm_base).
    public static let tiledLeft = State(rawValue: 5)
    /// The right edge touches another window or the edge of the screen (since version 2 of xdg_wm_base).
    public static let tiledRight = State(rawValue: 6)
    /// The top edge touches another window or the edge of the screen (since version 2 of xdg_wm_base).
    public static let tiledTop = State(rawValue: 7)
    /// The bottom edge touches another window or the edge of the screen (since version 2 of xdg_wm_base).
    public static let tiledBottom = State(rawValue: 8)
    /// The window is not visible, and gets no frame callbacks (since version 6 of xdg_wm_base).
    public static let suspended = State(rawValue: 9)
  }

  /// A request about windows that a compositor may support or not.
  nonisolated public struct Capability: RawRepresentable, Hashable, Sendable {
    /// The number of xdg_toplevel.wm_capabilities.
    public let rawValue: UInt32

    /// The capability of a number. Correct clients ignore numbers that they do not know.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The compositor shows a menu for the window.
    public static let windowMenu = Capability(rawValue: 1)
    /// The compositor maximises windows.
    public static let maximize = Capability(rawValue: 2)
    /// The compositor makes windows fullscreen.
    public static let fullscreen = Capability(rawValue: 3)
    /// The compositor minimises windows.
    public static let minimize = Capability(rawValue: 4)
  }
}

extension StageDecoration {
  /// The side that draws the title bar and the border of a window. The raw values are those of zxdg_toplevel_decoration_v1.mode.
  nonisolated public enum Mode: UInt32, Hashable, Sendable, CaseIterable {
    /// The client.
    case clientSide = 1
    /// The compositor.
    case serverSide = 2
  }
}

extension StageSeat {
  /// The kinds of devices of a seat.
  nonisolated public struct Capabilities: OptionSet, Hashable, Sendable {
    /// The bits of wl_seat.capability.
    public let rawValue: UInt32

    /// The kinds of the bits. Correct clients ignore bits that they do not know.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A mouse or touchpad.
    public static let pointer = Capabilities(rawValue: 1)
    /// A keyboard.
    public static let keyboard = Capabilities(rawValue: 2)
    /// A touchscreen.
    public static let touch = Capabilities(rawValue: 4)
  }
}

extension StageKeymap {
  /// How a keymap's text is to be read. The raw values are those of wl_keyboard.keymap_format.
  nonisolated public enum Format: UInt32, Hashable, Sendable, CaseIterable {
    /// There is no keymap: clients get bare evdev codes.
    case noKeymap
    /// The text format of xkbcommon.
    case xkbV1
  }
}

extension StageCopy {
  /// The actions that dragged data permits.
  nonisolated public struct Actions: OptionSet, Hashable, Sendable {
    /// The bits of wl_data_device_manager.dnd_action.
    public let rawValue: UInt32

    /// The actions of the bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The data is copied.
    public static let copy = Actions(rawValue: 1)
    /// The data is moved: the source deletes its own once the drag is finished.
    public static let move = Actions(rawValue: 2)
    /// The user is asked.
    public static let ask = Actions(rawValue: 4)
  }
}

extension StageTextInput {
  /// How an input method should treat a text.
  nonisolated public struct Hints: OptionSet, Hashable, Sendable {
    /// The bits of zwp_text_input_v3.content_hint.
    public let rawValue: UInt32

    /// The hints of the bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Suggest completions of words.
    public static let completion = Hints(rawValue: 0x1)
    /// Suggest corrections of words.
    public static let spellcheck = Hints(rawValue: 0x2)
    /// Begin sentences with a capital letter.
    public static let autoCapitalization = Hints(rawValue: 0x4)
    /// Prefer small letters.
    public static let lowercase = Hints(rawValue: 0x8)
    /// Prefer capital letters.
    public static let uppercase = Hints(rawValue: 0x10)
    /// Begin each word with a capital letter.
    public static let titlecase = Hints(rawValue: 0x20)
    /// Hide the characters.
    public static let hiddenText = Hints(rawValue: 0x40)
    /// Do not store the text.
    public static let sensitiveData = Hints(rawValue: 0x80)
    /// Enter Latin letters only.
    public static let latin = Hints(rawValue: 0x100)
    /// The text has several lines.
    public static let multiline = Hints(rawValue: 0x200)
  }

  /// The kind of a text, from which on-screen keyboards choose their keys. The raw values are those of
  /// zwp_text_input_v3.content_purpose.
  nonisolated public enum Purpose: UInt32, Hashable, Sendable, CaseIterable {
    /// Any text; letters only; digits only; a number with a sign and a decimal point; a phone number.
    case normal, alpha, digits, number, phone
    /// A URL; an email address; a name of a human; a password; a password of digits.
    case url, email, name, password, pin
    /// A date; a time; a date with a time; input to a terminal.
    case date, time, datetime, terminal
  }
}

extension StageLayerSurface {
  /// Edges of the screen.
  nonisolated public struct Edges: OptionSet, Hashable, Sendable {
    /// The bits of zwlr_layer_surface_v1.anchor.
    public let rawValue: UInt32

    /// The edges of the bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The upper edge.
    public static let top = Edges(rawValue: 1)
    /// The lower edge.
    public static let bottom = Edges(rawValue: 2)
    /// The left edge.
    public static let left = Edges(rawValue: 4)
    /// The right edge.
    public static let right = Edges(rawValue: 8)
  }

  /// Where a layer surface is stacked, lowest first. Windows are between `bottom` and `top`. The raw values are those of
  /// zwlr_layer_shell_v1.layer.
  nonisolated public enum Layer: UInt32, Hashable, Sendable, CaseIterable {
    /// Below everything; above that, but below windows; above windows; above everything.
    case background, bottom, top, overlay
  }

  /// How a layer surface takes keys. The raw values are those of zwlr_layer_surface_v1.keyboard_interactivity.
  nonisolated public enum Interactivity: UInt32, Hashable, Sendable, CaseIterable {
    /// Never; always while it is on one of the two upper layers; like a window, when the user selects it.
    case none, exclusive, onDemand
  }
}
