import UICore

/// Writes lines as JSON, each with its newline, into its own memory; writing does not allocate. docs/drive.md specifies the
/// format.
public final class DriveLineWriter {
  /// The size of the memory in bytes, and so of the longest line, which is shorter.
  public static let capacity = 511

  /// The newest line's bytes. Whoever keeps a copy makes the next line allocate.
  public private(set) var bytes: [UInt8] = []
  private let version: UInt64

  /// A writer without a line. A replay must not drive anything, so its lines have version 0, at which every consumer stops.
  public init(isReplay: Bool = false) {
    version = isReplay ? 0 : 1
    bytes.reserveCapacity(DriveLineWriter.capacity)
  }

  /// Writes `line` over the previous one.
  public func write(_ line: DriveStream.Line) {
    bytes.removeAll(keepingCapacity: true)
    text("{\"v\":")
    number(version)
    if let identifier = line.identifier {
      text(",\"id\":\"")
      hexadecimal(identifier.number)
      text("\"")
    }
    text(",\"seq\":")
    number(line.sequence)
    text(",\"t\":")
    let nanoseconds = UInt64(max(line.time.nanoseconds, 0))
    number(nanoseconds / 1_000_000_000)
    text(".")
    number(nanoseconds / 1000 % 1_000_000, digits: 6)
    text(",\"gear\":\"")
    gear(line.command.gear)
    text("\",\"throttle\":")
    fraction(line.command.throttleSteps, perUnit: 1000, digits: 3)
    text(",\"steering\":")
    fraction(line.command.steeringSteps, perUnit: 10000, digits: 4)
    text(",\"brake\":")
    bool(line.command.brake)
    text(",\"horn\":")
    bool(line.command.horn)
    text(",\"held\":")
    bool(line.command.isHeld)
    text(",\"state\":\"")
    text(line.state.rawValue)
    text("\",\"reason\":\"")
    text(line.reason.rawValue)
    text("\",\"rate\":")
    number(UInt64(line.rate))
    if let press = line.press {
      text(",\"press\":")
      number(press)
    }
    if let model = line.channels { write(model) }
    text("}\n")
  }

  private func write(_ model: ChannelModel) {
    for index in model.channels.indices {
      text(index == 0 ? ",\"channels\":{\"" : ",\"")
      text(model.channels[index].name)
      text("\":")
      fraction(Int32(model.thousandths(index)), perUnit: 1000, digits: 3)
    }
    if !model.channels.isEmpty { text("}") }
    if model.canArm {
      text(",\"arm\":")
      bool(model.isArmed)
    }
    guard !model.modes.isEmpty else { return }
    text(",\"mode\":\"")
    text(model.modes[model.mode])
    text("\"")
  }

  private func byte(_ byte: UInt8) {
    precondition(bytes.count < DriveLineWriter.capacity, "a line is longer than any can be")
    bytes.append(byte)
  }

  /// Writes a text: a literal, whose bytes are in the program image, or a name of a vehicle's file, which is ASCII.
  private func text(_ text: String) {
    for code in text.utf8 { byte(code) }
  }

  private func bool(_ value: Bool) { text(value ? "true" : "false") }

  private func gear(_ gear: Int) {
    switch gear {
    case ..<0: text("R")
    case 0: text("N")
    default: number(UInt64(gear))
    }
  }

  /// Writes eight digits.
  private func hexadecimal(_ value: UInt32) {
    for shift in stride(from: 28, through: 0, by: -4) {
      let digit = UInt8(value >> UInt32(shift) & 15)
      byte(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Writes a whole number, with leading zeros up to `digits`.
  private func number(_ value: UInt64, digits: Int = 1) {
    var power: UInt64 = 1
    var length = 1
    while length < digits || value / power >= 10 {
      power *= 10
      length += 1
    }
    while power > 0 {
      byte(UInt8(ascii: "0") + UInt8(value / power % 10))
      power /= 10
    }
  }

  private func fraction(_ steps: Int32, perUnit: UInt32, digits: Int) {
    if steps < 0 { text("-") }
    number(UInt64(steps.magnitude / perUnit))
    text(".")
    number(UInt64(steps.magnitude % perUnit), digits: digits)
  }
}
