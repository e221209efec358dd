import Accessibility
import Controls
import ControlsUI
import Desktop
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
    // Screen readers read the panel, and tests on the stage find its parts by name.
    var kept: (DesktopSettings, AccessibilityServer)?
    Application.main { application in
      let desktop = DesktopSettings(loop: application.loop)
      let accessibility = AccessibilityServer(
        root: root, title: options.title, desktop: desktop, loop: application.loop)
      kept = (desktop, accessibility)
      application.openWindow(content: root, options: options) { accessibility.start(after: $0) }
      tick(printer, root)
    }
    withExtendedLifetime((keyboard, kept)) {}
  }

  /// A second passes for the printer, and then the next.
  private static func tick(_ printer: Printer, _ root: RootView) {
    root.wake(at: root.now + .seconds(1)) { [unowned root] in
      printer.step()
      tick(printer, root)
    }
  }
}
