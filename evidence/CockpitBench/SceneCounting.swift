import BenchScenes
import Foundation
import Glibc
import UICore

/// What a frame of each scene of LVGL's benchmark costs: counted, in lockstep with the stage, and timed there without the counter.
struct SceneCounting {
  /// The program that shows a scene (evidence/scenes).
  let program: String
  /// The folder of the clock and the counter.
  let tools: String
  /// The window, as large as the displays that LVGL's figures are for.
  static let size = PixelSize(width: 800, height: 480)

  /// The frames before those that are counted, in which every list gets its full capacity and each text is shown.
  private static let warmUp = 16
  private static let frames = 64
  private static let timedFrames = 300

  /// Records the figures of all scenes.
  func record(in figures: inout Figures) throws(BenchError) {
    let stripped = try StrippedProgram(program)
    for scene in BenchScene.allCases {
      Progress.show("\(scene.rawValue), counted")
      let counted = try count(ClientSpecification(name: scene.rawValue, words: [stripped.path, scene.rawValue]))
      for (name, value) in counted.values { figures.record(value, name, "", client: "Controls", scene: scene.rawValue) }
      Progress.show("\(scene.rawValue), timed")
      let time = try time(ClientSpecification(name: scene.rawValue, words: [program, scene.rawValue]))
      figures.record(time, SceneTable.time, "ms", client: "Controls", scene: scene.rawValue)
    }
  }

  private func count(_ specification: ClientSpecification) throws(BenchError) -> CountedFrames {
    let client = try CountedClient(
      specification, size: Self.size, tools: .init(folder: tools, valgrind: CountedClient.Tools.counter))
    try client.pass(refreshes: Self.warmUp) {}
    // Counted from the middle of the first of these frames on.
    client.isCounting = true
    try client.pass(refreshes: 2) {}
    return try CountedFrames(of: client) { () throws(BenchError) in try client.pass(refreshes: Self.frames) {} }
  }

  /// The milliseconds of processor time that a frame takes, in all threads of the program.
  private func time(_ specification: ClientSpecification) throws(BenchError) -> Double {
    let client = try CountedClient(specification, size: Self.size, tools: .init(folder: tools))
    try client.pass(refreshes: Self.warmUp) {}
    var commits = 0
    client.stage.onCommit = { surface, record in
      if record.hasContent, surface.role.isWindow { commits += 1 }
    }
    let before = client.child.cost.processorNanoseconds
    try client.pass(refreshes: Self.timedFrames) {}
    guard commits > 0 else { throw .client(name: specification.name, "stands still") }
    return Double(client.child.cost.processorNanoseconds - before) / 1e6 / Double(commits)
  }
}

/// The table of the scenes' figures on a page.
enum SceneTable {
  static let time = "processor time a frame"
  private static let columns = [
    ("instructions", "instructions a frame"), ("ms", time),
    ("bytes read and written", "bytes read and written a frame"),
    ("damaged pixels", "damaged pixels a frame"), ("overdraw", "overdraw factor"),
  ]

  /// A row for each scene, and how scenes differ from LVGL's.
  static func text(_ figures: Figures) -> String {
    var lines = [
      "| scene | in each frame changes | " + columns.map(\.0).joined(separator: " | ") + " |",
      "|---|---|" + columns.map { _ in "---:|" }.joined(),
    ]
    for scene in BenchScene.allCases {
      let cells = columns.map { column in
        figures[column.1, "Controls", scene.rawValue].map { Figures.full($0.median) } ?? ""
      }
      lines.append("| \(scene.rawValue) | \(scene.about) | \(cells.joined(separator: " | ")) |")
    }
    lines += ["", "What differs from LVGL's scenes:", ""]
    for scene in BenchScene.allCases where !scene.difference.isEmpty {
      lines.append("- \(scene.rawValue): \(scene.difference).")
    }
    return lines.joined(separator: "\n")
  }
}
