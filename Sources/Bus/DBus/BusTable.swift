/// An interface of D-Bus: its methods and properties, and how objects of one kind answer them. The Swift types of the
/// handlers are the signatures on the bus.
package struct BusInterface<Object> {
  /// A row for a method.
  package struct Method {
    package let name: String
    /// The types of the arguments, and of the values in the answer.
    package let input: String
    package let output: String
    /// Runs the handler and returns what writes its results; nil if the object does not have the interface.
    fileprivate let run: (Object, BusReader) throws(BusError) -> ((BusWriter) -> Void)?
  }

  /// A row for a property.
  package struct Property {
    package let name: String
    package let signature: String
    /// Returns the value; nil if the object does not have the property.
    fileprivate let get: (Object) -> BusVariant?
    /// Changes the value, or returns why it can't.
    fileprivate let set: (Object, BusVariant) -> BusError?
  }

  package let name: String
  package private(set) var methods: [Method] = []
  package private(set) var properties: [Property] = []

  /// An interface with the rows that `rows` adds.
  package init(_ name: String, _ rows: (inout BusInterface) -> Void) {
    self.name = name
    rows(&self)
  }

  private init<Whole>(_ part: BusInterface<Whole>, _ methods: [Method], _ properties: [Property]) {
    (name, self.methods, self.properties) = (part.name, methods, properties)
  }

  /// Adds a method. `body` gets the object and the arguments, and returns the value of the answer.
  package mutating func method<each Input: BusType, Output: BusType>(
    _ name: String, _ body: @escaping (Object, repeat each Input) throws(BusError) -> Output
  ) {
    methods.append(
      Method(name: name, input: signature(repeat (each Input).self), output: Output.signature) {
        object, arguments throws(BusError) in
        let result = try body(object, repeat try arguments.require((each Input).self))
        return { result.write(to: $0) }
      })
  }

  /// Adds a method whose answer has several values, or none.
  package mutating func method<each Input: BusType, each Output: BusType>(
    _ name: String, _ body: @escaping (Object, repeat each Input) throws(BusError) -> (repeat each Output)
  ) {
    let (input, output) = (signature(repeat (each Input).self), signature(repeat (each Output).self))
    methods.append(
      Method(name: name, input: input, output: output) { object, arguments throws(BusError) in
        let results = try body(object, repeat try arguments.require((each Input).self))
        return { writer in repeat (each results).write(to: writer) }
      })
  }

  /// Adds a property; `get` returns nil for objects that do not have it. Without `set` it can only be read.
  package mutating func property<Value: BusType>(
    _ name: String, _ get: @escaping (Object) -> Value?, set: ((Object, Value) -> Void)? = nil
  ) {
    properties.append(
      Property(name: name, signature: Value.signature, get: { get($0).map { BusVariant($0) } }) { object, variant in
        guard let set, let value = variant.value as? Value else { return .readOnly }
        set(object, value)
        return nil
      })
  }

  /// The interface for objects of another kind, of which those have it for which `part` returns a value.
  package func of<Whole>(_ part: @escaping (Whole) -> Object?) -> BusInterface<Whole> {
    BusInterface<Whole>(
      self,
      methods.map { method in
        .init(name: method.name, input: method.input, output: method.output) { whole, arguments throws(BusError) in
          guard let object = part(whole) else { return nil }
          return try method.run(object, arguments)
        }
      },
      properties.map { property in
        .init(
          name: property.name, signature: property.signature, get: { part($0).flatMap(property.get) },
          set: { whole, variant in part(whole).map { property.set($0, variant) } ?? .unknownProperty })
      })
  }
}

extension BusError {
  fileprivate static let readOnly = BusError(.propertyReadOnly, "it cannot be set")
  fileprivate static let unknownProperty = BusError(.unknownProperty, "no such property")
}

/// The interfaces of objects: it finds the handler of a call, checks the arguments and answers. Objects with properties have
/// org.freedesktop.DBus.Properties too.
package struct BusTable<Object> {
  package let interfaces: [BusInterface<Object>]
  private let methods: [String: [String: BusInterface<Object>.Method]]

  package init(_ interfaces: [BusInterface<Object>]) {
    let hasProperties = interfaces.contains { !$0.properties.isEmpty }
    self.interfaces = interfaces + (hasProperties ? [Self.properties(of: interfaces)] : [])
    methods = Dictionary(
      uniqueKeysWithValues: self.interfaces.map { interface in
        (interface.name, Dictionary(uniqueKeysWithValues: interface.methods.map { ($0.name, $0) }))
      })
  }

  /// Answers a call to `object`. Returns false if the object has no such interface or method: then sd-bus answers with
  /// UnknownMethod, or with what it knows of every object.
  package func answer(_ call: BusCall, by object: Object) -> Bool {
    guard let method = methods[call.interface]?[call.member] else { return false }
    let arguments = call.arguments
    do throws(BusError) {
      guard arguments.signature == method.input else {
        throw BusError(
          .invalidArguments, "\(call.member) takes \"\(method.input)\", and not \"\(arguments.signature)\"")
      }
      guard let results = try method.run(object, arguments) else { return false }
      call.reply(results)
    } catch {
      call.fail(error)
    }
    return true
  }

  /// org.freedesktop.DBus.Properties.
  private static func properties(of interfaces: [BusInterface<Object>]) -> BusInterface<Object> {
    let rows = Dictionary(uniqueKeysWithValues: interfaces.map { ($0.name, $0.properties) })
    func find(_ interface: String, _ name: String) -> BusInterface<Object>.Property? {
      rows[interface]?.first { $0.name == name }
    }
    return BusInterface("org.freedesktop.DBus.Properties") { table in
      table.method("Get") { (object, interface: String, name: String) throws(BusError) -> BusVariant in
        guard let value = find(interface, name)?.get(object) else { throw .unknownProperty }
        return value
      }
      table.method("GetAll") { (object, interface: String) in
        BusDictionary((rows[interface] ?? []).compactMap { row in row.get(object).map { (key: row.name, value: $0) } })
      }
      table.method("Set") { (object, interface: String, name: String, value: BusVariant) throws(BusError) -> Void in
        guard let property = find(interface, name) else { throw .readOnly }
        if let error = property.set(object, value) { throw error }
      }
    }
  }
}
