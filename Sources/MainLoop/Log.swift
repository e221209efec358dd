import Glibc

/// The part of the program that writes a log line, so that parts can be selected.
public enum LogScope: String, CaseIterable, Hashable, Sendable {
  /// The connection to the compositor, its globals and its loss.
  case connection
  /// Configures, sizes and states of windows.
  case window
  /// Frames and their times.
  case frame
  /// Shared memory and buffers.
  case buffer
  /// Seats, devices and their events.
  case input
  /// What windows' contents are told of their life, such as `didEnterBackground`.
  case lifecycle
  /// The program's own lines.
  case app
  /// The program's lines about the vehicle that it drives.
  case drive
  /// Every message to and from the compositor.
  case wayland
}

/// The level of detail of a scope's lines. Each level includes those before it.
public enum LogLevel: CaseIterable, Comparable, Hashable, Sendable {
  /// Failures only.
  case error
  /// Also the usual events, such as a new connection.
  case info
  /// Also every detail, such as each frame.
  case debug
}

/// Writes lines about the shell's work to standard error, for the chosen scopes and levels.
public enum Log {
  private static var levels: [LogScope: LogLevel] = [:]
  private static let start = SystemClock().now
  private static var repeats = LogRepeats()
  /// The number of lines dropped for lack of space since the last written one.
  private static var unread = 0

  /// A specification that could not be parsed.
  public struct SpecificationError: Error, CustomStringConvertible, Sendable {
    /// One line that lists the valid words.
    public let description: String
  }

  /// Selects the scopes and levels to log, by words like `frame:debug,input`, `all`, `all:debug`. A scope alone means `info`.
  public static func configure(_ specification: String) throws(SpecificationError) {
    levels = try levels(of: specification)
  }

  /// The level of each scope that a specification names.
  package nonisolated static func levels(
    of specification: String
  ) throws(SpecificationError) -> [LogScope: LogLevel] {
    var chosen: [LogScope: LogLevel] = [:]
    for word in specification.split(separator: ",") {
      let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
      guard let level = parts.count > 1 ? LogLevel.allCases.first(where: { "\($0)" == parts[1] }) : .info else {
        throw SpecificationError(description: "unknown log level \(parts[1]); the levels are error, info, debug")
      }
      if parts.first == "all" {
        for scope in LogScope.allCases { chosen[scope] = level }
      } else if let scope = parts.first.flatMap(LogScope.init(rawValue:)) {
        chosen[scope] = level
      } else {
        let known = LogScope.allCases.map(\.rawValue).joined(separator: ", ")
        throw SpecificationError(description: "unknown log scope \(word); the scopes are all, \(known)")
      }
    }
    return chosen
  }

  /// True if lines of `scope` at `level` are written; check it before making texts that are costly.
  public static func isOn(_ scope: LogScope, _ level: LogLevel) -> Bool {
    level <= levels[scope] ?? .error
  }

  /// Writes a line with the milliseconds since the start. The text is evaluated only if it is needed. An error that repeats is
  /// written once, and then once a second with the number of repeats.
  public static func write(_ scope: LogScope, _ level: LogLevel, _ text: @autoclosure () -> String) {
    guard isOn(scope, level) else { return }
    // First, because its first use creates it, and no line may be older.
    let start = start
    let now = SystemClock().now
    var line = "\(scope.rawValue): \(text())"
    if level == .error {
      guard let count = repeats.note(line, at: now) else { return }
      if count > 0 { line += " (\(count) more times)" }
    }
    let tenths = Int(((now - start).inSeconds * 10_000).rounded())
    let gap = unread > 0 ? "(\(unread) lines lost: nobody read them) " : ""
    if put("[\(tenths / 10).\(tenths % 10) ms] \(gap)\(line)", to: STDERR_FILENO) { unread = 0 } else { unread += 1 }
  }

  /// Writes a line of at most 4,095 bytes and its line end to `descriptor`, as far as possible without waiting: a pipe or a
  /// terminal without a reader must not stall a program that drives. Returns whether the whole line was written.
  package nonisolated static func put(_ line: String, to descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // A writable pipe accepts 4,096 bytes (PIPE_BUF) at once and in one piece.
    guard unsafe poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLOUT) != 0 else { return false }
    let bytes = line.utf8.prefix(4095) + [UInt8(ascii: "\n")]
    // A writable terminal may accept only a single byte. Open it once more to write without waiting, since O_NONBLOCK on
    // `descriptor` itself would apply to every program that shares it.
    let terminal =
      unsafe isatty(descriptor) == 1
      ? open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
    defer { if terminal >= 0 { close(terminal) } }
    return unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(terminal >= 0 ? terminal : descriptor, $0.baseAddress, $0.count)
    }
      == bytes.count
  }
}

/// Counts equal lines, so that a fault that happens 12,000 times a second writes one line a second.
nonisolated struct LogRepeats {
  /// The shortest time between two equal lines.
  static let interval = Duration.seconds(1)
  /// The number of lines that are remembered; beyond it the oldest is forgotten.
  private static let most = 32

  private var lines: [(text: String, written: MonotonicTime, unwritten: Int)] = []

  /// Records the line `text` at `now`. Returns nil if the line is only counted; otherwise the caller writes it, and the result
  /// is the number of repeats counted since it was written last.
  mutating func note(_ text: String, at now: MonotonicTime) -> Int? {
    guard let index = lines.firstIndex(where: { $0.text == text }) else {
      if lines.count == LogRepeats.most { lines.removeFirst() }
      lines.append((text, now, 0))
      return 0
    }
    guard now - lines[index].written >= LogRepeats.interval else {
      lines[index].unwritten += 1
      return nil
    }
    let count = lines.remove(at: index).unwritten
    lines.append((text, now, 0))
    return count
  }
}
