import ControlHarness
import ControlTools
import Controls
import Testing

/// Pictures of what inspectors edit with: colours and choices.
@MainActor @Suite(.serialized) struct EditorGoldenTests {
  private static func well(_ color: Color?, _ set: (ColorWell) -> Void = { _ in }) -> ColorWell {
    let well = ColorWell()
    well.color = color
    set(well)
    well.sizeToFit()
    return well
  }

  @Test func `colour wells`() {
    let teal = Color(hex: 0x2dd4bf)
    ControlHarness.expectSheets("color-wells", directions: [.leftToRight]) {
      let sheet = ScreenshotSheet(columns: 4)
      sheet.add("normal", Self.well(teal))
      sheet.add("translucent", Self.well(teal.withAlpha(0.5)))
      sheet.add("clear", Self.well(.clear))
      sheet.add("none", Self.well(nil))
      sheet.add("highlighted", Self.well(teal) { $0.isHighlighted = true })
      sheet.add("selected", Self.well(teal) { $0.isSelected = true })
      sheet.add("disabled", Self.well(teal) { $0.isEnabled = false })
      sheet.add("white", Self.well(.white))
      return sheet
    }
  }

  private static func editor(_ color: Color, _ set: (ColorEditor) -> Void = { _ in }) -> ColorEditor {
    let editor = ColorEditor()
    editor.color = color
    set(editor)
    return editor
  }

  @Test func `colour editors`() {
    ControlHarness.expectSheets("color-editors") {
      let sheet = ScreenshotSheet(columns: 3)
      let size = Size(width: 250, height: 260)
      sheet.add("normal", Self.editor(Color(hex: 0x2dd4bf)), size: size)
      sheet.add("translucent", Self.editor(Color(hex: 0xff8a02, alpha: 0.4)), size: size)
      sheet.add("disabled", Self.editor(Color(hex: 0x2dd4bf)) { $0.isEnabled = false }, size: size)
      return sheet
    }
  }

  private static func choice(_ names: String, _ set: (ChoiceControl) -> Void = { _ in }) -> ChoiceControl {
    let choice = ChoiceControl()
    choice.choices = names
    choice.selectedIndex = 1
    set(choice)
    return choice
  }

  @Test func `choices`() {
    ControlHarness.expectSheets("choices") {
      let sheet = ScreenshotSheet(columns: 2)
      let size = Size(width: 240, height: 36)
      sheet.add("normal", Self.choice("Low|Medium|High"), size: size)
      sheet.add("disabled", Self.choice("Low|Medium|High") { $0.isEnabled = false }, size: size)
      sheet.add("none chosen", Self.choice("Light|Dark") { $0.selectedIndex = -1 }, size: size)
      sheet.add("one long name", Self.choice("Scale Aspect Fill|Left|Top"), size: size)
      sheet.add("rows", Self.choice("Proportional|Filling|Centred|Stretched|None"), size: Size(width: 240, height: 132))
      return sheet
    }
  }

  @Test func `a choice that is pressed`() {
    let harness = ControlHarness(size: Size(width: 264, height: 60))
    harness.root.theme = .dark
    harness.root.backgroundColor = Theme.dark.panel
    let choice = Self.choice("Low|Medium|High")
    choice.frame = Rect(x: 12, y: 12, width: 240, height: 36)
    harness.root.addSubview(choice)
    harness.touch(.began, at: Point(x: 230, y: 30))
    harness.expectGolden("choice-pressed@1.0", tolerance: 2)
  }
}
