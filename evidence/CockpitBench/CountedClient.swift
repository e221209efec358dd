import CLinux
import Foundation
import Glibc
import Stage
import UICore

/// A client in lockstep with the stage: this process decides what time it is for both, and goes on only once the client has read
/// everything and waits. So the client does the same on every machine, however slow, and under valgrind.
///
/// Time passes from one refresh to the next, and stops at each time that the client waits for.
final class CountedClient {
  let stage: Stage
  private(set) var child: Child
  private let name: String
  private let table: CountedTable
  private let wake: Int32
  private let compositor: MeasuringCompositor
  private var isPainted: Bool { stage.frontSurface?.isMapped == true }

  /// How the client is run.
  struct Tools {
    /// The folder with `clock.so`, and `counter` for valgrind (evidence/counted).
    var folder: String
    /// The tool of valgrind that runs the client, with its options: "counter" for instructions, system calls and bytes; nil runs it
    /// without. It is up to fifty times slower.
    var valgrind: [String]?
    /// Counts instructions, system calls and bytes.
    static let counter = ["--tool=counter"]

    /// A file of `struct allocations`, and the library that writes it; nil to count no allocations.
    var allocations: (table: String, library: String)?
  }

  /// Starts the client, and lets it come to rest with its first image.
  init(_ client: ClientSpecification, size: PixelSize, tools: Tools) throws(BenchError) {
    name = client.name
    compositor = try MeasuringCompositor(size: size)
    stage = compositor.stage
    table = try CountedTable()
    table.now = stage.clock.now
    wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard wake >= 0 else { throw .system(operation: "eventfd", errno: errno) }
    let words = tools.valgrind.map { ["/usr/bin/env", "valgrind", "--quiet"] + $0 } ?? []
    guard let socket = stage.connectClient(isRemote: true) else { throw .system(operation: "socketpair", errno: errno) }
    defer { close(socket) }
    // The client inherits both.
    for descriptor in [socket, wake] { _ = fcntl(descriptor, F_SETFD, 0) }
    var environment = try CountedClient.environment(compositor, tools)
    environment["WAYLAND_SOCKET"] = "\(socket)"
    environment["COCKPIT_COUNTED"] = table.path
    environment["COCKPIT_COUNTED_WAKE"] = "\(wake)"
    child = try Child(words + client.words + ["--size", size.text], environment: environment, output: .inherited)
    try pass(.seconds(3))
    guard isPainted else { throw .client(name: name, "paints nothing in lockstep") }
  }

  isolated deinit {
    child.end()
    close(wake)
  }

  /// The client's environment: the same fonts on every machine, no random hashing, and no variable of the user's that could change what
  /// the client does. (The counter makes every processor look the same.)
  private static func environment(
    _ compositor: MeasuringCompositor, _ tools: Tools
  ) throws(BenchError) -> [String: String] {
    var variables = ["PATH", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"]
      .reduce(into: [String: String]()) { $0[$1] = compositor.environment[$1] }
    let folder = variables["XDG_RUNTIME_DIR"] ?? "/tmp"
    let fonts = """
      <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
      <fontconfig><cachedir>/var/cache/fontconfig</cachedir><cachedir>\(folder)/fonts</cachedir>
      <dir>/usr/share/fonts/opentype/inter</dir><dir>/usr/share/fonts/truetype/dejavu</dir></fontconfig>
      """
    do {
      try fonts.write(toFile: folder + "/fonts.conf", atomically: true, encoding: .utf8)
    } catch {
      throw .usage("\(folder): \(error.localizedDescription)")
    }
    variables["HOME"] = folder
    variables["LANG"] = "C.UTF-8"
    variables["FONTCONFIG_FILE"] = folder + "/fonts.conf"
    variables["SWIFT_DETERMINISTIC_HASHING"] = "1"
    if tools.valgrind == Tools.counter { variables["VALGRIND_LIB"] = tools.folder }
    variables["COCKPIT_ALLOCATIONS"] = tools.allocations?.table
    variables["LD_PRELOAD"] = ([tools.folder + "/clock.so"] + [tools.allocations?.library].compactMap(\.self))
      .joined(separator: ":")
    return variables
  }

  /// The counts while `isCounting`, and all wake-ups.
  var counts: Counts { table.counts }

  /// True to count instructions, system calls and bytes from the next wait of the client on. Until then it is faster.
  var isCounting: Bool {
    get { table.isCounting }
    set { table.isCounting = newValue }
  }

  // MARK: Time

  /// Lets `duration` pass. Refreshes come only while the client waits for one.
  func pass(_ duration: Duration) throws(BenchError) {
    let end = stage.clock.now + duration
    while stage.clock.now < end {
      try settle()
      if stage.waitsForRefresh, nextRefresh <= end {
        try refresh()
      } else {
        try move(to: min(table.deadline ?? end, end))
      }
    }
  }

  /// Lets so many refreshes pass, and calls `act` a fifth of the way from each to the next.
  func pass(refreshes: Int, _ act: () -> Void) throws(BenchError) {
    for _ in 0..<refreshes {
      try refresh()
      try pass(times: 1, stage.refreshInterval / 5, act)
    }
  }

  /// Lets `interval` pass so many times, without a refresh, and calls `act` after each.
  func pass(times: Int, _ interval: Duration, _ act: () -> Void) throws(BenchError) {
    for _ in 0..<times {
      try move(to: stage.clock.now + interval)
      act()
      try settle()
    }
  }

  private var nextRefresh: MonotonicTime {
    let (now, interval) = (stage.clock.now.nanoseconds, stage.refreshInterval.inNanoseconds)
    return MonotonicTime(nanoseconds: now + interval - now % interval)
  }

  private func refresh() throws(BenchError) {
    try move(to: nextRefresh)
    stage.finishFrame()
    try settle()
  }

  /// Moves both clocks on to `time`, and stops at each time that the client waits for.
  private func move(to time: MonotonicTime) throws(BenchError) {
    try settle()
    while let due = table.deadline, due <= time {
      set(max(due, stage.clock.now))
      table.woken += 1
      var one: UInt64 = 1
      write(wake, &one, MemoryLayout<UInt64>.size)
      try settle()
    }
    set(time)
  }

  private func set(_ time: MonotonicTime) {
    stage.clock.now = time
    table.now = time
  }

  /// Exchanges messages until the client has read everything and waits.
  private func settle() throws(BenchError) {
    let limit = Time.now + 120_000_000_000
    while true {
      stage.exchange()
      // In this order: a client that has read everything is no longer marked as waiting.
      let isRead = stage.clients.allSatisfy { CountedClient.unread($0.connection.descriptor) == 0 }
      if isRead, table.isWaiting, !stage.hasUnreadMessages { return }
      guard !child.hasEnded else { throw .client(name: name, "ended in lockstep") }
      guard Time.now < limit else { throw .client(name: name, "does not come to rest in lockstep") }
      var poll = pollfd(fd: stage.descriptor, events: Int16(POLLIN), revents: 0)
      _ = cockpit_poll(&poll, 1, 50_000)
    }
  }

  /// The bytes that the other end of a socket has not read (SIOCOUTQ).
  private static func unread(_ descriptor: Int32) -> Int32 {
    var count: Int32 = 0
    return descriptor >= 0 && ioctl(descriptor, 0x5411, &count) == 0 ? count : 0
  }
}

/// The work of a client up to a moment; the difference of two is the work between them.
struct Counts: Sendable {
  var instructions = 0.0
  var calls = 0.0
  /// Bytes read and written by instructions, anywhere and in the window's pixels.
  var bytes = 0.0
  var pixelBytes = 0.0
  var wakeUps = 0.0

