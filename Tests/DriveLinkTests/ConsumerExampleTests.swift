import CLinux
import Glibc
import Linux
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// A program with a pipe at either end.
final class Program {
  private let identifier: pid_t
  private let input: Int32
  let output: Consumer
  /// Its own, so that a stop that one test leaves latched stops no other test.
  private let runtime: TemporaryFolder

  init(_ words: [String], runtime: TemporaryFolder? = nil) throws {
    let runtime = try runtime ?? TemporaryFolder()
    self.runtime = runtime
    let words = ["env", "XDG_RUNTIME_DIR=\(runtime.path)"] + words
    var (toIt, fromIt): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    try #require(cockpit_pipe(&toIt) == 0 && cockpit_pipe(&fromIt) == 0)
    let (identifier, failure) = spawnProcess(words) {
      posix_spawn_file_actions_adddup2(&$0, toIt[0], 0)
      posix_spawn_file_actions_adddup2(&$0, fromIt[1], 1)
    }
    try #require(failure == 0)
    self.identifier = identifier
    close(toIt[0])
    close(fromIt[1])
    input = toIt[1]
    output = Consumer(fromIt[0])
  }

  deinit {
    closeInput()
    kill(identifier, SIGKILL)
    waitpid(identifier, nil, 0)
  }

  /// The examples' folder.
  static let examples: String = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/docs/examples"
  }()

  func signal(_ number: Int32) { kill(identifier, number) }

  func send(_ text: String) { _ = (text + "\n").withCString { write(input, $0, strlen($0)) } }

  private(set) var isInputOpen = true

  func closeInput() {
    if isInputOpen { close(input) }
    isInputOpen = false
  }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct ConsumerExampleTests {
  private func program(_ place: String, watchdog: Double = 0.3) throws -> Program {
    try Program(["python3", "\(Program.examples)/drive_consumer.py", place, "--watchdog", "\(watchdog)"])
  }

  /// Drives from the first line on: a consumer that has missed one waits until the driver lets go.
  private func begin(_ program: Program, _ stream: inout DriveStream) {
    program.send(text(of: stream.line))
    #expect(program.output.line(within: .seconds(20)) == "throttle +0.000 steering +0.0000 brake (ready, start)")
    program.send(driving(&stream, steering: 0.1))
    #expect(program.output.line() == "throttle +0.600 steering +0.1000 (driving, none)")
  }

  private func driving(_ stream: inout DriveStream, steering: Double) -> String {
    _ = stream.update(
      DriveCommand(gear: 6, throttle: 0.6, steering: steering, isHeld: true), holdCount: stream.line.sequence,
      at: .system)
    return text(of: stream.line)
  }

  @Test func `it acts on lines, and stops by its own watchdog when they stay away`() throws {
    let program = try program("-")
    var stream = DriveStream(rate: 30, at: .system)
    program.send(text(of: stream.line))
    #expect(program.output.line(within: .seconds(20)) == "throttle +0.000 steering +0.0000 brake (ready, start)")
    program.send(driving(&stream, steering: -0.25))
    #expect(program.output.line() == "throttle +0.600 steering -0.2500 (driving, none)")
    let silence = MonotonicTime.system
    #expect(program.output.line() == "throttle +0.000 steering +0.0000 brake (no line in time)")
    let waited = MonotonicTime.system - silence
    #expect(waited > .milliseconds(200) && waited < .seconds(2), "\(waited)")
    // Lines that come again drive nothing before the driver has let go.
    program.send(driving(&stream, steering: 0.5))
    #expect(program.output.line() == "throttle +0.000 steering +0.0000 brake (driving, but let go first)")
    _ = stream.enterSafeState(.hidden, at: .system)
    program.send(text(of: stream.line))
    #expect(program.output.line() == "throttle +0.000 steering +0.0000 brake (safe, hidden)")
    program.send(driving(&stream, steering: 0.25))
    #expect(program.output.line() == "throttle +0.600 steering +0.2500 (driving, none)")
  }

  @Test(arguments: [
    "", "nonsense", "{}", "[1]", String(repeating: "[", count: 1024),
    #"{"v":2,"seq":9,"throttle":1,"steering":0,"brake":false,"horn":false,"state":"driving","reason":"none"}"#,
    #"{"v":0,"seq":9,"throttle":1,"steering":0,"brake":false,"horn":false,"state":"driving","reason":"none"}"#,
    #"{"v":true,"seq":9,"throttle":1,"steering":0,"brake":false,"horn":false,"state":"driving","reason":"none"}"#,
    #"{"v":1,"seq":9,"throttle":true,"steering":0,"brake":false,"horn":false,"state":"driving","reason":"none"}"#,
    #"{"v":1,"seq":9,"throttle":"1","steering":0,"brake":false,"horn":false,"state":"driving","reason":"none"}"#,
    #"{"v":1,"seq":9,"throttle":1,"steering":0,"brake":0,"horn":false,"state":"driving","reason":"none"}"#,
    #"{"v":1,"seq":true,"throttle":1,"steering":0,"brake":false,"horn":false,"state":"driving","reason":"none"}"#,
    #"{"v":1,"seq":9,"throttle":1e9,"steering":0,"brake":false,"horn":false,"state":"driving","reason":"none"}"#,
    #"{"v":1,"seq":9,"throttle":NaN,"steering":0,"brake":false,"horn":false,"state":"driving","reason":"none"}"#,
  ])
  func `it stops at a line that it can't read`(bad: String) throws {
    let program = try program("-", watchdog: 30)
    var stream = DriveStream(rate: 30, at: .system)
    begin(program, &stream)
    program.send(bad)
    let line = try #require(program.output.line())
    #expect(line.hasPrefix("throttle +0.000 steering +0.0000 brake (unreadable: "))
  }

  @Test func `it stops at the end of the stream`() throws {
    let program = try program("-", watchdog: 30)
    var stream = DriveStream(rate: 30, at: .system)
    begin(program, &stream)
    program.closeInput()
    #expect(program.output.line() == "throttle +0.000 steering +0.0000 brake (the stream ended)")
  }

  @Test func `it listens where the sender connects, again and again`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/car"
    let program = try program("unix:\(path)", watchdog: 30)
    for round in 1...2 {
      var stream = DriveStream(rate: 30, at: .system)
      let sender = try DriveSender(to: .unix(path: path), stream: stream)
      #expect(program.output.line(within: .seconds(20)) == "throttle +0.000 steering +0.0000 brake (ready, start)")
      _ = driving(&stream, steering: Double(round) / 10)
      #expect(sender.publish(stream))
      #expect(program.output.line() == "throttle +0.600 steering +0.\(round)000 (driving, none)")
      _ = stream.enterSafeState(.closed, at: .system)
      #expect(sender.publish(stream))
      sender.finish()
      #expect(program.output.line() == "throttle +0.000 steering +0.0000 brake (safe, closed)")
      #expect(program.output.line() == "throttle +0.000 steering +0.0000 brake (the stream ended)")
    }
  }
}
