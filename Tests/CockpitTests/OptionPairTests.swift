import Testing

@testable import cockpit

/// The test of every pair of options on the command line, in one table.
@Suite struct OptionPairTests {
  /// The options in the order of --help.
  nonisolated static let words: [(name: String, words: [String])] =
    OptionName.allCases.map { ($0.rawValue, [$0.text] + (value(of: $0).map { [$0] } ?? [])) }

  /// A good value.
  nonisolated static func value(of option: OptionName) -> String? {
    switch option {
    case .size: "800x600"
    case .scale: "1.5"
    case .gear: "3"
    case .steer: "40"
    case .tilt, .beacon, .deadMan: "on"
    case .theme: "light"
    case .scene, .watch, .check: "a.json"
    case .screenshot: "a.png"
    case .frames, .driveRate: "9"
    case .drive, .telemetry: "-"
    case .record, .replay: "a.jsonl"
    case .replaySpeed: "fast"
    case .reconnectFor: "1"
    case .answerLimit, .linkLimit: "400"
    case .limit, .reverseLimit, .ramp, .expo: "0.5"
    case .trim: "-0.1"
    case .throttle: "lever"
    case .vigilance: "5"
    case .log: "app"
    case .config: "none"
    case .iviID: "7001"
    case .strip: "top"
    case .fullscreen, .dumpTree, .latency, .noWindow, .demo, .keepRunning, .saveConfig, .info, .version, .help: nil
    }
  }

  /// For each option those of --help's order that go with it: o, and those that are refused: a point.
  static let table = """
    size            oooooooooooo.oooooooooooooooooo...oooooo.oo
    scale           oooooooooooo.oooooooooooooooooo...oooooo.oo
    fullscreen      ooo..ooooooo...oooooooooooooooooo.oooooo.oo
    ivi-id          oo.o.ooooooo...oooooooooooooooo...oooooo.oo
    strip           oo..oooooooo...oooooooooooooooo...oooooo.oo
    gear            oooooooooooo.oooo........o...oo...oooooo.oo
    steer           oooooooooooo.oooo........o...oo...oooooo.oo
    tilt            oooooooooooo.oooooooooooooooooo...oooooo.oo
    beacon          oooooooooooo.oooooooooooooooooo...oooooo.oo
    theme           oooooooooooo.oooooooooooooooooo...oooooo.oo
    scene           oooooooooooo.oooooooooooooooooo...oooooo.oo
    watch           oooooooooooo.oooooooooooooooooo...oooooo.oo
    check           ............o............................oo
    screenshot      oo...ooooooo.oo................ooo.o..o..oo
    dump-tree       oo...ooooooo.oo................ooo.o..o..oo
    frames          oooooooooooo...oooooooooooooooo...oooooo.oo
    latency         oooooooooooo...oooooooooooooooo...oooooo.oo
    drive           ooooo..ooooo...ooooooooooooooooooooo.ooo.oo
    drive-rate      ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    limit           ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    reverse-limit   ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    ramp            ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    trim            ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    expo            ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    throttle        ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    dead-man        oooooooooooo...oooooooooooooooo...oo.ooo.oo
    vigilance       ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    answer-limit    ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    link-limit      ooooo..ooooo...oooooooooooooooo...oo.ooo.oo
    telemetry       oooooooooooo...oooooooooooooooo...oooooo.oo
    record          oooooooooooo...oooooooooooooooo...oooooo.oo
    replay          ..o..........oo..o.............ooo.o..o..oo
    replay-speed    ..o..........oo..o.............ooo.o..o..oo
    no-window       .............oo..o.............ooo.o..o..oo
    reconnect-for   oooooooooooo...oooooooooooooooo...oooooo.oo
    log             oooooooooooo.oooooooooooooooooooooooooooooo
    demo            oooooooooooo...oo............oo...ooooo..oo
    keep-running    oooooooooooo...oooooooooooooooo...oooooo.oo
    config          oooooooooooo.oooooooooooooooooooooooooooooo
    save-config     oooooooooooo...oooooooooooooooo...oo.ooo.oo
    info            ...................................o..o.ooo
    version         ooooooooooooooooooooooooooooooooooooooooooo
    help            ooooooooooooooooooooooooooooooooooooooooooo
    """

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

  @Test func `every pair of options does something together, or is refused with one line`() {
    var rows: [String] = []
    for first in OptionPairTests.words.indices {
      var row = ""
      for second in OptionPairTests.words.indices {
        switch answer(first, second) {
        case .success: row += "o"
        case .failure(let error):
          row += "."
          #expect(!error.description.contains("\n") && error.description.contains("--"), "\(error)")
        }
      }
      let name = OptionPairTests.words[first].name
      rows.append(name + String(repeating: " ", count: max(1, 16 - name.count)) + row)
    }
    #expect(rows.joined(separator: "\n") == OptionPairTests.table, "\n\(rows.joined(separator: "\n"))")
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
