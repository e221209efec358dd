import ControlTools
import Controls
import Shell
import UICore

/// Finds the texts of a layout file that are too small for a viewer. Checks each text that the scene draws at rest, in the
/// fonts of this machine.
enum ViewingCheck {
  /// Unreadable texts of one size, with their position in the file.
  nonisolated struct Finding: Problem, Hashable {
    let place: String
    fileprivate(set) var words: [String]
    /// The height of its capital letters in millimetres, and their visual angle in minutes of arc.
    let height: Double
    let angle: Double
    /// The height that they need in millimetres, and the size of the font in points that gives it.
    let neededHeight: Double
    let neededPoints: Double

    /// The greatest number of texts that a line names.
    private static let mostWords = 4

    var texts: (english: String, chinese: String) {
      let (height, angle) = (rounded(self.height), rounded(self.angle))
      let (needed, points) = (rounded(neededHeight), Int(neededPoints))
      let more = words.count - Self.mostWords
      let first = words.prefix(Self.mostWords)
      let english = first.map { "\"\($0)\"" }.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      let chinese = first.map { "“\($0)”" }.joined(separator: "、") + (more > 0 ? "等 \(words.count) 处" : "")
      return (
        "\(place): letters of \(english) are \(height) mm high, \(angle) minutes of arc; they need \(needed) mm, a font of \(points) points",
        "\(place)：\(chinese)的字高 \(height) 毫米，合 \(angle) 角分；需要 \(needed) 毫米，即 \(points) 点的字体"
      )
    }
  }

  /// Checks the file at `path` for eyes that are `distance` millimetres away, and prints the result.
  ///
  /// - Throws: `SessionError` if the file has an error, a text is unreadable, or the display's size is unknown.
  static func run(_ path: String, from distance: Double, _ options: Options) throws(SessionError) {
    let file: LayoutFile
    do { file = try LayoutFile(contentsOf: path) } catch { throw .scene(error) }
    let (display, own) = try display(options)
    let size = options.chosenSize ?? own ?? options.size
    let viewing = Viewing(from: distance, of: size, on: display)
    let texts: [Text]
    do { texts = try self.texts(of: file, in: size) } catch { throw .scene(error) }
    let findings = findings(texts, viewing)
    for finding in findings { Cockpit.complain(finding.text(in: .current)) }
    let from = "\(rounded(distance)) mm, \(rounded(display.width)) x \(rounded(display.height)) mm"
    guard findings.isEmpty else {
      let count = findings.map(\.words.count).reduce(0, +)
      throw SessionError(
        texts: (
          "\(path): \(count) of \(texts.count) texts are too small (\(from)): ISO 15008 wants letters of 12 minutes of arc,"
            + " and recommends 20",
          "\(path)：\(texts.count) 处文字中有 \(count) 处太小（\(from)）：ISO 15008 要求字高至少 12 角分，建议 20 角分"
        ))
    }
    let least = texts.map { viewing.angle(of: $0.capitals) }.min()
    let smallest = least.map {
      (", the smallest letters have \(rounded($0)) minutes of arc", "，最小的字高 \(rounded($0)) 角分")
    }
    print(
      Language.current.code == .chinese
        ? "\(path) 没有错误（\(from)\(smallest?.1 ?? "")）" : "\(path) is good (\(from)\(smallest?.0 ?? ""))")
  }

  /// The display's width and height in millimetres, and its size in points if the compositor reports it.
  private static func display(_ options: Options) throws(SessionError) -> (millimetres: Size, points: Size?) {
    if let display = options.display { return (display, nil) }
    var first: CompositorReport.Display?
    if let application = try? Application.connected() {
      application.inspectCompositor { report in
        first = report.displays.first
        application.closeAll()
      }
      try? application.runToEnd()
    }
    guard let first else {
      throw SessionError(
        texts: (
          "no compositor says how large the display is: add --display with its size, such as --display 217x136mm",
          "没有合成器说明显示器的大小：请用 --display 给出，例如 --display 217x136mm"
        ), exitCode: OptionError.exitCode)
    }
    return (first.millimetres, first.size)
  }

  /// A text that a scene draws.
  nonisolated struct Text: Hashable {
    let place: String
    let text: String
    /// The size of the font, and the height of a capital letter, in points.
    let points: Double
    let capitals: Double
  }

  /// Returns the texts of `file` in a window of `size`, each once.
  ///
  /// - Throws: `LayoutFileError` for the first error in the file.
  static func texts(of file: LayoutFile, in size: Size) throws(LayoutFileError) -> [Text] {
    let view = LayoutView(registry: SceneFile.registry, actions: SceneFile.actions { nil })
    try view.load(file)
    let root = RootView()
    root.theme = .dark
    root.layoutDirection = Language.direction
    view.frame = Rect(origin: .zero, size: size)
    root.addSubview(view)
    root.resize(to: size, scale: .one)
    root.prepareFrame(for: .zero)
    let reader = TextReader()
    guard let pixels = ObservedPixels(size: root.scale.pixelSize(size)) else { return [] }
    root.draw(on: pixels, for: reader) { drawn, alpha in
      (reader.place, reader.alpha) = (view.place(of: drawn) ?? file.name, alpha)
    }
    return reader.texts
  }

  /// Collects the texts that views draw, each once.
  private final class TextReader: CanvasObserver {
    private(set) var texts: [Text] = []
    private var known: Set<Text> = []
    /// The position of the view that draws, and its opacity.
    var place = ""
    var alpha = 1.0

    func color(for call: CanvasCall, in bounds: Rect, _ color: Color?, opacity: Double) -> Color? {
      guard case .text(let words, let points, let capitals) = call, !words.isEmpty, opacity * alpha > 0.01 else {
        return nil
      }
      let text = Text(place: place, text: words, points: points, capitals: capitals)
      if known.insert(text).inserted { texts.append(text) }
      return nil
    }
  }

  /// The texts that are too small, grouped by position and size.
  static func findings(_ texts: [Text], _ viewing: Viewing) -> [Finding] {
    var findings: [Finding] = []
    let needed = viewing.height(of: Viewing.least)
    for text in texts where text.capitals > 0 && viewing.angle(of: text.capitals) < Viewing.least {
      let finding = Finding(
        place: text.place, words: [text.text], height: text.capitals * viewing.pointHeight,
        angle: viewing.angle(of: text.capitals), neededHeight: needed * viewing.pointHeight,
        neededPoints: (text.points * needed / text.capitals).rounded(.up))
      if let known = findings.firstIndex(where: { $0.place == text.place && $0.height == finding.height }) {
        findings[known].words.append(text.text)
      } else {
        findings.append(finding)
      }
    }
    return findings
  }
}

/// A number with at most one digit after the point.
nonisolated private func rounded(_ value: Double) -> String {
  let tenths = (value * 10).rounded() / 10
  return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
}
