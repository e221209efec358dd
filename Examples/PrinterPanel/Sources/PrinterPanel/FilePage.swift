import ControlsUI

/// The files; the chosen one is printed after a question.
struct FilePage: View {
  @Bindable var printer: Printer

  var body: some View {
    VStack(spacing: 12) {
      List(printer.files, selection: $printer.chosenFile) { file in
        HStack {
          Text(file.name).lineLimit(1)
          Spacer()
          Text("\(file.minutes) min").font(.caption).lineLimit(1)
        }
      }
      if let file = printer.askedFile {
        HStack(spacing: 12) {
          Text("Print \(file.name)?").grow()
          Button("No") { printer.askedFile = nil }
          Button("Print") { printer.print(file) }.buttonStyle(.prominent)
        }
      } else {
        Button("Print ...") { printer.askedFile = printer.chosenFile.map { printer.files[$0] } }
          .disabled(printer.chosenFile == nil || printer.printing != nil)
      }
    }
  }
}
