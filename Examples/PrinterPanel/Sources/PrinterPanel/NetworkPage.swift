import ControlsUI

/// How the printer is reached.
struct NetworkPage: View {
  @Bindable var printer: Printer

  var body: some View {
    ScrollView {
      VStack(spacing: 16) {
        Text("Name in the network").font(.caption)
        TextField("printer", text: $printer.hostName).accessibilityLabel("Name in the network")
        Toggle("Wi-Fi", isOn: $printer.isWireless)
        if printer.isWireless {
          Text(printer.connection).font(.caption)
          Picker("Network", selection: $printer.network, choices: ["Workshop", "Office", "Guests"]).pickerStyle(
            .segmented)
          HStack(spacing: 12) {
            SecureField("Password", text: $printer.password).accessibilityLabel("Password of \(printer.network)").grow()
            Button("Connect") { printer.connect() }
          }
        }
      }
    }
  }
}
