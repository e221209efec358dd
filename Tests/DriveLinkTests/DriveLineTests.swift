import Foundation
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// The line as text, without its newline.
func text(of line: DriveStream.Line) -> String {
  let writer = DriveLineWriter()
  writer.write(line)
  return String(decoding: writer.bytes.dropLast(), as: UTF8.self)
}

@Suite struct DriveLineTests {
  @Test func `a line of a replay differs by its version alone, at which consumers stop`() {
    let line = DriveStream(rate: 30, at: .zero).line
    let writer = DriveLineWriter(isReplay: true)
    writer.write(line)
    #expect(
      String(decoding: writer.bytes.dropLast(), as: UTF8.self).replacing("\"v\":0", with: "\"v\":1") == text(of: line))
    #expect(writer.bytes.starts(with: Array("{\"v\":0,".utf8)))
  }

  @Test func `a line as the document shows it`() {
    var stream = DriveStream(rate: 30, at: MonotonicTime(nanoseconds: 1_500_000_999))
    #expect(
      text(of: stream.line)
        == #"{"v":1,"seq":1,"t":1.500000,"gear":"N","throttle":0.000,"steering":0.0000,"brake":true,"horn":false,"#
        + #""held":false,"state":"ready","reason":"start","rate":30}"#)
    let command = DriveCommand(gear: 6, throttle: 0.6, steering: -0.15239, isHeld: true)
    _ = stream.update(command, holdCount: 1, at: MonotonicTime(nanoseconds: 5_385_766_698_000))
    #expect(
      text(of: stream.line)
        == #"{"v":1,"seq":2,"t":5385.766698,"gear":"6","throttle":0.600,"steering":-0.1524,"brake":false,"horn":false,"#
        + #""held":true,"state":"driving","reason":"none","rate":30}"#)
  }

  @Test func `a line says whose it is, and an emergency stop how often it was pressed`() throws {
    let identifier = try #require(DriveIdentifier("00c0ffee"))
    var stream = DriveStream(rate: 50, identifier: identifier, at: .zero)
    #expect(text(of: stream.line).hasPrefix(#"{"v":1,"id":"00c0ffee","seq":1,"#))
    for press in 1...2 {
      _ = stream.stop(at: .zero)
      #expect(text(of: stream.line).hasSuffix(#""reason":"emergency-stop","rate":50,"press":\#(press)}"#))
      _ = stream.releaseStop(at: .zero)
      #expect(text(of: stream.line).hasSuffix(#""state":"ready","reason":"released","rate":50}"#))
    }
    #expect(
      DriveIdentifier("00C0FFEE") == nil && DriveIdentifier("c0ffee") == nil && DriveIdentifier("+0c0ffee") == nil)
    #expect(DriveIdentifier("\(identifier)") == identifier && DriveIdentifier() != DriveIdentifier())
  }

  @Test func `no line is longer than 511 bytes`() {
    var stream = DriveStream(
      rate: 200, identifier: DriveIdentifier("ffffffff"), at: MonotonicTime(nanoseconds: .max - 1_000_000_000))
    let command = DriveCommand(gear: 99, throttle: 1, steering: -1, horn: true, isHeld: true)
    _ = stream.update(command, holdCount: 1, at: stream.line.time)
    var line = stream.line
    (line.sequence, line.press) = (1 << 53, 1 << 53)
    for reason in DriveReason.allCases {
      line.reason = reason
      #expect(text(of: line).utf8.count < 511)
    }
  }

  @Test(arguments: [0, 0.00004, -0.00004, 0.00005, -0.00006, 0.1, -0.9999, 0.99996, 1, -1])
  func `a number is read back as what it was, to the last digit of a line`(value: Double) throws {
    var stream = DriveStream(rate: 30, at: .zero)
    _ = stream.update(DriveCommand(gear: 1, throttle: 1, steering: value, isHeld: true), holdCount: 1, at: .zero)
    let written = text(of: stream.line)
    #expect(!written.contains("-0.0000,"))
    let steering = try #require(JSON(written)["steering"]?.number)
    #expect(abs(steering - value) <= 0.000051)
  }

  @Test func `the stop that docs/drive.md has a broker say is a line, is safe, and is never taken for old`() throws {
    let document = try SchemaValidator.document("drive.md")
    let start = try #require(document.range(of: "stop='"))
    let payload = String(document[start.upperBound...].prefix { $0 != "'" })
    let fields = try JSON(payload)
    #expect(try SchemaValidator("drive.schema.json").mistakes(in: fields).isEmpty)
    #expect(fields["state"] == .text("safe") && fields["gear"] == .text("N") && fields["brake"] == .bool(true))
    #expect(fields["seq"]?.number == 9_007_199_254_740_991)
    #expect(document.contains(#"--will-topic car/drive --will-payload "$stop""#))
  }

  @Test func `every line of a long and wild drive keeps to the schema`() throws {
    let schema = try SchemaValidator("drive.schema.json")
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var dice = Dice(seed: seed)
    var stream = DriveStream(rate: 100, identifier: DriveIdentifier(), at: at(0))
    var (time, holdCount) = (Int64(0), UInt64(0))
    func check(_ line: DriveStream.Line) {
      let written = text(of: line)
      let mistakes = schema.mistakes(inText: written)
      #expect(mistakes.isEmpty && written.utf8.count < 511, "\(mistakes) in \(written), seed \(seed)")
    }
    check(stream.line)
    var newest = stream.line
    for _ in 0..<3000 {
      time += Int64(dice.roll(30))
      while let line = stream.nextSteady(until: at(time)) {
        #expect(line.sequence == newest.sequence + 1 && line.time > newest.time)
        newest = line
        check(line)
      }
      let line: DriveStream.Line?
      switch dice.roll(12) {
      case 0:
        // The stop alone says that it was pressed: that has a count of its own, from 1.
        let losses = DriveReason.losses.filter { $0 != .emergencyStop }
        line = stream.enterSafeState(losses[dice.roll(losses.count)], at: at(time))
      case 1: line = stream.isStopped ? stream.releaseStop(at: at(time)) : stream.stop(at: at(time))
      case 2...4:
        holdCount += 1
        fallthrough
      default:
        let gear = dice.roll(12) - 1
        let command = DriveCommand(
          gear: gear, throttle: Double(dice.roll(3001) - 1500) / 1000, steering: Double(dice.roll(3001) - 1500) / 1000,
          horn: dice.roll(2) == 0, isHeld: dice.roll(2) == 0)
        line = stream.update(command, holdCount: holdCount, at: at(time))
      }
      guard let line else { continue }
      #expect(line.sequence == newest.sequence + 1 && line.time >= newest.time)
      newest = line
      check(line)
    }
    #expect(newest.sequence > 2000)
  }

  @Test func `the schema names exactly the words that lines use`() throws {
    let schema = try SchemaValidator("drive.schema.json")
    #expect(Set(schema.words(of: "reason")) == Set(DriveReason.allCases.map(\.rawValue)))
    #expect(Set(schema.words(of: "state")) == Set(DriveState.allCases.map(\.rawValue)))
  }

  /// Lines that the schema must refuse: else the test above would say nothing.
  @Test(arguments: [
    #"{"throttle":1.001}"#, #"{"throttle":-0.1}"#, #"{"gear":"N"}"#, #"{"gear":"0"}"#, #"{"gear":"100"}"#,
    #"{"seq":0}"#,
    #"{"seq":1.5}"#, #"{"state":"safe"}"#, #"{"reason":"lift"}"#, #"{"brake":true}"#, #"{"v":2}"#, #"{"t":-1}"#,
    #"{"horn":1}"#, #"{"extra":1}"#, #"{"steering":"0"}"#, #"{"gear":"R"}"#,
  ])
  func `a line that breaks the contract is refused`(change: String) throws {
    var stream = DriveStream(rate: 30, at: .zero)
    _ = stream.update(DriveCommand(gear: 6, throttle: 0.6, steering: 0.5, isHeld: true), holdCount: 1, at: .zero)
    let schema = try SchemaValidator("drive.schema.json")
    #expect(schema.mistakes(inText: text(of: stream.line)).isEmpty)
    var line = try JSON(text(of: stream.line))
    for (name, value) in try JSON(change).properties { line[name] = value }
    #expect(!schema.mistakes(in: line).isEmpty)
  }

  @Test(arguments: ["v", "seq", "t", "gear", "throttle", "steering", "brake", "horn", "held", "state", "reason"])
  func `a line that lacks something is refused`(name: String) throws {
    var line = try JSON(text(of: DriveStream(rate: 30, at: .zero).line))
    let schema = try SchemaValidator("drive.schema.json")
    #expect(schema.mistakes(in: line).isEmpty)
    line[name] = nil
    #expect(!schema.mistakes(in: line).isEmpty)
  }
}

/// Numbers that a seed decides.
struct Dice {
  var seed: UInt64

  /// A number from 0 to below `sides`: the upper half of Knuth's linear congruence.
  mutating func roll(_ sides: Int) -> Int {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(seed >> 33) % sides
  }
}
