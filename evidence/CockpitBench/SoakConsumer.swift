import CLinux
import Foundation
import Glibc
import Linux
import Synchronization
import UICore

/// Counts of the lines that a consumer has read of a drive.
nonisolated struct SoakLines: Sendable, Equatable {
  /// A line that is read this many milliseconds after its `t` is late: docs/drive.md promises a safe line within that time.
  static let limit = 10.0

  /// The lines read.
  var read = 0
  /// The lines that newer ones replaced: the gaps in `seq`.
  var replaced = 0
  /// The lines without `seq`, `t` or `state`.
  var unreadable = 0
  /// The late lines.
  var late = 0
  /// The greatest time from a line's `t` to its arrival, in milliseconds.
  var latest = 0.0
  /// The longest time between two lines of a drive that goes on, in milliseconds.
  var longestGap = 0.0
  /// How often the cockpit connected.
  var connections = 0
  /// The newest line's state; empty before the first line.
  private(set) var state = ""
  private var sequence: Int?
  private var arrival: Int64?

  /// Begins a connection. Its first line is the newest state, however old, so its time is not judged.
  mutating func connect() {
    connections += 1
    arrival = nil
  }

  /// Reads a line that arrived at `now`, in nanoseconds of CLOCK_MONOTONIC.
  mutating func take(_ line: Substring, at now: Int64) {
    read += 1
    guard let number = field("seq", of: line).flatMap({ Int($0) }),
      let time = field("t", of: line).flatMap({ Double($0) }),
      let newState = field("state", of: line)
    else { return unreadable += 1 }
    if let sequence { replaced += max(0, number - sequence - 1) }
    if let arrival {
      let delay = Double(now) / 1e6 - time * 1e3
      latest = max(latest, delay)
      if delay > SoakLines.limit { late += 1 }
      if state == "driving" { longestGap = max(longestGap, Double(now - arrival) / 1e6) }
    }
    (sequence, arrival) = (number, now)
    state = newState.filter { $0 != "\"" }
  }

  /// The counts so far; the next ones begin at 0.
  mutating func takeCounts() -> SoakLines {
    let counts = self
    (read, replaced, unreadable, late, latest, longestGap, connections) = (0, 0, 0, 0, 0, 0, 0)
    return counts
  }
}

/// A consumer of `--drive` that reads every line as it arrives, on its own thread.
nonisolated final class SoakConsumer: Sendable {
  private struct State {
    var lines = SoakLines()
    var stream: Int32 = -1
    var isOver = false
  }

  /// The value for `--drive`.
  let place: String
  private let path: String
  private let state = Mutex(State())

  /// Listens in `folder`.
  @MainActor init(in folder: String) throws(BenchError) {
    path = folder + "/drive"
    place = "unix:\(path)"
    let listener = try BenchConsumer.listen(at: path)
    Thread.detachNewThread { [self] in
      defer { close(listener) }
      while accept(from: listener) {}
    }
  }

  /// Ends the thread.
  func end() {
    state.withLock { state in
      state.isOver = true
      shutdown(state.stream, Int32(SHUT_RDWR))
    }
  }

  /// Closes the connection, as a consumer does that is killed. The next one that the cockpit makes is accepted at once.
  func restart() {
    state.withLock { state in _ = shutdown(state.stream, Int32(SHUT_RDWR)) }
  }

  /// The newest line's state.
  var newestState: String { state.withLock { $0.lines.state } }

  /// The counts since the last call.
  func takeCounts() -> SoakLines { state.withLock { $0.lines.takeCounts() } }

  /// Waits for a connection and reads it to its end. Returns false once the consumer is to end.
  private func accept(from listener: Int32) -> Bool {
    var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    poll(&entry, 1, 200)
    let stream = cockpit_accept(listener)
    guard stream >= 0 else { return state.withLock { !$0.isOver } }
    state.withLock { state in
      state.stream = stream
      state.lines.connect()
    }
    var unread = ""
    var bytes = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = recv(stream, &bytes, bytes.count, 0)
      guard count > 0 else { break }
      let now = MonotonicTime.system.nanoseconds
      unread += String(decoding: bytes[..<count], as: UTF8.self)
      var lines = unread.split(separator: "\n", omittingEmptySubsequences: false)
      unread = lines.popLast().map(String.init) ?? ""
      state.withLock { state in
        for line in lines { state.lines.take(line, at: now) }
      }
    }
    return state.withLock { state in
      state.stream = -1
      close(stream)
      return !state.isOver
    }
  }
}
