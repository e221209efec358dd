// Writes Swift bindings for the protocols of a list file: `WaylandScanner LIST client|server ROOT OUTPUT-FOLDER`.
// Protocol files are searched for in ROOT (the package), then where Debian installs them.

import Foundation

let searchPath = ["/usr/share/wayland", "/usr/share/wayland-protocols", "/usr/local/share/wayland-protocols"]

func run() throws {
  let words = CommandLine.arguments
  guard words.count == 5, let side = Bindings.Side(rawValue: words[2]) else {
    throw ScannerError(description: "usage: WaylandScanner LIST client|server ROOT OUTPUT-FOLDER")
  }
  let folders = [words[3]] + searchPath
  let bindings = try Bindings(listFile: words[1], side: side) { name in
    folders.map { "\($0)/\(name)" }.first { FileManager.default.fileExists(atPath: $0) } ?? name
  }
  var index = 0
  for (path, file) in bindings.files {
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let text = ClassEmitter(bindings: bindings).emit(file, firstIndex: index)
    try write(text, to: "\(words[4])/\(name).swift")
    index += file.interfaces.count
  }
  try write(TableEmitter(bindings: bindings).emit(), to: "\(words[4])/InterfaceTable+Protocols.swift")
}

/// Writes `text` to the file at `path` unless that is its content already: a newer file would be compiled again.
func write(_ text: String, to path: String) throws {
  guard (try? String(contentsOfFile: path, encoding: .utf8)) != text else { return }
  try text.write(toFile: path, atomically: true, encoding: .utf8)
}

do {
  try run()
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
