import CLinux
import Glibc
import Linux

/// Reports when a file has changed: was written and closed, or replaced by another of its name, as editors do; for a directory,
/// when it was created.
///
/// The directory is watched, not the file, because a program that replaces a file leaves the old one unchanged. For a symbolic
/// link, the directory of its target is watched too.
@MainActor public final class FileWatcher {
  /// The interval between checks for a missing directory.
  private static let retryInterval = Duration.milliseconds(500)

  private let loop: EventLoop
  private let path: String
  private let handler: () -> Void
  private let events: Descriptor
  /// The watched names, by the watch of their directory.
  private var names: [Int32: Set<String>] = [:]
  private lazy var retry = LoopTimer(loop: loop) { [unowned self] in watchAgain() }

  /// Calls `handler` in `loop` after every change of the file at `path`, for as long as this object lives. The file may be
  /// missing, but its directory must exist.
  ///
  /// - Throws: `ShellError.system` if the directory cannot be watched.
  public init(loop: EventLoop, path: String, handler: @escaping () -> Void) throws(ShellError) {
    self.loop = loop
    self.path = path
    self.handler = handler
    guard let events = Descriptor(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))) else {
      throw .system(operation: "inotify_init1", errno: errno)
    }
    self.events = events
    guard watchFolders() else { throw .system(operation: "watching \(path)", errno: errno) }
    loop.watchReadable(self.events.number) { [unowned self] in read() }
  }

  isolated deinit {
    loop.unwatch(events.number)
  }

  /// Watches the directories. Returns true if the file's own directory is watched.
  private func watchFolders() -> Bool {
    let old = names.keys
    names = [:]
    defer { for watch in old where names[watch] == nil { inotify_rm_watch(events.number, watch) } }
    if let real = unsafe realpath(path, nil) {
      unsafe watch(String(cString: real))
      unsafe free(real)
    }
    return watch(path)
  }

  @discardableResult private func watch(_ path: String) -> Bool {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard !name.isEmpty else {
      errno = EISDIR
      return false
    }
    let mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    let watch = unsafe inotify_add_watch(events.number, folder, UInt32(mask))
    guard watch >= 0 else { return false }
    names[watch, default: []].insert(name)
    return true
  }

  private func read() {
    var hasChanged = false
    var isLost = false
    unsafe withUnsafeTemporaryAllocation(byteCount: 16384, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while true {
        let count = unsafe Glibc.read(events.number, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = unsafe buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let text = unsafe buffer[start..<min(start + Int(event.len), count)].prefix { $0 != 0 }
          if event.mask & UInt32(IN_CREATE) != 0, event.mask & UInt32(IN_ISDIR) == 0 {
            // A file that was made now is not written yet.
          } else if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            hasChanged = true
          } else if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 {
            if names[event.wd] != nil { isLost = true }
          } else if unsafe names[event.wd]?.contains(String(decoding: text, as: UTF8.self)) == true {
            hasChanged = true
          }
          offset = start + Int(event.len)
        }
      }
    }
    if isLost { return watchAgain() }
    guard hasChanged else { return }
    // The link may now point elsewhere. A removed directory is reported when it exists again.
    if watchFolders() { handler() } else { watchAgain() }
  }

  /// Checks for the directory, which was removed or replaced. Once it exists it is watched, and the file counts as changed.
  private func watchAgain() {
    retry.time = nil
    if watchFolders() { return handler() }
    retry.time = loop.clock.now + Self.retryInterval
  }
}
