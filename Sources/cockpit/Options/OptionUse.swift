/// The mode of the program in one run. Each option lists the modes in which it has an effect.
nonisolated enum ProgramUse: CaseIterable, Sendable {
  /// The cockpit in a window.
  case cockpit
  /// The cockpit's first frame as an image or a tree.
  case image
  /// A record in a window.
  case replay
  /// A record without a window: its lines, its last image, its last tree.
  case hiddenReplay
  /// The answer of --info.
  case info
  /// The answer of --check.
  case check
}

/// The options of one command line, and whether they can be combined.
nonisolated extension Set<OptionName> {
  /// The mode selected by these options: the first one that every mode-selecting option allows. Also returns those options with
  /// the modes each allows.
  private func use() -> (use: ProgramUse, deciders: [(option: OptionName, uses: Set<ProgramUse>)]) {
    let answer = [OptionName.info, .check].first { contains($0) }
    let modes = [OptionName.replay, .screenshot, .dumpTree].filter { contains($0) }
    let hidden = isSuperset(of: [.replay, .noWindow]) ? [OptionName.noWindow] : []
    let deciders = (answer.map { [$0] } ?? modes + hidden).map { (option: $0, uses: $0.row.uses) }
    let left = deciders.reduce(Set<ProgramUse>(ProgramUse.allCases)) { $0.intersection($1.uses) }
    return (ProgramUse.allCases.first { left.contains($0) } ?? .cockpit, deciders)
  }

  /// The first option that `option` needs, if none of those that it needs is given; otherwise nil.
  private func lacking(_ option: OptionName) -> OptionName? {
    isDisjoint(with: option.row.needs) ? option.row.needs.first : nil
  }

  /// Checks that each option has an effect in the line's mode.
  ///
  /// - Throws: `OptionError.conflict` for the first option that has none, `.needs` for one whose required option is missing.
  func check() throws(OptionError) {
    let (use, deciders) = use()
    for option in OptionName.allCases where contains(option) {
      let others = deciders.filter { $0.option != option }
      if !option.row.uses.contains(use) {
        if let other = others.first(where: { option.row.uses.isDisjoint(with: $0.uses) }) {
          throw .conflict(option, other.option)
        }
        if let needed = lacking(option) { throw .needs(option, needed) }
        if let other = others.last { throw .conflict(option, other.option) }
      }
      if let needed = lacking(option) { throw .needs(option, needed) }
    }
  }
}

/// Two options that exclude each other although both have an effect in the line's mode.
nonisolated struct OptionExclusion: Sendable {
  let option: OptionName
  let other: OptionName
  let reason: String
  /// Whether a configuration file must not resolve the conflict: the option would move a vehicle without a hand.
  var isAboutHands = false
  /// Whether the options' values exclude each other.
  var applies: @Sendable (Options) -> Bool = { _ in true }

  /// In the order in which they are reported.
  static let all = [
    OptionExclusion(option: .dumpTree, other: .drive, reason: "both print to standard output"),
    OptionExclusion(
      option: .gear, other: .drive, reason: "a vehicle begins in N, and goes on a touch", isAboutHands: true
    ) { $0.gear != .neutral },
    OptionExclusion(
      option: .steer, other: .drive, reason: "a vehicle begins straight, and turns on a touch", isAboutHands: true
    ) { $0.steeringDegrees != 0 },
    OptionExclusion(
      option: .demo, other: .drive,
      reason: "hands alone drive a vehicle; --config none leaves the options of your file out", isAboutHands: true),
    OptionExclusion(option: .demo, other: .deadMan, reason: "no hand holds the lever") { $0.hasDeadMan },
    OptionExclusion(option: .demo, other: .saveConfig, reason: "a drive that plays by itself is no setting"),
    OptionExclusion(
      option: .drive, other: .replay, reason: "a replay drives nothing; only --drive - goes with it, and prints"
    ) { $0.receiver != .standard },
    OptionExclusion(option: .fullscreen, other: .iviID, reason: "a window has one place"),
    OptionExclusion(option: .fullscreen, other: .strip, reason: "a window has one place"),
    OptionExclusion(option: .iviID, other: .strip, reason: "a window has one place"),
    OptionExclusion(option: .video, other: .strip, reason: "a strip has no room for a picture"),
  ]
}
