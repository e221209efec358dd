import FoundationEssentials

/// An empty folder that only its owner may enter. It is removed with its contents when this object goes.
///
/// No process is started to remove it: a new child would hold the descriptors of other tests open for a moment.
package final class TemporaryFolder: Sendable {
  /// The folder's path.
  package let path = "/tmp/cockpit-\(UInt64.random(in: 0 ... .max))"

  package init() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates or replaces a file; a reader sees the old text or the new one.
  package func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"), options: .atomic)
  }

  /// The paths of all files and folders inside, relative to the folder, sorted.
  package var contents: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
