import PlayedGamepads
import Testing
import UICore

@testable import Gamepad

/// A played pad with the reader that makes events of its reports, at times of its own.
final class ReadPad {
  private let pad: PlayedPad
  private let reader: GamepadReader
  private var time = MonotonicTime(nanoseconds: 1_000_000_000)
  var model: GamepadModel { reader.model }

  init(_ device: DeviceDescription) throws {
    pad = PlayedPad(device)
    reader = try #require(GamepadReader(playing: pad, seat: SeatID(1)))
  }

  /// Buttons and axes change at once; what is told, nil if nothing is. The report is `age` old.
  @discardableResult
  func report(
    _ axes: [UInt16: Int32] = [:], keys: [UInt16: Bool] = [:], after pause: Duration = .milliseconds(10),
    age: Duration = .zero, counts: Bool = true
  ) -> GamepadState? {
    time = time + pause
    pad.report(axes, keys: keys, at: time - age)
    var told: GamepadState?
    reader.read(now: { time }, counts: { counts }) { if case .event(let event) = $0 { told = event.state } }
    return told
  }

  /// Its input counts no longer: what it holds ends.
  func cancel() { _ = reader.cancel(at: time) }

  /// The kernel drops events; the next report says how everything is.
  func drop() { pad.drop() }
}
