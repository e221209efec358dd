/// The facts about one option: its value, its effect, and the modes of the program in which it applies. `OptionName.row` is the
/// table.
nonisolated struct OptionRow: Sendable {
  /// A value's name in the help, and its description to complete "--x needs".
  typealias Texts = (name: String, wanted: String)

  /// The value's texts; nil for an option without value.
  let value: Texts?
  /// The modes in which the option has an effect. In the others it is refused, never silently ignored.
  let uses: Set<ProgramUse>
  /// The options of which at least one must be given for this one to have an effect; empty for an option that stands alone.
  var needs: [OptionName] = []
  /// Whether a configuration file may set the option: it configures the cockpit, and is not a task itself.
  let isSetting: Bool
  /// Whether the option has no value and can be switched off by `--option=off`.
  let isSwitch: Bool
  /// The option's effect, for the help.
  let summary: String
  /// Stores a value ("on" for a switch or a task) in the options; returns false if the value can't be used.
  let store: @Sendable (String, inout Options) -> Bool
  /// The text from which `store` makes an equal value; nil for the default.
  var text: @Sendable (Options) -> String? = { _ in nil }
  /// Whether the option belongs to a record: a replay without it would show or send something else.
  private(set) var isRecorded = false

  var namesFile: Bool { value?.name.hasPrefix("FILE") ?? false }
  /// Whether a configuration file may hold true or false for the option.
  var takesOnOff: Bool { isSwitch || value?.name.hasPrefix("on|off") == true }

  /// An option with a value. If `isSetting` is nil, a file may set the option if it has an effect on the cockpit's window.
  static func value<Value>(
    _ value: OptionValue<Value>, _ uses: Set<ProgramUse>, needs: [OptionName] = [], isSetting: Bool? = nil,
    _ summary: String, store: @escaping @Sendable (inout Options, Value) -> Void
  ) -> OptionRow {
    OptionRow(
      value: value.texts, uses: uses, needs: needs, isSetting: isSetting ?? uses.contains(.cockpit), isSwitch: false,
      summary: summary,
      store: { text, options in
        guard let value = value.read(text) else { return false }
        store(&options, value)
        return true
      })
  }

  /// An option with a value that is stored unchanged.
  static func value<Value>(
    _ value: OptionValue<Value>, _ uses: Set<ProgramUse>, needs: [OptionName] = [], isSetting: Bool? = nil,
    _ summary: String, _ property: WritableKeyPath<Options, Value> & Sendable
  ) -> OptionRow {
    var row = OptionRow.value(value, uses, needs: needs, isSetting: isSetting, summary) { $0[keyPath: property] = $1 }
    row.text = { options in
      let present = options[keyPath: property]
      return present == Options()[keyPath: property] ? nil : value.write(present)
    }
    return row
  }

  /// An option with a value that is stored unchanged, and is nil if the option is not given.
  static func value<Value>(
    _ value: OptionValue<Value>, _ uses: Set<ProgramUse>, needs: [OptionName] = [], isSetting: Bool? = nil,
    _ summary: String, _ property: WritableKeyPath<Options, Value?> & Sendable
  ) -> OptionRow {
    var row = OptionRow.value(value, uses, needs: needs, isSetting: isSetting, summary) { $0[keyPath: property] = $1 }
    row.text = { $0[keyPath: property].map(value.write) }
    return row
  }

  /// The same option as a part of records. A record has its value's text, or what `text` returns for the options of a session, nil for none.
  func recorded(as text: (@Sendable (Options) -> String?)? = nil) -> OptionRow {
    var row = self
    row.isRecorded = true
    if let text { row.text = text }
    return row
  }

  /// An option that is on when it is given.
  static func `switch`(
    _ uses: Set<ProgramUse>, isSetting: Bool = true, _ summary: String,
    _ property: WritableKeyPath<Options, Bool> & Sendable
  ) -> OptionRow {
    OptionRow(
      value: nil, uses: uses, isSetting: isSetting, isSwitch: true, summary: summary,
      store: { text, options in
        guard let isOn = OptionValue.onOff.read(text) else { return false }
        options[keyPath: property] = isOn
        return true
      }, text: { $0[keyPath: property] ? "on" : nil })
  }

  /// An option without value that no file sets: it asks for a task, or belongs to one.
  static func task(
    _ uses: Set<ProgramUse>, needs: [OptionName] = [], _ summary: String,
    store: @escaping @Sendable (inout Options) -> Void
  ) -> OptionRow {
    OptionRow(
      value: nil, uses: uses, needs: needs, isSetting: false, isSwitch: false, summary: summary,
      store: { _, options in
        store(&options)
        return true
      })
  }
}
