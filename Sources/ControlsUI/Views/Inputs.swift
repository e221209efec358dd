import Controls

/// A button with a title, which calls a function when it is tapped, or by Space or Enter.
public struct Button: ViewRepresentable, Plain {
  let title: String
  let role: ButtonRole?
  let action: () -> Void

  /// A button that calls `action`. How prominent it is, is inherited (`buttonStyle`); its role counts in an `alert` alone.
  public init(_ title: String, role: ButtonRole? = nil, action: @escaping () -> Void = {}) {
    (self.title, self.role, self.action) = (title, role, action)
  }

  /// Makes the button.
  public func makeView(context: Context) -> Controls.Button {
    let button = Controls.Button()
    button.addAction(for: .primaryActionTriggered) { _ in context.description.action() }
    return button
  }

  /// Gives the button its title and what it inherits.
  public func updateView(_ button: Controls.Button, context: Context) {
    let environment = context.environment
    put(title, over: button.title) { button.title = $0 }
    put(environment.textStyle, over: button.textStyle) { button.textStyle = $0 }
    put(environment.fontSize, over: button.fontSize) { button.fontSize = $0 }
    put(environment.fontWeight, over: button.fontWeight) { button.fontWeight = $0 }
    put(environment.buttonStyle, over: button.style) { button.style = $0 }
  }
}

/// A track with a thumb that sets a number.
public struct Slider: ViewRepresentable {
  private let value: Binding<Double>
  private let (limits, step): (ClosedRange<Double>, Double)

  /// A slider that sets `value` within `limits`, at each motion of the finger. A user can choose the values that are `step` apart, counted from
  /// the least; 0, the default, for any.
  public init(value: Binding<Double>, in limits: ClosedRange<Double> = 0...1, step: Double = 0) {
    (self.value, self.limits, self.step) = (value, limits, step)
  }

  /// Makes the slider.
  public func makeView(context: Context) -> Controls.Slider {
    context.connect(Controls.Slider(), \.value, to: \.value)
  }

  /// Gives the slider the limits and the value.
  public func updateView(_ slider: Controls.Slider, context: Context) {
    put(limits.lowerBound, over: slider.minimumValue) { slider.minimumValue = $0 }
    put(limits.upperBound, over: slider.maximumValue) { slider.maximumValue = $0 }
    put(step, over: slider.step) { slider.step = $0 }
    put(value.wrappedValue, over: slider.value) { slider.value = $0 }
  }
}

/// A line of text that a user edits.
public struct TextField: ViewRepresentable {
  private let placeholder: String
  private let text: Binding<String>

  /// A field that shows `placeholder` while it is empty. It sets `text` when the user commits the draft, by Enter or by leaving the field; a
  /// change of `text` while the user edits waits for that.
  public init(_ placeholder: String, text: Binding<String>) { (self.placeholder, self.text) = (placeholder, text) }

  /// Makes the field.
  public func makeView(context: Context) -> Controls.TextField {
    context.connect(Controls.TextField(), \.text, to: \.text)
  }

  /// Gives the field its text.
  public func updateView(_ field: Controls.TextField, context: Context) {
    put(placeholder, over: field.placeholder) { field.placeholder = $0 }
    put(context.environment.textAlignment, over: field.textAlignment) { field.textAlignment = $0 }
    put(text.wrappedValue, over: field.text) { field.text = $0 }
  }
}

/// Lines of text that a user edits.
public struct TextEditor: ViewRepresentable {
  private let text: Binding<String>

  /// An editor of `text`, which it sets when the user commits: by leaving it, or by Ctrl+Enter.
  public init(text: Binding<String>) { self.text = text }

  /// Makes the view.
  public func makeView(context: Context) -> TextView { context.connect(TextView(), \.text, to: \.text) }

  /// Gives the view its text.
  public func updateView(_ view: TextView, context: Context) {
    put(context.environment.textAlignment, over: view.textAlignment) { view.textAlignment = $0 }
    put(text.wrappedValue, over: view.text) { view.text = $0 }
  }
}

/// A line for a password, which shows bullets: nothing but the program reads it.
public struct SecureField: ViewRepresentable {
  private let placeholder: String
  private let text: Binding<String>

  /// A field that shows `placeholder` while it is empty. It sets `text` as a `TextField` does, when the user commits.
  public init(_ placeholder: String, text: Binding<String>) { (self.placeholder, self.text) = (placeholder, text) }

