// Runs the scanner over a target's `protocols.list` before the target is built.

import Foundation
import PackagePlugin

@main struct WaylandBindings: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) async throws -> [Command] {
    let root = context.package.directoryURL
    guard let source = target.sourceModule else { return [] }
    let list = source.directoryURL.appending(path: "protocols.list")
    let text = try String(contentsOf: list, encoding: .utf8)
    var inputs = [list]
    var outputs = [context.pluginWorkDirectoryURL.appending(path: "InterfaceTable+Generated.swift")]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2, ["protocol", "overlay", "uses"].contains(words[0]) else { continue }
      guard let file = locate(words[1], root: root) else {
        Diagnostics.error(
          "\(words[1]) is missing: install it with `apt-get install libwayland-dev wayland-protocols`")
        return []
      }
      inputs.append(file)
      guard words[0] == "protocol" else { continue }
      let name = file.deletingPathExtension().lastPathComponent
      outputs.append(context.pluginWorkDirectoryURL.appending(path: "\(name).swift"))
    }
    return [
      .buildCommand(
        displayName: "Wayland bindings for \(target.name)", executable: try context.tool(named: "WaylandScanner").url,
        arguments: [
          list.path, target.name == "WaylandServer" ? "server" : "client", root.path,
          context.pluginWorkDirectoryURL.path,
        ], inputFiles: inputs,
        outputFiles: outputs)
    ]
  }

  /// The protocol file in the package, or where Debian's packages install it.
  private func locate(_ name: String, root: URL) -> URL? {
    let folders = [
      root.path, "/usr/share/wayland", "/usr/share/wayland-protocols", "/usr/local/share/wayland-protocols",
    ]
    return folders.map { URL(fileURLWithPath: "\($0)/\(name)") }.first {
      FileManager.default.fileExists(atPath: $0.path)
    }
  }
}
