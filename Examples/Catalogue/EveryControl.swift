import CockpitControls
import ControlExercises
import ControlTools

extension ViewRegistry {
  /// The controls of all libraries with their own defaults.
  static var everyControl: ViewRegistry {
    var registry = ViewRegistry.controls
    registry.register(ThrottleGearbox.self) { ThrottleGearbox() }
    registry.register(SteeringWheel.self) { SteeringWheel() }
    registry.register(Horn.self) { Horn() }
    registry.register(GradientView.self) { GradientView() }
    registry.register(StickyHeaderView.self) { StickyHeaderView() }
    registry.register(PulseRadar.self) { PulseRadar() }
    return registry
  }
}
