import JSON

/// What the keys of an on-screen keyboard are and where: pages of rows, read from a JSON file.
///
/// A row is a text of keys with blanks between them. A key of one character types it; the others have names: `shift`, `backspace`,
/// `space`, `return`, `hide`, and `letters`, `symbols` or `more` for that page. A width follows a colon: `space:3.5` is as wide as three
/// and a half letters.
nonisolated public struct KeyboardLayout: Hashable, Sendable {
  /// The pages: those that keys lead to, and those for kinds of text. `letters` stands in for the latter if a file lacks them.
  public enum Page: String, CaseIterable, Hashable, Sendable {
    /// Letters, for any text; the page that a key leads back to.
    case letters
    /// Digits and the signs that texts need most.
    case symbols
    /// The rarer signs.
    case more
    /// For numbers alone.
    case number
    /// For passwords: digits stand above the letters.
    case password
    /// For addresses of mail.
    case email
    /// For addresses of pages.
    case url
  }

  /// What a key does.
  public enum Action: Hashable, Sendable {
    /// Types the character, in upper case with Shift.
    case type(Character)
    /// Removes what is before the caret.
    case backspace
    /// Ends the line.
    case enter
    /// Makes the next letter upper case, and all of them after two quick taps.
    case shift
    /// Puts the keyboard away.
    case hide
    /// Shows another page; `letters` is the one for the text.
    case page(Page)
  }

  /// A key of a row.
  public struct Key: Hashable, Sendable {
    /// What it does.
    public var action: Action
    /// Its width in widths of a letter.
    public var width: Double
  }

  /// The language as a BCP 47 tag, such as "de".
  public let language: String
  /// The rows of each page, from the top.
  public let pages: [Page: [[Key]]]
  /// The other characters that a key types after a long press, by the character of the key.
  public let alternatives: [Character: [Character]]

  /// The most rows of a page, and keys of a row.
  static let (mostRows, mostKeys) = (6, 14)
  /// The most other characters of a key.
  static let mostAlternatives = 8

  /// Reads `text`; errors use `name` as the file's name.
  ///
  /// - Throws: `KeyboardLayoutError` for the first thing that is wrong.
  public init(text: String, name: String) throws(KeyboardLayoutError) {
    try self.init(Array(text.utf8), name: name)
  }

  init(_ text: [UInt8], name: String) throws(KeyboardLayoutError) {
    let reader = Reader(text: text, name: name)
    (language, pages, alternatives) = try reader.layout()
  }

  /// The rows of `page`, those of the letters if there is no such page.
  func rows(_ page: Page) -> [[Key]] { pages[page] ?? pages[.letters] ?? [] }

  /// The page for a kind of text.
  func page(for purpose: TextInputState.Purpose) -> Page {
    let page: Page =
      switch purpose {
      case .normal, .name: .letters
      case .number: .number
      case .url: .url
      case .email: .email
      case .password: .password
      }
    return pages[page] == nil ? .letters : page
  }

  /// The characters of a long press on a key that types `character`, in upper case if `isUpper`.
  func alternatives(of character: Character, isUpper: Bool) -> [Character] {
    let found = alternatives[character] ?? []
    return isUpper ? found.map(KeyboardLayout.upper) : found
  }

  /// `character` in upper case; itself if that were several characters, as for ß.
  static func upper(_ character: Character) -> Character {
    let upper = character.uppercased()
    return upper.count == 1 ? upper.first ?? character : character
  }
}

/// Why a file is no keyboard's layout: one error, with its place.
nonisolated public struct KeyboardLayoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column in characters, from 1.
  public let column: Int
  /// What is wrong, as a sentence without its full stop.
  public let reason: String

  /// The error in one line: `file:line:column: reason`.
  public var description: String { "\(file):\(line):\(column): \(reason)" }
}

