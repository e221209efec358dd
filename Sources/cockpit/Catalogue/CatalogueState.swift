import Controls

/// A state with its name (K16).
struct CatalogueState {
  let title: String
  let state: Control.State

  /// The state that a view is in when nothing is done with it.
  static let normal = CatalogueState(title: "Normal", state: .normal)

  /// Every state of a control.
  static let all = [
    normal,
    CatalogueState(title: "Highlighted", state: .highlighted),
    CatalogueState(title: "Selected", state: .selected),
    CatalogueState(title: "Selected, held", state: [.selected, .highlighted]),
    CatalogueState(title: "Disabled", state: .disabled),
    CatalogueState(title: "Focused", state: .focused),
  ]

  /// The states of `view`: one that is no control has only one.
  static func states(of view: View) -> [CatalogueState] { view is Control ? all : [normal] }
}
