import Glibc
import JSON
import Linux
import Stage
import TestSupport
import Testing

@testable import StageScript

/// `--film` and `--report`: what people can see of a run, however it ends.
@Suite(.serialized) struct WatchedRunTests {
  private let folder: TemporaryFolder
  private static let sources = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
  private var page: String { "\(folder.path)/page.html" }
  private var film: String { "\(folder.path)/film.png" }

  init() throws { folder = try TemporaryFolder() }

  private static func raw(_ mode: String) -> String { "python3 \(sources)/raw_client.py \(mode)" }

  /// Runs `stage run` with the steps on a client, and both files; returns what it printed without the client's output.
  private func play(
    _ steps: String, _ client: String, _ options: String? = nil, within seconds: Int = 20
  ) throws -> (output: String, status: Int32) {
    try folder.write("[\n\(steps)\n]", to: "script.json")
    let options = options ?? "--film \(film) --report \(page)"
    return try Product.stage.run(
      "run \(folder.path)/script.json --out \(folder.path) \(options) -- \(client)", within: seconds)
  }

  private func texts(_ value: JSONValue?) -> [String] { value?.items?.compactMap(\.text) ?? [] }

  /// The words, width and height of each picture of a page.
  private func pictures(_ page: JSONValue) -> [String] {
    page["pictures"]?.items?.map { "\($0.items?[0].text ?? "") \($0.items?[1].whole ?? 0)x\($0.items?[2].whole ?? 0)" }
      ?? []
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try FileReader.bytes(of: path, atMost: 64 << 20), as: UTF8.self)
  }

  // MARK: The film

  @Test func `a film has the pictures of a run with the times of the stage's clock`() throws {
    let result = try play(
      #"{do: "window"}, {do: "advance", ms: 300}, {do: "suspend"}, {do: "advance", ms: 5000}, {do: "resume"}, {do: "advance", ms: 100}"#,
      "weston-simple-shm", "--film \(film)")
    #expect(result.output.contains("6 of 6 steps carried out"), "\(result.output)")
    let said = try SeenFile.film.read(film)
    #expect(said["canvas"]?.numbers(2) == [250, 250])
    let delays = said["delays"]?.items?.compactMap(\.whole) ?? []
    // It draws with every refresh. The five seconds in which it is hidden are shortened to one.
    #expect(delays.count > 15 && delays.prefix(10).allSatisfy { (16...17).contains($0) }, "\(delays)")
    #expect(delays.dropLast().count { $0 == 1000 } == 1, "\(delays)")
  }

  @Test func `a film shows popups and further windows, and its canvas is the largest picture`() throws {
    let result = try play(
      #"{do: "window"}, {do: "advance", ms: 50}, {do: "pointer-move", x: 8, y: 8}, {do: "pointer-button"}, {do: "popup"}, {do: "advance", ms: 50}, {do: "dismiss"}, {do: "popup", count: 0}"#,
      Self.raw("polite"), "--film \(film)")
    #expect(result.output.contains("8 of 8 steps carried out"), "\(result.output)")
    let said = try SeenFile.film.read(film)
    let canvas = try #require(said["canvas"]?.numbers(2))
    #expect(canvas[0] > 120 && canvas[1] > 100, "\(canvas)")
    // The window alone, with its popup, and alone again.
    #expect(said["rects"]?.items?.count == 3)
  }

  @Test func `a client that shows no window has no film, and leaves no file`() throws {
    let result = try play(#"{do: "exit", code: 0}"#, "true", "--film \(film)")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("stage: there is no film: the client has shown no window\n"), "\(result.output)")
    #expect(!folder.contents.contains("film.png"))
  }

  // MARK: The page

  @Test func `a page has the verdict, the steps with their times, the film and the screenshots`() throws {
    let result = try play(
      #"{do: "window"}, {do: "advance", ms: 40}, {do: "screenshot", name: "shot"}, {do: "close"}, {do: "exit", code: 0}"#,
      Self.raw("polite"))
    #expect(result.status == 0, "\(result.output)")
    let said = try SeenFile.report.read(page)
    let headings = texts(said["headings"])
    #expect(headings.first?.hasPrefix("Passed ") == true && headings.contains("shot"), "\(headings)")
    let rows = said["rows"]?.items?.map(texts) ?? []
    #expect(rows.dropFirst().map { $0[2] }.prefix(2) == ["window", "advance ms 40"])
    #expect(rows.count == 6 && rows[2][1] == "2" && rows[2][4] == "40 ms" && rows[2][6] == "done", "\(rows)")
    #expect(pictures(said).contains("screenshot 120x100"), "\(pictures(said))")
    #expect(said["text"]?.text?.contains("raw_client.py polite") == true)
  }

  @Test func `a rule that the first requests break is on the page, with its request and its sentence`() throws {
    #expect(try play(#"{do: "window"}"#, Self.raw("serial")).status == 1)
    let said = try SeenFile.report.read(page)
    #expect(texts(said["headings"]).contains("violation: unknownSerial"))
    let text = said["text"]?.text ?? ""
    #expect(text.contains(Violation.Rule.unknownSerial.sentence) && text.contains("xdg_surface@"), "\(text)")
    #expect(text.contains("Nothing was shown before it.") && text.contains("Nothing was shown after it."))
  }

  @Test func `a violation has the pictures before and after it`() throws {
    let steps =
      #"{do: "window", title: "simple-touch"}, {do: "touch", ms: 300, fingers: [{path: [[50, 60], [200, 60]]}]}, {do: "advance", ms: 100}"#
    #expect(try play(steps, "weston-simple-touch").status == 1)
    let said = try SeenFile.report.read(page)
    let pictures = pictures(said)
    #expect(texts(said["headings"]).contains { $0.hasPrefix("violation: heldBufferWritten") })
    #expect(
      pictures.contains { $0.hasPrefix("the last picture before it 6") }
        && pictures.contains { $0.hasPrefix("the first picture after it 6") }, "\(pictures)")
    // Another judge of HTML has nothing to complain about.
    let tidy = try shell("tidy -q -e \(page) 2>&1")
    #expect(tidy.status == 0 && tidy.output.isEmpty, "\(tidy.output)")
  }

  @Test func `damage that lies is shown by the picture before and the one that lied`() throws {
    let steps = #"{do: "window"}, {do: "configure", width: 300, height: 300}, {do: "advance", ms: 50}"#
    _ = try play(steps, Self.raw("undamaged"))
    let said = try SeenFile.report.read(page)
    #expect(texts(said["headings"]).contains { $0.hasPrefix("violation: ") || $0.hasPrefix("advice: ") })
    #expect(pictures(said).contains("the first picture after it 120x100"), "\(pictures(said))")
  }

  @Test func `a rule that is advice at first and then ends the connection is on the page as both`() throws {
    let steps =
      #"{do: "window"}, {do: "configure", width: 300, height: 300}, {do: "advance", ms: 20}, {do: "configure", width: 400, height: 300, states: ["maximized"]}, {do: "advance", ms: 20}"#
    #expect(try play(steps, Self.raw("polite")).status == 1)
    let headings = texts(try SeenFile.report.read(page)["headings"])
    #expect(
      headings.contains { $0.hasPrefix("violation: wrongSize") }
        && headings.contains { $0.hasPrefix("advice: wrongSize") },
      "\(headings)")
  }

  @Test func `a client that crashes has a page with its last picture`() throws {
    let result = try play(#"{do: "window"}, {do: "close"}, {do: "advance", ms: 20}"#, Self.raw("crash"))
    #expect(result.status == 2)
    let said = try SeenFile.report.read(page)
    #expect(texts(said["headings"]).first?.hasPrefix("Died ") == true)
    #expect(said["text"]?.text?.contains("ended by the signal 11") == true)
    #expect(pictures(said).contains("the last picture 120x100"), "\(pictures(said))")
    #expect((said["rows"]?.items?.map(texts) ?? []).last?.last == "not reached")
    #expect(throws: Never.self) { try SeenFile.film.read(film) }
  }

  @Test func `a step that waits in vain has the picture that was shown then`() throws {
    #expect(try play(#"{do: "window"}, {do: "window", title: "other", within: 50}"#, Self.raw("polite")).status == 1)
    let said = try SeenFile.report.read(page)
    #expect(texts(said["headings"]).contains("failed: window title other within 50"))
    #expect(pictures(said).contains("what was shown then 120x100"), "\(pictures(said))")
  }

  @Test func `a client that can't be started has a page that says so`() throws {
    #expect(try play(#"{do: "idle"}"#, "/nowhere/client").status == 2)
    let said = try SeenFile.report.read(page)
    #expect(texts(said["headings"]).first?.hasPrefix("Not started ") == true)
    #expect(said["text"]?.text?.contains("can't start /nowhere/client: No such file or directory") == true)
  }

  @Test func `what a client says never becomes a part of the page`() throws {
    let evil = #"<script>alert(1)</script><img src=x onerror=alert(2)>"#
    try folder.write(
      """
      printf '%s\\n' '\(evil)' '</pre></body>' >&2
      printf '\\033[31mred\\r\\nnext\\rover\\377\\342\\200\\256\\000<b\\314\\201>'
      exec \(Self.raw("text"))
      """, to: "client.sh")
    let result = try play(
      #"{do: "window"}, {do: "focus"}, {do: "text", commit: "\#(evil)"}, {do: "window", title: "'\"<>&", within: 50}"#,
      "sh \(folder.path)/client.sh")
    #expect(result.status == 1 && result.output.contains(evil), "\(result.output)")
    let said = try SeenFile.report.read(page)
    #expect(said["text"]?.text?.contains("no such window; there is \"\(evil)\"") == true, "\(said["text"]?.text ?? "")")
    let output = said["output"]?.text ?? ""
    #expect(
      output == "\n\(evil)\n</pre></body>\n\u{241b}[31mred\nnext\u{240d}over\u{fffd}[U+202E]\u{2400}<b\u{301}>",
      "\(output)")
  }

  @Test func `of what a client prints without end, the page has the beginning and the end`() throws {
    try folder.write("seq 1000000 >&2; exec \(Self.raw("polite"))", to: "client.sh")
    let result = try Product.stage.run(
      "run \(folder.path)/script.json --report \(page) -- sh \(folder.path)/client.sh 2>/dev/null",
      writing: #"[{do: "window", within: 15000}, {do: "close"}, {do: "exit", code: 0}]"#, to: folder)
    #expect(result.status == 0, "\(result.output)")
    let said = try SeenFile.report.read(page)
    let output = said["output"]?.text ?? ""
    #expect(output.hasPrefix("\n1\n2\n3\n") && output.hasSuffix("\n999999\n1000000\n"))
    #expect(said["text"]?.text?.contains("bytes are left out here.") == true)
    #expect(try text(page).utf8.count < 400_000)
  }

  @Test func `a screenshot that differs is shown beside the expected one and the difference`() throws {
    let steps = #"{do: "window"}, {do: "advance", ms: 50}, {do: "screenshot", name: "one"}, {do: "advance", ms: 100},"#
    let result = try play(
      steps + "{do: \"screenshot\", name: \"two\", against: \"\(folder.path)/one.png\"}", "weston-simple-shm")
    #expect(result.status == 1, "\(result.output)")
    let found = pictures(try SeenFile.report.read(page))
    for words in ["screenshot", "expected", "actual", "difference"] {
      #expect(found.contains("\(words) 250x250"), "\(found)")
    }
  }

  // MARK: What goes wrong with the files

  @Test func `a stage that a signal ends writes its page, and one that is killed leaves one that says so`() throws {
    let steps = #"[{do: "window"}, {do: "advance", ms: 40}, {do: "close"}, {do: "freeze", ms: 20000}]"#
    try folder.write(steps, to: "script.json")
    func run(_ mode: String) throws -> Int32 {
      try shell(
        "XDG_RUNTIME_DIR=\(folder.path) timeout 20 \(try Product.stage.path) run \(folder.path)/script.json --film \(film) --report \(page) -- \(Self.raw(mode)) 2>/dev/null"
      ).status
    }
    #expect(try run("interrupts") == 143)
    let said = try SeenFile.report.read(page)
    #expect(texts(said["headings"]).first?.hasPrefix("Interrupted ") == true)
    #expect((said["rows"]?.items?.map(texts) ?? []).contains { $0[2].hasPrefix("advance") && $0[6] == "done" })
    #expect(throws: Never.self) { try SeenFile.film.read(film) }
    _ = try run("murders")
    #expect(try text(page) == RunPage.unfinished)
    #expect(!folder.contents.contains("film.png"))
  }

  @Test func `a full disk gives one clear error and the exit code of the run`() throws {
    let steps = #"{do: "window"}, {do: "close"}, {do: "exit", code: 0}"#
    for option in ["--report", "--film"] {
      let result = try play(steps, Self.raw("polite"), "\(option) /dev/full")
      #expect(result.status == 0)
      let errors = result.output.split(separator: "\n").filter { $0.hasPrefix("stage: ") }
      #expect(errors == ["stage: can't write /dev/full: No space left on device"], "\(result.output)")
    }
    #expect(access("/dev/full", W_OK) == 0)
    // A page of which the disk takes only a part is none.
    try folder.write("[\(steps)]", to: "script.json")
    let full = try shell(
      "trap '' XFSZ; ulimit -f 4; \(try Product.stage.path) run \(folder.path)/script.json --report \(page) -- \(Self.raw("'like a signal'")) 2>&1"
    )
    #expect(
      full.status == 1 && full.output.contains("stage: can't write \(page): File too large\n"), "\(full.output)")
    #expect(!folder.contents.contains("page.html"))
  }

  @Test func `a file that can't be written is named before the client starts`() throws {
    for option in ["--film", "--report"] {
      let result = try play(#"{do: "window"}"#, "touch \(folder.path)/started", "\(option) /nowhere/file")
      #expect(
        result.status == 64 && result.output == "stage: can't write /nowhere/file: No such file or directory\n",
        "\(result.output)")
      #expect(try play("", "true", "\(option)=").output == "stage: \(option) needs a file\n")
    }
    #expect(!folder.contents.contains("started"))
    let both = try play("", "true", "--film=\(film) --report=\(film)")
    #expect(both.status == 64 && both.output == "stage: --film and --report need two files, not \(film) for both\n")
  }

  @Test func `a run without these options has no watcher`() throws {
    let options = try Options(["--tap", "--", "true"], takes: ["tap", "film", "report"])
    #expect(try options.watcher("", Setup(), nil) == nil)
  }

  @Test func `a controller's run has the same page and film`() throws {
    try folder.write(
      """
      import sys
      sys.path.insert(0, "\(Self.sources)/../../share/stage")
      from wayland_stage import Stage
      stage = Stage("\(try Product.stage.path)", film="\(film)", report="\(page)")
      with stage.client(*"\(Self.raw("polite"))".split()) as client:
          client.window(title="raw")
          client.configure(200, 100)
          client.advance(40)
      """, to: "play.py")
    let result = try shell("timeout 30 python3 \(folder.path)/play.py 2>&1")
    #expect(result.status == 0, "\(result.output)")
    let said = try SeenFile.report.read(page)
    #expect(texts(said["headings"]).first?.hasPrefix("No complaint ") == true)
    #expect(
      (said["rows"]?.items?.map(texts) ?? []).map { $0[1] }.dropFirst() == [
        "window title raw", "configure width 200 height 100", "advance ms 40",
      ])
    // Where in the run a rule was broken is known here, too.
    #expect((said["rows"]?.items?.map(texts) ?? []).contains { $0.last?.contains("advice: ") == true })
    #expect(throws: Never.self) { try SeenFile.film.read(film) }
  }
}

