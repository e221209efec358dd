/// The use of the program in one run. An option belongs to the uses in which it has an effect.
nonisolated enum ProgramUse: CaseIterable, Sendable {
  /// The cockpit in a window.
  case cockpit
  /// The cockpit's first frame as an image or a tree.
  case image
  /// The catalogue in a window.
  case catalogue
  /// The catalogue's first frame as an image or a tree.
  case catalogueImage
  /// A record in a window.
  case replay
  /// A record without a window: its lines, its last image, its last tree.
  case hiddenReplay
  /// The answer of --info.
  case info
  /// The answer of --check.
  case check
}

nonisolated extension OptionName {
  /// The uses in which the option has an effect. In the others it is refused, never ignored in silence.
  var uses: Set<ProgramUse> {
    switch self {
    case .size, .scale: [.cockpit, .image, .catalogue, .catalogueImage]
    case .fullscreen: [.cockpit, .catalogue, .replay]
    case .gear, .steer, .beacon, .tilt, .theme, .watch: [.cockpit, .image]
    case .scene: [.cockpit, .image, .catalogue, .catalogueImage]
    case .screenshot, .dumpTree: [.image, .catalogueImage, .hiddenReplay]
    case .frames, .reconnectFor, .keepRunning: [.cockpit, .catalogue]
    case .driveRate, .answerLimit, .priority, .deadMan, .telemetry, .record, .demo: [.cockpit]
    case .drive: [.cockpit, .replay, .hiddenReplay]
    case .replay, .replaySpeed: [.replay, .hiddenReplay]
    case .noWindow: [.hiddenReplay]
    case .log: Set(ProgramUse.allCases).subtracting([.check])
    case .info: [.info]
    case .check: [.check]
    // They end the program, in any company.
    case .version, .help: Set(ProgramUse.allCases)
    }
  }

  /// The options of which this one needs one, to do anything; empty for none.
  var needs: [OptionName] {
    switch self {
    case .driveRate, .priority: [.drive]
    // The compositor is asked for answers while anything is commanded.
    case .answerLimit: [.drive, .deadMan]
    case .noWindow, .replaySpeed: [.replay]
    default: []
    }
  }
}

/// The options of one command line, and whether they go together.
nonisolated struct OptionChoice {
  /// The options that were given.
  var given: Set<OptionName> = []

  /// The use that the command line asks for, and the options that decide it, each with the uses that it leaves.
  private func use(showsCatalogue: Bool) -> (use: ProgramUse, deciders: [(option: OptionName, uses: Set<ProgramUse>)]) {
    for (option, use) in [(OptionName.info, ProgramUse.info), (.check, .check)] where given.contains(option) {
      return (use, [(option, [use])])
    }
    let pictures = [OptionName.screenshot, .dumpTree].filter(given.contains)
    if given.contains(.replay) {
      let hidden = pictures + (given.contains(.noWindow) ? [.noWindow] : [])
      return (hidden.isEmpty ? .replay : .hiddenReplay, ([.replay] + hidden).map { ($0, $0.uses) })
    }
    let deciders = pictures.map { (option: $0, uses: $0.uses) }
    guard showsCatalogue else { return (pictures.isEmpty ? .cockpit : .image, deciders) }
    return (
      pictures.isEmpty ? .catalogue : .catalogueImage, [(.scene, [.catalogue, .catalogueImage])] + deciders
    )
  }

  /// The options that `option` needs and does not have.
  private func lacking(_ option: OptionName) -> OptionName? {
    given.isDisjoint(with: option.needs) ? option.needs.first : nil
  }

  /// Checks that each option has an effect in the line's use.
  ///
  /// - Throws: `OptionError.conflict` for the first that does not, `.needs` for one that lacks another.
  func check(showsCatalogue: Bool) throws(OptionError) {
    let (use, deciders) = use(showsCatalogue: showsCatalogue)
    for option in OptionName.allCases where given.contains(option) {
      let others = deciders.filter { $0.option != option }
      if !option.uses.contains(use) {
        if let other = others.first(where: { option.uses.isDisjoint(with: $0.uses) }) {
          throw .conflict(option, other.option)
        }
        if let needed = lacking(option) { throw .needs(option, needed) }
        if let other = others.last { throw .conflict(option, other.option) }
      }
      if let needed = lacking(option) { throw .needs(option, needed) }
    }
    // Both would write to standard output.
    if given.isSuperset(of: [.dumpTree, .drive]) { throw .conflict(.dumpTree, .drive) }
  }
}
