import Glibc
import Linux
import Testing
import UICore

@testable import DriveLink

/// Tests of what a consumer says back: who drives, and how long a line and its answer take.
@Suite(.serialized) struct AnswerTests {
  private let start = MonotonicTime.zero + .seconds(1000)
  private func at(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }
  private let command = DriveCommand(gear: 3, throttle: 0.3, steering: 0, isHeld: true)

  @Test func `nobody is judged before the first answer, and then by what is missing or late`() {
    var trip = RoundTrip(limit: .milliseconds(500))
    for line in 1...100 { trip.noteSent(UInt64(line), at: at(line * 33)) }
    #expect(trip.loss(at: at(10_000)) == nil && trip.deadline == nil)
    trip.begin()
    for line in 1...100 {
      trip.noteSent(UInt64(line), at: at(line * 33))
      trip.noteAnswer(to: UInt64(line), at: at(line * 33 + 20))
      #expect(trip.loss(at: at(line * 33 + 20)) == nil && trip.newest == .milliseconds(20))
    }
    // Of line 101 comes no answer, nor of any after it.
    for line in 101...130 { trip.noteSent(UInt64(line), at: at(line * 33)) }
    #expect(trip.deadline == at(101 * 33 + 500))
    #expect(trip.loss(at: at(101 * 33 + 499)) == nil && trip.loss(at: at(101 * 33 + 500)) == .linkLost)
    // They come, but late.
    trip.noteAnswer(to: 130, at: at(130 * 33 + 501))
    #expect(trip.deadline == nil && trip.loss(at: at(130 * 33 + 501)) == .linkSlow)
    trip.begin()
    #expect(trip.loss(at: at(130 * 33 + 501)) == nil, "a new drive is judged anew")
    trip.reset()
    #expect(!trip.hasAnswers)
  }

