import Glibc
import JSON
import Testing

/// The files that people look at, as strict readers in Python see them.
enum SeenFile: String {
  case film = "read_film.py"
  case report = "read_report.py"

  struct Complaint: Error { let words: String }

  /// What the reader prints of the file at `path`. Throws what it complains about.
  func read(_ path: String) throws -> JSONValue {
    let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    let result = try shell("python3 \(folder)/\(rawValue) \(path) 2>&1")
    guard result.status == 0 else { throw Complaint(words: result.output) }
    return try JSONValue(Array(result.output.utf8), .file)
  }
}

/// Runs a shell's command without a session; returns its standard output and its exit code.
func shell(_ command: String) throws -> (output: String, status: Int32) {
  let pipe = try #require(popen("unset XDG_RUNTIME_DIR WAYLAND_DISPLAY; " + command, "r"))
  var output = ""
  var buffer = [CChar](repeating: 0, count: 4096)
  while let line = fgets(&buffer, 4096, pipe) { output += String(cString: line) }
  return (output, pclose(pipe) >> 8 & 0xff)
}