extension KeyboardLayout {
  private nonisolated struct Reader {
    let text: [UInt8]
    let name: String

    private static let widths = 0.5...10.0

    func layout() throws(KeyboardLayoutError) -> (String, [Page: [[Key]]], [Character: [Character]]) {
      let root: JSONValue
      do throws(JSONError) {
        root = try JSONValue(text, .file)
      } catch {
        throw KeyboardLayoutError(
          file: name, line: error.place.line, column: error.place.column, reason: error.message)
      }
      let members = try object(root, .root)
      for key in members.keys.sorted() where !["language", "pages", "alternatives"].contains(key) {
        throw error(.key(.root, key), "there is no \"\(key)\" in a keyboard's layout")
      }
      guard let language = members["language"]?.text, !language.isEmpty else {
        throw error(.key(.root, "language"), "\"language\" needs a tag such as \"de\"")
      }
      return (language, try pages(members["pages"] ?? .null), try alternatives(members["alternatives"]))
    }

    private func error(_ path: JSONPath, _ reason: String) -> KeyboardLayoutError {
      let place = TextPlace(of: path, in: text)
      return KeyboardLayoutError(file: name, line: place.line, column: place.column, reason: reason)
    }

    private func object(_ value: JSONValue, _ path: JSONPath) throws(KeyboardLayoutError) -> [String: JSONValue] {
      guard case .object(let members) = value else { throw error(path, "needs an object, not \(value.article)") }
      return members
    }

    private func pages(_ value: JSONValue) throws(KeyboardLayoutError) -> [Page: [[Key]]] {
      let path = JSONPath.key(.root, "pages")
      var pages: [Page: [[Key]]] = [:]
      let members = try object(value, path)
      for name in members.keys.sorted() {
        let here = JSONPath.key(path, name)
        guard let page = Page(rawValue: name) else {
          throw error(here, "there is no page \"\(name)\": \(Page.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let rows = members[name]?.items, 1...KeyboardLayout.mostRows ~= rows.count else {
          throw error(here, "a page needs a list of 1 to \(KeyboardLayout.mostRows) rows")
        }
        pages[page] = []
        for (index, row) in rows.enumerated() {
          pages[page]?.append(try keys(row, .index(here, index)))
        }
      }
      guard pages[.letters] != nil else { throw error(path, "a keyboard needs the page \"letters\"") }
      for page in Page.allCases {
        for case .page(let next) in (pages[page] ?? []).joined().map(\.action) where pages[next] == nil {
          throw error(.key(path, page.rawValue), "a key leads to the page \"\(next.rawValue)\", which is missing")
        }
      }
      return pages
    }

    private func keys(_ row: JSONValue, _ path: JSONPath) throws(KeyboardLayoutError) -> [Key] {
      guard let row = row.text else { throw error(path, "a row needs a text of keys, not \(row.article)") }
      let words = row.split(separator: " ")
      guard 1...KeyboardLayout.mostKeys ~= words.count else {
        throw error(path, "a row needs 1 to \(KeyboardLayout.mostKeys) keys")
      }
      var keys: [Key] = []
      for word in words { keys.append(try key(word, path)) }
      return keys
    }

    private func key(_ word: Substring, _ path: JSONPath) throws(KeyboardLayoutError) -> Key {
      if let character = word.first, word.count == 1 { return Key(action: .type(character), width: 1) }
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let action = action(parts[0]) else {
        throw error(
          path,
          "there is no key \"\(parts[0])\": one character, or shift, backspace, space, return, hide, letters, symbols, more"
        )
      }
      guard parts.count == 2 else { return Key(action: action, width: 1) }
      guard let width = Double(String(parts[1])), Self.widths.contains(width) else {
        throw error(path, "the width of \"\(word)\" needs a number from 0.5 to 10")
      }
      return Key(action: action, width: width)
    }

    private func action(_ name: Substring) -> Action? {
      switch name {
      case "shift": .shift
      case "backspace": .backspace
      case "space": .type(" ")
      case "return": .enter
      case "hide": .hide
      case "letters": .page(.letters)
      case "symbols": .page(.symbols)
      case "more": .page(.more)
      default: name.count == 1 ? name.first.map(Action.type) : nil
      }
    }

    private func alternatives(_ value: JSONValue?) throws(KeyboardLayoutError) -> [Character: [Character]] {
      let path = JSONPath.key(.root, "alternatives")
      var found: [Character: [Character]] = [:]
      guard let value else { return found }
      let members = try object(value, path)
      for name in members.keys.sorted() {
        let here = JSONPath.key(path, name)
        let words = members[name]?.text?.split(separator: " ") ?? []
        guard let character = name.first, name.count == 1, words.allSatisfy({ $0.count == 1 }),
          1...KeyboardLayout.mostAlternatives ~= words.count
        else {
          throw error(
            here,
            "\"\(name)\" needs one character, and a text of 1 to \(KeyboardLayout.mostAlternatives) with blanks between them"
          )
        }
        found[character] = words.compactMap(\.first)
      }
      return found
    }
  }
}
