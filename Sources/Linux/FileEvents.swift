import Glibc

/// The kernel's reports of what happens to files and in directories. Wait until `descriptor` is readable, and call `read`.
package struct FileEvents: ~Copyable, Sendable {
  /// One thing that happened.
  package struct Event {
    /// The number of the watch that reports it; -1 if reports were lost.
    package let watch: Int32
    /// The entry of the watched directory that it happened to; empty if it happened to what is watched itself.
    package let name: String
    private let mask: UInt32

    fileprivate init(_ raw: inotify_event, name: String) { (watch, mask, self.name) = (raw.wd, raw.mask, name) }

    /// True for an event of a kind in `mask`, which is made of the kernel's `IN_` constants.
    package func has(_ mask: Int32) -> Bool { self.mask & UInt32(bitPattern: mask) != 0 }
  }

  /// How many bytes one system call takes; an event with the longest name has fewer than 300.
  private static let chunk = 4096

  /// The descriptor to wait for.
  package var descriptor: Int32 { events.number }
  private let events: Descriptor

  /// Watches nothing yet; nil if the system has no room for it, for the reason in `errno`.
  package init?() {
    guard let events = Descriptor(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))) else { return nil }
    self.events = events
  }

  /// Watches the file or directory at `path` for the kinds of events in `mask`. Returns the number of the watch, which is the same
  /// for a file that is watched already; nil if the system refuses it, for the reason in `errno`.
  package func watch(_ path: String, for mask: Int32) -> Int32? {
    let watch = unsafe inotify_add_watch(events.number, path, UInt32(bitPattern: mask))
    return watch >= 0 ? watch : nil
  }

  /// Ends a watch.
  package func unwatch(_ watch: Int32) { inotify_rm_watch(events.number, watch) }

  /// Passes on what has happened, oldest first, without waiting.
  package func read(_ body: (Event) -> Void) {
    unsafe withUnsafeTemporaryAllocation(
      byteCount: Self.chunk, alignment: MemoryLayout<inotify_event>.alignment
    ) { buffer in
      while true {
        let count = unsafe Glibc.read(events.number, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = unsafe buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let text = unsafe buffer[start..<min(start + Int(event.len), count)].prefix { $0 != 0 }
          body(unsafe Event(event, name: String(decoding: text, as: UTF8.self)))
          offset = start + Int(event.len)
        }
      }
    }
  }
}
