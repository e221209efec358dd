import UICore

/// The options of the catalogue with their defaults.
nonisolated struct CatalogueOptions: Equatable, Sendable {
  /// The window's size in points.
  var size = Size(width: 1280, height: 720)
  /// The scale to draw at instead of the compositor's; nil follows the compositor.
  var scale: Scale?
  var isFullscreen = false
  /// Whether the controls have the colours of the source articles' figures, instead of a light or dark theme.
  var looksLikeArticle = false
  /// The file for an image of the first frame, written instead of opening a window.
  var screenshot: String?
  /// Whether to print the view tree instead of opening a window.
  var dumpsTree = false
  /// The messages to log, such as "frame:debug,input"; nil for errors only.
  var log: String?
  /// Whether to print the help instead of opening a window.
  var showsHelp = false

  /// One option of the command line.
  nonisolated private struct Row: Sendable {
    let name: String
    /// The name of its value in the help, and the description of a good value; nil for an option without value.
    var value: (name: String, description: String)?
    let effect: String
    /// Stores a value ("" for an option without one); returns false if the value can't be used.
    let store: @Sendable (String, inout CatalogueOptions) -> Bool
  }

  private static let rows = [
    Row(
      name: "size", value: ("WxH", "a width and a height in points, each from 1 to 8000, such as 800x600"),
      effect: "window size in points (default 1280x720)"
    ) { text, options in
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy({ (1...8000).contains($0) }) else { return false }
      options.size = Size(width: Double(sides[0]), height: Double(sides[1]))
      return true
    },
    Row(
      name: "scale", value: ("S", "a number from 0.25 to 4, such as 1.5"),
      effect: "draw at this scale instead of the compositor's"
    ) { text, options in
      guard let factor = Double(text), (0.25...4).contains(factor) else { return false }
      options.scale = Scale(factor)
      return true
    },
    flag("fullscreen", "cover the whole output; F11 changes it later", \.isFullscreen),
    flag("article", "give controls the colours of the source articles' figures", \.looksLikeArticle),
    text(
      "screenshot", ("FILE.png", "the name of a file, such as controls.png"),
      "write the first frame as an image and exit; needs no compositor", \.screenshot),
    flag("dump-tree", "print the view tree and exit; needs no compositor", \.dumpsTree),
    text(
      "log", ("SPEC", "scopes with levels, such as frame:debug,input"), "what to log to standard error", \.log),
    flag("help", "print this help and exit", \.showsHelp),
  ]

  private static func flag(
    _ name: String, _ effect: String, _ property: WritableKeyPath<CatalogueOptions, Bool> & Sendable
  ) -> Row {
    Row(name: name, effect: effect) { _, options in
      options[keyPath: property] = true
      return true
    }
  }

  private static func text(
    _ name: String, _ value: (String, String), _ effect: String,
    _ property: WritableKeyPath<CatalogueOptions, String?> & Sendable
  ) -> Row {
    Row(name: name, value: value, effect: effect) { text, options in
      options[keyPath: property] = text
      return !text.isEmpty
    }
  }

  /// Reads a command line without the program's name. Values follow as `--option value` or `--option=value`.
  ///
  /// - Throws: `CatalogueError` for the first word that is not an option, and for a value that can't be used.
  init(_ words: [String]) throws(CatalogueError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = parts.first, let row = Self.rows.first(where: { "--" + $0.name == name }) else {
        throw .usage("unknown option '\(word)'; cockpit-catalogue --help lists all options")
      }
      guard let wanted = row.value else {
        guard parts.count == 1, row.store("", &self) else { throw .usage("\(name) takes no value") }
        continue
      }
      let value = parts.count == 2 ? parts[1] : rest.popFirst() ?? ""
      guard row.store(value, &self) else { throw .usage("\(name) needs \(wanted.description); '\(value)' isn't") }
    }
  }

  /// The text that `--help` prints.
  static var help: String {
    let options = rows.map { row in
      let left = "  --\(row.name)" + (row.value.map { " \($0.name)" } ?? "")
      return left + String(repeating: " ", count: max(1, 26 - left.count)) + row.effect + "\n"
    }
    return """
      Usage: cockpit-catalogue [OPTION]...

      Shows every control in every state, with editors for its properties.

      \(options.joined())
      """
  }
}

/// A failure that ends the program with one line.
nonisolated struct CatalogueError: Error, Equatable, CustomStringConvertible {
  let description: String
  /// The program's exit code.
  var exitCode: Int32 = 1

  /// An error on the command line.
  static func usage(_ description: String) -> CatalogueError { CatalogueError(description: description, exitCode: 2) }
}
