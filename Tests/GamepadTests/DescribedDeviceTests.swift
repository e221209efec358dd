import JSON
import Linux
import TestSupport
import Testing
import UICore

@testable import Gamepad

/// A device as public sources describe it (devices.json): its bits and ranges, and what its controls must command.
struct DescribedDevice: CustomTestStringConvertible, Sendable {
  let name: String
  let description: DeviceDescription
  /// The kind that it must be taken for; nil for none.
  let kind: String?
  let commands: JSONValue?
  var testDescription: String { name }

  static let all: [DescribedDevice] = {
    let path = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/devices.json"
    guard let bytes = try? FileReader.bytes(of: path, atMost: 1 << 20),
      let table = try? JSONValue(bytes, .file)
    else { return [] }
    return (table.items ?? []).compactMap(DescribedDevice.init)
  }()

  init?(_ value: JSONValue) {
    func codes(_ key: String) -> Set<UInt16> {
      Set((value[key]?.items ?? []).compactMap(\.whole).map { UInt16($0) })
    }
    guard let name = value["name"]?.text, let title = value["device"]?.text, value["source"]?.text != nil else {
      return nil
    }
    self.name = name
    description = DeviceDescription(
      name: title, keys: codes("keys"), axes: DescribedDevice.axes(value["axes"]), properties: codes("properties"),
      effects: codes("effects"))
    (kind, commands) = (value["is"]?.text, value["commands"])
  }

  /// Axes at their rests, as the device reports them.
  private static func axes(_ value: JSONValue?) -> [UInt16: DeviceDescription.Axis] {
    var axes: [UInt16: DeviceDescription.Axis] = [:]
    for code: UInt16 in 0..<0x40 {
      guard let numbers = value?["\(code)"]?.items?.compactMap(\.whole), numbers.count == 5 else { continue }
      let whole = numbers.map { Int32($0) }
      axes[code] = DeviceDescription.Axis(whole[0], whole[1], fuzz: whole[2], flat: whole[3], value: whole[4])
    }
    return axes
  }

  /// The events' parts that press a pedal, or let it go.
  func pressing(_ pedal: GamepadLayout.Pedal, _ isPressed: Bool) -> (axes: [UInt16: Int32], keys: [UInt16: Bool]) {
    switch pedal {
    case .button(let code): return ([:], [code: isPressed])
    case .axis(let code):
      guard let axis = description.axes[code] else { return ([:], [:]) }
      let far = axis.value == axis.minimum ? axis.maximum : axis.minimum
      return ([code: isPressed ? far : axis.value], [:])
    }
  }
}

/// Devices that are described, and were never connected: each control commands what docs/gamepads.md says.
@Suite struct DescribedDeviceTests {
  @Test func `the table has the devices that the page lists`() {
    #expect(DescribedDevice.all.count == 35 && DescribedDevice.all.filter { $0.kind != nil }.count == 29)
  }

  @Test(arguments: DescribedDevice.all) func `a device is taken for what it is, and its controls for what they are`(
    device: DescribedDevice
  ) throws {
    let layout = GamepadLayout(device.description)
    #expect(layout?.kind.rawValue == device.kind)
    guard let layout, let commands = device.commands else { return }
    func text(_ pedal: GamepadLayout.Pedal?) -> String? {
      switch pedal {
      case .axis(let code): "axis \(code)"
      case .button(let code): "button \(code)"
      case nil: nil
      }
    }
    #expect(text(layout.throttle) == commands["throttle"]?.text)
    #expect(text(layout.brake) == commands["brake"]?.text)
    #expect(text(layout.clutch) == commands["clutch"]?.text)
    #expect(layout.steering.map { "axis \($0)" } == commands["steering"]?.text)
    #expect(layout.handbrake.map { "axis \($0)" } == commands["handbrake"]?.text)
    for (name, meaning) in [
      ("grip", GamepadState.Buttons.grip), ("stop", .stop), ("horn", .horn), ("up", .shiftUp), ("down", .shiftDown),
    ] {
      let wanted = Set((commands[name]?.items ?? []).compactMap(\.whole).map { UInt16($0) })
      #expect(Set(layout.buttons.filter { $0.value == meaning }.keys) == wanted, "\(name)")
    }
  }

  /// A stream of the device's life: at rest, held, steered, shifted, stopped.
  @Test(arguments: DescribedDevice.all.filter { $0.kind != nil && $0.kind != "handbrake" })
  func `a device drives from its throttle's press to its release, and asks for nothing at rest`(device: DescribedDevice)
    throws
  {
    let layout = try #require(GamepadLayout(device.description))
    let played = try ReadPad(device.description)
    let rest = device.description.axes.mapValues(\.value)
    for _ in 0..<20 { #expect(played.report(rest) == nil) }
    #expect(played.model.knowsRests)
    let steering = try #require(layout.steering)
    let axis = try #require(device.description.axes[steering])
    guard let throttle = layout.throttle else {
      // Nothing of such a device can be held.
      for code in device.description.keys where layout.buttons[code] != .stop {
        played.report([steering: axis.maximum], keys: [code: true])
        #expect(!played.model.state.isHeld)
      }
      return
    }
    let (press, release) = (device.pressing(throttle, true), device.pressing(throttle, false))
    #expect(played.report(press.axes, keys: press.keys)?.throttle == 1)
    #expect(played.model.state.steering == 0)
    #expect(played.report([steering: axis.maximum])?.steering == 1)
    #expect(played.report([steering: axis.minimum])?.steering == -1)
    for meaning in [GamepadState.Buttons.shiftUp, .shiftDown, .stop] {
      let code = try #require(layout.buttons.first { $0.value == meaning }?.key)
      #expect(played.report(keys: [code: true])?.buttons == meaning)
      #expect(played.report(keys: [code: false])?.buttons == [])
    }
    #expect(played.report(release.axes, keys: release.keys) == GamepadState())
    if let brake = layout.brake {
      let press = device.pressing(brake, true)
      #expect(played.report(press.axes, keys: press.keys)?.brake == 1)
      let release = device.pressing(brake, false)
      #expect(played.report(release.axes, keys: release.keys) == GamepadState())
    }
  }

  /// All controls that have no meaning move and tremble.
  @Test(arguments: DescribedDevice.all.filter { $0.kind != nil }) func `what has no meaning asks for nothing`(
    device: DescribedDevice
  ) throws {
    let layout = try #require(GamepadLayout(device.description))
    let played = try ReadPad(device.description)
    played.report(device.description.axes.mapValues(\.value))
    var random = Random(5)
    var meaningful = Set(layout.buttons.keys)
    for pedal in [layout.throttle, layout.brake] { if case .button(let code) = pedal { meaningful.insert(code) } }
    let keys = device.description.keys.subtracting(meaningful).sorted()
    let axes = device.description.axes.keys.filter { !layout.axes.contains($0) || $0 == layout.steering }.sorted()
    for _ in 0..<500 {
      var moved: [UInt16: Int32] = [:]
      for code in axes {
        guard let axis = device.description.axes[code] else { continue }
        moved[code] = axis.minimum + Int32(random.below(Int(axis.maximum - axis.minimum) + 1))
      }
      let pressed = keys.isEmpty ? [:] : [keys[random.below(keys.count)]: random.below(2) == 0]
      #expect(played.report(moved, keys: pressed) == nil)
    }
  }
}
