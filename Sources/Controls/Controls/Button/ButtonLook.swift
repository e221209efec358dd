/// How much a button asks for attention.
nonisolated public enum ButtonStyle: String, CaseIterable, InspectableValue {
  /// A quiet ground with a fine edge.
  case standard
  /// The one that most people want: filled.
  case prominent
  /// Only the title, until it is pressed or selected.
  case plain
}

/// The colours of a button in one state.
nonisolated struct ButtonLook: Equatable {
  /// The ground; nil for none.
  var fill: Color?
  /// The line around it and its width in points; nil for none.
  var edge: Color?
  var edgeWidth = 1.0
  /// The title, and signs beside it.
  var title: Color
  /// The bar that says "on" without colour alone; nil for none.
  var bar: Color?

  /// The look of `style` in `state`.
  init(_ style: ButtonStyle, _ state: Control.State, _ theme: Theme) {
    let isSelected = state.contains(.selected)
    switch style {
    case .standard:
      (fill, edge, title) = (theme.fill, theme.hairline, theme.label)
    case .prominent:
      (fill, edge, title) = (theme.trackHighlight, nil, theme.onAccent)
    case .plain:
      (fill, edge, title) = (nil, nil, theme.accent)
    }
    if style == .prominent, state.contains(.disabled) {
      // Its own colours made fainter would leave a title that nobody can read.
      (fill, title) = (theme.fill.mixed(with: theme.trackHighlight, 0.3), theme.label)
    }
    if isSelected {
      // On: teal, and a bar like the lamp of a switch in a car.
      fill = (style == .plain ? theme.background : theme.fill).mixed(with: theme.accent, 0.2)
      (edge, edgeWidth) = (theme.accent, 1.5)
      (title, bar) = (theme.label, theme.accent)
    }
    if state.contains(.highlighted), !state.contains(.disabled) {
      // Pressed: a lit rim in place of games with shadows.
      let isFilled = style == .prominent && !isSelected
      edge = isFilled ? theme.trackHighlight.mixed(with: theme.label, 0.5) : theme.trackHighlight
      edgeWidth = 2
    }
  }
}
