import FoundationEssentials

/// The fixed set of fonts that screenshots use, so that pictures do not depend on a machine's fonts.
///
/// Regular and bold DejaVu Sans: Debian's package fonts-dejavu-core. Only these two files are read, with a configuration of
/// fontconfig of their own: neither the system's nor the user's has any part in it, and letters are not hinted.
public enum ScreenshotFonts {
  /// The folders in which the files are looked for: `SCREENSHOT_FONTS` of the environment first, then where Debian, Fedora
  /// and Arch put them.
  static func folders(_ environment: [String: String]) -> [String] {
    let named = environment["SCREENSHOT_FONTS"].map { [$0] } ?? []
    return named + [
      "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF",
    ]
  }

  static let names = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"]

  /// The fonts, from the first folder that has them. Without such a folder texts take up room and are invisible, so
  /// that every comparison of a picture with text fails; `isComplete` says so.
  public static let library = make(environment: ProcessInfo.processInfo.environment)

  /// True when the fonts were found.
  public static var isComplete: Bool { library.fontCount == names.count }

  static func make(environment: [String: String]) -> FontLibrary {
    let folders = folders(environment)
    let folder = folders.first { folder in
      names.allSatisfy { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
    }
    return FontLibrary(
      files: folder.map { folder in names.map { "\(folder)/\($0)" } } ?? [], defaultFamily: "DejaVu Sans")
  }

  /// Runs `body` with `library` as the fonts of every text that names no others, and then puts the former ones back.
  public static func use<Result>(_ library: FontLibrary = library, _ body: () -> Result) -> Result {
    let former = FontLibrary.shared
    FontLibrary.shared = library
    defer { FontLibrary.shared = former }
    return body()
  }
}
