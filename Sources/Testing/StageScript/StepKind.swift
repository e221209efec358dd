import JSON
import UICore

/// A kind of step: its name, its parameters and what it does. `all` is the one list for scripts, for the control socket and for
/// the documentation.
struct StepKind {
  /// What a step returns to a controller, by name; scripts ignore it.
  typealias Reply = [String: JSONValue]

  let name: String
  /// What it does, in one or two sentences.
  let text: String
  let parameters: [StepParameter]
  /// Whether the step still makes sense once the client has left.
  let allowsAbsence: Bool
  let perform: (ClientRun) -> @MainActor (StepArguments) throws(StepFailure) -> Reply

  init(
    _ name: String, _ text: String, _ parameters: [StepParameter] = [], allowsAbsence: Bool = false,
    _ perform: @escaping (ClientRun) -> @MainActor (StepArguments) throws(StepFailure) -> Reply
  ) {
    self.name = name
    self.text = text
    self.parameters = parameters
    self.allowsAbsence = allowsAbsence
    self.perform = perform
  }

  /// A kind of step that returns nothing, and after which the client comes to rest.
  init(
    _ name: String, _ text: String, _ parameters: [StepParameter] = [], allowsAbsence: Bool = false,
    _ act: @escaping (ClientRun) -> @MainActor (StepArguments) throws(StepFailure) -> Void
  ) {
    self.init(name, text, parameters, allowsAbsence: allowsAbsence) { run in
      { (arguments) throws(StepFailure) in
        try act(run)(arguments)
        run.awaitRest()
        return [:]
      }
    }
  }

  /// Every kind, in the order of the documentation.
  static let all =
    timeSteps + expectationSteps + windowSteps + outputSteps + touchSteps + pointerSteps + gestureSteps
    + keySteps
    + troubleSteps

  /// The kind with this name; nil if no kind has it.
  static func named(_ name: String) -> StepKind? { all.first { $0.name == name } }

  /// Every kind as a table in Markdown, with a header.
  static var table: String {
    all.reduce("| step | parameters | what it does |\n|---|---|---|\n") { text, kind in
      let parameters = kind.parameters.map { "`\($0.name)`\($0.isRequired ? "" : "?"): \($0.text)" }
      return text + "| `\(kind.name)` | \(parameters.joined(separator: "<br>")) | \(kind.text) |\n"
    }
  }
}

/// What a step can be told beside its kind, and which values are allowed.
struct StepParameter {
  enum Kind {
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    case text
    case flag
    /// One of these words.
    case choice([String])
    /// A list of these words.
    case choices([String])
    /// A list of fingers, each with a path.
    case fingers
  }

  let name: String
  let kind: Kind
  let isRequired: Bool
  /// Its meaning, with the unit and the default.
  let text: String

  init(_ name: String, _ kind: Kind, isRequired: Bool = false, _ text: String) {
    (self.name, self.kind, self.isRequired, self.text) = (name, kind, isRequired, text)
  }

  /// Why `value` is no value of the parameter; nil if it is one.
  func complaint(about value: JSONValue) -> String? {
    switch kind {
    case .number(let range):
      guard let number = value.finiteNumber, range.contains(number) else {
        return
          "needs a number from \(JSONValue.number(range.lowerBound).jsonText) to \(JSONValue.number(range.upperBound).jsonText), not \(value.article)"
      }
    case .whole(let range):
      guard let number = value.whole, range.contains(number) else {
        return "needs a whole number from \(range.lowerBound) to \(range.upperBound), not \(value.jsonText)"
      }
    case .text: if value.text == nil { return "needs a text, not \(value.article)" }
    case .flag: if value.bool == nil { return "needs true or false, not \(value.article)" }
    case .choice(let words):
      guard let word = value.text, words.contains(word) else {
        return "needs \(Self.list(words)), not \(value.jsonText)"
      }
    case .choices(let words):
      guard let items = value.items, items.allSatisfy({ $0.text.map(words.contains) == true }) else {
        return "needs a list of \(Self.list(words)), not \(value.jsonText)"
      }
    case .fingers:
      let isPath = { (finger: JSONValue) in
        guard let points = finger["path"]?.items, !points.isEmpty, case .object(let members) = finger else {
          return false
        }
        return points.allSatisfy { $0.numbers(2) != nil } && members.keys.allSatisfy { ["id", "path"].contains($0) }
          && (finger["id"].map { $0.whole.map { (0...1_000_000).contains($0) } == true } ?? true)
      }
      guard let fingers = value.items, !fingers.isEmpty, fingers.allSatisfy(isPath) else {
        return "needs a list of fingers such as {\"id\": 0, \"path\": [[10, 10], [50, 10]]}"
      }
    }
    return nil
  }

  private static func list(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }
}

/// The values of a step's parameters, checked against its kind.
struct StepArguments {
  let members: [String: JSONValue]

  func number(_ name: String) -> Double? { members[name]?.finiteNumber }
  func number(_ name: String, or standard: Double) -> Double { number(name) ?? standard }
  func whole(_ name: String) -> Int? { members[name]?.whole }
  func whole(_ name: String, or standard: Int) -> Int { whole(name) ?? standard }
  func text(_ name: String) -> String? { members[name]?.text }
  func flag(_ name: String) -> Bool { members[name]?.bool ?? false }
  func words(_ name: String) -> [String]? { members[name]?.items.map { $0.compactMap(\.text) } }
  /// The position of the parameters x and y; 0 for one that is missing.
  var place: Point { Point(x: number("x", or: 0), y: number("y", or: 0)) }
  /// A number of milliseconds as a duration.
  func milliseconds(_ name: String, or standard: Double) -> Duration {
    .nanoseconds(Int64((number(name, or: standard) * 1e6).rounded()))
  }
}

/// Why a step failed, in words that follow the step's name.
struct StepFailure: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
