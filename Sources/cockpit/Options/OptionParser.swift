import CockpitControls
import Controls
import DriveLink
import Shell
import Tilt
import UICore

nonisolated enum OptionParser {
  /// The options in `arguments` (without the program's name), not yet checked for conflicts, because a file may add more options.
  /// Values follow as `--opt value` or `--opt=value`; if an option is given twice, the last value applies. Words after `--help` or
  /// `--version` are ignored.
  static func read(_ arguments: [String]) throws(OptionError) -> OptionList {
    var list = OptionList()
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-", word != "--" else { throw .unexpectedArgument(word) }
      let equals = word.firstIndex(of: "=") ?? word.endIndex
      let (name, inline) = (String(word[..<equals]), equals < word.endIndex ? String(word[equals...].dropFirst()) : nil)
      guard let option = name == "-h" ? .help : OptionName.allCases.first(where: { $0.text == name }) else {
        let nearest = EditDistance.nearest(to: String(name.drop { $0 == "-" }), in: OptionName.allCases.map(\.rawValue))
        throw .unknownOption(name, nearest: nearest.flatMap(OptionName.init))
      }
      if option.row.value == nil {
        guard inline == nil || (option.row.isSwitch && OptionValue.onOff.read(inline ?? "") != nil) else {
          throw .unexpectedValue(option, inline ?? "")
        }
        try list.add(option, inline ?? "on")
      } else if let inline {
        try list.add(option, inline)
      } else if let next = rest.first, !next.hasPrefix("--") {
        rest.removeFirst()
        try list.add(option, next)
      } else {
        throw .missingValue(option)
      }
      if [.showHelp, .showVersion].contains(list.options.action) { break }
    }
    return list
  }
}

/// Options with their values as they were written: of a command line, of a file, or of both.
nonisolated struct OptionList: Sendable {
  private(set) var options = Options()
  /// The texts of the options in the order in which they were added; "on" or "off" for a switch.
  private(set) var texts: [(option: OptionName, text: String)] = []

  /// Adds an option, replacing an earlier value of it.
  ///
  /// - Throws: `OptionError.badValue`.
  mutating func add(_ option: OptionName, _ text: String) throws(OptionError) {
    guard option.row.store(text, &options) else { throw .badValue(option, text) }
    texts.removeAll { $0.option == option }
    texts.append((option, text))
    if case .strip(let side) = options.role, !texts.contains(where: { $0.option == .size }) {
      let isLying = side == .top || side == .bottom
      options.size = isLying ? Size(width: 1280, height: 240) : Size(width: 320, height: 720)
    }
  }

  mutating func remove(_ option: OptionName) {
    let rest = texts.filter { $0.option != option }
    self = OptionList()
    for (option, text) in rest { try? add(option, text) }
  }

  /// The options of the list, without switches that are off.
  var names: Set<OptionName> {
    Set(texts.filter { !($0.option.row.isSwitch && $0.text == "off") }.map(\.option))
  }

  /// Checks that the options go together.
  ///
  /// - Throws: `OptionError.conflict`, `.needs` or `.tooManyPixels`.
  func check() throws(OptionError) {
    guard options.action != .showHelp, options.action != .showVersion else { return }
    if let pixels = options.scale?.pixelSize(options.size), max(pixels.width, pixels.height) > Options.greatestSide {
      throw .tooManyPixels(width: pixels.width, height: pixels.height)
    }
    try names.check()
    for exclusion in OptionExclusion.all
    where names.isSuperset(of: [exclusion.option, exclusion.other]) && exclusion.applies(options) {
      throw .conflict(exclusion.option, exclusion.other)
    }
  }

  /// Returns the list with its options over those of `other`, without judging whether they go together.
  func laid(over other: OptionList) throws(OptionError) -> OptionList {
    var all = OptionList()
    for (option, text) in other.texts + texts { try all.add(option, text) }
    return all
  }

  /// Returns the list of a file merged with this list, which takes precedence. Options of the file that conflict with this
  /// list, or have no effect with it, are ignored, except those that would move a vehicle without a hand.
  ///
  /// - Throws: `OptionError` for a conflict within this list, and for a gear, an angle or a scripted drive with `--drive`,
  ///   whichever list they are from.
  func over(_ file: OptionList) throws(OptionError) -> OptionList {
    var given = Set(texts.map(\.option))
    // `scene` and `watch` set the same option.
    if !given.isDisjoint(with: [.scene, .watch]) { given.formUnion([.scene, .watch]) }
    var added = file.texts.filter { !given.contains($0.option) }
    while true {
      var all = OptionList()
      for (option, text) in added + texts { try all.add(option, text) }
      do throws(OptionError) {
        try all.check()
        return all
      } catch {
        guard error.exclusion?.isAboutHands != true,
          let index = error.options.compactMap({ name in added.firstIndex { $0.option == name } }).first
        else {
          throw error
        }
        added.remove(at: index)
      }
    }
  }
}
