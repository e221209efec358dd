import FoundationEssentials

/// The fixed set of fonts that screenshots use, so that images do not depend on a machine's fonts.
///
/// The fonts are DejaVu Sans, regular and bold, of Debian's package fonts-dejavu-core. Only these two files are read, with a
/// separate configuration of fontconfig that includes neither the system's nor the user's. Glyphs are not hinted.
public enum ScreenshotFonts {
  /// The directories that are searched for the files: `SCREENSHOT_FONTS` of the environment first, then those of Debian, Fedora
  /// and Arch.
  static func folders(_ environment: [String: String]) -> [String] {
    let named = environment["SCREENSHOT_FONTS"].map { [$0] } ?? []
    return named + [
      "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF",
    ]
  }

  static let names = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"]

  /// The fonts, from the first directory that has both files. Without such a directory texts take up space but are invisible,
  /// so every comparison of an image with text fails; `isComplete` is then false.
  public static let library = make(environment: ProcessInfo.processInfo.environment)

  /// True if the fonts were found.
  public static var isComplete: Bool { library.fontCount == names.count }

  static func make(environment: [String: String]) -> FontLibrary {
    let folders = folders(environment)
    let folder = folders.first { folder in
      names.allSatisfy { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
    }
    return FontLibrary(
      files: folder.map { folder in names.map { "\(folder)/\($0)" } } ?? [], defaultFamily: "DejaVu Sans")
  }

  /// Runs `body` with `library` as the fonts of every text that names no others, and then restores the previous fonts.
  public static func use<Result>(_ library: FontLibrary = library, _ body: () -> Result) -> Result {
    let former = FontLibrary.shared
    FontLibrary.shared = library
    defer { FontLibrary.shared = former }
    return body()
  }
}
