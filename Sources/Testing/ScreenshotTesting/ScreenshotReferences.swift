import FoundationEssentials
import Glibc

/// The references of one test file: a directory of PNG files beside it, and a directory for the files of failures.
public struct ScreenshotReferences {
  /// The directory of the references, an absolute path.
  public var folder: String
  /// The directory for the files of failures, `NAME.new.png` and `NAME.diff.png`, an absolute path. It is created when needed.
  public var artifacts: String
  /// The mode: comparing or recording.
  public var recording: Recording

  /// The references in `folderName` beside the file `filePath`.
  ///
  /// `SCREENSHOT_ARTIFACTS` in `environment` names the directory for the files of failures. The default is `.build/screenshots`
  /// in the package that the file belongs to. In either directory, failures are stored under the path of the test's directory.
  /// For `SCREENSHOT_RECORD` see `Recording`.
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
    // Files of the same name beside different tests must not overwrite each other.
    artifacts += package.map { String(parent.dropFirst($0.count)) } ?? parent
  }

  /// Compares `snapshot` with the reference `name`, or makes it the reference in a recording mode.
  ///
  /// A missing reference is a failure. A failure leaves the new image and, if images differ, an image of the difference in
  /// `artifacts`; a success removes the files of an earlier failure. Characters that a file's name cannot contain become `-`.
  /// Pass nil as `snapshot` for a view that could not be drawn, which is a failure too.
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
      // Keep the file if its pixels are equal, because a different version of libpng might compress them differently.
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

  /// Writes the image, and creates its directory. Returns the path; nil if the image cannot be written.
  private func write(_ snapshot: Snapshot, to path: String) -> String? {
    try? FileManager.default.createDirectory(atPath: Self.parent(of: path), withIntermediateDirectories: true)
    return snapshot.write(to: path) ? path : nil
  }

  private func remove(_ paths: String...) {
    for path in paths { unsafe unlink(path) }
  }

  private static func parent(of path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  /// The nearest directory, from `folder` upwards, that contains a Package.swift; nil if there is no such directory.
  private static func package(around folder: String) -> String? {
    var folder = folder
    while !folder.isEmpty {
      if FileManager.default.fileExists(atPath: folder + "/Package.swift") { return folder }
      folder = parent(of: folder)
    }
    return nil
  }

  /// `name` without characters that would lead to a different directory, or that a file system refuses: each becomes `-`.
  static func fileName(_ name: String) -> String {
    let safe = name.map { $0 == "/" || $0 == "\\" || $0 == "\0" || $0.isNewline ? "-" : $0 }
    return safe.isEmpty ? "-" : String(safe)
  }
}

/// The treatment of references in this run.
nonisolated public enum Recording: Hashable, Sendable {
  /// Images are compared; a missing reference is a failure.
  case off
  /// An image without a reference becomes the reference; all others are compared.
  case missing
  /// Every image becomes its reference.
  case all

  /// The mode by `environment`: `SCREENSHOT_RECORD` is `all` (also `1`, `true`, `record`) or `missing`; any other value
  /// compares. `COCKPIT_GOLDEN=record` means `all` too. Where `CI` is set, to anything but `false` or `0`, `all` compares: left
  /// in the settings of a CI, it would let every test pass.
  public init(environment: [String: String]) {
    let isCI = !["", "false", "0"].contains(environment["CI"] ?? "")
    switch environment["SCREENSHOT_RECORD"] {
    case "all", "1", "true", "record": self = isCI ? .off : .all
    case "missing": self = .missing
    default: self = environment["COCKPIT_GOLDEN"] == "record" && !isCI ? .all : .off
    }
  }
}
