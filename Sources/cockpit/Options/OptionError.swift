/// An error on the command line; the program then exits with `exitCode`.
nonisolated enum OptionError: Error, Equatable, Sendable {
  /// No option has this name; `nearest` may have been meant.
  case unknownOption(String, nearest: OptionName?)
  /// An argument that is not an option: the cockpit opens no files.
  case unexpectedArgument(String)
  /// The option needs a value, but the line ends or the next option follows.
  case missingValue(OptionName)
  /// The option takes no value.
  case unexpectedValue(OptionName, String)
  /// The value can't be used.
  case badValue(OptionName, String)
  /// The log specification names an unknown scope or level; the text names it and lists the valid ones.
  case badLog(String)
  /// The first option has a value that the second excludes.
  case conflict(OptionName, OptionName)
  /// The first option has no effect without the second.
  case needs(OptionName, OptionName)
  /// Size times scale exceeds the largest buffer.
  case tooManyPixels(width: Int, height: Int)

  /// The process's exit code for an error on the command line.
  static let exitCode: Int32 = 2
}

nonisolated extension OptionError {
  /// The options concerned, in the order in which to omit them.
  var options: [OptionName] {
    switch self {
    case .conflict(let option, let other): [option, other]
    case .needs(let option, _), .missingValue(let option), .unexpectedValue(let option, _), .badValue(let option, _):
      [option]
    case .badLog: [.log]
    case .tooManyPixels: [.size, .scale]
    case .unknownOption, .unexpectedArgument: []
    }
  }
}

nonisolated extension OptionError {
  /// Whether an option would move a vehicle without a hand.
  var isAboutHands: Bool {
    guard case .conflict(let option, .drive) = self else { return false }
    return [.gear, .steer, .demo].contains(option)
  }
}

nonisolated extension OptionError: CustomStringConvertible {
  /// The error and its remedy in one line.
  var description: String {
    switch self {
    case .unknownOption(let name, let nearest):
      "unknown option '\(shown(name))'; "
        + (nearest.map { "did you mean \($0.text)?" } ?? "cockpit --help lists all options")
    case .unexpectedArgument(let argument):
      "unexpected argument '\(shown(argument))'; cockpit takes only options, cockpit --help lists them"
    case .missingValue(let option): "\(option.text) needs \(option.wanted)"
    case .unexpectedValue(let option, let value): "\(option.text) takes no value, leave out '=\(shown(value))'"
    case .badValue(let option, let value): "\(option.text) needs \(option.wanted); '\(shown(value))' isn't"
    case .badLog(let reason): "--log: \(shown(reason, limit: 200))"
    case .conflict(let option, let other):
      "\(option.text) doesn't go with \(other.text): \(option.reasonAgainst(other))"
    case .needs(let option, let other): "\(option.text) does nothing without \(other.text)"
    case .tooManyPixels(let width, let height):
      "--size at --scale makes \(width)x\(height) pixels, choose less than \(Options.greatestSide + 1) a side"
    }
  }
}

nonisolated extension OptionName {
  /// The description of the option's value.
  var wanted: String { row.value?.wanted ?? "no value" }

  /// The reason why the option conflicts with `other`.
  fileprivate func reasonAgainst(_ other: OptionName) -> String {
    switch (self, other) {
    case (.drive, .replay): "a replay drives nothing; only --drive - goes with it, and prints"
    case (.gear, .drive): "a vehicle begins in N, and goes on a touch"
    case (.steer, .drive): "a vehicle begins straight, and turns on a touch"
    case (.demo, .drive): "hands alone drive a vehicle; --config none leaves the options of your file out"
    case (.demo, .deadMan): "no hand holds the lever"
    case (.demo, .saveConfig): "a drive that plays by itself is no setting"
    case (.dumpTree, .drive): "both print to standard output"
    case (.fullscreen, .iviID), (.fullscreen, .strip), (.iviID, .strip): "a window has one place"
    case (_, .replay): "the record says what happens"
    case (_, .screenshot), (_, .dumpTree), (_, .noWindow): "it does nothing without a window"
    default: "leave one of them out"
    }
  }
}

/// A user's text on one line of bounded length, with control characters replaced.
nonisolated func shown(_ text: String, limit: Int = 60) -> String {
  var result = ""
  for scalar in text.unicodeScalars.prefix(limit) {
    result += scalar.properties.generalCategory == .control ? "?" : String(scalar)
  }
  return text.unicodeScalars.count > limit ? result + "..." : result
}
