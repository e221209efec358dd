import Controls
import ControlsUI
import Shell
import WindowDecoration

/// The panel of a simulated printer in a window.
@main enum Main {
  static func main() {
    let root = DecoratedRootView()
    root.theme = .dark
    let printer = Printer()
    let panel = HostingView(rootView: PrinterPanel(printer: printer))
    panel.anchors = LayoutAnchors(margins: .zero)
    root.addSubview(panel)

    // The keys of a touch screen without a keyboard of its own.
    let keyboard = KeyboardPresenter(in: root)
    let options = WindowOptions(
      title: "Printer", applicationID: "org.example.PrinterPanel", size: Size(width: 800, height: 480))
    Application.main { application in
      application.openWindow(content: root, options: options)
      tick(printer, root)
    }
    withExtendedLifetime(keyboard) {}
  }

  /// A second passes for the printer, and then the next.
  private static func tick(_ printer: Printer, _ root: RootView) {
    root.wake(at: root.now + .seconds(1)) { [unowned root] in
      printer.step()
      tick(printer, root)
    }
  }
}
