// Owns making a JSON value of what a decoder has.
// Must not know what the text was, nor what values mean.

import FoundationEssentials

nonisolated extension JSONValue: Decodable {
  /// Any value that `decoder` has.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the place of a value that the decoder can't read, such as the number 1e999.
  public init(from decoder: any Decoder) throws {
    self = try DecodedValue(from: decoder, configuration: DecodedKinds()).value
  }
}

/// What a value can be.
nonisolated private enum DecodedKind: CaseIterable {
  case number, text, object, list, bool, null
}

/// What the values before were. A decoder can't say what a value is, it has to be asked for each kind in turn, and each wrong
/// guess costs it an error: five times the time of everything else. Values of the same name are mostly of one kind.
nonisolated private final class DecodedKinds {
  /// The kind to ask for first; then the kind that was found.
  var guess = DecodedKind.object
  var byName: [String: DecodedKind] = [:]
}

/// A value within another.
nonisolated private struct DecodedValue: DecodableWithConfiguration {
  let value: JSONValue

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder, configuration kinds: DecodedKinds) throws {
    let guess = kinds.guess
    var kind = guess
    var value = try DecodedValue.value(guess, of: decoder, kinds)
    for other in DecodedKind.allCases where value == nil && other != guess {
      value = try DecodedValue.value(other, of: decoder, kinds)
      kind = other
    }
    if let value {
      self.value = value
      kinds.guess = kind
      return
    }
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: DecodedValue.mistake(of: decoder)))
  }

  /// The value of `decoder` if it is a `kind`. Of lists and objects only what they are is tried, what is in them has to be good:
  /// else the deepest mistake would be met once for each way of trying all that is around it.
  private static func value(_ kind: DecodedKind, of decoder: any Decoder, _ kinds: DecodedKinds) throws -> JSONValue? {
    switch kind {
    case .number: return (try? decoder.singleValueContainer().decode(Double.self)).map { .number($0) }
    case .text: return (try? decoder.singleValueContainer().decode(String.self)).map { .string($0) }
    case .bool: return (try? decoder.singleValueContainer().decode(Bool.self)).map { .bool($0) }
    case .null: return try decoder.singleValueContainer().decodeNil() ? .null : nil
    case .object:
      guard let members = try? decoder.container(keyedBy: Name.self) else { return nil }
      var object: [String: JSONValue] = [:]
      // Sorted, so that the first mistake is the same one each time.
      for name in members.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
        kinds.guess = kinds.byName[name.stringValue] ?? .number
        object[name.stringValue] = try members.decode(DecodedValue.self, forKey: name, configuration: kinds).value
        kinds.byName[name.stringValue] = kinds.guess
      }
      return .object(object)
    case .list:
      guard var elements = try? decoder.unkeyedContainer() else { return nil }
      var list: [JSONValue] = []
      kinds.guess = .number
      while !elements.isAtEnd { list.append(try elements.decode(DecodedValue.self, configuration: kinds).value) }
      return .array(list)
    }
  }

  /// What is wrong with a value that is of no kind. Asked for another kind than it is, it is a `DecodingError`; asked for what it
  /// is, some other error.
  private static func mistake(of decoder: any Decoder) -> String {
    func isMeant(_ kind: () throws -> Void) -> Bool {
      do {
        try kind()
        return true
      } catch {
        return !(error is DecodingError)
      }
    }
    if isMeant({ _ = try decoder.singleValueContainer().decode(Double.self) }) { return "the number can't be read" }
    if isMeant({ _ = try decoder.singleValueContainer().decode(String.self) }) { return "the text can't be read" }
    return "the names in it can't be read"
  }
}
