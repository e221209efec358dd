import Wayland

/// Changes KWin's outputs, enabled or not, numbered in the order in which it announced them. For sway's, tests use its own
/// commands.
final class Outputs {
  private let management: KdeOutputManagementV2
  private let devices: [KdeOutputDeviceV2]
  private var modes: [KdeOutputDeviceModeV2] = []
  private var answer: Bool?

  /// Takes ownership of KWin's objects.
  init(management: KdeOutputManagementV2, devices: [KdeOutputDeviceV2]) {
    self.management = management
    self.devices = devices
    for device in devices {
      device.onEvent = { [unowned self] in if case .mode(let mode) = $0 { modes.append(mode) } }
    }
  }

  /// Performs the command; returns false if it is not about outputs.
  func perform(_ command: Command, on input: InputDesktop) throws(InputError) -> Bool {
    switch command {
    case .outputScale(let index, let scale):
      try apply(index, input) { $0.scale(output: $1, scale: scale) }
    case .output(let index, let isOn):
      try apply(index, input) { $0.enable(output: $1, enable: isOn ? 1 : 0) }
    default:
      return false
    }
    return true
  }

  private func apply(
    _ index: Int, _ input: InputDesktop, _ change: (KdeOutputConfigurationV2, KdeOutputDeviceV2) -> Void
  ) throws(InputError) {
    guard devices.indices.contains(index) else { throw .unsupported("output \(index)") }
    let configuration = management.createConfiguration()
    answer = nil
    configuration.onEvent = { [unowned self] in
      switch $0 {
      case .applied: answer = true
      case .failed: answer = false
      }
    }
    change(configuration, devices[index])
    configuration.apply()
    // The answer comes within the next round trips, or never.
    for _ in 0..<1000 where answer == nil { try input.roundTrip() }
    configuration.end()
    guard answer == true else { throw .unsupported("this change of output \(index)") }
  }
}
