/// What a program does for a layout file: `"actions": {"valueChanged": "honk"}` calls what is bound to `honk`.
public struct LayoutActions {
  private var bodies: [String: (Control) -> Void] = [:]

  /// No actions.
  public init() {}

  /// Binds `name` to `body`, which is called with the control. A second binding of a name replaces the first.
  public mutating func bind(_ name: String, _ body: @escaping (_ sender: Control) -> Void) {
    bodies[name] = body
  }

  /// Binds `name` to `body` for controls of one type; other controls are ignored.
  public mutating func bind<Sender: Control>(
    _ name: String, for type: Sender.Type, _ body: @escaping (_ sender: Sender) -> Void
  ) {
    bind(name) { if let sender = $0 as? Sender { body(sender) } }
  }

  /// The names bound, sorted.
  public var names: [String] { bodies.keys.sorted() }

  subscript(name: String) -> ((Control) -> Void)? { bodies[name] }
}
