import ControlsUI

/// The panel: what is printed, the page, and the names of all pages.
struct PrinterPanel: View {
  @Bindable var printer: Printer

  var body: some View {
    VStack(spacing: 12) {
      PrintStatus(printer: printer)
      Divider()
      VStack(distribution: .fillEqually) {
        switch printer.page {
        case .temperatures: TemperaturePage(printer: printer)
        case .files: FilePage(printer: printer)
        case .jog: JogPage(printer: printer)
        case .network: NetworkPage(printer: printer)
        }
      }
      .grow()
      Picker("Page", selection: $printer.page, choices: Page.allCases) { $0.rawValue }.pickerStyle(.segmented)
    }
    .padding()
    .alert(
      "Stop the print?", isPresented: $printer.asksToStop,
      message: "\(Int(printer.progress * 100)) % is printed. What is on the bed cannot be printed on."
    ) {
      Button("Go on", role: .cancel)
      Button("Stop", role: .destructive) { printer.stop() }
    }
  }
}

/// What is printed, and how far.
struct PrintStatus: View {
  let printer: Printer

  var body: some View {
    HStack(spacing: 16) {
      if let file = printer.printing {
        Text(file.name).lineLimit(1)
        ProgressView(value: printer.progress).grow().shrink(10)
        Button("Stop") { printer.asksToStop = true }
      } else {
        Text("Ready").foregroundStyle(Color(hex: 0x40a060))
        Spacer()
      }
      temperatures
    }
    .frame(height: 44)
  }

  private var temperatures: some View {
    ForEach(printer.heaters) { heater in
      Text("\(heater.id) \(Int(heater.temperature.rounded()))°").font(.caption).lineLimit(1).shrink(0)
    }
  }
}
