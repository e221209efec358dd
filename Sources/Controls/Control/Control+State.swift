extension Control {
  /// The state of a control: a set, so that selected and highlighted together form their own state.
  nonisolated public struct State: OptionSet, Hashable, Sendable {
    /// The states as bits: 1 highlighted, 2 disabled, 4 selected, 8 focused.
    public let rawValue: UInt8

    /// A state from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// No state: the empty set.
    public static let normal: State = []
    /// A finger holds the control.
    public static let highlighted = State(rawValue: 1)
    /// The control takes no input.
    public static let disabled = State(rawValue: 2)
    /// The control is chosen or switched on.
    public static let selected = State(rawValue: 4)
    /// Keys go to the control.
    public static let focused = State(rawValue: 8)

    /// The names of the states held, for users.
    public var names: [String] {
      let all: [(State, String)] = [
        (.highlighted, "highlighted"), (.disabled, "disabled"), (.selected, "selected"), (.focused, "focused"),
      ]
      let names = all.filter { contains($0.0) }.map(\.1)
      return names.isEmpty ? ["normal"] : names
    }
  }
}

/// Values by state, with fallback: a state without its own value uses that of a smaller state, dropping first `focused`, then
/// `highlighted`, then `selected`, then `disabled`.
///
/// A view that keeps such a table lists the values of its states as properties, each by its key path such as
/// `\Button.titles[.selected]`.
nonisolated public struct StateTable<Value> {
  /// The values that were set, those of the states that are dropped last first.
  private var entries: [(state: Control.State, value: Value)] = []

  /// A table without values.
  public init() {}

  /// The value set for `state` itself; setting nil restores the fallback.
  public subscript(state: Control.State) -> Value? {
    get { entries.first { $0.state == state }?.value }
    set {
      entries.removeAll { $0.state == state }
      guard let newValue else { return }
      let index = entries.firstIndex { Self.weight($0.state) < Self.weight(state) } ?? entries.endIndex
      entries.insert((state, newValue), at: index)
    }
  }

  /// The value set for `state` itself, or `other` if no value is set; for a state that always has a value.
  public subscript(state: Control.State, default other: Value) -> Value {
    get { self[state] ?? other }
    set { self[state] = newValue }
  }

  /// The effective value in `state`; nil if neither it nor any smaller state has one.
  public func value(for state: Control.State) -> Value? { first(for: state) { $0 } }

  /// The result of `part` on the effective value in `state`; values for which it returns nil are skipped.
  func first<Part>(for state: Control.State = Control.State(rawValue: .max), _ part: (Value) -> Part?) -> Part? {
    for entry in entries where state.isSuperset(of: entry.state) {
      if let found = part(entry.value) { return found }
    }
    return nil
  }

  /// The states whose own values differ from those in `old`.
  @MainActor func changes(from old: StateTable) -> [Control.State] where Value: Equatable {
    let (own, known) = (entries.map(\.state), old.entries.map(\.state))
    return (own + known.filter { !own.contains($0) }).filter { self[$0] != old[$0] }
  }

  /// The cost of ignoring `states`: disabled weighs most.
  private static func weight(_ states: Control.State) -> Int {
    (states.contains(.focused) ? 1 : 0) + (states.contains(.highlighted) ? 2 : 0)
      + (states.contains(.selected) ? 4 : 0) + (states.contains(.disabled) ? 8 : 0)
  }
}

nonisolated extension StateTable: Sendable where Value: Sendable {}
