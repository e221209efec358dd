import JSON
import Stage

/// A script: how the stage is set up, and the steps to carry out.
struct Script {
  /// The file's name, as in reports.
  let name: String
  var setup: Setup
  let steps: [Step]
  private let text: [UInt8]
  private let path: JSONPath

  /// Reads a script: a list of steps, or an object with the steps and how the stage is set up.
  init(_ text: [UInt8], name: String) throws(ScriptError) {
    (self.text, self.name) = (text, name)
    let value: JSONValue
    do {
      value = try JSONValue(text, .file)
    } catch {
      throw ScriptError(error.place, error.message)
    }
    var setup = Setup()
    if case .object(let members) = value {
      for (key, value) in members.sorted(by: { $0.key < $1.key }) where key != "steps" {
        guard Setup.names.contains(key) else {
          let names = (Setup.names + ["steps"]).joined(separator: ", ")
          throw ScriptError(
            .key(.root, key), ofName: true, in: text, "a script has no \"\(key)\"; it has \(names)")
        }
        if let complaint = setup.take(key, value) { throw ScriptError(.key(.root, key), in: text, complaint) }
      }
      path = .key(.root, "steps")
    } else {
      path = .root
    }
    guard let items = value.items ?? value["steps"]?.items else {
      throw ScriptError(path, in: text, "a script is a list of steps, or an object with the list \"steps\"")
    }
    self.setup = setup
    var steps: [Step] = []
    for (index, item) in items.enumerated() {
      do throws(StepComplaint) {
        steps.append(try Step(item))
      } catch {
        let place = JSONPath.index(path, index)
        let key = error.key.map { JSONPath.key(place, $0) } ?? place
        throw ScriptError(key, ofName: error.isAboutName, in: text, error.message)
      }
    }
    self.steps = steps
  }

  /// The line of a step's first character, from 1.
  func line(ofStep index: Int) -> Int { TextPlace(of: .index(path, index), in: text).line }
}

/// An error in a script, and its position.
struct ScriptError: Error {
  let place: TextPlace
  let message: String

  fileprivate init(_ place: TextPlace, _ message: String) { (self.place, self.message) = (place, message) }

  fileprivate init(_ path: JSONPath, ofName: Bool = false, in text: [UInt8], _ message: String) {
    self.init(TextPlace(of: path, in: text, ofName: ofName), message)
  }

  /// The error with the file's name, as compilers write it.
  func description(in name: String) -> String { "\(name):\(place.line):\(place.column): \(message)" }
}

/// What a script does at one point: a kind, and its arguments as they were checked.
struct Step {
  let kind: StepKind
  let arguments: StepArguments

  /// Reads an object with the kind's name as "do", and its parameters.
  init(_ value: JSONValue) throws(StepComplaint) {
    guard case .object(var members) = value, let name = members.removeValue(forKey: "do")?.text else {
      throw StepComplaint("a step is an object such as {\"do\": \"advance\", \"ms\": 16}")
    }
    guard let kind = StepKind.named(name) else {
      throw StepComplaint(key: "do", "no step is called \"\(name)\"; `stage help steps` lists them")
    }
    for key in members.keys.sorted() {
      guard let parameter = kind.parameters.first(where: { $0.name == key }) else {
        let names = kind.parameters.map(\.name).joined(separator: ", ")
        throw StepComplaint(
          key: key, isAboutName: true,
          "\"\(name)\" has no parameter \"\(key)\"; it has \(names.isEmpty ? "no parameters" : names)")
      }
      if let complaint = members[key].flatMap(parameter.complaint) {
        throw StepComplaint(key: key, "\"\(key)\" \(complaint)")
      }
    }
    if let missing = kind.parameters.first(where: { $0.isRequired && members[$0.name] == nil }) {
      throw StepComplaint("\"\(name)\" needs \"\(missing.name)\": \(missing.text)")
    }
    self.kind = kind
    arguments = StepArguments(members: members)
  }

  /// The kind and the values in the order of the table: "touch-down id 1 x 20 y 30".
  var title: String {
    kind.parameters.reduce(kind.name) { text, parameter in
      guard let value = arguments.members[parameter.name] else { return text }
      return text + " \(parameter.name) \(value.text ?? value.jsonText)"
    }
  }
}

/// Why a value is no step.
struct StepComplaint: Error {
  /// The member that is wrong; nil for the whole step.
  let key: String?
  /// Whether the member's name is wrong, not its value.
  let isAboutName: Bool
  let message: String

  init(key: String? = nil, isAboutName: Bool = false, _ message: String) {
    (self.key, self.isAboutName, self.message) = (key, isAboutName, message)
  }
}

/// How the stage is set up before the client starts.
struct Setup {
  static let names = ["globals", "output", "devices", "allow", "strict"]
  static let presets: [(name: String, globals: StageGlobals)] = [
    ("everything", .everything), ("minimal", .minimal), ("weston10", .weston10), ("sway17", .sway17),
    ("kwin527", .kwin527),
  ]

  var globals = StageGlobals.everything
  var output = PixelSize(width: 1280, height: 720)
  var devices: StageSeat.Capabilities = [.pointer, .keyboard, .touch]
  /// The rules that the client may break.
  var allowed: Set<Violation.Rule> = []
  /// Whether advice fails the script too.
  var isStrict = false
  /// The seed of random sizes.
  var seed = 1

  /// Takes the members of an object in JSON5, as the option --setup has it; returns a complaint, or nil.
  mutating func take(_ text: String) -> String? {
    do {
      guard case .object(let members) = try JSONValue(Array(text.utf8), .file) else {
        return "the setup is an object such as {allow: [\"damageLies\"]}"
      }
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        if let complaint = take(key, value) { return complaint }
      }
      return nil
    } catch {
      return "column \(error.place.column): \(error.message)"
    }
  }

  /// Takes a member of a script; returns a complaint about it, or nil.
  mutating func take(_ key: String, _ value: JSONValue) -> String? {
    switch key {
    case "globals":
      do throws(GlobalsComplaint) {
        globals = try OfferedGlobals.read(value)
      } catch {
        return error.message
      }
    case "output":
      guard let sides = value.numbers(2), sides.allSatisfy({ (1...16_384).contains($0) && $0 == $0.rounded() }) else {
        return "\"output\" is a size in pixels such as [1280, 720]"
      }
      output = PixelSize(width: Int(sides[0]), height: Int(sides[1]))
    case "devices":
      guard let words = value.items?.map(\.text), let devices = Setup.devices(words.compactMap(\.self)),
        words.allSatisfy({ $0 != nil })
      else { return "\"devices\" is a list of \"pointer\", \"keyboard\", \"touch\"" }
      self.devices = devices
    case "allow":
      let rules = value.items?.map { $0.text.flatMap(Violation.Rule.init(rawValue:)) }
      guard let rules, rules.allSatisfy({ $0 != nil }) else {
        return "\"allow\" is a list of rules; `stage rules` lists them"
      }
      allowed = Set(rules.compactMap(\.self))
    case "strict":
      guard let value = value.bool else { return "\"strict\" is true or false" }
      isStrict = value
    default: return "there is no \"\(key)\"; there is \(Setup.names.joined(separator: ", "))"
    }
    return nil
  }

  /// The devices with these names; nil if one is no device.
  static func devices(_ words: [String]) -> StageSeat.Capabilities? {
    let kinds: [String: StageSeat.Capabilities] = ["pointer": .pointer, "keyboard": .keyboard, "touch": .touch]
    let devices = words.compactMap { kinds[$0] }
    return devices.count == words.count ? StageSeat.Capabilities(devices) : nil
  }
}
