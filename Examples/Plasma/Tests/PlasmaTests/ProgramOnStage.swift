import Foundation
import Stage
import Testing

/// A program that runs as a client of a stage. It may be any Wayland client, in any language.
final class ProgramOnStage {
  let stage: Stage
  private let process = Process()
  private let folder: URL

  /// Starts `program`; every rule that it breaks is an issue of the test.
  init(_ program: URL, stage: Stage) throws {
    self.stage = stage
    stage.onViolation = { Issue.record("\($0)") }
    folder = FileManager.default.temporaryDirectory.appending(path: "stage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    setenv("XDG_RUNTIME_DIR", folder.path, 1)
    try #require(stage.listen(as: "stage-0"))
    process.executableURL = program
    process.environment = ProcessInfo.processInfo.environment.merging(["WAYLAND_DISPLAY": "stage-0"]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  /// Refreshes the screen until `condition` is true; an issue after ten seconds.
  func wait(_ reason: Comment, until condition: () -> Bool) throws {
    let end = Date.now + 10
    while !condition() {
      try #require(Date.now < end && process.isRunning, reason)
      var socket = pollfd(fd: stage.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&socket, 1, 4)
      stage.step()
      stage.nextRefresh()
      stage.step()
    }
  }

  /// Asks the program to close its window and waits for its end; returns its exit status.
  func close() throws -> Int32 {
    stage.toplevel.close()
    try wait("it ends") { stage.clients.allSatisfy { $0.end != nil } }
    process.waitUntilExit()
    try FileManager.default.removeItem(at: folder)
    return process.terminationStatus
  }
}
