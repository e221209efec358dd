import CWayland
import Wayland

/// A connection to the compositor, with the globals that it offers.
final class InputDesktop {
  /// The desktop's size in logical points.
  let desktop: (width: Int, height: Int)
  private let display: Display
  private let registry: WlRegistry
  private var offers: [String: (name: UInt32, version: UInt32)] = [:]
  private var outputNames: [UInt32] = []

  /// Connects, and collects the compositor's globals.
  init(desktop: (width: Int, height: Int)) throws(InputError) {
    guard let display = Display() else { throw InputError("no compositor at WAYLAND_DISPLAY") }
    self.desktop = desktop
    self.display = display
    registry = display.makeRoot().getRegistry()
    registry.onEvent = { [unowned self] in
      guard case .global(let name, let interface, let version) = $0 else { return }
      if offers[interface] == nil { offers[interface] = (name, version) }
      if interface == "kde_output_device_v2" { outputNames.append(name) }
    }
    try roundTrip()
  }

  /// Returns once the compositor has handled all requests.
  func roundTrip() throws(InputError) {
    guard wl_display_roundtrip(display.raw) >= 0 else { throw InputError("the compositor closed the connection") }
  }

  /// The device that sends input to this compositor.
  func makeDevice() throws(InputError) -> any InputDevice {
    if let fake = bind(OrgKdeKwinFakeInput.self, upTo: 4) { return FakeInput(fake) }
    guard let seat = bind(WlSeat.self, upTo: 1), let pointers = bind(ZwlrVirtualPointerManagerV1.self, upTo: 1),
      let keyboards = bind(ZwpVirtualKeyboardManagerV1.self, upTo: 1)
    else { throw InputError("the compositor offers neither fake input nor virtual devices") }
    return try VirtualDevices(
      pointer: pointers.createVirtualPointer(seat: seat), keyboard: keyboards.createVirtualKeyboard(seat: seat),
      desktop: desktop)
  }

  /// The outputs; nil unless the compositor lets clients change them by KWin's protocol.
  func makeOutputs() -> Outputs? {
    guard let management = bind(KdeOutputManagementV2.self, upTo: 1) else { return nil }
    return Outputs(
      management: management,
      devices: outputNames.map { registry.bind(name: $0, KdeOutputDeviceV2.self, version: 1) })
  }

  private func bind<T: Proxy>(_ type: T.Type, upTo version: UInt32) -> T? {
    guard let offer = offers[type.interface.name] else { return nil }
    return registry.bind(name: offer.name, type, version: min(offer.version, version))
  }
}

/// A device that sends input to a compositor.
protocol InputDevice {
  func perform(_ command: Command) throws(InputError)
  /// Destroys the device.
  func release()
}

extension InputDevice {
  /// The kernel's code of a mouse's primary button (BTN_LEFT).
  var primaryButton: UInt32 { 0x110 }
}
