/// A Swift type whose values D-Bus messages carry.
package protocol BusType {
  /// The D-Bus type, as signatures write it.
  static var signature: String { get }
  /// Reads the next value of a message; nil if it has another type.
  init?(from reader: BusReader)
  /// Appends the value to a message.
  func write(to writer: BusWriter)
}

func signature<each Value: BusType>(_ types: repeat (each Value).Type) -> String {
  var signature = ""
  for type in repeat each types { signature += type.signature }
  return signature
}

extension BusReader {
  /// Reads the next value, which has to be there.
  func require<Value: BusType>(_ type: Value.Type) throws(BusError) -> Value {
    guard let value = Value(from: self) else {
      throw BusError(.invalidArguments, "a value of the type \(Value.signature) is missing")
    }
    return value
  }
}

// MARK: Basic types

/// Numbers that messages hold as they are.
extension BusType where Self: BitwiseCopyable & AdditiveArithmetic {
  package init?(from reader: BusReader) {
    guard let value = reader.basic(Self.signature, Self.zero) else { return nil }
    self = value
  }
  package func write(to writer: BusWriter) { writer.basic(Self.signature, self) }
}

extension Int16: BusType { package static var signature: String { "n" } }
extension Int32: BusType { package static var signature: String { "i" } }
extension UInt32: BusType { package static var signature: String { "u" } }
extension Double: BusType { package static var signature: String { "d" } }

/// Clamped to 32 bits when written.
extension Int: BusType {
  package static var signature: String { Int32.signature }
  package init?(from reader: BusReader) {
    guard let value = Int32(from: reader) else { return nil }
    self = Int(value)
  }
  package func write(to writer: BusWriter) { Int32(clamping: self).write(to: writer) }
}

extension Bool: BusType {
  package static var signature: String { "b" }
  package init?(from reader: BusReader) {
    guard let value = reader.basic("b", Int32(0)) else { return nil }
    self = value != 0
  }
  package func write(to writer: BusWriter) { writer.basic("b", Int32(self ? 1 : 0)) }
}

extension String: BusType {
  package static var signature: String { "s" }
  package init?(from reader: BusReader) {
    guard let value = reader.string("s") else { return nil }
    self = value
  }
  package func write(to writer: BusWriter) { writer.string("s", self) }
}

/// The path of an object on the bus, such as `/org/a11y/atspi/cache`: D-Bus's type `o`.
package struct ObjectPath: BusType, Hashable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package static var signature: String { "o" }
  package init?(from reader: BusReader) {
    guard let path = reader.string("o") else { return nil }
    self.path = path
  }
  package func write(to writer: BusWriter) { writer.string("o", path) }
}

// MARK: Containers

extension Array: BusType where Element: BusType {
  package static var signature: String { "a" + Element.signature }
  package init?(from reader: BusReader) {
    var items: [Element] = []
    let isArray = reader.container(.array, Element.signature) {
      while let item = Element(from: reader) { items.append(item) }
    }
    guard isArray else { return nil }
    self = items
  }
  package func write(to writer: BusWriter) {
    writer.container(.array, Element.signature) { forEach { $0.write(to: writer) } }
  }
}

/// Several values as one.
package struct BusStruct<each Field: BusType>: BusType {
  package let fields: (repeat each Field)

  package init(_ fields: repeat each Field) { self.fields = (repeat each fields) }

  private static var contents: String { DBus.signature(repeat (each Field).self) }
  package static var signature: String { "(" + contents + ")" }
  package init?(from reader: BusReader) {
    var fields: (repeat each Field)?
    reader.container(.structure, Self.contents) {
      fields = try? (repeat reader.require((each Field).self))
    }
    guard let fields else { return nil }
    self.fields = fields
  }
  package func write(to writer: BusWriter) {
    writer.container(.structure, Self.contents) { repeat (each fields).write(to: writer) }
  }
}

/// A dictionary that keeps the order of its entries.
package struct BusDictionary<Key: BusType, Value: BusType>: BusType {
  package let entries: [(key: Key, value: Value)]

  package init(_ entries: [(key: Key, value: Value)] = []) { self.entries = entries }

  private static var contents: String { Key.signature + Value.signature }
  package static var signature: String { "a{" + contents + "}" }
  package init?(from reader: BusReader) {
    var entries: [(key: Key, value: Value)] = []
    let isDictionary = reader.container(.array, "{" + Self.contents + "}") {
      while reader.container(
        .dictionaryEntry, Self.contents,
        { if let key = Key(from: reader), let value = Value(from: reader) { entries.append((key, value)) } })
      {}
    }
    guard isDictionary else { return nil }
    self.entries = entries
  }
  package func write(to writer: BusWriter) {
    writer.container(.array, "{" + Self.contents + "}") {
      for (key, value) in entries {
        writer.container(.dictionaryEntry, Self.contents) {
          key.write(to: writer)
          value.write(to: writer)
        }
      }
    }
  }
}

/// A value together with its type.
package struct BusVariant: BusType {
  /// The value; nil for a received value whose type is not in `readable`.
  package let value: (any BusType)?

  private static let readable: [any BusType.Type] = [
    Bool.self, Double.self, Int.self, String.self, UInt32.self, BusVariant.self,
  ]

  package init(_ value: some BusType) { self.value = value }

  package static var signature: String { "v" }
  package init?(from reader: BusReader) {
    guard let contents = reader.variantSignature else { return nil }
    var value: (any BusType)?
    reader.container(.variant, contents) {
      value = Self.readable.first { $0.signature == contents }?.init(from: reader)
    }
    // Older portals nest one variant in another.
    self.value = (value as? BusVariant).map(\.value) ?? value
  }
  package func write(to writer: BusWriter) {
    guard let value else { return }
    writer.container(.variant, type(of: value).signature) { value.write(to: writer) }
  }
}
