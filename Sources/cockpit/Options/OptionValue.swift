import CockpitControls
import DriveLink
import Shell
import Tilt
import UICore

/// A kind of option value: its texts, and the functions that read and write it. The reader returns nil for a text that can't be used.
nonisolated struct OptionValue<Value: Sendable & Equatable>: Sendable {
  let texts: OptionRow.Texts
  let read: @Sendable (String) -> Value?
  /// The text from which `read` makes an equal value in a replay, to which files and receivers are only present or not.
  let write: @Sendable (Value) -> String

  init(
    _ name: String, _ wanted: String, read: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String = { "\($0)" }
  ) {
    (texts, self.read, self.write) = ((name, wanted), read, write)
  }

  static func words(_ values: KeyValuePairs<String, Value>) -> OptionValue {
    let all = values.map { ($0.key, $0.value) }
    let words = all.map(\.0)
    let (first, last) = (words.dropLast().joined(separator: ", "), words.last ?? "")
    return OptionValue(
      words.joined(separator: "|"), "\(first) or \(last)", read: { word in all.first { $0.0 == word }?.1 },
      write: { value in all.first { $0.1 == value }?.0 ?? "" })
  }
}

nonisolated extension OptionValue<Bool> {
  static var onOff: OptionValue { .words(["on": true, "off": false]) }
}

nonisolated extension OptionValue<String> {
  static func name(_ name: String, _ wanted: String) -> OptionValue {
    OptionValue(name, wanted) { $0.isEmpty ? nil : $0 }
  }

  static var layoutFile: OptionValue {
    .name("FILE.json", "the name of a layout file, such as scene.json")
  }

  static var vehicleFile: OptionValue {
    .name("FILE.json", "the name of a vehicle's file, such as car.json")
  }

  static var recordFile: OptionValue {
    .name("FILE.jsonl", "the name of a file, such as session.jsonl")
  }

  static var imageFile: OptionValue {
    OptionValue("FILE.png", "a file name that ends in .png") {
      $0.hasSuffix(".png") && $0.count > 4 ? $0 : nil
    }
  }

  /// Comma-separated scopes of lowercase letters, digits and hyphens, each with an optional level.
  static var logLevels: OptionValue {
    OptionValue("SPEC", "scopes with levels, such as frame:debug,input") { text in
      let entries = text.split(separator: ",", omittingEmptySubsequences: false)
      let areGood = entries.allSatisfy { entry in
        let words = entry.split(separator: ":", omittingEmptySubsequences: false)
        return words.count <= 2 && words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isScopeByte) }
      }
      return areGood ? text : nil
    }
  }

  private static func isScopeByte(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d
  }
}

nonisolated extension OptionValue<Int> {
  /// A whole number of `range` in decimal digits, without sign. `unit` completes "a whole number".
  static func whole(
    _ name: String, _ range: ClosedRange<Int>, such example: Int, unit: String = ""
  ) -> OptionValue {
    let end = range.upperBound == Int(Int32.max) ? "" : " to \(range.upperBound)"
    return OptionValue(name, "a whole number\(unit) from \(range.lowerBound)\(end), such as \(example)") {
      digits($0, in: range)
    }
  }
}

nonisolated extension OptionValue<Double> {
  /// A decimal number of `range`; "nan", "inf" and hexadecimal forms can't be used.
  static func number(_ name: String, _ range: ClosedRange<Double>, _ wanted: String) -> OptionValue {
    OptionValue(
      name, wanted,
      read: { text in
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e].contains($0) }
        return isDecimal ? Double(text).flatMap { range.contains($0) ? $0 : nil } : nil
      }, write: decimal)
  }

  /// The number without an exponent, which the reader refuses: 1.5e-07 as 0.00000015.
  static func decimal(_ value: Double) -> String {
    let parts = "\(value)".split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return "\(value)" }
    let digits = parts[0].filter(\.isNumber)
    return (value < 0 ? "-0." : "0.") + String(repeating: "0", count: -exponent - 1) + digits
  }

  /// A fraction of full throttle.
  static var share: OptionValue {
    .number("PART", DriveShaping.limits, "a part from 0.05 to 1, such as 0.3")
  }
}

nonisolated extension OptionValue<Size> {
  static var points: OptionValue {
    OptionValue(
      "WxH", "WIDTHxHEIGHT in points, each from 1 to 32767, such as 1280x720"
    ) { text in
      let parts = text.split(separator: "x", omittingEmptySubsequences: false)
      guard parts.count == 2, let width = digits(parts[0], in: 1...Options.greatestSide),
        let height = digits(parts[1], in: 1...Options.greatestSide)
      else { return nil }
      return Size(width: Double(width), height: Double(height))
    }
  }
}

nonisolated extension OptionValue<Gear> {
  static var gear: OptionValue {
    OptionValue("N|R|1..10", "N, R or a gear from 1 to 10") {
      Gear($0).flatMap { $0 == $0.clamped(toGears: Options.gearCount) ? $0 : nil }
    }
  }
}

nonisolated extension OptionValue<Options.Tilt> {
  static var tilt: OptionValue {
    OptionValue(
      "on|off|DEVICE", "on, off, or an accelerometer's folder such as /sys/bus/iio/devices/iio:device0",
      read: { text in
        switch text {
        case "on": .on
        case "off": .off
        case "": nil
        // A bare device name is one of the system's devices.
        case let name where !name.contains("/"):
          name.hasPrefix("iio:device") ? .device("\(Accelerometer.systemFolder)/\(name)") : nil
        default: .device(text)
        }
      }, write: { $0 == .off ? "off" : "on" })
  }
}

nonisolated extension OptionValue<Options.Gamepad> {
  static var gamepad: OptionValue {
    OptionValue(
      "auto|DEVICE|off", "auto, off, or a device's file or a part of its name, such as Wireless",
      read: { text in
        switch text {
        case "auto": .auto
        case "off": .off
        case "": nil
        case let path where path.hasPrefix("/"): .file(path)
        default: .named(text)
        }
      }, write: { $0 == .off ? "off" : "auto" })
  }
}

nonisolated extension OptionValue<DriveEndpoint> {
  static var destination: OptionValue {
    OptionValue(
      "PLACE", "-, unix:PATH, udp:HOST:PORT or bridge:NAME:PLACE, such as bridge:donkey:192.168.4.1",
      read: { DriveEndpoint($0) }, write: { _ in "-" })
  }

  static var source: OptionValue {
    OptionValue(
      "PLACE", "-, unix:PATH, udp:PORT or udp:ADDRESS:PORT, such as udp:5006", read: { DriveEndpoint(source: $0) },
      write: { _ in "-" })
  }
}

nonisolated extension OptionValue<[VideoChoice]> {
  /// One camera, or several with names. A record says only that there was one: an address may have a password in it.
  static var video: OptionValue {
    OptionValue(
      "SOURCE",
      "http://HOST/PATH, rtsp://HOST/PATH, udp:PORT, v4l2:/dev/videoN, - or test, such as http://192.168.4.1:81/stream",
      read: { VideoChoice.read($0) }, write: { _ in "test" })
  }
}

nonisolated extension OptionValue<Options.ConfigurationChoice> {
  static var configuration: OptionValue {
    OptionValue("FILE|none", "the name of a file, such as car.json, or none") {
      $0.isEmpty ? nil : $0 == "none" ? Options.ConfigurationChoice.none : .file($0)
    }
  }
}

/// Reads a number in decimal digits, without sign.
nonisolated private func digits(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
  guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
  return range.contains(number) ? number : nil
}
