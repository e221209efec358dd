import FoundationEssentials
import Glibc

/// The references of one test file: a folder of PNG files beside it, and a folder for the files of failures.
public struct ScreenshotReferences {
  /// The folder of the references, an absolute path.
  public var folder: String
  /// The folder that a failure leaves `NAME.new.png` and `NAME.diff.png` in, an absolute path; made when needed.
  public var artifacts: String
  /// The mode: comparing or recording.
  public var recording: Recording

  /// The references in `folderName` beside the file `filePath`.
  ///
  /// `SCREENSHOT_ARTIFACTS` in `environment` names the folder for the files of failures; without it that is
  /// `.build/screenshots` in the package that the file belongs to, with the references' own path inside. For
  /// `SCREENSHOT_RECORD` see `Recording`.
  public init(
    besideFile filePath: String, folderName: String = "Screenshots",
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let parent = Self.parent(of: filePath)
    folder = parent + "/" + folderName
    recording = Recording(environment: environment)
    let package = Self.package(around: parent)
    if let named = environment["SCREENSHOT_ARTIFACTS"], !named.isEmpty {
      artifacts = named.hasPrefix("/") ? named : FileManager.default.currentDirectoryPath + "/" + named
    } else if let package {
      artifacts = package + "/.build/screenshots"
    } else {
      artifacts = "/tmp/screenshots"
    }
    // Files of one name beside other tests must not take each other's place.
    artifacts += package.map { String(parent.dropFirst($0.count)) } ?? parent
  }

  /// Compares `snapshot` with the reference `name`, or makes it the reference in a recording mode.
  ///
  /// A missing reference is a failure. A failure leaves the new picture and a picture of the difference in `artifacts`;
  /// a success removes the files of an earlier failure. Characters that a file's name cannot hold become `-`. Nil
  /// stands for a view that could not be drawn, which is a failure too.
  public func verify(
    _ snapshot: Snapshot?, named name: String, tolerance: Tolerance = .exact
  ) throws(ScreenshotFailure) {
    let name = Self.fileName(name)
    let reference = "\(folder)/\(name).png"
    let new = "\(artifacts)/\(name).new.png"
    let difference = "\(artifacts)/\(name).diff.png"
    let exists = FileManager.default.fileExists(atPath: reference)
    func fail(_ reason: ScreenshotFailure.Reason, marked: Snapshot? = nil) throws(ScreenshotFailure) {
      remove(new, difference)
      throw ScreenshotFailure(problems: [
        .init(
          name: name, reason: reason, reference: reference, newPicture: snapshot.flatMap { write($0, to: new) },
          differencePicture: marked.flatMap { write($0, to: difference) })
      ])
    }
    guard let snapshot else { return try fail(.unusableSize) }
    let old = exists ? Snapshot.read(reference) : nil
    if recording == .all || (recording == .missing && !exists) {
      // Equal pixels keep the same file, even if another version of libpng would compress them otherwise.
      if let old, old == snapshot { return remove(new, difference) }
      guard write(snapshot, to: reference) != nil else { return try fail(.notWritten) }
      return remove(new, difference)
    }
    guard let old else { return try fail(exists ? .unreadableReference : .missingReference) }
    let found = snapshot.difference(from: old, levels: tolerance.levels)
    if tolerance.allows(found) { return remove(new, difference) }
    try fail(
      .different(found, size: snapshot.size, referenceSize: old.size, tolerance: tolerance),
      marked: snapshot.marked(against: old, levels: tolerance.levels))
  }

  // MARK: Files

  /// Writes the picture and makes the folders on the way; the path, or nil when it cannot be written.
  private func write(_ snapshot: Snapshot, to path: String) -> String? {
    try? FileManager.default.createDirectory(atPath: Self.parent(of: path), withIntermediateDirectories: true)
    return snapshot.write(to: path) ? path : nil
  }

  private func remove(_ paths: String...) {
    for path in paths { unlink(path) }
  }

  private static func parent(of path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  /// The nearest folder around `folder` that holds a Package.swift.
  private static func package(around folder: String) -> String? {
    var folder = folder
    while !folder.isEmpty {
      if FileManager.default.fileExists(atPath: folder + "/Package.swift") { return folder }
      folder = parent(of: folder)
    }
    return nil
  }

  /// `name` with nothing in it that would lead to another folder, or that a file system refuses.
  static func fileName(_ name: String) -> String {
    let safe = name.map { $0 == "/" || $0 == "\\" || $0 == "\0" || $0.isNewline ? "-" : $0 }
    return safe.isEmpty ? "-" : String(safe)
  }
}

/// The treatment of references in this run.
nonisolated public enum Recording: Hashable, Sendable {
  /// Pictures are compared; a missing reference is a failure.
  case off
  /// Pictures without a reference become it; the others are compared.
  case missing
  /// Every picture becomes its reference.
  case all

  /// The mode by `environment`: `SCREENSHOT_RECORD` is `all` (also `1`, `true`, `record`) or `missing`; any other value
  /// compares. `COCKPIT_GOLDEN=record` means `all` too.
  public init(environment: [String: String]) {
    switch environment["SCREENSHOT_RECORD"] {
    case "all", "1", "true", "record": self = .all
    case "missing": self = .missing
    default: self = environment["COCKPIT_GOLDEN"] == "record" ? .all : .off
    }
  }
}
