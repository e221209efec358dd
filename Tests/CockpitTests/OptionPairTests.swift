import Glibc
import Testing

@testable import cockpit

/// The test of every pair of options on the command line, in one table.
@Suite struct OptionPairTests {
  /// The options in the order of --help.
  nonisolated static let words: [(name: String, words: [String])] =
    OptionName.allCases.map { ($0.rawValue, [$0.text] + (value(of: $0).map { [$0] } ?? [])) }

  /// A good value: the example or the last word of the option's own text, unless that is the default, or would not go with other options.
  nonisolated static func value(of option: OptionName) -> String? {
    switch option {
    case .drive, .telemetry: return "-"
    case .gear: return "3"
    case .tilt, .deadMan: return "on"
    case .gamepad: return "auto"
    case .size: return "800x600"
    case .screenshot: return "a.png"
    case .driveRate: return "9"
    case .answerLimit, .linkLimit: return "400"
    case .videoLimit: return "500"
    default: break
    }
    guard let wanted = option.row.value?.wanted else { return nil }
    // "a number from 0 to 1, such as 0.4", "on or off"
    return wanted.split(separator: " ").last.map(String.init)
  }

  /// True if both options, with those that they need, have an effect in one mode of the program, and none of them excludes another.
  private func areExpectedTogether(_ first: OptionName, _ second: OptionName) -> Bool {
    if !Set([first, second]).isDisjoint(with: [.help, .version]) { return true }
    let needed = [first, second].compactMap { option in
      option.row.needs.isEmpty || option.row.needs.contains(first) || option.row.needs.contains(second)
        ? nil : option.row.needs[0]
    }
    let all = [first, second] + needed
    let selectors: [ProgramUse: OptionName] = [
      .replay: .replay, .hiddenReplay: .replay, .info: .info, .check: .check,
    ]
    let modes = ProgramUse.allCases.filter { mode in
      all.allSatisfy { $0.row.uses.contains(mode) } && selectors[mode].map(all.contains) ?? true
    }
    return !modes.isEmpty
      && !OptionPairTests.exclusions.contains { Set(all).isSuperset(of: $0) }
  }

  /// The pairs that exclude each other although both have an effect in one mode of the program, written down once more.
  private static let exclusions: [Set<OptionName>] = [
    [.dumpTree, .drive], [.gear, .drive], [.steer, .drive], [.demo, .drive], [.demo, .deadMan], [.demo, .saveConfig],
    [.fullscreen, .iviID], [.fullscreen, .strip], [.iviID, .strip], [.video, .strip],
  ]

  /// The parser's answer to a line of both options and those that they need.
  private func answer(_ first: Int, _ second: Int) -> Result<Options, OptionError> {
    let pair = [OptionPairTests.words[first], OptionPairTests.words[second]]
    var line: [String] = []
    for (name, _) in pair {
      guard let needed = OptionName(rawValue: name)?.row.needs.first,
        !pair.contains(where: { $0.name == needed.rawValue })
      else { continue }
      line += [needed.text] + (OptionPairTests.value(of: needed).map { [$0] } ?? [])
    }
    // An option that ends the reading comes last.
    let ends = ["info", "version", "help"]
    let ordered = ends.contains(pair[0].name) && !ends.contains(pair[1].name) ? pair.reversed() : pair
    line += ordered.flatMap(\.words)
    return Result { () throws(OptionError) in try OptionParser.parse(line) }
  }

  @Test(arguments: OptionName.allCases)
  func `every option does something together with each other one, or is refused with one line`(option: OptionName)
    throws
  {
    let first = try #require(OptionName.allCases.firstIndex(of: option))
    for (second, other) in OptionName.allCases.enumerated() {
      let isGood: Bool
      switch answer(first, second) {
      case .success: isGood = true
      case .failure(let error):
        isGood = false
        #expect(!error.description.contains("\n") && error.description.contains("--"), "\(error)")
      }
      #expect(isGood == areExpectedTogether(option, other), "--\(option.rawValue) and --\(other.rawValue): \(isGood)")
    }
  }

  @Test(arguments: OptionName.allCases)
  func `every option takes its example in both spellings, and says what it misses or cannot read`(option: OptionName)
    throws
  {
    let needed = option.row.needs.first.map { [$0.text] + (OptionPairTests.value(of: $0).map { [$0] } ?? []) } ?? []
    guard let example = OptionPairTests.value(of: option) else {
      #expect(throws: Never.self) { try OptionParser.parse(needed + [option.text]) }
      return
    }
    let options = try OptionParser.parse(needed + [option.text, example])
    #expect(try OptionParser.parse(needed + ["\(option.text)=\(example)"]) == options)
    #expect(try options != OptionParser.parse(needed), "it has an effect")
    #expect(throws: OptionError.missingValue(option)) { try OptionParser.parse(needed + [option.text]) }
    // Names of files may be anything.
    var unread = Options()
    let nonsense = "\u{1}"
    guard !option.row.store(nonsense, &unread) else { return }
    #expect(throws: OptionError.badValue(option, nonsense)) {
      try OptionParser.parse(needed + [option.text, nonsense])
    }
  }

  @Test(arguments: OptionName.recorded)
  func `an option of a record has a text from which an equal value is read`(option: OptionName) throws {
    var options = Options()
    #expect(option.row.text(options) == nil, "the default")
    #expect(option.row.store(OptionPairTests.value(of: option) ?? "on", &options))
    let text = try #require(option.row.text(options))
    var again = Options()
    #expect(option.row.store(text, &again) && option.row.text(again) == text)
    // What is not only there or not is the same.
    if ![.tilt, .drive, .telemetry, .video].contains(option) { #expect(again == options) }
  }

  @Test func `a number is written without an exponent, and read as the same`() throws {
    let kind = OptionValue<Double>.number("N", -1e9...1e9, "a number")
    for exponent in -30...8 {
      for part in [1.0, -1.5, 9.999999999999998, -Double.pi] {
        let number = part * pow(10, Double(exponent))
        #expect(kind.read(kind.write(number)) == number, "\(number): \(kind.write(number))")
      }
    }
    #expect(kind.read(kind.write(0)) == 0 && kind.write(1.5e-7) == "0.00000015" && kind.write(-0.25) == "-0.25")
  }

  @Test func `an error names the two options, whichever comes first`() {
    for first in OptionPairTests.words.indices {
      for second in OptionPairTests.words.indices where first != second {
        guard case .failure(.conflict(let a, let b)) = answer(first, second) else { continue }
        let names = [first, second].flatMap { index -> [String] in
          let name = OptionPairTests.words[index].name
          return [name] + (OptionName(rawValue: name)?.row.needs.map(\.rawValue) ?? [])
        }
        #expect(names.contains(a.rawValue) && names.contains(b.rawValue), "\(names): \(a) and \(b)")
      }
    }
  }
}
