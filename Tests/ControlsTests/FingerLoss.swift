import ControlHarness
import Controls
import Testing

/// Takes a held finger away from a control.
enum FingerLoss: String, CaseIterable {
  case system = "the system"
  case background = "the background"
  case disabled = "being disabled"
  case removed = "being removed"

  /// Takes the finger at `point` away from `control`.
  @MainActor func happen(to control: Control, at point: Point, in harness: ControlHarness) {
    switch self {
    case .system: harness.touch(.cancelled, at: point)
    case .background: harness.enterBackground()
    case .disabled: control.isEnabled = false
    case .removed: control.removeFromSuperview()
    }
  }
}
