/// A message that is read from its beginning to its end, once.
/// It knows the types that settings have, and skips all others.
nonisolated struct BusReader {
  let library: BusLibrary
  let message: OpaquePointer

  /// The settings in the answer of ReadAll, by namespace (a{sa{sv}}), or the one in the signal SettingChanged (ssv).
  func settings(_ each: (String, String, DesktopPreferences.Value) -> Void) {
    let isAnswer = inside("a", "{sa{sv}}") {
      while inside("e", "sa{sv}", { namespace(each) }) {}
    }
    guard !isAnswer, let namespace = text(), let key = text(), let value = value() else { return }
    each(namespace, key, value)
  }

  private func namespace(_ each: (String, String, DesktopPreferences.Value) -> Void) {
    guard let name = text() else { return }
    inside("a", "{sv}") {
      while inside("e", "sv", { if let key = text(), let value = value() { each(name, key, value) } }) {}
    }
  }

  /// Reads the contents of a container; false when the next value is not one, as after the last item of an array.
  @discardableResult private func inside(_ type: Character, _ contents: String, _ body: () -> Void) -> Bool {
    guard library.enter(message, code(type), contents) > 0 else { return false }
    body()
    // A container can only be left after its last value.
    while library.skip(message, nil) > 0 {}
    return library.leave(message) >= 0
  }

  private func text() -> String? {
    var pointer: UnsafePointer<CChar>?
    guard library.read(message, code("s"), &pointer) > 0 else { return nil }
    return pointer.map { String(cString: $0) }
  }

  /// A variant's value, also one in another variant, as portals' older answers have it.
  private func value() -> DesktopPreferences.Value? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard library.peek(message, &type, &contents) > 0, type == code("v"), let contents else { return nil }
    var found: DesktopPreferences.Value?
    inside("v", String(cString: contents)) {
      switch contents.pointee {
      case code("u"):
        var number: UInt32 = 0
        if library.read(message, code("u"), &number) > 0 { found = .number(number) }
      case code("b"):
        var flag: Int32 = 0
        if library.read(message, code("b"), &flag) > 0 { found = .bool(flag != 0) }
      case code("v"): found = value()
      default: break
      }
    }
    return found
  }

  private func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
