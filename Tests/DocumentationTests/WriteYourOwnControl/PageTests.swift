import Foundation
import Testing

/// The test that the page and the code that it quotes are the same.
@Suite struct PageTests {
  @Test func `every block of Swift on the page stands in the sources beside this test, line for line`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let package = folder.appendingPathComponent("../../..").standardizedFileURL
    let page = try String(contentsOf: package.appendingPathComponent("docs/write-your-own-control.md"), encoding: .utf8)
    var sources = ""
    for name in ["DialDrag", "Dial", "DialApp", "DialTests"] {
      sources += try String(contentsOf: folder.appendingPathComponent("\(name).swift"), encoding: .utf8)
    }
    let blocks = page.matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map { String($0.1) }
    #expect(blocks.count >= 7)
    for block in blocks { #expect(sources.contains(block), "not in the sources:\n\(block)") }
    for name in ["draw(", "beginTracking", "handleKey", "verifyScreenshots", "register(Dial", "openWindow"] {
      #expect(blocks.contains { $0.contains(name) }, "the page says nothing of \(name)")
    }
  }
}
