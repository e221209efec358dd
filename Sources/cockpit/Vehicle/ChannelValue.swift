import Controls

/// What a control says of a channel, apart from the channel's own numbers. This and `VehicleChannel.value` are the one rule by which a control's
/// value becomes a channel's, and back.
enum ChannelReading: Equatable {
  /// A switch, or a button that stays down.
  case isOn(Bool)
  /// A slider, 0 to 1.
  case position(Double)
  /// A list of names, by the number of the chosen one.
  case index(Int)
  /// A button: the next of the values, again and again.
  case next

  /// What `control` says; nil for a control without a value of one of these kinds.
  init?(_ control: Control) {
    switch control {
    case let control as Switch: self = .isOn(control.isOn)
    case let control as Button: self = control.isToggle ? .isOn(control.isSelected) : .next
    case let control as Slider:
      let way = control.maximumValue - control.minimumValue
      self = .position(way > 0 ? (control.value - control.minimumValue) / way : 0)
    case let control as SelectionControl: self = .index(control.selectedIndex)
    default: return nil
    }
  }

  /// Has `control` show this, without an event.
  func show(on control: Control) {
    switch (self, control) {
    case (.isOn(let isOn), let control as Switch): if control.isOn != isOn { control.isOn = isOn }
    case (.isOn(let isOn), let control as Button) where control.isToggle:
      if control.isSelected != isOn { control.isSelected = isOn }
    case (.position(let position), let control as Slider):
      let way = control.maximumValue - control.minimumValue
      let value = control.minimumValue + position * way
      // A line has thousandths: what rounds to the same is the same.
      if abs(value - control.value) > way * 0.0011 { control.value = value }
    case (.index(let index), let control as SelectionControl):
      if control.selectedIndex != index { control.selectedIndex = index }
    default: break
    }
  }
}

extension VehicleChannel {
  /// True if a control that says `reading` can command the channel; a momentary channel is held, by any control.
  func accepts(_ reading: ChannelReading) -> Bool {
    switch (kind, reading) {
    case (.axis, .next): false
    default: true
    }
  }

  /// The value for what a control says, where the channel has `present`; nil if such a control cannot command it.
  func value(_ reading: ChannelReading, present: Double) -> Double? {
    switch kind {
    case .switch(let off, let on):
      switch reading {
      case .isOn(let isOn): return isOn ? on : off
      case .position(let position): return position >= 0.5 ? on : off
      case .index(let index): return index > 0 ? on : off
      case .next: return isOn(present) ? off : on
      }
    case .axis(let range):
      let way = range.upperBound - range.lowerBound
      switch reading {
      case .isOn(let isOn): return isOn ? range.upperBound : range.lowerBound
      case .position(let position): return range.lowerBound + way * position.clamped(to: 0...1)
      case .index(let index): return index > 0 ? range.upperBound : range.lowerBound
      case .next: return nil
      }
    case .choice(let values):
      let index =
        switch reading {
        case .isOn(let isOn): isOn ? values.count - 1 : 0
        case .position(let position): Int((position.clamped(to: 0...1) * Double(values.count - 1)).rounded())
        case .index(let index): index
        case .next: (choice(at: present) + 1) % values.count
        }
      return values.indices.contains(index) ? values[index].value : nil
    case .momentary: return nil
    }
  }

  /// What a control of the form of `reading` shows for `value`; nil for one that shows none.
  func reading(of value: Double, like reading: ChannelReading) -> ChannelReading? {
    switch (kind, reading) {
    case (_, .next), (.momentary, _): return nil
    case (.switch, .isOn): return .isOn(isOn(value))
    case (.switch, .position): return .position(isOn(value) ? 1 : 0)
    case (.switch, .index): return .index(isOn(value) ? 1 : 0)
    case (.axis(let range), let reading):
      let position = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
      if case .position = reading { return .position(position.clamped(to: 0...1)) }
      if case .isOn = reading { return .isOn(position >= 0.5) }
      return .index(position >= 0.5 ? 1 : 0)
    case (.choice(let values), let reading):
      let index = choice(at: value)
      if case .index = reading { return .index(index) }
      if case .isOn = reading { return .isOn(index > 0) }
      return .position(Double(index) / Double(values.count - 1))
    }
  }

  /// True if a switch is on at `value`.
  func isOn(_ value: Double) -> Bool {
    guard case .switch(let off, let on) = kind else { return false }
    return abs(value - on) < abs(value - off)
  }

  /// The number of the value of a choice that is next to `value`; 0 for other channels.
  func choice(at value: Double) -> Int {
    guard case .choice(let values) = kind else { return 0 }
    return values.indices.min { abs(values[$0].value - value) < abs(values[$1].value - value) } ?? 0
  }
}
