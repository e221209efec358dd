// Owns the entry of libFuzzer for everything that reads what others wrote (JSON, lines, scenes, records, keymaps, video), and for the rasteriser.
// Must not know how it is built: scripts/fuzz.sh does.

import CLinux
import ControlTools
import Controls
import DriveLink
import Glibc
import UICore

@testable import JSON
@testable import Shell
@testable import cockpit

/// The reader that COCKPIT_READER names.
private enum Reader: String {
  /// JSON, as files and as lines.
  case json
  /// Telemetry, and the values that records are made of.
  case line
  /// Layout files.
  case scene
  /// Recorded sessions.
  case record
  /// Keymaps of compositors.
  case keymap
  /// Outlines.
  case raster
  /// What cameras and video servers send.
  case stream
  /// What the cockpit and the helper that fetches video say to each other.
  case video

  @MainActor static let chosen: Reader = {
    guard let name = getenv("COCKPIT_READER"), let reader = Reader(rawValue: String(cString: name)) else {
      complain("COCKPIT_READER names no reader: json, line, scene, record, keymap, raster, stream or video")
      exit(2)
    }
    return reader
  }()
}

/// One input, on the thread that libFuzzer's main function runs on.
@_cdecl("LLVMFuzzerTestOneInput") public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  MainActor.assumeIsolated {
    switch Reader.chosen {
    case .json: readJSON(bytes)
    case .line: readLine(bytes)
    case .scene: readScene(bytes)
    case .record: readRecord(bytes)
    case .keymap: readKeymap(bytes)
    case .raster: drawOutline(bytes)
    case .stream: readStream(bytes)
    case .video: readVideoMessage(bytes)
    }
  }
  return 0
}

/// Ends the run when what must hold does not: libFuzzer keeps the input.
func require(_ holds: Bool, _ rule: StaticString) {
  guard !holds else { return }
  complain("broken: \(rule)")
  abort()
}

private func complain(_ text: String) {
  let line = text + "\n"
  _ = line.utf8CString.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
}

/// Read as a file and as a line; what is read is written and read again.
private func readJSON(_ bytes: [UInt8]) {
  var file: JSONValue?
  do throws(JSONError) {
    file = try JSONValue(bytes, .file)
  } catch {
    require((0...bytes.count).contains(error.offset) && !error.message.isEmpty, "a mistake is within the text")
    require(error.place == TextPlace(offset: error.offset, in: bytes), "a mistake has its line")
    require(TextPlace(of: error.path, in: bytes).line <= error.place.line, "a mistake is not before its value")
  }
  guard let line = JSONValue(line: bytes) else { return }
  require(line == file, "a line is a file")
  require(JSONValue(line: line.jsonText.utf8) == line, "what is written is read again")
}

/// Read whole as a value and as telemetry, and in pieces as a stream.
private func readLine(_ bytes: [UInt8]) {
  let value = JSONValue(line: bytes)
  if let said = Telemetry(line: bytes) {
    require(
      value != nil || String(decoding: bytes, as: UTF8.self).contains { "NI".contains($0) }, "telemetry is a value")
    require(abs(said.speed ?? 0) <= 9999, "speed within its range")
    require((0...1).contains(said.battery ?? 0) && said.warnings.count <= 4, "battery and warnings within their ranges")
  }
  var (whole, pieces) = (TelemetryLines(), TelemetryLines())
  let all = whole.take(bytes)
  var merged: Telemetry?
  for byte in bytes {
    guard let next = pieces.take([byte]) else { continue }
    if merged == nil { merged = next } else { merged?.merge(next) }
  }
  require(whole.count == pieces.count && whole.malformed == pieces.malformed, "pieces count as the whole")
  require(all == merged, "pieces say what the whole says")
}

/// Shown, or rejected with a reason.
@MainActor private func readScene(_ bytes: [UInt8]) {
  do throws(LayoutFileError) {
    let scene = try CockpitScene(file: LayoutFile(text: String(decoding: bytes, as: UTF8.self), name: "fuzz"))
    scene.resize(to: Size(width: 480, height: 320), scale: .one)
    scene.handle(.willEnterForeground)
    scene.handle(.didBecomeActive)
    scene.prepareFrame(for: .zero)
    _ = scene.takeDamage()
  } catch {
    require(!error.description.isEmpty, "an error says something")
  }
}

/// Played, or rejected with a reason; never an impossible command.
@MainActor private func readRecord(_ bytes: [UInt8]) {
  guard let session = try? RecordedSession(bytes, name: "fuzz"),
    // A day of steady lines would be played too, for an hour.
    let last = session.events.last, last.time - session.header.start < .seconds(60),
    let replayer = try? Replayer(session, name: "fuzz")
  else { return }
  replayer.onLine = { line in
    let command = line.command
    require((-1...1).contains(command.throttle) && (-1...1).contains(command.steering), "commands within their ranges")
    require(command.gear != 0 || command.throttle == 0, "no throttle in N")
    require(line.state == .driving || (command.gear == 0 && command.steering == 0), "neutral and centre unless driving")
  }
  replayer.begin()
  while replayer.nextTime != nil { replayer.playNext() }
}

/// Used or refused.
@MainActor private func readKeymap(_ bytes: [UInt8]) {
  let descriptor = bytes.withUnsafeBytes { SharedFile.descriptor(of: $0) }
  guard descriptor >= 0 else { return }
  defer { close(descriptor) }
  guard let keymap = Keymap(descriptor: descriptor, size: bytes.count) else { return }
  for number in [UInt32(0), 1, 8, 36, 255, 256, 0x8000_0000, .max] {
    keymap.updateModifiers(depressed: number, latched: number, locked: number, group: number)
    _ = (keymap.key(code: number), keymap.text(code: number), keymap.symbol(code: number), keymap.repeats(code: number))
    _ = keymap.modifiers
  }
}

/// A file without a name.
private enum SharedFile {
  static func descriptor(of bytes: UnsafeRawBufferPointer) -> CInt {
    let descriptor = cockpit_memfd("fuzz")
    guard descriptor >= 0 else { return -1 }
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let written = write(descriptor, start, rest.count)
      guard written > 0 else { break }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
    return descriptor
  }
}
