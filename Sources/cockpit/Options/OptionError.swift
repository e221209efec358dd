/// An error on the command line; the program then exits with `exitCode`.
nonisolated enum OptionError: Error, Equatable, Sendable {
  /// No option has this name; `nearest` may have been meant.
  case unknownOption(String, nearest: OptionName?)
  /// An argument that is not an option: the cockpit opens no files.
  case unexpectedArgument(String)
  /// The option needs a value, but the line ends or the next option follows.
  case missingValue(OptionName)
  case unexpectedValue(OptionName, String)
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

nonisolated extension OptionError: CustomStringConvertible {
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
    case .conflict(let option, let other): "\(option.text) doesn't go with \(other.text): \(reason(against: other))"
    case .needs(let option, let other): "\(option.text) does nothing without \(other.text)"
    case .tooManyPixels(let width, let height):
      "--size at --scale makes \(width)x\(height) pixels, choose less than \(Options.greatestSide + 1) a side"
    }
  }
}

nonisolated extension OptionError {
  /// The exclusion that a conflict reports; nil for any other error.
  var exclusion: OptionExclusion? {
    guard case .conflict(let option, let other) = self else { return nil }
    return OptionExclusion.all.first { $0.option == option && $0.other == other }
  }

  private func reason(against other: OptionName) -> String {
    if let exclusion { return exclusion.reason }
    return switch other {
    case .replay: "the record says what happens"
    case .screenshot, .dumpTree, .noWindow: "it does nothing without a window"
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
