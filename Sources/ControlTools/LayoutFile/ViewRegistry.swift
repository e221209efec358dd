/// The types of views that layout files can name.
///
/// A type registered under a name is created as in code: there is one initialiser, so a control from a file and one created in
/// code behave the same.
public struct ViewRegistry {
  private var makers: [String: () -> View] = [:]
  /// Shared by the copies of the registry that have the same types.
  private var prototypes = ViewPrototypes()

  /// A registry without types; `ViewRegistry.controls` has the views of `Controls` and of this module.
  public init() {}

  /// Registers `make` as the maker of views that layout files call `name`. A second registration of a name replaces the first.
  ///
  /// All views that it makes have the same defaults: one is kept to know them.
  public mutating func register(_ name: String, _ make: @escaping () -> View) {
    makers[name] = make
    prototypes = ViewPrototypes()
  }

  /// Registers `type` under its name in code. An explicit name is faster, which matters at a program's start.
  public mutating func register<Registered: View>(_ type: Registered.Type, _ make: @escaping () -> Registered) {
    register(_typeName(type, qualified: false), make)
  }

  /// Registers the types that `makers` make, each under its name in code.
  public mutating func register<each Registered: View>(_ makers: repeat @escaping () -> each Registered) {
    repeat register((each Registered).self, each makers)
  }

  /// The names that files may use, sorted.
  public var typeNames: [String] { makers.keys.sorted() }

  /// Returns a new view of the type called `name`; nil if no such type is registered.
  public func makeView(_ name: String) -> View? { makers[name]?() }

  /// True if files may name the type `name`.
  func contains(_ name: String) -> Bool { makers[name] != nil }

  /// What a new view of the type called `name` has; nil if no such type is registered. It is made by the first call.
  func prototype(_ name: String) -> ViewPrototype? {
    if let known = prototypes.made[name] { return known }
    let made = makeView(name).map { ViewPrototype($0) }
    prototypes.made[name] = made
    return made
  }

  /// The views and controls of `Controls` and of this module. A program registers those of other modules.
  public static var controls: ViewRegistry {
    var registry = ViewRegistry()
    registry.register(
      { View() }, { Button() }, { Label() }, { ImageView() }, { StackView() }, { RangeSlider() }, { ScrollView() },
      { Slider() }, { Switch() }, { TextField() }, { TextView() }, { PasswordField() }, { NumberField() },
      { ColorWell() },
      { ColorEditor() },
      { ChoiceControl() }, { PopUpButton() }, { CheckBox() }, { RadioGroup() }, { ProgressBar() }, { Spinner() },
      { Chart() }, { ListView() }, { TabView() }, { Keyboard() },
      { Dialog() }, { Sheet() }, { Toast() },
      { Grid() }, { GridCell() }, { PageView() })
    return registry
  }
}
