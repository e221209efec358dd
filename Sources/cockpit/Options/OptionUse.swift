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
    // Both would write to standard output.
    if isSuperset(of: [.dumpTree, .drive]) { throw .conflict(.dumpTree, .drive) }
  }
}