  static func - (after: Counts, before: Counts) -> Counts {
    Counts(
      instructions: after.instructions - before.instructions, calls: after.calls - before.calls,
      bytes: after.bytes - before.bytes, pixelBytes: after.pixelBytes - before.pixelBytes,
      wakeUps: after.wakeUps - before.wakeUps)
  }
}

/// The clock and the counts that a client shares with this process, with the layout of `struct counted`.
@MainActor final class CountedTable {
  let path = NSTemporaryDirectory() + "cockpit-bench-counted-\(getpid())"
  private let words: UnsafeMutablePointer<UInt64>
  private static let byteCount = 14 * 8

  init() throws(BenchError) { words = try mapShared(path, byteCount: CountedTable.byteCount) }

  isolated deinit {
    munmap(words, CountedTable.byteCount)
    unlink(path)
  }

  /// The time of the client's clocks.
  var now: MonotonicTime {
    get { MonotonicTime(nanoseconds: Int64(words[0])) }
    set { words[0] = UInt64(newValue.nanoseconds) }
  }

  /// How often the client has been woken because of a new time.
  var woken: UInt64 {
    get { words[1] }
    set { words[1] = newValue }
  }

  /// True to have the counter count, from the beginning of the client's next wait on.
  var isCounting: Bool {
    get { words[2] != 0 }
    set { words[2] = newValue ? 1 : 0 }
  }

  /// True while the client waits, and has seen the newest time that it was woken for.
  var isWaiting: Bool { words[5] == 1 && words[3] == words[1] }

  /// The time until which the client waits; nil if it waits for messages alone.
  var deadline: MonotonicTime? { words[4] == 0 ? nil : MonotonicTime(nanoseconds: Int64(words[4])) }

  var counts: Counts {
    Counts(
      instructions: Double(words[8]), calls: Double(words[7] + words[9]), bytes: Double(words[10] + words[11]),
      pixelBytes: Double(words[12] + words[13]), wakeUps: Double(words[6]))
  }
}

/// Maps a new file of zeroes at `path`, for another process to map too.
func mapShared(_ path: String, byteCount: Int) throws(BenchError) -> UnsafeMutablePointer<UInt64> {
  let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard file >= 0 else { throw .system(operation: path, errno: errno) }
  defer { close(file) }
  guard ftruncate(file, byteCount) == 0,
    let mapped = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
    mapped != UnsafeMutableRawPointer(bitPattern: -1)
  else { throw .system(operation: "mmap", errno: errno) }
  return mapped.assumingMemoryBound(to: UInt64.self)
}
