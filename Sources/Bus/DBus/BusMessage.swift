import CSystemd

/// The values of a message, read once and in order.
@safe package struct BusReader {
  let library: BusLibrary
  let message: OpaquePointer

  /// The bus name of the connection that received the message.
  package var receiver: String? { unsafe library.message_get_destination(message).map { unsafe String(cString: $0) } }

  /// The error that the message reports; nil if it reports none.
  var error: BusError? {
    guard let error = unsafe library.message_get_error(message)?.pointee, let name = unsafe error.name else {
      return nil
    }
    return unsafe BusError(
      .init(rawValue: String(cString: name)), error.message.map { unsafe String(cString: $0) } ?? "")
  }

  /// The types of all values in the message.
  package var signature: String {
    unsafe library.message_get_signature(message, 1).map { unsafe String(cString: $0) } ?? ""
  }

  /// Reads the next value; nil if it has another type, and after the last one.
  package func read<Value: BusType>(_ type: Value.Type = Value.self) -> Value? { Value(from: self) }

  /// Reads the contents of a container; returns false if the next value is not one, as after the last item of an array.
  @discardableResult func container(_ type: BusContainer, _ contents: String, _ body: () -> Void) -> Bool {
    guard unsafe library.message_enter_container(message, type.code, contents) > 0 else { return false }
    body()
    // A container can only be left after its last value.
    while unsafe library.message_skip(message, nil) > 0 {}
    return unsafe library.message_exit_container(message) >= 0
  }

  /// Reads a string, or a value of a related type such as an object path.
  func string(_ type: String) -> String? {
    let text = unsafe basic(type, UnsafePointer<CChar>?.none) ?? nil
    return unsafe text.map { unsafe String(cString: $0) }
  }

  /// Reads a value of a fixed size over `value`.
  func basic<Value: BitwiseCopyable>(_ type: String, _ value: Value) -> Value? {
    var value = value
    return unsafe library.message_read_basic(message, type.code, &value) > 0 ? value : nil
  }

  /// The signature of the variant that is next; nil for a value of another type.
  var variantSignature: String? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard unsafe library.message_peek_type(message, &type, &contents) > 0, type == BusContainer.variant.code else {
      return nil
    }
    return unsafe contents.map { unsafe String(cString: $0) }
  }
}

/// The values of a message, written in order.
@safe package struct BusWriter {
  let library: BusLibrary
  let message: OpaquePointer

  /// Writes a string, or a value of a related type such as an object path.
  func string(_ type: String, _ value: String) {
    _ = unsafe value.withCString { unsafe library.message_append_basic(message, type.code, $0) }
  }

  func basic(_ type: String, _ value: some BitwiseCopyable) {
    _ = unsafe withUnsafeBytes(of: value) { unsafe library.message_append_basic(message, type.code, $0.baseAddress) }
  }

  /// Writes a container with the values that `body` writes.
  func container(_ type: BusContainer, _ contents: String, _ body: () -> Void) {
    _ = unsafe library.message_open_container(message, type.code, contents)
    body()
    _ = unsafe library.message_close_container(message)
  }
}

/// D-Bus types that contain others.
nonisolated enum BusContainer: String {
  case array = "a"
  case structure = "r"
  case dictionaryEntry = "e"
  case variant = "v"

  var code: CChar { rawValue.code }
}

extension String {
  /// A type's letter in signatures, as sd-bus takes it.
  nonisolated fileprivate var code: CChar { CChar(truncatingIfNeeded: utf8.first ?? 0) }
}

/// An error as an answer to a call.
nonisolated package struct BusError: Error, Hashable {
  /// The names of errors. Those here are the standard ones.
  package struct Name: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package static let failed = Name(rawValue: "org.freedesktop.DBus.Error.Failed")
    package static let invalidArguments = Name(rawValue: "org.freedesktop.DBus.Error.InvalidArgs")
    package static let propertyReadOnly = Name(rawValue: "org.freedesktop.DBus.Error.PropertyReadOnly")
    package static let unknownMethod = Name(rawValue: "org.freedesktop.DBus.Error.UnknownMethod")
    package static let unknownObject = Name(rawValue: "org.freedesktop.DBus.Error.UnknownObject")
    package static let unknownProperty = Name(rawValue: "org.freedesktop.DBus.Error.UnknownProperty")

    package init(rawValue: String) { self.rawValue = rawValue }
  }

  package let name: Name
  /// The reason, for developers.
  package let reason: String

  package init(_ name: Name, _ reason: String) { (self.name, self.reason) = (name, reason) }
}

/// A method call to one of the objects that a connection serves.
@safe package struct BusCall {
  let library: BusLibrary
  let bus: OpaquePointer
  let message: OpaquePointer

  /// The object's path.
  package var path: String { unsafe string(library.message_get_path(message)) }
  /// The interface of the method; empty if the caller named none.
  package var interface: String { unsafe string(library.message_get_interface(message)) }
  /// The method's name.
  package var member: String { unsafe string(library.message_get_member(message)) }
  package var arguments: BusReader { unsafe BusReader(library: library, message: message) }

  private func string(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }

  /// Answers with the values that `write` writes. If they do not form a message the answer is an error, because without one
  /// the caller would wait until its call times out.
  func reply(_ write: (BusWriter) -> Void) {
    var created: OpaquePointer?
    guard unsafe library.message_new_method_return(message, &created) >= 0, let answer = unsafe created else { return }
    defer { _ = unsafe library.message_unref(answer) }
    unsafe write(BusWriter(library: library, message: answer))
    if unsafe library.send(bus, answer, nil) < 0 { fail(BusError(.failed, "the answer can't be sent")) }
  }

  /// Answers with an error.
  package func fail(_ error: BusError) {
    unsafe error.name.rawValue.withCString { name in
      unsafe error.reason.withCString { reason in
        var failure = unsafe sd_bus_error(name: name, message: reason, _need_free: 0)
        var created: OpaquePointer?
        guard unsafe library.message_new_method_error(message, &created, &failure) >= 0, let answer = unsafe created
        else { return }
        _ = unsafe library.send(bus, answer, nil)
        _ = unsafe library.message_unref(answer)
      }
    }
  }
}
