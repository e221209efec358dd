// Owns comparing what is shown with pictures kept from before.
// Must not know views.

import Controls
import FoundationEssentials
import Testing

extension ControlHarness {
  /// Compares what is shown with the picture `name` in the folder Goldens beside the test's file.
  ///
  /// A missing picture fails; so does a difference, which leaves `name.new.png` and `name.diff.png` there. With
  /// COCKPIT_GOLDEN=record in the environment the picture is written instead. `tolerance` is how far any part of a pixel
  /// may be off, 0...255: 0 for shapes; 2 where text is shown, for other versions of the font renderer.
  public func expectGolden(
    _ name: String, tolerance: Int = 0, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    frameIfNeeded(sourceLocation: sourceLocation)
    let folder = filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let base = folder + "/Goldens/" + name
    let golden = base + ".png"
    if ProcessInfo.processInfo.environment["COCKPIT_GOLDEN"] == "record" {
      try? FileManager.default.createDirectory(atPath: folder + "/Goldens", withIntermediateDirectories: true)
      if !shown.write(to: golden) { report("\(golden) cannot be written", sourceLocation: sourceLocation) }
      return
    }
    guard let old = Snapshot.read(golden) else {
      shown.write(to: base + ".new.png")
      report("there is no golden \(golden); see \(base).new.png", sourceLocation: sourceLocation)
      return
    }
    let found = shown.difference(from: old, tolerance: tolerance)
    guard found.count > 0 || old.size != shown.size else { return }
    shown.write(to: base + ".new.png")
    shown.marked(against: old, tolerance: tolerance).write(to: base + ".diff.png")
    report(
      """
      \(name) differs from its golden in \(found.count) of \(shown.size.area) pixels by up to \(found.largest) \
      (allowed \(tolerance)), first at \(String(describing: found.first)); size \(shown.size) was \(old.size); \
      see \(base).new.png and .diff.png
      """,
      sourceLocation: sourceLocation)
  }
}
