import CLinux
import Glibc

/// The way of a path at the moment: the names on which it depends, in their directories, and the file at its end.
///
/// A path changes its meaning wherever a symbolic link on the way is made anew, in the path itself or in the target of another
/// link, and wherever a directory on the way is moved or removed.
struct WatchedPath: Hashable {
  /// A file's identity, which a new file of the same name does not share.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// The kinds of files that matter.
  enum Kind: Hashable {
    case file, directory, link
  }

  /// The names that decide what the path means, by the directory that holds them: links, and the last name. An ancestor without
  /// such a name is listed too: it may be moved.
  private(set) var names: [String: Set<String>] = [:]
  /// The last name and its directory without links; a link's target, if the path ends with a link. If something on the way is
  /// missing, that is the last.
  private(set) var folder = "/"
  private(set) var name = ""
  /// The file at the end; nil if it is missing.
  private(set) var identity: Identity?
  private(set) var kind: Kind?
  /// True if the directory that the path names exists. That of a link's target may be missing.
  private(set) var hasFolder = false

  /// The links that are followed; the kernel follows as many.
  private static let mostLinks = 40

  /// Follows `path`, from the current directory if it is relative.
  init(_ path: String) {
    var rest = Array(path.split(separator: "/").map(String.init).reversed())
    var links = 0
    /// The components that are left of the path itself; those of links' targets are not counted.
    var isOwn = true
    if !path.hasPrefix("/") { enter(Self.currentFolder) }
    list()
    guard !rest.isEmpty, !path.hasSuffix("/") else { return }
    while let next = rest.popLast() {
      if next == "." { continue }
      if next == ".." {
        folder = Self.parent(of: folder)
        continue
      }
      name = next
      let isLast = rest.isEmpty
      if isLast, isOwn { hasFolder = true }
      let whole = Self.joined(folder, name)
      guard let (kind, identity) = Self.look(whole) else {
        names[folder, default: []].insert(name)
        return
      }
      switch kind {
      case .link:
        names[folder, default: []].insert(name)
        links += 1
        if isLast { isOwn = false }
        guard links <= Self.mostLinks, let target = Self.target(of: whole) else { return }
        rest += target.split(separator: "/").map(String.init).reversed()
        if target.hasPrefix("/") { folder = "/" }
        list()
      case .directory where !isLast:
        folder = whole
        list()
      case .file, .directory:
        names[folder, default: []].insert(name)
        guard isLast else { return }
        (self.kind, self.identity) = (kind, identity)
      }
    }
  }

  /// Lists the directory that was reached.
  private mutating func list() { names[folder, default: []].formUnion([]) }

  /// Begins at `path`, and lists it with its ancestors.
  private mutating func enter(_ path: String) {
    for part in path.split(separator: "/") {
      list()
      folder = Self.joined(folder, String(part))
    }
  }

  /// The path of the file at the end.
  var file: String { Self.joined(folder, name) }

  // MARK: The file system

  private static func joined(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }

  private static func parent(of folder: String) -> String {
    guard let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { return "/" }
    return String(folder[..<slash])
  }

  private static var currentFolder: String {
    guard let raw = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(raw) }
    return unsafe String(cString: raw)
  }

  /// The kind of `path`, without following a link.
  private static func look(_ path: String) -> (kind: Kind, identity: Identity)? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFLNK: .link
      case S_IFDIR: .directory
      default: .file
      }
    return (kind, Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
  }

  private static func target(of link: String) -> String? {
    var name = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = unsafe readlink(link, &name, name.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
