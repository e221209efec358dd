import Foundation
import Glibc

/// A file of counts that a measured program shares with the bench; the layout is that of `struct allocations`.
final class AllocationTable {
  /// A way through the program to an allocation.
  struct Site {
    var count: Int
    /// True where the program's own code asked for the memory, false where a shared library did.
    var isOwn: Bool
    /// Where in the program the calls came from, innermost first; nil for shared libraries' code.
    var stack: [UInt64?]
  }

  /// The file: `COCKPIT_ALLOCATIONS` in the program's environment.
  let path = NSTemporaryDirectory() + "cockpit-bench-allocations-\(getpid())"
  private let words: UnsafeMutablePointer<UInt64>
  private static let header = 6
  private static let sites = 1024
  private static let depth = 24
  private static let wordsPerSite = 2 + depth
  private static let byteCount = (header + sites * wordsPerSite) * 8

  init() throws(BenchError) {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system(operation: path, errno: errno) }
    defer { close(file) }
    guard ftruncate(file, AllocationTable.byteCount) == 0,
      let mapped = mmap(nil, AllocationTable.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      mapped != UnsafeMutableRawPointer(bitPattern: -1)
    else { throw .system(operation: "mmap", errno: errno) }
    words = mapped.assumingMemoryBound(to: UInt64.self)
  }

  isolated deinit {
    munmap(words, AllocationTable.byteCount)
    unlink(path)
  }

  /// True while the program's allocations are counted.
  var isCounting: Bool {
    get { words[0] != 0 }
    set { words[0] = newValue ? 1 : 0 }
  }

  /// True once the program has loaded the library.
  var isThere: Bool { words[3] != 0 }

  /// Forgets all that was counted; not while anything is.
  func clear() {
    for index in 4..<AllocationTable.byteCount / 8 { words[index] = 0 }
  }

  /// Allocations that the program's own code asked for.
  var own: Int { Int(words[4]) }

  /// Allocations that shared libraries asked for.
  var libraries: Int { Int(words[5]) }

  /// The ways to allocations, the most frequent first.
  var ways: [Site] {
    let (base, start, end) = (words[1], words[2], words[3])
    let all = (0..<AllocationTable.sites).map { words + AllocationTable.header + $0 * AllocationTable.wordsPerSite }
    return all.prefix { $0[0] > 0 }.map { site in
      let addresses = (2..<AllocationTable.wordsPerSite).map { site[$0] }.prefix { $0 != 0 }
      return Site(
        count: Int(site[0]), isOwn: site[1] != 0,
        stack: addresses.map { $0 >= start && $0 < end ? $0 - base : nil })
    }
    .sorted { $0.count > $1.count }
  }
}
