/// A message that is read from its beginning to its end, once.
@MainActor package struct BusReader {
  let library: BusLibrary
  let message: OpaquePointer

  /// The bus name of the connection that received the message.
  package var ownName: String? { library.destination(message).map { String(cString: $0) } }

  /// Reads the contents of a container; false if the next value is not one, as after the last item of an array.
  @discardableResult package func inside(_ type: Character, _ contents: String, _ body: () -> Void) -> Bool {
    guard library.enter(message, code(type), contents) > 0 else { return false }
    body()
    // A container can only be left after its last value.
    while library.skip(message, nil) > 0 {}
    return library.leave(message) >= 0
  }

  /// A text, also of a related type, such as "o" for a path.
  package func text(_ type: Character = "s") -> String? {
    var pointer: UnsafePointer<CChar>?
    guard library.read(message, code(type), &pointer) > 0 else { return nil }
    return pointer.map { String(cString: $0) }
  }

  /// A signed number of 32 bits.
  package func int() -> Int32? { read("i", 0) }

  /// An unsigned number of 32 bits.
  package func unsigned() -> UInt32? { read("u", 0) }

  /// A truth.
  package func bool() -> Bool? { read("b", Int32(0)).map { $0 != 0 } }

  private func read<Value: BitwiseCopyable>(_ type: Character, _ zero: Value) -> Value? {
    var value = zero
    return library.read(message, code(type), &value) > 0 ? value : nil
  }

  /// A variant's value, also one nested in another variant, as in portals' older answers. A value of an unknown type is
  /// skipped.
  package func variant() -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard library.peek(message, &type, &contents) > 0, type == code("v"), let contents else { return nil }
    var found: BusValue?
    inside("v", String(cString: contents)) {
      switch contents.pointee {
      case code("u"): found = unsigned().map { .unsigned($0) }
      case code("i"): found = int().map { .int($0) }
      case code("b"): found = bool().map { .bool($0) }
      case code("d"): found = read("d", 0.0).map { .double($0) }
      case code("s"): found = text().map { .text($0) }
      case code("v"): found = variant()
      default: break
      }
    }
    return found
  }
}

/// The values of a variant that are used here.
nonisolated package enum BusValue: Hashable, Sendable {
  case unsigned(UInt32)
  case int(Int32)
  case bool(Bool)
  case double(Double)
  case text(String)
}

/// The contents of a message, written from the beginning to the end.
@MainActor package struct BusWriter {
  let library: BusLibrary
  let message: OpaquePointer

  /// Writes a text, or a related type, such as "o" for a path.
  package func text(_ text: String, _ type: Character = "s") {
    _ = text.withCString { library.append(message, code(type), $0) }
  }

  /// Writes a signed 32-bit number, clamped if necessary.
  package func int(_ value: Int) { append("i", Int32(clamping: value)) }

  /// Writes a signed number of 16 bits.
  package func short(_ value: Int16) { append("n", value) }

  /// Writes an unsigned number of 32 bits.
  package func unsigned(_ value: UInt32) { append("u", value) }

  /// Writes a number.
  package func double(_ value: Double) { append("d", value) }

  /// Writes a truth.
  package func bool(_ value: Bool) { append("b", Int32(value ? 1 : 0)) }

  private func append(_ type: Character, _ value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) {
      if let bytes = $0.baseAddress { _ = library.append(message, code(type), bytes) }
    }
  }

  /// Writes what `body` writes as a container: an array "a" of `contents`, a struct "r", a pair of a dictionary "e" or a variant "v".
  package func inside(_ type: Character, _ contents: String, _ body: () -> Void) {
    _ = library.openContainer(message, code(type), contents)
    body()
    _ = library.closeContainer(message)
  }

  /// Writes a value as a variant.
  package func variant(_ value: BusValue) {
    switch value {
    case .unsigned(let number): inside("v", "u") { unsigned(number) }
    case .int(let number): inside("v", "i") { int(Int(number)) }
    case .bool(let flag): inside("v", "b") { bool(flag) }
    case .double(let number): inside("v", "d") { double(number) }
    case .text(let words): inside("v", "s") { text(words) }
    }
  }
}

/// A call of one of the objects that are served here.
@MainActor package struct BusRequest {
  let library: BusLibrary
  let bus: OpaquePointer
  let message: OpaquePointer

  /// The object's path.
  package var path: String { text(library.path(message)) }
  /// The interface, and the method of it.
  package var interface: String { text(library.interface(message)) }
  package var member: String { text(library.member(message)) }
  /// The arguments.
  package var arguments: BusReader { BusReader(library: library, message: message) }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

  /// Answers, with an error if the results do not form a message, since the caller would wait for an answer that never arrives.
  package func answer(_ results: (BusWriter) -> Void) {
    var made: OpaquePointer?
    guard library.newAnswer(message, &made) >= 0, let answer = made else { return }
    defer { _ = library.unref(answer) }
    results(BusWriter(library: library, message: answer))
    if library.send(bus, answer, nil) < 0 { fail("the answer can't be sent") }
  }

  /// sd_bus_error's layout.
  private struct Failure {
    var name: UnsafePointer<CChar>?
    var message: UnsafePointer<CChar>?
    var isOwned: Int32 = 0
  }

  /// Answers with an error.
  package func fail(_ reason: String, named name: String = "org.freedesktop.DBus.Error.Failed") {
    name.withCString { name in
      reason.withCString { reason in
        var failure = Failure(name: name, message: reason)
        var made: OpaquePointer?
        guard library.newError(message, &made, &failure) >= 0, let answer = made else { return }
        _ = library.send(bus, answer, nil)
        _ = library.unref(answer)
      }
    }
  }
}

nonisolated private func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