  /// Makes the field.
  public func makeView(context: Context) -> PasswordField { context.connect(PasswordField(), \.text, to: \.text) }

  /// Gives the field its text.
  public func updateView(_ field: PasswordField, context: Context) {
    put(placeholder, over: field.placeholder) { field.placeholder = $0 }
    put(text.wrappedValue, over: field.text) { field.text = $0 }
  }
}

/// How a toggle is shown.
nonisolated public enum ToggleStyle: Hashable, Sendable {
  /// The title, and a switch at the other side.
  case `switch`
  /// A box with the title beside it.
  case checkbox
}

/// Sets a value that is on or off.
public struct Toggle: PrimitiveView, Builtin {
  private let title: String
  private let isOn: Binding<Bool>

  /// A toggle that sets `isOn`. With an empty title it is the switch or box alone.
  public init(_ title: String, isOn: Binding<Bool>) { (self.title, self.isOn) = (title, isOn) }

  func node(over old: Node?, at place: Place) -> Node {
    switch place.look.environment.toggleStyle {
    case .checkbox: build(BoxToggle(title: title, isOn: isOn), over: old, at: place)
    case .switch where title.isEmpty: build(SwitchToggle(title: title, isOn: isOn), over: old, at: place)
    case .switch:
      build(
        HStack {
          Text(title)
          Spacer()
          SwitchToggle(title: title, isOn: isOn)
        }, over: old, at: place)
    }
  }
}

private struct SwitchToggle: ViewRepresentable {
  let title: String
  let isOn: Binding<Bool>

  func makeView(context: Context) -> Switch { context.connect(Switch(), \.isOn, to: \.isOn) }

  func updateView(_ control: Switch, context: Context) {
    if !title.isEmpty, control.accessibilityLabel != title { control.accessibilityLabel = title }
    put(isOn.wrappedValue, over: control.isOn) { control.isOn = $0 }
  }
}

private struct BoxToggle: ViewRepresentable {
  let title: String
  let isOn: Binding<Bool>

  func makeView(context: Context) -> CheckBox { context.connect(CheckBox(), \.isChecked, to: \.isOn) }

  func updateView(_ box: CheckBox, context: Context) {
    put(title, over: box.title) { box.title = $0 }
    put(isOn.wrappedValue, over: box.isChecked) { box.isChecked = $0 }
  }
}

/// How a picker is shown.
nonisolated public enum PickerStyle: Hashable, Sendable {
  /// The chosen name, which opens a menu.
  case menu
  /// All names in a row, or in several.
  case segmented
  /// All names, each with a circle.
  case inline
}

/// Chooses one of several values.
public struct Picker<Value: Equatable>: PrimitiveView, Builtin {
  private let (title, selection): (String, Binding<Value>)
  private let choices: [Value]
  private let name: (Value) -> String

  /// Chooses one of `choices`, which are shown by `name`. A selection that is none of them selects nothing. The title is for assistive
  /// technology; how it is shown is inherited (`pickerStyle`).
  public init(
    _ title: String, selection: Binding<Value>, choices: [Value], name: @escaping (Value) -> String = { "\($0)" }
  ) {
    (self.title, self.selection, self.choices, self.name) = (title, selection, choices, name)
  }

  func node(over old: Node?, at place: Place) -> Node {
    let index = Binding {
      choices.firstIndex(of: selection.wrappedValue) ?? -1
    } set: {
      if choices.indices.contains($0) { selection.wrappedValue = choices[$0] }
    }
    let names = choices.map(name)
    func picker<Shown: SelectionControl>(_ make: @escaping () -> Shown) -> Node {
      build(ChoicePicker(title: title, names: names, index: index, make: make), over: old, at: place)
    }
    return switch place.look.environment.pickerStyle {
    case .menu: picker { PopUpButton() }
    case .segmented: picker { ChoiceControl() }
    case .inline: picker { RadioGroup() }
    }
  }
}

private struct ChoicePicker<Shown: SelectionControl>: ViewRepresentable {
  let title: String
  let names: [String]
  let index: Binding<Int>
  let make: () -> Shown

  func makeView(context: Context) -> Shown { context.connect(make(), \.selectedIndex, to: \.index) }

  func updateView(_ control: Shown, context: Context) {
    if !title.isEmpty, control.accessibilityLabel != title { control.accessibilityLabel = title }
    put(names, over: control.titles) { control.titles = $0 }
    put(index.wrappedValue, over: control.selectedIndex) { control.selectedIndex = $0 }
  }
}
