import ControlHarness
import ControlTools
import Controls
import Testing
import UICore

@testable import cockpit

/// Tests of the letters that a viewer can read, by known angles and by files.
@MainActor @Suite(.serialized) struct ViewingTests {
  /// A tablet of 1280 x 800 points on 217 x 136 mm, seen from 700 mm.
  private let tablet = Viewing(
    from: 700, of: Size(width: 1280, height: 800), on: Size(width: 217, height: 136))

  @Test func `letters have the angle that their height takes up at the eye`() {
    // 12 minutes of arc at 700 mm: 700 * tan(0.2 degrees) is 2.4435 mm, and 20 are 4.0724 mm.
    #expect(abs(tablet.height(of: 12) * tablet.pointHeight - 2.4435) < 0.0001)
    #expect(abs(tablet.height(of: 20) * tablet.pointHeight - 4.0724) < 0.0001)
    #expect(tablet.pointHeight == 0.17)
    for minutes in [1.0, 12, 20, 600] { #expect(abs(tablet.angle(of: tablet.height(of: minutes)) - minutes) < 1e-9) }
    // Twice as far, half as large.
    let farther = Viewing(from: 1400, of: Size(width: 1280, height: 800), on: Size(width: 217, height: 136))
    #expect(abs(farther.angle(of: 10) * 2 - tablet.angle(of: 10)) < 0.001)
  }

  private func texts(_ file: String) throws -> [ViewingCheck.Text] {
    FontLibrary.shared = ControlHarness.fonts
    return try ViewingCheck.texts(of: LayoutFile(text: file, name: "a.json"), in: Size(width: 400, height: 300))
  }

  @Test func `small labels are listed with their place, their size and the size that they need`() throws {
    let texts = try texts(
      """
      {"type": "View", "subviews": [
        {"type": "Label", "text": "large", "fontSize": 40, "frame": [0, 0, 200, 50]},
        {"type": "Button", "title": "small", "frame": [0, 60, 200, 50]},
        {"type": "Label", "text": "unseen", "fontSize": 9, "isHidden": true, "frame": [0, 120, 200, 50]}]}
      """)
    #expect(texts.map(\.text) == ["large", "small"])
    let findings = ViewingCheck.findings(texts, tablet)
    let found = try #require(findings.first)
    #expect(findings.count == 1 && found.place == "a.json:3:3: subviews[1]")
    // DejaVu's capitals are 0.729 of the font's size high.
    #expect(abs(texts[0].capitals - 40 * 0.729) < 0.1)
    #expect(abs(found.height - 16 * 0.729 * 0.17) < 0.02 && found.neededPoints == 20)
    #expect(
      found.description
        == "a.json:3:3: subviews[1]: letters of \"small\" are 2 mm high, 9.7 minutes of arc; they need 2.4 mm, a font of 20 points"
    )
  }

  @Test func `texts of one place and size share a line, which names four of them`() {
    let texts = ["1", "2", "3", "4", "5", "6"].map {
      ViewingCheck.Text(place: "a:1:1", text: $0, points: 10, capitals: 7)
    }
    let findings = ViewingCheck.findings(
      texts + [ViewingCheck.Text(place: "a:1:1", text: "7", points: 11, capitals: 8)], tablet)
    #expect(findings.count == 2)
    #expect(
      findings.first?.description.hasPrefix("a:1:1: letters of \"1\", \"2\", \"3\", \"4\" and 2 more are 1.2 mm")
        == true)
    #expect(findings.first?.text(in: .chinese).hasPrefix("a:1:1：“1”、“2”、“3”、“4”等 6 处的字高") == true)
  }

  @Test func `the texts of a view that is no file's stand where its scene does`() throws {
    let texts = try texts(
      "{\"type\": \"View\", \"subviews\": [\n{\"type\": \"InstrumentCluster\", \"margins\": [0, 0, 0, 0]}]}")
    #expect(!texts.isEmpty && texts.allSatisfy { $0.place == "a.json:2:1: subviews[0]" }, "\(texts)")
    #expect(Set(texts).count == texts.count)
  }

  @Test func `a file with a mistake is told as without a viewer`() {
    #expect(throws: LayoutFileError.self) { try texts("{\"type\": \"Viw\"}") }
  }
}
