import JSON

/// The answer to one message of the compiler.
package struct Answer {
  /// The answer as the compiler reads it.
  package let text: String

  /// Answers `message`; nil if it is not JSON, or of a kind that the compiler sends only to programs that asked for it.
  package init?(to message: [UInt8]) {
    guard let request = try? JSONValue(message, .file) else { return nil }
    if request["getCapability"] != nil {
      let capability: JSONValue = .object(["protocolVersion": .number(7), "features": .array([])])
      text = JSONValue.object(["getCapabilityResult": .object(["capability": capability])]).jsonText
      return
    }
    guard let expansion = request["expandAttachedMacro"] else { return nil }
    let attribute = expansion["attributeSyntax"]
    let (source, declaration) = (Self.source(attribute), Self.source(expansion["declSyntax"]))
    let context = Self.source(expansion["lexicalContext"]?.items?.first)
    var result: [String: JSONValue] = ["diagnostics": .array([])]
    do throws(ExpansionError) {
      let arguments = AttributeSource(source)
      if expansion["macroRole"]?.text == "member" {
        result["expandedSource"] = .string(try ListExpansion(arguments, declaration).member)
      } else {
        let property = try PropertyExpansion(arguments, declaration, within: context)
        result["expandedSource"] = .string(expansion["macroRole"]?.text == "peer" ? property.peers : property.accessors)
      }
    } catch {
      // The compiler asks for peers and for accessors, but an error must appear once. The valid code returned here prevents
      // more errors; it never runs, because the error fails the build.
      let isAccessor = expansion["macroRole"]?.text == "accessor"
      if !isAccessor {
        result["diagnostics"] = .array([Self.diagnostic(error, at: attribute?["location"], in: source)])
      }
      result["expandedSource"] = .string(
        isAccessor
          ? "{ get { fatalError() } set {} }" : VariableSource.name(declaration).map(PropertyExpansion.stub) ?? "")
    }
    text = JSONValue.object(["expandMacroResult": .object(result)]).jsonText
  }

  private static func source(_ syntax: JSONValue?) -> String { syntax?["source"]?.text ?? "" }

  /// The error, at the first token of `source`, which begins at `location` with blanks and comments.
  private static func diagnostic(_ error: ExpansionError, at location: JSONValue?, in source: String) -> JSONValue {
    let start = [SwiftToken](source).first?.range.lowerBound ?? 0
    let position: JSONValue = .object([
      "fileName": location?["fileName"] ?? .string(""),
      "offset": .number((location?["offset"]?.finiteNumber ?? 0) + Double(start)),
    ])
    return .object([
      "message": .string(error.message), "severity": .string("error"), "position": position,
      "highlights": .array([]), "notes": .array([]), "fixIts": .array([]),
    ])
  }
}

/// The reason why a macro cannot be expanded: one sentence for the author of the class.
struct ExpansionError: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}