/// Texts of clients on a page.
@Suite struct HTMLTextTests {
  @Test(arguments: [
    ("<a href='x'>\"&\"</a>", "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;"),
    ("one\r\ntwo\rthree\r", "one\ntwo\u{240d}three\u{240d}"),
    ("\u{1b}[0m\t\u{0}\u{7f}", "\u{241b}[0m\t\u{2400}\u{2421}"),
    ("\u{85}\u{9b}\u{fffe}", "\u{fffd}\u{fffd}\u{fffd}"), ("a\u{202e}b\u{2066}", "a[U+202E]b[U+2066]"),
    // To Swift these are one character each.
    ("<\u{301}b>", "&lt;\u{301}b&gt;"), ("&\u{20dd}", "&amp;\u{20dd}"), ("äöü 你好 👩‍🚀", "äöü 你好 👩‍🚀"),
  ])
  func `a text is no markup, and nothing in it is invisible`(text: String, escaped: String) {
    #expect(HTMLText.escaped(text) == escaped)
    #expect(HTMLText.escaped(text).unicodeScalars.elementsEqual(escaped.unicodeScalars))
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("\u{0}\u{7f}?>", "AH8/Pg==")])
  func `bytes are written in base64`(text: String, base64: String) {
    #expect(HTMLText.base64(Array(text.utf8)) == base64)
  }

  @Test func `numbers have one digit after the point at most`() {
    #expect([0, 1, 16.666_667, 0.04, 300].map(RunPage.number) == ["0", "1", "16.7", "0", "300"])
  }
}

extension Product {
  /// Writes `script` as script.json into a folder, and runs the program.
  fileprivate func run(_ arguments: String, writing script: String, to folder: TemporaryFolder) throws -> (
    output: String, status: Int32
  ) {
    try folder.write(script, to: "script.json")
    return try run(arguments, within: 30)
  }
}
