import Controls
import Glibc
import JSON
import Linux
import Shell

/// Options in a file: one JSON object, each option by its name without the leading hyphens. See docs/configuration.md.
nonisolated struct Configuration: Sendable {
  private(set) var list = OptionList()

  /// The largest file that is read, in bytes.
  static let largestFile = 1 << 20

  init() {}

  /// Reads the file at `path`. If the file is missing there are no options, unless it `mustExist`.
  ///
  /// - Throws: `ConfigurationError`.
  init(contentsOf path: String, mustExist: Bool) throws(ConfigurationError) {
    let text: [UInt8]
    do throws(FileReader.Failure) {
      text = try FileReader.bytes(of: path, atMost: Self.largestFile)
    } catch {
      if !mustExist, case .system(let errno) = error, errno == ENOENT || errno == ENOTDIR {
        self.init()
        return
      }
      throw ConfigurationError(file: path, "can't be read: \(error)")
    }
    try self.init(text, file: path)
  }

  /// Reads `text`. `file` is its name in errors; file names in it are relative to the directory of `file`.
  ///
  /// - Throws: `ConfigurationError` for the first error: invalid JSON, an unknown option, an invalid value, a conflict, in this
  ///   order.
  init(_ text: [UInt8], file: String) throws(ConfigurationError) {
    func mistake(_ key: String, ofName: Bool = false, _ reason: String) -> ConfigurationError {
      ConfigurationError(
        file: file, place: TextPlace(of: .key(.root, key), in: text, ofName: ofName), key: key, reason)
    }
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(text, .file)
    } catch {
      throw ConfigurationError(file: file, place: error.place, key: error.path.text, error.message)
    }
    guard case .object(let members) = root else {
      throw ConfigurationError(
        file: file, place: TextPlace(of: .root, in: text), "needs an object of options, not \(root.article)")
    }
    let settings = OptionName.allCases.filter(\.row.isSetting)
    for key in members.keys.sorted() where !settings.contains(where: { $0.rawValue == key }) {
      throw mistake(key, ofName: true, Self.refusal(of: key, settings))
    }
    for option in settings {
      guard let value = members[option.rawValue] else { continue }
      let needs = "needs \(option.row.isSwitch ? "true or false" : option.wanted), not \(value.shownText)"
      guard let written = option.text(of: value) else { throw mistake(option.rawValue, needs) }
      if option == .log {
        do { _ = try Log.levels(of: written) } catch { throw mistake(option.rawValue, "\(error)") }
      }
      do throws(OptionError) {
        try list.add(option, option.resolved(written, beside: file))
      } catch { throw mistake(option.rawValue, needs) }
    }
    if members["scene"] != nil, members["watch"] != nil {
      throw mistake("watch", ofName: true, "doesn't go with \"scene\": leave one of them out")
    }
    do throws(OptionError) { try list.check() } catch {
      let key = error.options.first { members[$0.rawValue] != nil }
      throw mistake(key?.rawValue ?? "", ofName: true, error.description)
    }
  }

  /// The reason why `key` is not one of `settings`, with the nearest one.
  private static func refusal(of key: String, _ settings: [OptionName]) -> String {
    if OptionName(rawValue: key) != nil { return "is an option of the command line only" }
    let nearest = EditDistance.nearest(to: String(key.drop { $0 == "-" }), in: settings.map(\.rawValue))
    return "unknown option \"\(shown(key))\"; "
      + (nearest.map { "did you mean \"\($0)\"?" } ?? "cockpit --help lists all options")
  }

  /// The path of the user's own file by the XDG rules: `$XDG_CONFIG_HOME/cockpit/config.json`, or under `~/.config` if the
  /// variable is empty or not an absolute path; nil without a home directory.
  static func ownPath(_ environment: (String) -> String?) -> String? {
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder + "/cockpit/config.json" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.config/cockpit/config.json"
  }
}

nonisolated extension Configuration {
  /// Returns the text of a configuration file with the settings of `list`. File names relative to `folder` become absolute.
  static func text(of list: OptionList, folder: String) -> String {
    let members = OptionName.allCases.filter(\.row.isSetting).compactMap { option -> (key: String, value: JSONText)? in
      // `scene` and `watch` set the same option: only the last one applies.
      if option == .scene, list.options.watchesScene { return nil }
      if option == .watch, !list.options.watchesScene { return nil }
      guard let text = list.texts.last(where: { $0.option == option })?.text,
        !(option.row.isSwitch && text == "off")
      else { return nil }
      return (option.rawValue, .value(option.value(of: option.resolved(text, beside: folder + "/"))))
    }
    return JSONText.object(members).text + "\n"
  }

  /// The file that `path` resolves to through symbolic links. Writing to it preserves a link into a directory of dotfiles.
  private static func target(of path: String) -> String {
    var path = path
    for _ in 0..<40 {
      var name = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &name, name.count)
      guard count > 0 else { break }
      let next = String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = next.hasPrefix("/") ? next : (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + next
    }
    return path
  }

  /// Writes `text` to `path` atomically, and creates missing directories.
  ///
  /// - Returns: False if a system call fails.
  static func write(_ text: String, to path: String) -> Bool {
    let path = target(of: path)
    var folder = path
    var missing: [String] = []
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = String(folder[..<slash])
      if access(folder, F_OK) == 0 { break }
      missing.append(folder)
    }
    // XDG: configuration directories are private to the user.
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST { return false }
    // The name is unique, so that leftovers of a crashed run are not overwritten.
    var draft = Array((path + ".XXXXXX").utf8CString)
    guard let file = Descriptor(mkstemp(&draft)) else { return false }
    guard Descriptor.write(Array(text.utf8), to: file.number), fsync(file.number) == 0,
      rename(draft, path) == 0
    else {
      unlink(draft)
      return false
    }
    return true
  }
}

nonisolated extension OptionName {
  /// The command-line text for a value from a file; nil if the value has the wrong type.
  fileprivate func text(of value: JSONValue) -> String? {
    switch value {
    case .bool(let isOn) where row.takesOnOff: isOn ? "on" : "off"
    case .string(let text) where !row.isSwitch: text
    case .number where !row.isSwitch: value.finiteNumber.map { _ in value.jsonText }
    default: nil
    }
  }

  /// The value in a file for a command-line text.
  fileprivate func value(of text: String) -> JSONValue {
    if row.takesOnOff, ["on", "off"].contains(text) { return .bool(text == "on") }
    if !row.namesFile, let number = Double(text), JSONValue.number(number).jsonText == text { return .number(number) }
    return .string(text)
  }

  /// A file name resolved relative to the directory of `file`; other values stay unchanged.
  fileprivate func resolved(_ text: String, beside file: String) -> String {
    guard row.namesFile, !text.isEmpty, !text.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return text }
    return file[...slash] + text
  }
}

nonisolated extension JSONValue {
  /// The value for the user, on one short line.
  fileprivate var shownText: String {
    switch self {
    case .array, .object: article
    default: shown(jsonText)
    }
  }
}

/// An error in a configuration file or a vehicle's file: the file, the line and column, the option, the reason.
nonisolated struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// One line: `config.json:3:12: size: needs WIDTHxHEIGHT in points, not "0x600"`.
  let description: String

  init(file: String, place: TextPlace? = nil, key: String = "", _ reason: String) {
    let parts = [file] + (place.map { ["\($0.line)", "\($0.column)"] } ?? [])
    let place = shown(parts.joined(separator: ":") + (key.isEmpty ? "" : ": \(shown(key))"), limit: 4096)
    description = "\(place): \(shown(reason, limit: 300))"
  }
}
