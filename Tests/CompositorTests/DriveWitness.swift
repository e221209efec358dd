import CLinux
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

/// The contents of a drive line.
struct DriveLine: Decodable {
  /// R, N, or 1 and up.
  let gear: String
  /// From -1 to 1.
  let throttle: Double
  /// From -1 to 1.
  let steering: Double
  /// `ready`, `driving` or `safe`.
  let state: String
  /// Whether a finger, a button or a key is on a control.
  let held: Bool

  init(_ line: String) throws { self = try JSONDecoder().decode(DriveLine.self, from: Data(line.utf8)) }
}

/// A receiver of drive lines on a socket.
///
/// A thread reads the lines as they arrive, whatever the test is waiting for: a consumer that reads nothing for 300 ms is a lost link
/// for the cockpit.
final class DriveWitness {
  /// A line that did not come in time.
  struct Missing: Error {
    /// The required content.
    let words: [String]
  }

  private let path: String
  private var listener: Int32 = -1
  private var inbox = DriveInbox(stream: -1)

  /// Listens at `path`, which must not exist.
  init(path: String) throws {
    self.path = path
    try listenForCockpit()
  }

  deinit { end() }

  private func listenForCockpit() throws {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = DriveWitness.with(path) { bind(listener, $0, $1) }
    try #require(bound == 0 && listen(listener, 1) == 0)
  }

  private func end() {
    close(listener)
    inbox.end()
  }

  /// Closes its sockets like a killed receiver, listens again at the same path, and returns once the cockpit has connected.
  func restart() throws {
    end()
    unlink(path)
    try listenForCockpit()
    try acceptCockpit()
  }

  /// Calls `body` with the address of the socket at `path`.
  static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) { raw in
      raw.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Waits for the cockpit's connection.
  func acceptCockpit() throws {
    let stream = cockpit_accept(listener)
    try #require(stream >= 0)
    inbox = DriveInbox(stream: stream)
    Thread.detachNewThread { [inbox] in inbox.run() }
  }

  /// Begins to watch `probe`, which nothing else may read, for a hang-up of its other side. Returns once the thread watches it.
  func watch(_ probe: Int32) throws {
    inbox.state.withLock { ($0.probe, $0.isProbeWatched, $0.hangUp) = (probe, false, nil) }
    try wait(["a watched probe"], within: .seconds(15)) { $0.isProbeWatched ? () : nil }
  }

  /// The overload below, with the words as arguments.
  func line(
    _ words: String..., within limit: Duration = .seconds(15)
  ) throws -> (arrival: ContinuousClock.Instant, text: String) {
    try line(words, within: limit)
  }

  /// The next line with all these words, and when it came. Earlier lines are dropped, later ones kept.
  func line(
    _ words: [String], within limit: Duration = .seconds(15)
  ) throws -> (arrival: ContinuousClock.Instant, text: String) {
    try wait(words, within: limit) { inbox in
      let index = inbox.lines.firstIndex { line in words.allSatisfy(line.text.contains) }
      defer { inbox.lines.removeFirst(index.map { $0 + 1 } ?? inbox.lines.count) }
      return index.map { inbox.lines[$0] }
    }
  }

  /// Drops the lines that have come.
  func forgetLines() { inbox.state.withLock { $0.lines.removeAll() } }

  /// All lines of this connection.
  var heard: [String] { inbox.state.withLock(\.heard) }

  /// When the watched socket hung up.
  func hangUp(within limit: Duration = .seconds(15)) throws -> ContinuousClock.Instant {
    try wait(["a hang-up"], within: limit) { $0.hangUp }
  }

  /// The next `count` lines. Steady lines come 30 times a second, so this is also a way to wait.
  func lines(_ count: Int, within limit: Duration = .seconds(15)) throws -> [String] {
    try wait(["\(count) lines"], within: limit) { inbox in
      guard inbox.lines.count >= count else { return nil }
      defer { inbox.lines.removeFirst(count) }
      return inbox.lines.prefix(count).map(\.text)
    }
  }

  /// The next `count` lines, decoded.
  func next(_ count: Int) throws -> [DriveLine] { try lines(count).map(DriveLine.init) }

  /// Waits until `find` returns a value.
  private func wait<Value>(
    _ words: [String], within limit: Duration, for find: (inout DriveInbox.State) -> Value?
  ) throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
      let (found, isClosed) = inbox.state.withLock { (find(&$0), $0.isClosed) }
      if let found { return found }
      try #require(!isClosed, "the cockpit is gone")
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { throw Missing(words: words) }
      _ = inbox.news.wait(timeout: .now() + .nanoseconds(Int(left / .nanoseconds(1))))
    }
  }
}

/// The lines of one connection, and the thread that reads them.
private final class DriveInbox: Sendable {
  struct State {
    /// The lines that no test has asked for.
    var lines: [(arrival: ContinuousClock.Instant, text: String)] = []
    /// All lines.
    var heard: [String] = []
    /// The bytes of a line that is not complete.
    var rest: [UInt8] = []
    /// A socket whose hang-up is awaited; -1 to await no hang-up.
    var probe: Int32 = -1
    var isProbeWatched = false
    /// When the probe hung up.
    var hangUp: ContinuousClock.Instant?
    /// Whether the stream has ended and is closed.
    var isClosed = false
  }

  let state = Mutex(State())
  /// Signalled by each change of the state.
  let news = DispatchSemaphore(value: 0)
  private let stream: Int32

  init(stream: Int32) { self.stream = stream }

  /// Ends the stream like a killed receiver.
  func end() {
    state.withLock { if !$0.isClosed { _ = shutdown(stream, Int32(SHUT_RDWR)) } }
  }

  /// Reads until the stream ends. One `poll` reports lines and the probe's hang-up, as in the cockpit.
  func run() {
    // Other tests run at the same time: without real time, where it is granted, a line's 10 ms are the scheduler's.
    var priority = sched_param(sched_priority: 1)
    pthread_setschedparam(pthread_self(), SCHED_RR, &priority)
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isOpen = true
    while isOpen {
      let probe = state.withLock(\.probe)
      var entries = [
        pollfd(fd: stream, events: Int16(POLLIN), revents: 0), pollfd(fd: probe, events: 0, revents: 0),
      ]
      // A probe that comes meanwhile is watched from the next turn on.
      poll(&entries, 2, 10)
      let now = ContinuousClock.now
      let count = entries[0].revents == 0 ? 0 : recv(stream, &bytes, bytes.count, 0)
      isOpen = entries[0].revents == 0 || count > 0
      let isNews = state.withLock { state in
        let isNews = entries.contains { $0.revents != 0 } || state.isProbeWatched != (probe >= 0)
        state.isProbeWatched = probe >= 0
        if entries[1].revents != 0 { (state.probe, state.hangUp) = (-1, now) }
        state.take(bytes.prefix(max(0, count)), at: now)
        if !isOpen {
          state.isClosed = true
          close(stream)
        }
        return isNews
      }
      if isNews { news.signal() }
    }
  }
}

extension DriveInbox.State {
  /// Appends the lines that these bytes complete.
  fileprivate mutating func take(_ bytes: ArraySlice<UInt8>, at arrival: ContinuousClock.Instant) {
    rest += bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      heard.append(String(decoding: rest[..<end], as: UTF8.self))
      lines.append((arrival, heard[heard.count - 1]))
      rest.removeSubrange(...end)
    }
  }
}

extension Duration {
  /// The duration in milliseconds with one decimal.
  var inMilliseconds: String {
    let value = Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    return "\((value * 10).rounded() / 10) ms"
  }
}
