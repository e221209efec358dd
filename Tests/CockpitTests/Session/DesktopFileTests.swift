import Foundation
import Testing

@testable import cockpit

/// The cockpit's identifier, and the desktop file that gives it its icon.
@MainActor @Suite struct DesktopFileTests {
  @Test func `behaviour 34: the cockpit's identifier is the base name of its desktop file, which says so too`() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let folder = root.appending(path: "share/applications").path
    let name = WindowSession.applicationID
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(name).desktop"])
    let lines = try String(contentsOfFile: "\(folder)/\(name).desktop", encoding: .utf8).split(separator: "\n")
    #expect(lines.first == "[Desktop Entry]" && lines.contains("StartupWMClass=\(name)"))
    #expect(name.split(separator: ".").count >= 3, "a reversed domain")
  }
}
