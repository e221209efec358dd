import CompositorLab
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// The window of an input method, which KWin shows where the cockpit says that the caret is.
  @Suite(.needs(.kwin)) struct CockpitCandidateTests {
    /// fcitx5 with chewing as its only method, and with its window for candidates. Its log is in method.log.
    private static let chewing = """
      mkdir -p fcitx5
      printf '%s\\n' '[Groups/0]' Name=Default 'Default Layout=us' DefaultIM=chewing '[Groups/0/Items/0]' Name=chewing Layout= \
      '[GroupOrder]' 0=Default >fcitx5/profile
      exec fcitx5 --disable=all --enable=keyboard,wayland,waylandim,chewing,classicui --verbose=waylandim=5 -D >method.log 2>&1

      """

    /// The corner of a field.
    struct Corner: Sendable, CustomTestStringConvertible {
      var x: Int
      var y: Int
      var testDescription: String { "\(x), \(y)" }
    }

    /// The columns and rows, of those given, in which two pictures differ; nil if they are equal there.
    private func changed(
      _ picture: ScreenPicture, _ before: ScreenPicture, columns: Range<Int>, rows: Range<Int>
    ) -> (left: Int, right: Int, top: Int, bottom: Int)? {
      var box: (left: Int, right: Int, top: Int, bottom: Int)?
      for y in rows {
        for x in columns where picture[x, y] != before[x, y] {
          let old = box ?? (x, x, y, y)
          box = (min(old.left, x), max(old.right, x), min(old.top, y), max(old.bottom, y))
        }
      }
      return box
    }

    @Test(arguments: [Corner(x: 20, y: 20), Corner(x: 500, y: 300)])
    func `an input method's candidates open below the caret, and the one chosen is typed`(field: Corner) throws {
      var settings = Compositor.Settings(width: 960, height: 540)
      settings.inputMethod = Self.chewing
      let compositor = try Compositor(.kwin, settings)
      let hands = try compositor.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      func give(_ commands: String...) throws {
        for command in commands {
          try hands.send(command)
          #expect(try hands.line() == "ok")
        }
      }
      let method = try compositor.launch(["tail", "-n", "+1", "-F", "method.log"])
      _ = try method.line { $0.contains("Loaded addon chewing") }
      try compositor.write(
        "{\"type\": \"View\", \"subviews\": [{\"type\": \"TextField\", \"frame\": [\(field.x), \(field.y), 400, 48]}]}",
        to: "field.json")
      let cockpit = try compositor.launch(
        [
          Product.cockpit.path, "--fullscreen", "--beacon", "off", "--scene", "field.json", "--log",
          "window,input:debug",
        ], joinsErrors: true)
      _ = try cockpit.line { $0.contains("960 x 540") }
      // The size is logged before the window takes input.
      _ = try compositor.screenshot { $0[field.x + 200, field.y + 24] != $0[480, 200] }
      try give("pointer motion \(field.x + 200) \(field.y + 24)", "pointer press", "pointer release")
      _ = try method.line { $0.contains("ACTIVATE") }
      try give("pointer motion 480 200")
      func type(_ codes: Int...) throws {
        for code in codes {
          try give("key press \(code)")
          _ = try method.line { $0.contains("IsRelease=0") }
          try give("key release \(code)")
          _ = try method.line { $0.contains("IsRelease=1") }
        }
      }
      // ㄋㄧˇ on the keys of the standard layout; the arrow down opens the candidates.
      let columns = field.x + 2..<field.x + 398
      let empty = try compositor.screenshot()
      try type(31, 22, 4)
      let typed = try compositor.screenshot {
        changed($0, empty, columns: columns, rows: field.y + 8..<field.y + 40) != nil
      }
      let text = try #require(changed(typed, empty, columns: columns, rows: field.y + 8..<field.y + 40))
      try type(108)
      // One line of them under the first letter, to which the caret moves; it covers nothing of the text.
      var place = text
      let window = try compositor.screenshot {
        guard let box = changed($0, typed, columns: 0..<960, rows: text.bottom + 1..<540) else { return false }
        place = box
        return box.right - box.left > 200 && abs(box.left - text.left) <= 2
      }
      if let folder = getenv("COCKPIT_PICTURES") {
        try window.write(png: "\(String(cString: folder))/candidates-\(field.x).png")
      }
      #expect(place.top <= text.bottom + 8 && place.bottom < field.y + 80, "\(place) for the text at \(text)")
      #expect(changed(window, typed, columns: 0..<960, rows: 0..<field.y) == nil)
      // The second candidate, and Enter.
      try type(3, 28)
      _ = try cockpit.line { $0.contains("an input method entered 3 bytes") }
      #expect(try cockpit.terminate() == .exited(0))
    }
  }
}
