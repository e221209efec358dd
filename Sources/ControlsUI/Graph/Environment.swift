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
    if let name { put(name, view, \.name) }
    if let label, view.accessibilityLabel != label { view.accessibilityLabel = label }
    if let toolTip { put(toolTip, view, \.toolTip) }
    if let alpha { put(alpha, view, \.alpha) }
    if let background { put(background, view, \.backgroundColor) }
    if let grow { put(grow, view, \.grow) }
    if let shrink { put(shrink, view, \.shrink) }
  }
}

/// Sets a property that differs. Setting one that does not would end an animation of it.
func put<Object: AnyObject, Value: Equatable>(
  _ value: Value, _ object: Object, _ path: ReferenceWritableKeyPath<Object, Value>
) {
  if object[keyPath: path] != value { object[keyPath: path] = value }
}
