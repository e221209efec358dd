import CockpitControls
import ControlExercises
import ControlTools

extension ViewRegistry {
  /// The controls of all libraries with their own defaults.
  static var everyControl: ViewRegistry {
    var registry = ViewRegistry.controls
    registry.register(
      { ThrottleGearbox() }, { SteeringWheel() }, { Horn() }, { GradientView() }, { StickyHeaderView() },
      { PulseRadar() }, { Gauge() }, { Lamp() })
    return registry
  }
}
