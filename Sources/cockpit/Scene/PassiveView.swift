import Controls

/// A view that only shows something: touches pass through it.
class PassiveView: View {
  init(_ name: String) {
    super.init(frame: .zero)
    self.name = name
    isUserInteractionEnabled = false
  }
}