  @Test func `lines that no answer names are lost, and the time there and back is an average`() {
    var trip = RoundTrip(limit: .milliseconds(500))
    #expect(trip.quality == nil)
    trip.noteSent(1, at: at(0))
    #expect(trip.quality == nil, "nobody has answered yet")
    trip.noteAnswer(to: 1, at: at(10))
    #expect(trip.quality == LinkQuality(roundTrip: .milliseconds(10), loss: 0))
    // Each fourth line gets lost on the way; of the others each is named by an answer 30 ms later.
    for line in 2...101 {
      trip.noteSent(UInt64(line), at: at(line * 40))
      if line % 4 != 0 { trip.noteAnswer(to: UInt64(line), at: at(line * 40 + 30)) }
    }
    let worse = trip.quality
    #expect(
      worse?.loss == 0.25 && (worse?.roundTrip).map { (.milliseconds(29)...(.milliseconds(30))).contains($0) } == true)
    // The last hundred lines count. Those that come in between are no lines of their own: one answer names them all.
    for line in 102...201 {
      trip.noteSent(UInt64(line * 10), at: at(line * 40))
      trip.noteSent(UInt64(line * 10 + 1), at: at(line * 40 + 5))
      trip.noteAnswer(to: UInt64(line * 10 + 1), at: at(line * 40 + 12))
    }
    #expect(trip.quality?.loss == 0 && (trip.quality?.roundTrip).map { $0 < .milliseconds(13) } == true)
    // The number that one answer names twice, or that is older, changes nothing.
    trip.noteAnswer(to: 2011, at: at(9000))
    trip.noteAnswer(to: 3, at: at(9000))
    #expect(trip.quality?.loss == 0)
    trip.reset()
    #expect(trip.quality == nil)
  }

  private func answer(_ line: DriveStream.Line, _ rest: String) throws -> Telemetry {
    let id = line.identifier.map { "\($0)" } ?? ""
    return try #require(Telemetry(line: Array("{\"id\":\"\(id)\",\"ack\":\(line.sequence),\(rest)}".utf8)))
  }

  /// A mailbox of a stream that drives.
  private func driving(_ stream: inout DriveStream) throws -> Mailbox {
    let mailbox = try Mailbox(stream: stream, hangLimit: .seconds(60), now: start, asleep: { .zero })
    mailbox.note(.open, errno: 0, now: start)
    _ = stream.update(command, holdCount: 1, at: start)
    #expect(mailbox.publish(stream, now: start))
    return mailbox
  }

  @Test(arguments: [
    (#""driver":"other""#, true), (#""driver":"none","stop":"0badcafe""#, true),
    (#""driver":"none","stop":"host""#, true),
    (#""driver":"you""#, false), (#""driver":"none""#, false), (#""speed":1"#, false),
  ])
  func `a drive that the vehicle does not obey ends`(rest: String, isTaken: Bool) throws {
    var stream = DriveStream(rate: 30, identifier: DriveIdentifier(), at: start)
    let first = stream.line
    let mailbox = try driving(&stream)
    // An answer to a line before this drive says nothing of it, nor does one to another cockpit.
    mailbox.note(try answer(first, rest), now: at(1))
    var stranger = stream.line
    stranger.identifier = DriveIdentifier()
    mailbox.note(try answer(stranger, rest), now: at(1))
    #expect(mailbox.reclaim(now: at(1)) == nil)
    mailbox.note(try answer(stream.line, rest), now: at(2))
    let taken = mailbox.reclaim(now: at(2))
    #expect(taken?.line.reason == (isTaken ? .taken : nil))
    #expect(mailbox.takeSaid() != nil && mailbox.takeSaid() == nil)
  }

  @Test func `a consumer that answered and then falls silent is lost, on the network too`() throws {
    let consumer = try UDPSocket()
    var stream = DriveStream(rate: 100, identifier: DriveIdentifier(), at: .system)
    let mailbox = try Mailbox(stream: stream, hangLimit: .seconds(60), linkLimit: .milliseconds(200), now: .system)
    let sender = try DriveSender(mailbox, to: .udp(host: "127.0.0.1", port: consumer.port), lookup: NameLookup())
    var bytes = [UInt8](repeating: 0, count: 1024)
    var answered: UInt64 = 0
    func answerOne() throws -> JSON {
      var from = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &from) { raw in
        raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(consumer.descriptor, &bytes, bytes.count, 0, $0, &length)
        }
      }
      let line = try JSON(String(decoding: bytes[..<max(count, 0)], as: UTF8.self))
      answered = UInt64(line["seq"]?.number ?? 0)
      let text = "{\"id\":\"\(line["id"]?.text ?? "")\",\"ack\":\(answered),\"driver\":\"you\",\"speed\":7}"
      _ = withUnsafePointer(to: &from) { raw in
        raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(consumer.descriptor, text, text.utf8.count, 0, $0, length)
        }
      }
      return line
    }
    _ = try answerOne()
    for _ in 0..<20 {
      let now = MonotonicTime.system
      _ = stream.update(command, holdCount: 1, at: now)
      while stream.nextSteady(until: now) != nil {}
      #expect(sender.publish(stream))
      _ = try answerOne()
      usleep(10_000)
    }
    #expect(
      sender.takeSaid()?.speed == 7 && sender.quality.map { $0.roundTrip < .milliseconds(200) && $0.loss < 0.2 } == true
    )
    // From here on it reads, but says nothing: the radio back is dead.
    let end = MonotonicTime.system + .seconds(5)
    var lost: DriveStream?
    while lost == nil, MonotonicTime.system < end {
      while stream.nextSteady(until: .system) != nil {}
      if !sender.publish(stream) { lost = sender.reclaim() }
      usleep(5000)
    }
    #expect(lost?.line.reason == .linkLost && lost?.line.command == .neutral)
    close(consumer.descriptor)
  }

  @Test func `a flood of answers, or a consumer that closes its side, keeps no line back`() throws {
    let folder = try #require(mkdtemp(strdup("/tmp/cockpit-answers-XXXXXX")))
    let path = "\(String(cString: folder))/car"
    defer { rmdir(folder) }
    let listener = try Listener(path)
    let stream = DriveStream(rate: 30, at: .system)
    let mailbox = try Mailbox(stream: stream, hangLimit: .seconds(60), now: .system)
    var turns = 0
    let time = SenderTime(wait: { entries, _ in
      turns += 1
      poll(&entries, UInt(entries.count), 0)
    })
    let loop = SenderLoop(mailbox, to: Outlet(.unix(path: path)), time: time)
    #expect(loop.turn())
    let descriptor = try listener.acceptDescriptor()
    let flood = Array(String(repeating: "{\"speed\":1}\n", count: 5000).utf8)
    _ = send(descriptor, flood, flood.count, Int32(MSG_DONTWAIT))
    let begin = MonotonicTime.system
    #expect(loop.turn())
    #expect(MonotonicTime.system - begin < .milliseconds(500) && mailbox.takeSaid()?.speed == 1)
    shutdown(descriptor, Int32(SHUT_WR))
    for _ in 0..<20 { _ = loop.turn() }
    // It still reads: the link is open, and poll does not report the end again and again.
    #expect(mailbox.report().status == .open)
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, 0) == 1)
    close(descriptor)
  }
}
