import ControlHarness
import ControlTools
import Controls
import Glibc
import Testing
import UICore

@testable import cockpit_viewing

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

  @Test func `a good command line`() throws {
    for (line, distance, display, size) in [
      ("a.json --viewer 700mm", 700.0, nil, nil), ("--viewer=70cm a.json", 700, nil, nil),
      ("--viewer 0.7m a.json --display 21.7x13.6cm", 700, Size(width: 217, height: 136), nil),
      (
        "a.json --viewer=10m --display=217x136mm --size 800x480", 10_000, Size(width: 217, height: 136),
        Size(width: 800, height: 480)
      ),
    ] as [(String, Double, Size?, Size?)] {
      let options = try ViewingOptions(line.split(separator: " ").map(String.init))
      #expect(options.file == "a.json" && options.distance == distance, "\(line)")
      #expect(options.display == display && options.size == size, "\(line)")
    }
  }

  @Test(arguments: [
    "", "a.json", "--viewer 700mm", "a --viewer", "a --viewer 700", "a --viewer 9mm", "a --viewer 11m", "a --viewer mm",
    "a --viewer nanmm", "a --viewer 1m --display 217x136", "a --viewer 1m --display 217mm",
    "a --viewer 1m --display 217mmx136mm", "a --viewer 1m --size 0x8", "a --viewer 1m --size 8x32768", "a -v",
    "a --gear=3",
  ])
  func `an error on the command line is one line`(line: String) {
    let error = #expect(throws: ViewingError.self) { try ViewingOptions(line.split(separator: " ").map(String.init)) }
    #expect(error?.exitCode == 2 && error?.description.contains("\n") == false)
  }

  /// A run's output, both streams together, and its exit status.
  private func run(_ arguments: String) throws -> (output: String, status: Int32) {
    let program = try #require(realpath("/proc/self/exe", nil))
    defer { free(program) }
    let folder = String(cString: program).split(separator: "/").dropLast().joined(separator: "/")
    let pipe = try #require(
      popen(
        "env -u WAYLAND_DISPLAY -u WAYLAND_SOCKET XDG_RUNTIME_DIR=/nowhere timeout 20 /\(folder)/cockpit-viewing \(arguments) 2>&1",
        "r"))
    var output = ""
    var buffer = [CChar](repeating: 0, count: 4096)
    while let part = fgets(&buffer, 4096, pipe).map({ String(cString: $0) }) { output += part }
    return (output, (pclose(pipe) >> 8) & 0xff)
  }

  @Test func `the program lists the texts that are too small, and ends with 1 if there are any`() throws {
    let name = "/tmp/cockpit-viewing-\(getpid()).json"
    defer { unlink(name) }
    let file = fopen(name, "w")
    fputs(
      "{\"type\": \"View\",\n  \"subviews\": [{\"type\": \"Label\", \"text\": \"HI\", \"fontSize\": 12, \"frame\": [0, 0, 99, 20]}]}",
      file)
    fclose(file)
    let near = try run("\(name) --viewer 300mm --display 217x136mm --size 1280x800")
    #expect(near.status == 0 && near.output.hasPrefix("\(name) is good (300 mm, 217 x 136 mm, the"), "\(near)")
    let far = try run("\(name) --viewer 700mm --display 217x136mm --size 1280x800")
    let lines = far.output.split(separator: "\n")
    #expect(
      far.status == 1 && lines.count == 2 && lines[0].hasPrefix("cockpit-viewing: \(name):2:16: subviews[0]: "),
      "\(far)")
    #expect(
      lines.last?.hasPrefix("cockpit-viewing: \(name): 1 of 1 texts are too small (700 mm, 217 x 136 mm)") == true)
    let unknown = try run("\(name) --viewer 700mm")
    #expect(unknown.status == 2 && unknown.output.contains("add --display"), "\(unknown)")
    #expect(try run("/nowhere --viewer 700mm --display 217x136mm").status == 1)
    #expect(try run("--help") == (ViewingOptions.help, 0))
  }
}
