/// Draws a view at every size, scale, theme, layout direction and state named, and compares each picture with its reference
/// in the folder Screenshots beside the test's file.
///
///     @Test @MainActor func `the gauge looks as it did`() throws {
///       try verifyScreenshots(
///         of: "gauge", sizes: [Size(width: 120, height: 120)], scales: [.one, Scale(1.5), Scale(2)],
///         themes: [.light, .dark], states: [.initial, .init("full") { $0.level = 1 }]
///       ) { Gauge() }
///     }
///
/// It throws one error, so it works in Swift Testing, in XCTest and in a program of one's own alike. (XCTest on Linux
/// wants `@MainActor func testGauge() async throws`: without `async` it knows of no actors.) All combinations are
/// compared first; the error lists all that fail. The references' names are `NAME-STATE-THEME-rtl@SCALE.png`; the initial
/// state, the light theme and left to right are left out, and a size (`-120x80`) is part of the name where several are given.
///
/// With `SCREENSHOT_RECORD=missing` in the environment new references are written, with `SCREENSHOT_RECORD=all` every one.
/// Look at them before they are committed.
///
/// - Parameters:
///   - name: The beginning of the pictures' names.
///   - sizes: The view's sizes in points; empty for its own or its fitting size.
///   - scales: Pixels per point.
///   - themes: The root's themes.
///   - directions: The root's layout directions.
///   - states: The states that each new view is brought into before its picture is taken.
///   - background: The ground under the view; nil for the theme's background.
///   - time: The time since the view was shown when the picture is taken, for views that are animated.
///   - tolerance: The tolerance against the reference: `.exact` for shapes, `.text` for views with text.
///   - fonts: The fonts of texts that name no others.
///   - references: The references; nil for the folder Screenshots beside the test's file.
///   - filePath: The test's file, by default that of the call.
///   - line: The line that the error names, by default that of the call.
///   - column: The column in it.
///   - make: Makes the view, anew for each picture.
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

/// The name of one picture; defaults (empty parts, left to right) are left out.
package func screenshotName(_ parts: [String], _ direction: LayoutDirection, _ scale: Scale) -> String {
  let all = parts + [direction == .rightToLeft ? "rtl" : ""]
  return all.filter { !$0.isEmpty }.joined(separator: "-") + "@\(scale.factor)"
}

/// Every combination of one of each.
private func combinations<A, B, C, D>(_ a: [A], _ b: [B], _ c: [C], _ d: [D]) -> [(A, B, C, D)] {
  a.flatMap { a in b.flatMap { b in c.flatMap { c in d.map { (a, b, c, $0) } } } }
}

/// `120x80`; whole points without fractions.
private func sizeName(_ size: Size) -> String {
  func short(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
  }
  return short(size.width) + "x" + short(size.height)
}
