/// A property's name as it is displayed.
nonisolated struct PropertyName: Hashable, Sendable {
  /// In Title Case: `Track Tint Color`. The `is` of a Bool is left out.
  let title: String
  /// The title's first word, by which properties are grouped.
  let group: String

  init(_ name: String) {
    var words = PropertyName.words(name)
    if words.count > 1, words[0] == "is" { words.removeFirst() }
    let capital = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    title = capital.joined(separator: " ")
    group = capital.first ?? ""
  }

  /// The words of a name in camel case: a word begins at a capital letter or a number; capitals in a row are one word.
  private static func words(_ name: String) -> [String] {
    enum Sort { case small, capital, digit }
    func sort(_ character: Character) -> Sort {
      character.isNumber ? .digit : character.isUppercase ? .capital : .small
    }
    let letters = Array(name)
    var words: [String] = []
    for (index, letter) in letters.enumerated() where letter != "_" {
      let before = index > 0 ? sort(letters[index - 1]) : .capital
      let after = index + 1 < letters.count ? sort(letters[index + 1]) : .capital
      let begins =
        switch sort(letter) {
        case .small: before == .digit
        case .capital: before != .capital || after == .small
        case .digit: before != .digit
        }
      if begins || words.isEmpty || letters[index - 1] == "_" {
        words.append(String(letter))
      } else {
        words[words.count - 1].append(letter)
      }
    }
    return words
  }
}

extension AnyProperty {
  /// The displayed name, such as `Track Tint Color`.
  public var title: String { givenTitle ?? PropertyName(name).title }
  /// The heading under which it is shown: the declared group, or the first word of its name.
  public var group: String { givenGroup ?? PropertyName(name).group }
}
