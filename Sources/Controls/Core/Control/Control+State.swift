extension Control {
  /// What a control is like at the moment: a set, so that selected and highlighted together are a state of their own (K15,
  /// K16).
  nonisolated public struct State: OptionSet, Hashable, Sendable {
    /// The states as bits: 1 highlighted, 2 disabled, 4 selected, 8 focused.
    public let rawValue: UInt8

    /// A state from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// None of the others: the empty set.
    public static let normal: State = []
    /// A finger holds the control.
    public static let highlighted = State(rawValue: 1)
    /// The control takes no input.
    public static let disabled = State(rawValue: 2)
    /// The control is the chosen one, or switched on.
    public static let selected = State(rawValue: 4)
    /// Keys go to the control.
    public static let focused = State(rawValue: 8)

    /// The names of the states held, for people.
    public var names: [String] {
      let all: [(State, String)] = [
        (.highlighted, "highlighted"), (.disabled, "disabled"), (.selected, "selected"), (.focused, "focused"),
      ]
      let names = all.filter { contains($0.0) }.map(\.1)
      return names.isEmpty ? ["normal"] : names
    }
  }
}

/// A value for each state, with fallback: a state without a value of its own takes the one of fewer states, dropping
/// first `focused`, then `highlighted`, then `selected`, then `disabled` (K16).
nonisolated public struct StateTable<Value: Sendable>: Sendable {
  private var values: [Control.State: Value]
  private let normal: Value

  /// A table with one value for every state.
  public init(_ normal: Value) {
    self.normal = normal
    values = [:]
  }

  /// The value for `state`; setting nil lets it fall back again. Setting `normal` to nil gives the first value back.
  public subscript(state: Control.State) -> Value? {
    get { values[state] }
    set { values[state] = newValue }
  }

  /// The value that counts in `state`.
  public func value(for state: Control.State) -> Value {
    var best: (missing: Int, value: Value)?
    for (candidate, value) in values where state.isSuperset(of: candidate) {
      let missing = Self.weight(state.subtracting(candidate))
      if best.map({ missing < $0.missing }) ?? true { best = (missing, value) }
    }
    return best?.value ?? normal
  }

  /// How much is lost by ignoring `states`: disabled weighs most.
  private static func weight(_ states: Control.State) -> Int {
    (states.contains(.focused) ? 1 : 0) + (states.contains(.highlighted) ? 2 : 0)
      + (states.contains(.selected) ? 4 : 0) + (states.contains(.disabled) ? 8 : 0)
  }
}
