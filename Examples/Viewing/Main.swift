import ControlTools
import Controls
import Glibc
import Shell

/// Lists the texts of a layout file that are too small for a viewer.
@main enum Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    if words == ["--help"] { return print(ViewingOptions.help, terminator: "") }
    do throws(ViewingError) {
      try check(ViewingOptions(words))
    } catch {
      complain(error.description)
      exit(error.exitCode)
    }
  }

  /// Prints a line for each size of text that is too small.
  private static func check(_ options: ViewingOptions) throws(ViewingError) {
    let (display, own) = try display(options)
    let size = options.size ?? own ?? Size(width: 1280, height: 720)
    let viewing = Viewing(from: options.distance, of: size, on: display)
    let texts: [ViewingCheck.Text]
    do throws(LayoutFileError) {
      texts = try ViewingCheck.texts(of: LayoutFile(contentsOf: options.file), in: size)
    } catch { throw ViewingError(description: error.description) }
    let findings = ViewingCheck.findings(texts, viewing)
    for finding in findings { complain(finding.description) }
    let from = "\(rounded(options.distance)) mm, \(rounded(display.width)) x \(rounded(display.height)) mm"
    guard findings.isEmpty else {
      let count = findings.map(\.words.count).reduce(0, +)
      throw ViewingError(
        description: "\(options.file): \(count) of \(texts.count) texts are too small (\(from)): "
          + "ISO 15008 wants letters of 12 minutes of arc, and recommends 20")
    }
    let least = texts.map { viewing.angle(of: $0.capitals) }.min()
    let smallest = least.map { ", the smallest letters have \(rounded($0)) minutes of arc" } ?? ""
    print("\(options.file) is good (\(from)\(smallest))")
  }

  /// The display's width and height in millimetres, and its size in points if the compositor reports it.
  private static func display(_ options: ViewingOptions) throws(ViewingError) -> (millimetres: Size, points: Size?) {
    if let display = options.display { return (display, nil) }
    var first: CompositorReport.Display?
    if let application = try? Application() {
      application.inspectCompositor { report in
        first = report.displays.first
        application.closeAll()
      }
      try? application.run()
    }
    guard let first else {
      throw .usage(
        "no compositor says how large the display is: add --display with its size, such as --display 217x136mm")
    }
    return (first.millimetres, first.size)
  }

  /// Writes one line to standard error.
  private static func complain(_ reason: String) {
    _ = Log.put("cockpit-viewing: \(reason)", to: STDERR_FILENO)
  }
}
