import ControlHarness
import Controls
import Testing

/// Pictures of check box and radio group in all their states.
@MainActor @Suite(.serialized) struct MarkGoldenTests {
  private func box(_ title: String, _ isOn: Bool, _ set: (CheckBox) -> Void = { _ in }) -> CheckBox {
    let box = CheckBox(title)
    box.isChecked = isOn
    set(box)
    return box
  }

  private func boxes() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 4)
    for isOn in [false, true] {
      let name = isOn ? "on" : "off"
      sheet.add(name, box("Headlights", isOn))
      sheet.add("\(name), held", box("Headlights", isOn) { $0.isHighlighted = true })
      sheet.add("\(name), disabled", box("Headlights", isOn) { $0.isEnabled = false })
      sheet.add("\(name), coloured", box("Headlights", isOn) { $0.onTintColor = Color(hex: 0x6d4aff) })
    }
    sheet.add("mixed", box("Headlights", false) { $0.isMixed = true })
    sheet.add("no name", box("", true))
    let narrow = box("A name that is too long", true)
    narrow.frame = Rect(x: 0, y: 0, width: 110, height: 44)
    sheet.add("narrow", narrow)
    return sheet
  }

  private func group(_ axis: Axis = .vertical, _ set: (RadioGroup) -> Void = { _ in }) -> RadioGroup {
    let group = RadioGroup(frame: .zero)
    group.axis = axis
    group.titles = ["Road", "Gravel", "Ice"]
    group.selectedIndex = 1
    set(group)
    group.sizeToFit()
    return group
  }

  private func groups() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 4)
    sheet.add("chosen", group())
    sheet.add("nothing chosen", group { $0.selectedIndex = -1 })
    sheet.add("disabled", group { $0.isEnabled = false })
    sheet.add("coloured", group { $0.tintColor = Color(hex: 0x6d4aff) })
    sheet.add("in a row", group(.horizontal))
    return sheet
  }

  @Test func `the check box in all its states`() {
    ControlHarness.expectSheets("check-box", scales: [.one, Scale(1.5)], themes: .four) { boxes() }
  }

  @Test func `the radio group in all its states`() {
    ControlHarness.expectSheets("radio-group", scales: [.one, Scale(1.5)], themes: .four) { groups() }
  }
}
