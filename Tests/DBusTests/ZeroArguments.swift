import Testing

@testable import DBus

/// Arguments of any signature of basic types and variants: zeros, empty strings and the root's path.
struct ZeroArguments: BusType {
  let types: String

  static var signature: String { "" }
  init(_ types: String) { self.types = types }
  init?(from reader: BusReader) { nil }
  func write(to writer: BusWriter) {
    for type in types {
      switch type {
      case "b": false.write(to: writer)
      case "d": 0.0.write(to: writer)
      case "i": 0.write(to: writer)
      case "o": ObjectPath("/").write(to: writer)
      case "s": "".write(to: writer)
      case "u": UInt32(0).write(to: writer)
      case "v": BusVariant(0).write(to: writer)
      default: Issue.record("no zero of the type \(type)")
      }
    }
  }
}
