import ControlHarness
import Controls
import Testing

/// Pictures of dialogs, sheets and toasts.
@MainActor @Suite(.serialized) struct ModalGoldenTests {
  /// What lies behind: a button and a text.
  private func page(_ width: Double, _ height: Double, _ view: View) -> View {
    let page = View(frame: Rect(x: 0, y: 0, width: width, height: height))
    let button = Button("Behind")
    button.frame = Rect(x: 12, y: 12, width: 100, height: 44)
    let label = Label("What lies behind")
    label.frame = Rect(x: 12, y: height - 40, width: width - 24, height: 28)
    view.frame = page.bounds
    for part in [button, label, view] { page.addSubview(part) }
    (view as? ModalView)?.isModal = false
    (view as? ModalView)?.isOpen = true
    return page
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    sheet.add(
      "a question",
      page(
        340, 220,
        Dialog("Delete the record?", message: "It cannot be restored afterwards.", answers: ["Cancel", "Delete"])))
    sheet.add(
      "answers that need a row each",
      page(240, 260, Dialog("Leave?", message: "", answers: ["Stay on this page", "Leave without saving"])))
    let task = Sheet()
    (task.title, task.height) = ("Brightness", 120)
    let slider = Slider()
    slider.value = 0.4
    task.contentHost.addSubview(slider)
    sheet.add("a sheet", page(340, 220, task))
    let toast = Toast()
    toast.text = "Saved"
    toast.frame = Rect(origin: .zero, size: toast.sizeThatFits(Size(width: 240, height: 60)))
    sheet.add("a toast", toast)
    return sheet
  }

  @Test func `a dialog, a sheet and a toast`() {
    ControlHarness.expectSheets("modal", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }
}
