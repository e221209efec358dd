import Controls

/// What descriptions say for all views inside.
nonisolated struct EnvironmentValues: Equatable {
  var textStyle = Theme.TextStyle.body
  var fontSize: Double?
  var fontWeight = Font.Weight.regular
  var foreground: Color?
  var textAlignment = HorizontalAlignment.leading
  /// 0 for as many as fit.
  var lineLimit = 0
  var isEnabled = true
  var buttonStyle = ButtonStyle.standard
  var toggleStyle = ToggleStyle.switch
  var pickerStyle = PickerStyle.menu
}

/// What descriptions say for the outermost views inside, of whatever class.
nonisolated struct ViewSettings: Equatable {
  var name: String?
  var label: String?
  var toolTip: String?
  var alpha: Double?
  var background: Color?
  var grow: Double?
  var shrink: Double?

  @MainActor func apply(to view: Controls.View) {
    if let name { put(name, over: view.name) { view.name = $0 } }
    if let label, view.accessibilityLabel != label { view.accessibilityLabel = label }
    if let toolTip { put(toolTip, over: view.toolTip) { view.toolTip = $0 } }
    if let alpha { put(alpha, over: view.alpha) { view.alpha = $0 } }
    if let background { put(background, over: view.backgroundColor) { view.backgroundColor = $0 } }
    if let grow { put(grow, over: view.grow) { view.grow = $0 } }
    if let shrink { put(shrink, over: view.shrink) { view.shrink = $0 } }
  }
}

/// Sets a property that differs from `old`, what it is. Setting one that does not would end an animation of it. No key path, by which each
/// setting would allocate.
func put<Value: Equatable>(_ value: Value, over old: Value, _ set: (Value) -> Void) { if value != old { set(value) } }
