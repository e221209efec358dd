import ControlTools
import Controls
import cockpit

/// Finds the texts of a layout file that are too small for a viewer. Checks each text that the scene draws at rest, in the
/// fonts of this machine.
enum ViewingCheck {
  /// Unreadable texts of one size, with their position in the file.
  nonisolated struct Finding: Hashable, CustomStringConvertible {
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

    /// One line.
    var description: String {
      let more = words.count - Self.mostWords
      let first = words.prefix(Self.mostWords).map { "\"\($0)\"" }.joined(separator: ", ")
      return "\(place): letters of \(first)\(more > 0 ? " and \(more) more" : "") are \(rounded(height)) mm high, "
        + "\(rounded(angle)) minutes of arc; they need \(rounded(neededHeight)) mm, a font of \(Int(neededPoints)) points"
    }
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
    let view = SceneTypes.makeView()
    try view.load(file)
    let root = RootView()
    root.theme = .dark
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
nonisolated func rounded(_ value: Double) -> String {
  let tenths = (value * 10).rounded() / 10
  return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
}
