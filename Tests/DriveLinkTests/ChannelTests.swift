import CAllocations
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// Channels, arming and mode: what lines say of them, and what losses make of them.
@Suite struct ChannelTests {
  private static let model = ChannelModel(
    [
      ChannelModel.Channel("lights", start: -1, safe: nil), ChannelModel.Channel("pan", start: 0.25, safe: 0),
      ChannelModel.Channel(momentary: "winch", off: 0, on: 1),
    ], modes: ["manual", "auto"], canArm: true)

  private func at(_ milliseconds: Int64) -> MonotonicTime { .zero + .milliseconds(milliseconds) }

  private func text(of line: DriveStream.Line, isReplay: Bool = false) -> String {
    let writer = DriveLineWriter(isReplay: isReplay)
    writer.write(line)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func stream(_ model: ChannelModel? = model) -> DriveStream {
    DriveStream(rate: 50, identifier: DriveIdentifier("0000002a"), channels: model, at: at(1000))
  }

  /// The state of `stream` after a change by hand.
  private func changed(_ stream: inout DriveStream, at time: Int64, _ change: (inout ChannelModel) -> Void)
    -> DriveStream.Line?
  {
    guard var model = stream.channels else { return nil }
    change(&model)
    stream.set(model)
    return stream.tellChannels(at: at(time))
  }

  @Test func `a line has channels, arming and mode after everything else, and keeps to the schema`() throws {
    let text = text(of: stream().line)
    #expect(
      text.hasSuffix(
        #","rate":50,"channels":{"lights":-1.000,"pan":0.250,"winch":0.000},"arm":false,"mode":"manual"}"# + "\n"))
    #expect(try SchemaValidator("drive.schema.json").mistakes(inText: text).isEmpty)
    for bad in [#""arm":1"#, #""mode":"""#, #""mode":"Auto""#, #""channels":{"Lights":1}"#, #""channels":{"pan":1.5}"#]
    {
      let name = String(bad.dropFirst().prefix { $0 != "\"" })
      var line = try JSON(text)
      line[name] = try JSON("{\(bad)}")[name]
      #expect(try !SchemaValidator("drive.schema.json").mistakes(in: line).isEmpty, "\(bad)")
    }
  }

  @Test func `a vehicle without channels has the same bytes as before, and is counted`() {
    var (plain, full) = (stream(nil), stream())
    var count = 0
    func compare() {
      let (one, other) = (text(of: plain.line), text(of: full.line))
      #expect(!one.contains("channels") && !one.contains("arm") && !one.contains("mode"))
      #expect(other.hasPrefix(one.dropLast(2)), "\(one) and \(other)")
      count += 1
    }
    compare()
    for step in 1...200 {
      let time = at(1000 + Int64(step) * 7)
      for stream in 0..<2 {
        func act(_ stream: inout DriveStream) {
          while stream.nextSteady(until: time) != nil {}
          switch step % 20 {
          case 3: _ = stream.stop(at: time)
          case 6: _ = stream.releaseStop(at: time)
          case 12: _ = stream.enterSafeState(.lift, at: time)
          default:
            let command = DriveCommand(
              gear: step % 5, throttle: 0.3, steering: Double(step % 9) / 10, isHeld: step % 4 != 0)
            _ = stream.update(command, holdCount: UInt64(step), at: time)
          }
        }
        if stream == 0 { act(&plain) } else { act(&full) }
      }
      // A channel with another value than its safe one repeats lines; without it both say the same.
      guard plain.line.sequence == full.line.sequence else { continue }
      compare()
    }
    #expect(count > 10)
  }

  @Test func `the longest line with everything in it has at most 511 bytes`() {
    let name = String(repeating: "x", count: 15)
    let channels = (0..<8).map { ChannelModel.Channel("\(name)\($0)", start: -1, safe: nil) }
    let model = ChannelModel(channels, modes: [String(repeating: "m", count: 16)], canArm: true)
    var stream = DriveStream(
      rate: 200, identifier: DriveIdentifier(), channels: model,
      at: MonotonicTime(nanoseconds: 86_400 * 365 * 10 * 1_000_000_000))
    _ = stream.update(
      DriveCommand(gear: -1, throttle: -1, steering: -1, isHeld: true), holdCount: 1, at: stream.line.time)
    var line = stream.line
    for reason in DriveReason.allCases {
      (line.sequence, line.reason) = (1 << 53, reason)
      line.press = reason == .emergencyStop ? 1 << 53 : nil
      // A driving line has the longest numbers, a safe one the longest reason: both at once is more than any line has.
      #expect(text(of: line).utf8.count <= 511, "\(text(of: line).utf8.count) with \(reason)")
    }
  }

  @Test func `writing and comparing channels allocates nothing`() {
    let writer = DriveLineWriter()
    var stream = stream()
    writer.write(stream.line)
    allocations_begin()
    for step in 0..<100 {
      _ = changed(&stream, at: 2000 + Int64(step)) { $0.set(1, to: Double(step) / 100) }
      writer.write(stream.line)
    }
    #expect(allocations_end() == 0)
  }

  @Test(arguments: DriveReason.losses)
  func `a loss gives every channel its safe value, and disarms where it must`(reason: DriveReason) {
    for disarmsAtLoss in [false, true] {
      var stream = stream(
        ChannelModel(
          [
            ChannelModel.Channel("lights", start: -1, safe: nil), ChannelModel.Channel("pan", start: 0.25, safe: 0),
            ChannelModel.Channel(momentary: "winch", off: 0.5, on: 1),
          ], modes: ["manual", "auto"], canArm: true, disarmsAtLoss: disarmsAtLoss))
      _ = changed(&stream, at: 1001) {
        $0.set(0, to: 1)
        $0.set(1, to: -0.7)
        $0.hold(2, true)
        $0.choose(mode: 1)
        $0.arm()
      }
      let line = reason == .emergencyStop ? stream.stop(at: at(1002)) : stream.enterSafeState(reason, at: at(1002))
      let model = line?.channels
      #expect(model?.value(0) == 1 && model?.value(1) == 0 && model?.value(2) == 0.5 && model?.isHeld == false)
      let mustDisarm: Set<DriveReason> = [
        .emergencyStop, .terminated, .closed, .linkLost, .linkSlow, .taken, .suspended,
      ]
      #expect(model?.isArmed == !(disarmsAtLoss || mustDisarm.contains(reason)))
      #expect(model?.mode == (reason == .emergencyStop ? 0 : 1))
    }
  }

  @Test func `a loss that changes no state any more still ends what channels do`() {
    var stream = stream()
    _ = stream.enterSafeState(.hidden, at: at(1001))
    #expect(changed(&stream, at: 1002) { $0.hold(2, true) }?.channels?.isHeld == true)
    let line = stream.enterSafeState(.hidden, at: at(1003))
    #expect(line?.state == .safe && line?.reason == .hidden && line?.channels?.isHeld == false)
    #expect(stream.enterSafeState(.hidden, at: at(1004)) == nil)
  }

  @Test func `nothing of it changes while STOP is pressed`() {
    var stream = stream()
    _ = stream.stop(at: at(1001))
    let line = changed(&stream, at: 1002) {
      $0.set(0, to: 1)
      $0.hold(2, true)
      $0.arm()
      $0.choose(mode: 1)
    }
    #expect(line == nil && stream.channels == stream.line.channels && stream.channels?.isArmed == false)
    _ = stream.releaseStop(at: at(1003))
    #expect(changed(&stream, at: 1004) { $0.set(0, to: 1) }?.reason == .released)
    #expect(
      changed(&stream, at: 3000) { $0.set(0, to: -1) }?.reason == DriveReason.none, "a release is not said again later")
  }

  @Test func `lines repeat while the vehicle is armed, or a channel has another value than its safe one`() {
    let safe = ChannelModel(
      [ChannelModel.Channel("pan", start: 0, safe: 0), ChannelModel.Channel("lights", start: 0, safe: nil)],
      canArm: true)
    var stream = stream(safe)
    #expect(stream.nextSteadyTime == nil)
    _ = changed(&stream, at: 1001) { $0.set(1, to: 1) }
    #expect(stream.nextSteadyTime == nil, "what keeps its value may rest")
    _ = changed(&stream, at: 1002) { $0.set(0, to: 0.1) }
    #expect(stream.nextSteadyTime == at(1022))
    _ = changed(&stream, at: 1003) { $0.set(0, to: 0) }
    #expect(stream.nextSteadyTime == nil)
    _ = changed(&stream, at: 1004) { $0.arm() }
    _ = stream.enterSafeState(.lift, at: at(1005))
    while stream.nextSteady(until: at(90_000)) != nil {}
    #expect(stream.nextSteadyTime == stream.line.time + .milliseconds(20), "not once a second while armed")
  }

  @Test func `values are clamped, and what makes no sense changes nothing`() {
    var model = Self.model
    model.set(0, to: 7)
    model.set(1, to: .nan)
    model.set(2, to: 1)
    model.set(9, to: 1)
    model.hold(0, true)
    model.hold(-1, true)
    model.choose(mode: 2)
    #expect(
      model.value(0) == 1 && model.value(1) == 0.25 && model.value(2) == 0 && model.value(9) == 0 && model.mode == 0)
    var other = ChannelModel([], modes: ["a"], mode: 5)
    other.arm()
    #expect(!other.isArmed && other.mode == 0)
    #expect(ChannelModel((0..<9).map { ChannelModel.Channel("c\($0)", start: 0, safe: nil) }).channels.count == 8)
  }

  // MARK: The sender's thread

  private func mailbox(_ stream: DriveStream) throws -> Mailbox {
    let mailbox = try Mailbox(stream: stream, hangLimit: .milliseconds(200), now: at(1000), asleep: { .zero })
    mailbox.note(.open, errno: 0, now: at(1000))
    return mailbox
  }

  @Test func `a loop that hangs at rest ends a held channel, and keeps an armed vehicle armed and still`() throws {
    var stream = stream()
    _ = changed(&stream, at: 1001) {
      $0.hold(2, true)
      $0.arm()
    }
    let mailbox = try mailbox(stream)
    #expect(mailbox.publish(stream, now: at(1001)))
    #expect(mailbox.job(now: at(1150)).line?.channels?.isHeld == true)
    let line = mailbox.job(now: at(1230)).line
    #expect(line?.reason == .loopHung && line?.channels?.isHeld == false && line?.channels?.isArmed == true)
    #expect(mailbox.reclaim(now: at(1240))?.channels?.isHeld == false)
  }

  @Test func `a link that is lost at rest disarms, and the consumer that comes back finds everything safe`() throws {
    var stream = stream()
    _ = changed(&stream, at: 1001) {
      $0.set(1, to: 1)
      $0.arm()
    }
    let mailbox = try mailbox(stream)
    #expect(mailbox.publish(stream, now: at(1001)))
    mailbox.note(.waiting, errno: 111, now: at(1002))
    mailbox.note(.open, errno: 0, now: at(1003))
    let line = mailbox.job(now: at(1003)).line
    #expect(
      line?.state == .safe && line?.reason == .linkLost && line?.channels?.isArmed == false
        && line?.channels?.value(1) == 0)
    #expect(!mailbox.publish(stream, now: at(1004)), "the loop's older stream is refused")
    #expect(mailbox.reclaim(now: at(1005))?.channels?.isArmed == false)
  }

  @Test func `without a consumer no channel leaves its safe value`() throws {
    var stream = stream(ChannelModel([ChannelModel.Channel("pan", start: 0, safe: 0)], canArm: true))
    let mailbox = try mailbox(stream)
    mailbox.note(.waiting, errno: 111, now: at(1001))
    #expect(mailbox.publish(stream, now: at(1002)), "what is safe may be said")
    _ = changed(&stream, at: 1003) { $0.set(0, to: 1) }
    #expect(!mailbox.publish(stream, now: at(1003)))
    #expect(mailbox.reclaim(now: at(1004))?.channels?.value(0) == 0)
  }
}
