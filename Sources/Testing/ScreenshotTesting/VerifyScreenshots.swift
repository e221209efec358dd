/// Draws a view at every given size, scale, theme, layout direction and state, and compares each image with its reference in
/// the directory Screenshots beside the test's file.
///
///     @Test @MainActor func `the gauge looks as it did`() throws {
///       try verifyScreenshots(
///         of: "gauge", sizes: [Size(width: 120, height: 120)], scales: [.one, Scale(1.5), Scale(2)],
///         themes: [.light, .dark], states: [.initial, .init("full") { $0.level = 1 }]
///       ) { Gauge() }
///     }
///
/// The function compares all combinations, and then throws one error that lists all failures, so it works in Swift Testing, in
/// XCTest and in any program. (XCTest on Linux requires `@MainActor func testGauge() async throws`: without `async` it does not
/// support actors.) The references' names are `NAME-STATE-THEME-rtl@SCALE.png`. The initial state, the light theme and left to
/// right are omitted, and a size (`-120x80`) follows NAME if several sizes are given.
///
/// With `SCREENSHOT_RECORD=missing` in the environment missing references are written, with `SCREENSHOT_RECORD=all` all
/// references. Look at them before you commit them.
///
/// - Parameters:
///   - name: The beginning of the images' names.
///   - sizes: The view's sizes in points; empty for the view's own or its fitting size.
///   - scales: Pixels per point.
///   - themes: The root's themes.
///   - directions: The root's layout directions.
///   - states: The states that each new view is brought into before its image is taken.
///   - background: The colour behind the view; nil for the theme's background.
///   - time: The time from showing the view to taking its image, for views that are animated.
///   - tolerance: The tolerance against the reference: `.exact` for shapes, `.text` for views with text.
///   - fonts: The fonts of texts that name no others.
///   - references: The references; nil for the directory Screenshots beside the test's file.
///   - filePath: The test's file, by default the file of the call.
///   - line: The line that the error names, by default the line of the call.
///   - column: The column in that line.
///   - make: Creates a new view for each image.
public func verifyScreenshots<Subject: View>(
  of name: String, sizes: [Size] = [], scales: [Scale] = [.one], themes: [ScreenshotTheme] = [.light],
  directions: [LayoutDirection] = [.leftToRight], states: [ScreenshotState<Subject>] = [.initial],
  background: Color? = nil, time: Duration = .zero, tolerance: Tolerance = .exact,
  fonts: FontLibrary = ScreenshotFonts.library, references: ScreenshotReferences? = nil, filePath: String = #filePath,
  line: Int = #line, column: Int = #column,
  make: () -> Subject
) throws(ScreenshotFailure) {
  let references = references ?? ScreenshotReferences(besideFile: filePath)
  var problems: [ScreenshotFailure.Problem] = []
  let allSizes = sizes.isEmpty ? [nil] : sizes.map(Optional.some)
  for (size, state, theme, direction) in combinations(allSizes, states, themes, directions) {
    let parts = [name, sizes.count > 1 ? size.map(sizeName) ?? "" : "", state.name, theme.name]
    for scale in scales {
      let conditions = ScreenshotConditions(
        size: size, scale: scale, theme: theme.theme, layoutDirection: direction, background: background)
      let snapshot = ScreenshotFonts.use(fonts) {
        let view = make()
        return Snapshot(of: view, conditions, time: time) { state.apply(view) }
      }
      let full = screenshotName(parts, direction, scale)
      do throws(ScreenshotFailure) {
        try references.verify(snapshot, named: full, tolerance: tolerance)
      } catch {
        problems += error.problems
      }
    }
  }
  if !problems.isEmpty {
    throw ScreenshotFailure(problems: problems, location: .init(filePath: filePath, line: line, column: column))
  }
}

/// The name of one image; defaults (empty parts, left to right) are omitted.
package func screenshotName(_ parts: [String], _ direction: LayoutDirection, _ scale: Scale) -> String {
  let all = parts + [direction == .rightToLeft ? "rtl" : ""]
  return all.filter { !$0.isEmpty }.joined(separator: "-") + "@\(scale.factor)"
}

private func combinations<A, B, C, D>(_ a: [A], _ b: [B], _ c: [C], _ d: [D]) -> [(A, B, C, D)] {
  a.flatMap { a in b.flatMap { b in c.flatMap { c in d.map { (a, b, c, $0) } } } }
}

/// The size in a name, such as `120x80`; whole points are written without fractions.
private func sizeName(_ size: Size) -> String {
  func short(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
  }
  return short(size.width) + "x" + short(size.height)
}
