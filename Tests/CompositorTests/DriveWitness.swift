import Foundation
import Glibc
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
final class DriveWitness {
  /// A line that did not come in time.
  struct Missing: Error {
    /// The required content.
    let words: [String]
  }

  private let path: String
  private var listener: Int32 = -1
  private var stream: Int32 = -1
  private var unread = ""

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
    if stream >= 0 { close(stream) }
  }

  /// Closes its sockets like a killed receiver, listens again at the same path, and returns once the cockpit has connected.
  func restart() throws {
    end()
    unread = ""
    unlink(path)
    try listenForCockpit()
    acceptCockpit()
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
  func acceptCockpit() { stream = accept(listener, nil, nil) }

  /// The overload below, with the words as arguments.
  func line(
    _ words: String..., within limit: Duration = .seconds(15), alsoWatching probe: Int32 = -1
  ) throws -> (arrival: ContinuousClock.Instant, hangUp: ContinuousClock.Instant?, text: String) {
    try line(words, within: limit, alsoWatching: probe)
  }

  /// The next line with all these words, and when it came. Earlier lines are dropped, later ones kept. With `probe`, also waits
  /// for that socket to hang up, and returns when it did; poll reports both, as in the cockpit.
  func line(
    _ words: [String], within limit: Duration = .seconds(15), alsoWatching probe: Int32 = -1
  ) throws -> (arrival: ContinuousClock.Instant, hangUp: ContinuousClock.Instant?, text: String) {
    let start = ContinuousClock.now
    var hangUp: ContinuousClock.Instant?
    var arrival: ContinuousClock.Instant?
    var text = ""
    while true {
      while arrival == nil, let line = nextUnread() {
        if words.allSatisfy({ line.contains($0) }) { (arrival, text) = (.now, line) }
      }
      if let arrival, probe < 0 || hangUp != nil { return (arrival, hangUp, text) }
      if try poll(probe: hangUp == nil ? probe : -1) { hangUp = .now }
      if start.duration(to: .now) > limit { throw Missing(words: words) }
    }
  }

  /// The next `count` lines. Steady lines come 30 times a second, so this is also a way to wait.
  func lines(_ count: Int, within limit: Duration = .seconds(15)) throws -> [String] {
    let start = ContinuousClock.now
    var lines: [String] = []
    while lines.count < count {
      if let line = nextUnread() {
        lines.append(line)
      } else {
        _ = try poll(probe: -1)
      }
      if start.duration(to: .now) > limit { throw Missing(words: ["\(count) lines"]) }
    }
    return lines
  }

  /// The next `count` lines, decoded.
  func next(_ count: Int) throws -> [DriveLine] { try lines(count).map(DriveLine.init) }

  private func nextUnread() -> String? {
    guard let end = unread.firstIndex(of: "\n") else { return nil }
    defer { unread.removeSubrange(...end) }
    return String(unread[..<end])
  }

  /// Waits for bytes, at most 100 ms; returns whether `probe` hung up.
  private func poll(probe: Int32) throws -> Bool {
    var entries = [
      pollfd(fd: stream, events: Int16(POLLIN), revents: 0), pollfd(fd: probe, events: 0, revents: 0),
    ]
    _ = Glibc.poll(&entries, 2, 100)
    if entries[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(stream, &bytes, bytes.count, 0)
      try #require(count > 0, "the cockpit is gone")
      unread += String(decoding: bytes[..<count], as: UTF8.self)
    }
    return entries[1].revents != 0
  }
}

extension Duration {
  /// The duration in milliseconds with one decimal.
  var inMilliseconds: String {
    let value = Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    return "\((value * 10).rounded() / 10) ms"
  }
}
