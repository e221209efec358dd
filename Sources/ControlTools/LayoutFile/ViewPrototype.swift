import Controls

/// A view of a registered type that nobody sees. It says what a new view of the type has, and what the values of a file become.
///
/// The registry is where defaults come from, not the class: a program may register a class with defaults of its own, and a class may
/// change an inherited property when it is created. The view is made once per type, when someone asks first.
final class ViewPrototype {
  /// The view. Only its frame and the properties that limit each other are ever set, each time anew.
  let view: View
  /// The frame of a new view.
  let frame: Rect
  /// The values of a new view, by the names of the properties.
  let defaults: [String: JSONValue]

  init(_ view: View) {
    self.view = view
    frame = view.frame
    defaults = ViewPrototype.values(of: view)
  }

  /// The values of a new view that was given `settings`, and `frame` if that is not nil: the default of a property may follow from it.
  ///
  /// Of a property that limits no other and is limited by none it is the value of the file, as written.
  func values(by settings: [LayoutNode.Setting], in frame: Rect?) -> [String: JSONValue] {
    view.setOwnFrame(frame ?? self.frame)
    // Given its defaults in order, the limits first, a view has them all, whatever it had before.
    for property in view.coupledInspectables where property.derivedFrom == nil {
      // A default is valid.
      if let value = defaults[property.name] { try? property.set(value, on: view) }
    }
    LayoutNode.give(settings.filter { view.isCoupled($0.property) }, to: view)
    var values = ViewPrototype.values(of: view)
    for setting in settings where !view.isCoupled(setting.property) {
      values[setting.property.name] = setting.value
    }
    return values
  }

  private static func values(of view: View) -> [String: JSONValue] {
    Dictionary(view.inspectables.map { ($0.name, $0.json(of: view)) }, uniquingKeysWith: { $1 })
  }
}

/// The prototypes of a registry's types that someone has asked for.
final class ViewPrototypes {
  var made: [String: ViewPrototype] = [:]
}
