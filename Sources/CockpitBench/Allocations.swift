import Foundation

/// What the frames of a steady drag allocated.
struct Allocations: Codable, Sendable {
  /// What was done meanwhile.
  var use: String
  /// Frames that were painted meanwhile.
  var frames: Int
  /// By the program's own code: the cockpit, its libraries, Swift's runtime.
  var own: Int
  /// By the shared libraries that it uses.
  var libraries: Int
  /// Bytes of the program's own memory that were more afterwards than before.
  var growth: Int
  /// The ways to them, the most frequent first, as lines for people.
  var ways: [String]

  /// The figures in a line.
  var summary: String {
    let library = String(format: "%.1f", Double(libraries) / Double(max(frames, 1)))
    return "\(use), \(frames) frames: \(own) allocations by own code, \(library) a frame by libraries, "
      + "memory \(growth < 0 ? "" : "+")\(growth / 1024) KiB"
  }

  /// The aims that they are held to.
  var aims: [Aim] {
    [
      Aim(
        text: "allocations for a frame by own code, \(use)",
        measured: frames == 0 ? .infinity : Double(own) / Double(frames), limit: 0, unit: "")
    ]
  }
}
