import CLinux
import Glibc
import Linux

/// Reports when a file has changed: was written and closed, or replaced by another of its name, as editors do, or when its path
/// leads to another file; for a directory, when it was created.
///
/// All that a path depends on is watched (`WatchedPath`): the directory of the file, because a program that replaces a
/// file leaves the old one unchanged; the directories of all symbolic links on the way; the directories above, which may be
/// moved; and the file itself, which may be written by another of its names.
@MainActor public final class FileWatcher {
  /// The interval between checks for a missing directory.
  private static let retryInterval = Duration.milliseconds(500)
  /// How long a file that was made may stay as it is before it counts as written. A hard link is whole when it is made, and
  /// nothing follows; whoever writes a file usually closes it at once.
  private static let settleInterval = Duration.milliseconds(100)

  private let loop: EventLoop
  private let path: String
  private let handler: () -> Void
  private let events: FileEvents
  /// The links that the path leads through, as they are watched.
  private var place: WatchedPath
  /// The directory and the watched names in it, by its watch.
  private var folders: [Int32: (path: String, names: Set<String>)] = [:]
  /// The watch of the file itself.
  private var fileWatch: Int32?
  /// The file that was reported last, or was there at the beginning.
  private var known: WatchedPath.Identity?
  /// The size of a new file, in bytes, when it was looked at last.
  private var settlingSize: Int?
  private lazy var retry = LoopTimer(loop: loop) { [unowned self] in watchAgain() }
  private lazy var settle = LoopTimer(loop: loop) { [unowned self] in settled() }

  /// Calls `handler` in `loop` after every change of the file at `path`, for as long as this object lives. The file may be
  /// missing, but its directory must exist.
  ///
  /// - Throws: `SystemError` if the directory cannot be watched.
  public init(loop: EventLoop, path: String, handler: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    self.path = path
    self.handler = handler
    guard let events = FileEvents() else {
      throw SystemError(operation: "inotify_init1", errno: errno)
    }
    self.events = events
    place = WatchedPath(path)
    guard watchAll() else {
      throw SystemError(operation: "watching \(path)", errno: path.hasSuffix("/") ? EISDIR : ENOENT)
    }
    known = place.identity
    loop.watchReadable(self.events.descriptor) { [unowned self] in read() }
  }

  isolated deinit {
    loop.unwatch(events.descriptor)
  }

  /// Watches all that the path depends on now. Returns true if the file's own directory is watched.
  private func watchAll() -> Bool {
    // What changes between following the path and watching it is found by following it again.
    for _ in 0..<8 {
      place = WatchedPath(path)
      let old = Set(folders.keys).union(fileWatch.map { [$0] } ?? [])
      (folders, fileWatch) = ([:], nil)
      for (folder, names) in place.names {
        let own = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        let inside = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE
        let mask = names.isEmpty ? own : own | inside
        if let watch = events.watch(folder, for: Int32(mask) | Int32(IN_MASK_ADD)) {
          folders[watch] = (folder, names.union(folders[watch]?.names ?? []))
        }
      }
      if place.kind == .file {
        if let watch = events.watch(place.file, for: Int32(IN_CLOSE_WRITE | IN_DONT_FOLLOW)) { fileWatch = watch }
      }
      for watch in old where folders[watch] == nil && fileWatch != watch { events.unwatch(watch) }
      if WatchedPath(path) == place { break }
    }
    return place.hasFolder && folders.values.contains { $0.path == place.folder }
  }

  /// The news of the file in a round of events.
  private struct Findings {
    /// The file was written or moved there.
    var isWritten = false
    /// The path of a file that was made and may not be written yet.
    var made: String?
    /// The path may lead elsewhere.
    var isMoved = false
    /// A directory on the way is gone.
    var isLost = false
  }

  private func read() {
    var findings = Findings()
    events.read { note($0, in: &findings) }
    if findings.isLost { return watchAgain() }
    guard findings.isWritten || findings.isMoved else { return }
    // A removed directory is reported when it exists again.
    guard watchAll() else { return watchAgain() }
    retry.time = nil
    let isOther = place.identity != nil && place.identity != known
    if let made = findings.made, made == place.file, !findings.isWritten, !isWhole {
      waitUntilSettled()
    } else if findings.isWritten || isOther {
      report()
    }
  }

  private func note(_ event: FileEvents.Event, in findings: inout Findings) {
    if event.has(Int32(IN_Q_OVERFLOW)) {
      findings.isWritten = true
    } else if event.watch == fileWatch {
      if event.has(Int32(IN_CLOSE_WRITE)) { findings.isWritten = true }
    } else if let folder = folders[event.watch] {
      if event.has(Int32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) {
        findings.isLost = true
      } else if folder.names.contains(event.name) {
        let isFile = folder.path == place.folder && event.name == place.name
        findings.isMoved = true
        if isFile, event.has(Int32(IN_CLOSE_WRITE | IN_MOVED_TO)) { findings.isWritten = true }
        if isFile, event.has(Int32(IN_CREATE)) {
          if event.has(Int32(IN_ISDIR)) { findings.isWritten = true } else { findings.made = place.file }
        }
      }
    }
  }

  private func report() {
    (settle.time, retry.time, settlingSize) = (nil, nil, nil)
    known = place.identity
    // Last, since the handler may end this object.
    handler()
  }

  /// Checks for the directory, which was removed or replaced. Once it exists it is watched, and the file counts as changed.
  private func watchAgain() {
    retry.time = nil
    if watchAll() { return report() }
    retry.time = loop.clock.now + Self.retryInterval
  }

  // MARK: Files that were made

  /// True for a file with several names: it was not made, but linked.
  private var isWhole: Bool { status.map { $0.st_nlink > 1 } ?? false }

  private var status: stat? {
    var status = stat()
    return unsafe stat(place.file, &status) == 0 ? status : nil
  }

  private func waitUntilSettled() {
    settlingSize = status.map { Int($0.st_size) }
    settle.time = loop.clock.now + Self.settleInterval
  }

  private func settled() {
    settle.time = nil
    guard let before = settlingSize, let now = status.map({ Int($0.st_size) }) else { return }
    // An empty file waits for whoever writes it.
    if now == before, now > 0 { return report() }
    if now != before { waitUntilSettled() }
  }
}
