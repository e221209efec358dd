import Controls
import Glibc

/// A language with the cockpit's words in it.
/// Option names, and texts that only developers read, stay English.
nonisolated struct Language: Hashable, Sendable {
  /// Which one.
  enum Code: String, Sendable {
    case english = "en"
    case chinese = "zh"
  }

  let code: Code
  /// The window's title.
  let title: String
  /// The word of the lamp of a ready cockpit.
  let ready: String
  /// The tell-tale of the brake.
  let brake: String
  /// The lamp of steering by tilting, and the same while its sensor is lost.
  let tilt: String
  let tiltLost: String
  /// The text that stands for missing telemetry.
  let noData: String
  /// The text after the reason of a lost connection.
  let waiting: String

  static let english = Language(
    code: .english, title: "Cockpit", ready: "READY", brake: "BRAKE", tilt: "TILT", tiltLost: "TILT LOST",
    noData: "NO DATA", waiting: "; waiting for a compositor")
  static let chinese = Language(
    code: .chinese, title: "驾驶舱", ready: "就绪", brake: "制动", tilt: "倾斜", tiltLost: "倾斜失灵", noData: "无数据",
    waiting: "；等待合成器")

  /// The language of the person who started the program; tests choose another.
  @MainActor static var current = preferred(locale)
  /// The direction of texts for that person.
  @MainActor static var direction = direction(locale)

  /// The locale of messages as POSIX finds it: the first of these that is set and not empty.
  private static var locale: String {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      if let text = getenv(name), text.pointee != 0 { return String(cString: text) }
    }
    return ""
  }

  /// The language for a locale such as "zh_CN.UTF-8". Traditional Chinese is another script, not this one.
  static func preferred(_ locale: String) -> Language {
    let parts = subtags(locale)
    guard parts.first == "zh", Set(parts).isDisjoint(with: ["tw", "hk", "mo", "hant"]) else { return english }
    return chinese
  }

  /// The reading direction for a locale such as "ar_EG.UTF-8".
  static func direction(_ locale: String) -> LayoutDirection {
    let written = ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "ug", "ur", "yi"]
    return subtags(locale).first.map(written.contains) == true ? .rightToLeft : .leftToRight
  }

  /// "zh_Hant_TW.UTF-8@x" as "zh", "hant", "tw".
  private static func subtags(_ locale: String) -> [String] {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return name.lowercased().split { $0 == "_" || $0 == "-" }.map(String.init)
  }
}
