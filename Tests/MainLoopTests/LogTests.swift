import CLinux
import Foundation
import Glibc
import Testing
import UICore

@testable import MainLoop

/// Tests of the lines that the log omits, and of its users.
@MainActor @Suite(.serialized) struct LogTests {
  private func time(_ milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  @Test func `an error of 12,000 times a second is one line, then one a second that counts`() {
    var repeats = LogRepeats()
    var written: [Int] = []
    // Three seconds.
    for index in 0..<36_001 {
      if let count = repeats.note("buffer: no memory", at: MonotonicTime(nanoseconds: Int64(index) * 83_334)) {
        written.append(count)
      }
    }
    #expect(written == [0, 11_999, 11_999, 11_999])
  }

  @Test func `other lines are not kept back, and one that was silent for a second comes without a count`() {
    var repeats = LogRepeats()
    #expect(repeats.note("a", at: time(0)) == 0 && repeats.note("b", at: time(1)) == 0)
    #expect(repeats.note("a", at: time(999)) == nil && repeats.note("b", at: time(1001)) == 0)
    #expect(repeats.note("a", at: time(1000)) == 1 && repeats.note("a", at: time(2000)) == 0)
    // Lines that never come again are forgotten.
    for index in 0..<1000 { #expect(repeats.note("line \(index)", at: time(3000)) == 0) }
    #expect(repeats.note("line 999", at: time(3001)) == nil && repeats.note("line 0", at: time(3001)) == 0)
  }

  @Test func `a log that nobody reads makes nobody wait, and one whose reader has gone neither`() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    try #require(cockpit_pipe(&ends) == 0)
    let line = String(repeating: "x", count: 10_000)
    var written = 0
    // A pipe holds 16 lines of 4 KiB; the next one would wait for ever.
    while written < 100, Log.put(line, to: ends[1]) { written += 1 }
    #expect(written == 16 && !Log.put("short", to: ends[1]))
    var bytes = [UInt8](repeating: 0, count: 4096)
    #expect(read(ends[0], &bytes, bytes.count) == 4096 && bytes.last == UInt8(ascii: "\n"))
    #expect(Log.put("short", to: ends[1]))
    close(ends[0])
    #expect(!Log.put("short", to: ends[1]))
    close(ends[1])
    // Not the closed number, which another test's descriptor may have by now.
    #expect(!Log.put("short", to: -1))
  }

  @Test func `a terminal that nobody reads makes nobody wait`() throws {
    let screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTPEER, which Swift's Glibc leaves out: unlock and open the other end.
    var isLocked = Int32(0)
    try #require(screen >= 0 && ioctl(screen, 0x4004_5431, &isLocked) == 0)
    let terminal = ioctl(screen, 0x5441, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var ends: [Int32] = [-1, -1]
    try #require(terminal >= 0 && cockpit_pipe(&ends) == 0)
    let end = ends[1]
    Thread.detachNewThread {
      // A terminal's memory is not a multiple of a line: the last one fits in part only.
      var written = UInt8(0)
      while written < 100, Log.put(String(repeating: "x", count: 10_000), to: terminal) { written += 1 }
      _ = write(end, &written, 1)
    }
    var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    let hasEnded = poll(&entry, 1, 10_000) == 1
    // A writer that waits is released by this.
    close(screen)
    var written = UInt8(0)
    #expect(read(ends[0], &written, 1) == 1)
    #expect(hasEnded && (1..<100).contains(written), "\(written)")
    for number in [terminal, ends[0], ends[1]] { close(number) }
  }
}
