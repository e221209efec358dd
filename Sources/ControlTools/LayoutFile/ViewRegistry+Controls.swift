import Controls

extension ViewRegistry {
  /// The views and controls of this module.
  public static var controls: ViewRegistry {
    var registry = ViewRegistry()
    registry.register(View.self) { View() }
    registry.register(ThrottleGearbox.self) { ThrottleGearbox() }
    registry.register(SteeringWheel.self) { SteeringWheel() }
    registry.register(Horn.self) { Horn() }
    registry.register(Button.self) { Button() }
    registry.register(Label.self) { Label() }
    registry.register(GradientView.self) { GradientView() }
    registry.register(ImageView.self) { ImageView() }
    registry.register(StackView.self) { StackView() }
    registry.register(RangeSlider.self) { RangeSlider() }
    registry.register(ScrollView.self) { ScrollView() }
    registry.register(Slider.self) { Slider() }
    registry.register(Switch.self) { Switch() }
    registry.register(TextField.self) { TextField() }
    registry.register(NumberField.self) { NumberField() }
    registry.register(ColorWell.self) { ColorWell() }
    registry.register(ColorEditor.self) { ColorEditor() }
    registry.register(ChoiceControl.self) { ChoiceControl() }
    registry.register(StickyHeaderView.self) { StickyHeaderView() }
    registry.register(PulseRadar.self) { PulseRadar() }
    return registry
  }
}
