import Wayland

/// Input through org_kde_kwin_fake_input.
final class FakeInput: InputDevice {
  private let device: OrgKdeKwinFakeInput

  /// Takes ownership of KWin's object.
  init(_ device: OrgKdeKwinFakeInput) {
    self.device = device
    device.authenticate(application: "CompositorInput", reason: "a test")
  }

  func perform(_ command: Command) throws(InputError) {
    switch command {
    case .touchDown(let id, let x, let y): device.touchDown(id: id, x: x, y: y)
    case .touchMotion(let id, let x, let y): device.touchMotion(id: id, x: x, y: y)
    case .touchUp(let id): device.touchUp(id: id)
    case .touchFrame: device.touchFrame()
    case .touchCancel: device.touchCancel()
    case .pointerMotion(let x, let y): device.pointerMotionAbsolute(x: x, y: y)
    case .pointerButton(let isPressed): device.button(button: primaryButton, state: isPressed ? 1 : 0)
    case .outputScale, .output: throw .unsupported("outputs")
    case .key(let code, let isPressed): device.keyboardKey(button: code, state: isPressed ? 1 : 0)
    }
  }

  /// Destroys the device.
  func release() { device.end() }
}
