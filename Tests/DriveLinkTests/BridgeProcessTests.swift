import FoundationEssentials
import Glibc
import Linux
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// Tests of `bridge:NAME:PLACE`: a bridge that is started, sends telemetry, ends, refuses its options or is missing. A script plays the bridge.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BridgeProcessTests {
  private let folder: TemporaryFolder
  private var stream = DriveStream(rate: 50, at: .system)

  init() throws { folder = try TemporaryFolder() }

  /// A program that says who it is, repeats each line to a file, and does `end`.
  private func program(_ end: String) throws -> String {
    let path = "\(folder.path)/bridge"
    let text = """
      #!/usr/bin/env python3
      import os, signal, socket, sys
      own = os.getsid(0) == os.getpid() and signal.getsignal(signal.SIGPIPE) is not None
      print("what a bridge prints is no line of the cockpit's")
      link = socket.socket(fileno=3)
      records = link.type == socket.SOCK_SEQPACKET
      link.send(b'{"battery": 0.5, "warnings": ["%s %s %s"]}\\n' % (sys.argv[1].encode(), sys.argv[2].encode(), str(own and records).encode()))
      file = open("\(folder.path)/lines", "ab", buffering=0)
      def received():
          try:
              return link.recv(4096)
          except ConnectionResetError:  # The cockpit left telemetry unread.
              return b""
      while data := received():
          file.write(data)
          \(end)
      file.write(b"end\\n")
      """
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
    defer { close(descriptor) }
    let written = text.withCString { write(descriptor, $0, strlen($0)) }
    try #require(written == text.utf8.count)
    return path
  }

  private func lines() -> [String] {
    let bytes = (try? FileReader.bytes(of: "\(folder.path)/lines", atMost: 1 << 20)) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  private func sender(_ program: String) throws -> DriveSender {
    let mailbox = try Mailbox(stream: stream, hangLimit: .seconds(60), now: .system)
    return try DriveSender(
      mailbox, to: .bridge(receiver: "donkey:192.168.4.1"), lookup: NameLookup(), program: program)
  }

  private func wait(_ isTrue: () -> Bool) throws {
    let deadline = MonotonicTime.system + .seconds(10)
    while !isTrue() {
      try #require(MonotonicTime.system < deadline)
      usleep(2000)
    }
  }

  private mutating func drive(_ sender: DriveSender, steering: Double) -> DriveReason {
    let command = DriveCommand(gear: 3, throttle: 0.3, steering: steering, isHeld: true)
    _ = stream.update(command, holdCount: stream.line.sequence, at: .system)
    if !sender.publish(stream), let other = sender.reclaim() { stream = other }
    return stream.line.reason
  }

  private func warning(_ sender: DriveSender) throws -> String? {
    var warning: String?
    try wait {
      warning = sender.takeSaid()?.warnings.first
      return warning != nil
    }
    return warning
  }

  @Test mutating func `a bridge gets its receiver, a session of its own and every line, and tells`() throws {
    let sender = try sender(try program("pass"))
    #expect(try warning(sender) == "fd:3 donkey:192.168.4.1 True")
    try wait { sender.report.status == .open && !lines().isEmpty }
    #expect(drive(sender, steering: 0.5) == .none)
    try wait { lines().last?.contains("\"steering\":0.5000") == true }
    sender.finish()
  }

  @Test func `the end of the cockpit is the end of the bridge's input`() throws {
    do {
      let sender = try sender(try program("pass"))
      try wait { !lines().isEmpty }
      sender.finish()
    }
    try wait { lines().last == "end" }
  }

  @Test mutating func `a bridge that dies is a lost link, and the next one gets no command of before`() throws {
    let sender = try sender(try program("if b'driving' in data: os.kill(os.getpid(), signal.SIGKILL)"))
    try wait { sender.report.status == .open && !lines().isEmpty }
    _ = drive(sender, steering: 0.25)
    try wait { sender.report.connections == 2 }
    try wait { lines().last?.contains("\"reason\":\"link-lost\"") == true }
    #expect(drive(sender, steering: 0.3) == .linkLost)
    sender.finish()
  }

  @Test func `a bridge that refuses its options is not started again`() throws {
    let sender = try sender(try program("sys.exit(2)"))
    try wait { sender.report.status == .ended }
    #expect(sender.report.connections == 1)
  }

  private func start() throws -> (bridge: BridgeProcess, link: Int32) {
    var link: Descriptor?
    let bridge = try #require(try BridgeProcess(program("pass"), receiver: "donkey:x", socket: &link))
    let number = link.take()?.take() ?? -1
    try #require(number >= 0)
    return (bridge, number)
  }

  /// Starts a bridge and forgets it while it runs, as a sender that ends does.
  private func startAndForget() throws -> (process: pid_t, link: Int32) {
    let started = try start()
    #expect(started.bridge.exitCode == nil)
    return (started.bridge.process, started.link)
  }

  @Test func `a bridge that nothing asks any more is collected when it ends`() throws {
    let forgotten = try startAndForget()
    close(forgotten.link)
    // A dead process that is not collected can still be sent a signal.
    try wait { kill(forgotten.process, 0) != 0 && errno == ESRCH }
  }

  @Test func `a running bridge needs no thread, which the system might refuse`() throws {
    let started = try start()
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map {
      // A thread that has ended meanwhile has no name.
      let name = (try? FileReader.bytes(of: "/proc/self/task/\($0)/comm", atMost: 64)) ?? []
      return String(decoding: name.prefix { $0 != 10 }, as: UTF8.self)
    }
    #expect(!names.contains("bridge"), "\(names)")
    close(started.link)
    // Its code depends on whether it had begun to speak.
    try wait { started.bridge.exitCode != nil }
  }

  @Test func `a bridge that is not installed is looked for again, and its error is told`() throws {
    let sender = try sender("\(folder.path)/nothing")
    try wait { sender.report.errno == ENOENT }
    #expect(sender.report.status == .waiting)
    let path = try program("pass")
    rename(path, "\(folder.path)/nothing")
    try wait { sender.report.status == .open }
    sender.finish()
  }
}
