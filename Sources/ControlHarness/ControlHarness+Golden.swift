import Testing

extension ControlHarness {
  /// Compares what is shown with the picture `name` in the folder Goldens beside the test's file.
  ///
  /// A missing picture fails; so does a difference, which leaves the new picture and the difference among the artifacts,
  /// whose paths it tells. With COCKPIT_GOLDEN=record or SCREENSHOT_RECORD in the environment the picture is written
  /// instead. `tolerance` is how far any part of a pixel may be off, 0...255: 0 for shapes; 2 where text is shown, for
  /// other versions of the font renderer.
  public func expectGolden(
    _ name: String, tolerance: Int = 0, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectGolden(
      name, tolerance: Tolerance(levels: tolerance),
      references: ScreenshotReferences(besideFile: filePath, folderName: "Goldens"), sourceLocation: sourceLocation)
  }

  /// Compares what is shown with the picture `name` among `references`.
  public func expectGolden(
    _ name: String, tolerance: Tolerance, references: ScreenshotReferences,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    frameIfNeeded(sourceLocation: sourceLocation)
    do throws(ScreenshotFailure) {
      try references.verify(shown, named: name, tolerance: tolerance)
    } catch {
      report(error.description, sourceLocation: sourceLocation)
    }
  }

  /// Shows the sheet that `make` makes under every scale, theme and layout direction named, and compares each picture with
  /// the golden `NAME-THEME-rtl@SCALE`; light and left to right are left out of the name. Texts are set in `fonts`.
  public static func expectSheets(
    _ name: String, scales: [Scale] = [.one, Scale(1.5), Scale(2)], themes: [ScreenshotTheme] = [.light, .dark],
    directions: [LayoutDirection] = [.leftToRight, .rightToLeft], tolerance: Int = 2,
    fonts: FontLibrary = ControlHarness.fonts, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation, make: () -> ScreenshotSheet
  ) {
    for theme in themes {
      for direction in directions {
        for scale in scales {
          FontLibrary.shared = fonts
          let sheet = make()
          let root = RootView()
          root.theme = theme.theme
          root.backgroundColor = theme.theme.background
          root.layoutDirection = direction
          root.addSubview(sheet)
          let harness = ControlHarness(size: sheet.bounds.size, scale: scale, root: root, fonts: fonts)
          harness.expectGolden(
            screenshotName([name, theme.name], direction, scale), tolerance: tolerance, filePath: filePath,
            sourceLocation: sourceLocation)
        }
      }
    }
  }
}
