/// The types of views that layout files can name.
///
/// A type registered under a name is created as in code: there is one initialiser, so a control from a file and one created in
/// code behave the same.
public struct ViewRegistry {
  private var makers: [String: () -> View] = [:]

  /// A registry without types; `ViewRegistry.controls` has the views of `Controls` and of this module.
  public init() {}

  /// Registers `make` as the maker of views that layout files call `name`. A second registration of a name replaces the first.
  public mutating func register(_ name: String, _ make: @escaping () -> View) {
    makers[name] = make
  }

  /// Registers `type` under its name in code. An explicit name is faster, which matters at a program's start.
  public mutating func register<Registered: View>(_ type: Registered.Type, _ make: @escaping () -> Registered) {
    register(_typeName(type, qualified: false), make)
  }

  /// The names that files may use, sorted.
  public var typeNames: [String] { makers.keys.sorted() }

  /// Returns a new view of the type called `name`; nil if no such type is registered.
  public func makeView(_ name: String) -> View? { makers[name]?() }

  /// The views and controls of `Controls` and of this module. A program registers those of other modules.
  public static var controls: ViewRegistry {
    var registry = ViewRegistry()
    registry.register(View.self) { View() }
    registry.register(Button.self) { Button() }
    registry.register(Label.self) { Label() }
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
    registry.register(PopUpButton.self) { PopUpButton() }
    return registry
  }
}
