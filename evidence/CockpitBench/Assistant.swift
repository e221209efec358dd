import CLinux
import Foundation
import Glibc

/// Assistive technology on a separate session bus. It queries the measured client while a finger drags.
@MainActor final class Assistant {
  /// Requests per drag.
  static let requestsOfDrag = 100

  /// The environment variables that point a client to the bus.
  let variables: [String: String]
  /// Nanoseconds from the last `ask()` to the latest answer.
  private(set) var duration: Int64 = 0

  private let bus: Child
  private let program: Child
  /// The pipes to the program's standard input and from its standard output.
  private let (input, output): (Int32, Int32)
  private var unread = ""
  private var asked: Int64 = 0

  /// Starts the bus with its socket in XDG_RUNTIME_DIR of `environment`, and the program (evidence/assistive/assistant.py).
  init(_ path: String, environment: [String: String]) throws(BenchError) {
    let address = "unix:path=\(environment["XDG_RUNTIME_DIR"] ?? "")/bus"
    variables = ["DBUS_SESSION_BUS_ADDRESS": address]
    let everything = environment.merging(variables) { $1 }
    // The error output of the bus and its services is not needed.
    let command = "exec dbus-daemon --session --nofork --nopidfile --address=\(address) 2>/dev/null"
    bus = try Child(["/bin/sh", "-c", command], environment: everything)
    let limit = Time.now + 10_000_000_000
    while access(String(address.dropFirst("unix:path=".count)), F_OK) != 0 {
      guard Time.now < limit, !bus.hasEnded else { throw .client(name: "dbus-daemon", "does not start") }
      usleep(1000)
    }
    func openPipe() throws(BenchError) -> [Int32] {
      var ends: [Int32] = [-1, -1]
      guard cockpit_pipe(&ends) == 0 else { throw .system(operation: "pipe", errno: errno) }
      return ends
    }
    let (questions, answers) = (try openPipe(), try openPipe())
    (input, output) = (questions[1], answers[0])
    defer {
      close(questions[0])
      close(answers[1])
    }
    program = try Child([path], environment: everything, input: questions[0], output: .descriptor(answers[1]))
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
  }

  isolated deinit {
    close(input)
    close(output)
  }

  /// Starts a drag's requests.
  func ask() throws(BenchError) {
    let line = Array("\(Self.requestsOfDrag)\n".utf8)
    guard !program.hasEnded, write(input, line, line.count) == line.count else {
      throw .client(name: "the assistant", "has ended")
    }
    asked = Time.now
  }

  /// The program's next line, or nil if none has arrived. Does not block.
  func answer() -> Substring? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(output, &bytes, bytes.count)
    if count > 0 { unread += String(decoding: bytes[..<count], as: UTF8.self) }
    guard let end = unread.firstIndex(of: "\n") else { return nil }
    defer { unread.removeSubrange(...end) }
    duration = Time.now - asked
    return unread[..<end]
  }
}
