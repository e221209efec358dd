// Owns the program's start: reads the command line, and answers what needs no window.
// Must not know scenes.

import Glibc

/// The cockpit.
@main
struct Cockpit {
  /// The version that `--version` prints.
  static let version = "0.1.0"

  static func main() {
    do throws(OptionError) {
      let options = try OptionParser.parse(Array(CommandLine.arguments.dropFirst()))
      switch options.action {
      case .showHelp: print(HelpText.text, terminator: "")
      case .showVersion: print("cockpit \(version)")
      case .run: break
      }
    } catch {
      var line = "cockpit: \(error)\n"
      line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      exit(OptionError.exitCode)
    }
  }
}
