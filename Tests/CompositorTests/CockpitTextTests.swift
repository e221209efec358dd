import CompositorLab
import Glibc
import Testing

extension RealCompositors {
  /// Text by Debian's own input method and on-screen keyboard on sway, into a field of the cockpit's.
  @Suite(.needs(.sway)) struct CockpitTextTests {
    /// A field at a known place, and the session in a file: a replay of it says what the field holds.
    private static let scene = #"{"type": "View", "subviews": [{"type": "TextField", "frame": [20, 20, 400, 48]}]}"#

    private func startCockpit(on compositor: Compositor) throws -> ClientProcess {
      _ = try compositor.output(of: ["sh", "-c", "printf '%s' '\(Self.scene)' >field.json"])
      return try compositor.launch(
        [
          Product.cockpit.path, "--scene", "field.json", "--log", "window,input:debug", "--record",
          "session.jsonl",
        ], joinsErrors: true)
    }

    private func give(_ hands: ClientProcess, _ commands: String...) throws {
      for command in commands {
        try hands.send(command)
        #expect(try hands.line() == "ok")
      }
    }

    /// Ends the cockpit; true when its field held `draft`.
    private func hasDraft(_ draft: String, _ cockpit: ClientProcess, on compositor: Compositor) throws -> Bool {
      #expect(try cockpit.terminate() == .exited(0))
      let tree = try compositor.output(
        of: [Product.cockpit.path, "--replay", "session.jsonl", "--no-window", "--dump-tree"])
      return String(decoding: tree, as: UTF8.self).contains("\"draft\": \"\(draft)\"")
    }

    @Test func `two Chinese characters are composed by fcitx5`() throws {
      let compositor = try Compositor(.sway, .init(width: 960, height: 540))
      _ = try compositor.output(
        of: [
          "sh", "-c",
          """
          mkdir -p fcitx5 && printf '%s\\n' '[Groups/0]' Name=Default 'Default Layout=us' DefaultIM=chewing \
          '[Groups/0/Items/0]' Name=chewing Layout= '[GroupOrder]' 0=Default >fcitx5/profile
          """,
        ])
      let method = try compositor.launch(
        ["fcitx5", "--disable=all", "--enable=keyboard,wayland,waylandim,chewing", "-D"], joinsErrors: true)
      let hands = try compositor.launch([Product.input.path, "960x540"])
      #expect(try hands.line() == "ready")
      _ = try method.line { $0.contains("Loaded addon chewing") }
      let cockpit = try startCockpit(on: compositor)
      _ = try cockpit.line { $0.contains("960 x 540") }
      try give(hands, "pointer motion 200 44", "pointer press", "pointer release")
      _ = try cockpit.line { $0.contains("text input: 4 changes") }
      // Keys that come before fcitx5 has woken its method go past it, and nothing tells when it has.
      sleep(2)
      // ㄋㄧˇ and ㄏㄠˇ on the keys of the standard layout, then Enter for the first proposal.
      for code in [31, 22, 4, 46, 38, 4] {
        // No faster than people type: fcitx5 loses a key that comes with its own answer to the last one.
        usleep(300_000)
        try give(hands, "key press \(code)", "key release \(code)")
        _ = try cockpit.line { $0.contains("text input:") }
      }
      try give(hands, "key press 28", "key release 28")
      _ = try cockpit.line { $0.contains("an input method entered 6 bytes") }
      #expect(try hasDraft("你好", cockpit, on: compositor))
    }

    @Test(.needs(.kwin)) func `fingers alone type "gear 7" on squeekboard, which opens for the field`() throws {
      let compositor = try Compositor(.sway, .init(width: 960, height: 540, hasTouchscreen: true))
      _ = try compositor.output(
        of: [
          "sh", "-c",
          """
          mkdir -p glib-2.0/settings && printf '%s\\n' '[org/gnome/desktop/a11y/applications]' \
          screen-keyboard-enabled=true '[org/gnome/desktop/input-sources]' 'sources=[("xkb","us")]' >glib-2.0/settings/keyfile
          """,
        ])
      let hands = try compositor.handsBelongTo.launch([Product.input.path, "960x540"])
      #expect(try hands.line() == "ready")
      let keyboard = try compositor.launch(
        ["dbus-run-session", "--", "squeekboard"], environment: ["GSETTINGS_BACKEND": "keyfile"])
      let cockpit = try startCockpit(on: compositor)
      _ = try cockpit.line { $0.contains("960 x 540") }
      func tap(_ x: Int, _ y: Int, until isPressed: () throws -> Void = {}) throws {
        try give(hands, "touch down 0 \(x) \(y)", "touch frame")
        try isPressed()
        try give(hands, "touch up 0", "touch frame")
      }
      // squeekboard takes what is held for less than a frame of its own for nothing: a key is held until it is lit.
      func tapKey(_ x: Int, _ y: Int) throws {
        func key(_ picture: Picture) -> Picture { picture.cropped(x: x - 12, y: y - 12, width: 24, height: 24) }
        let before = key(try compositor.screenshot())
        try tap(x, y) { _ = try compositor.screenshot { key($0) != before } }
      }
      // squeekboard may show and hide itself once when it starts, and nothing tells when it listens: a person would tap again
      // where it is not there once all is quiet.
      var (hasFocus, isOpen) = (false, false)
      for _ in 0..<5 where !(hasFocus && isOpen) {
        try tap(200, 44)
        while let line = try? cockpit.line(within: .seconds(1)) {
          if line.contains("text input:") { hasFocus = true }
          if line.contains("window:") { isOpen = line.contains("960 x 270") }
        }
      }
      #expect(hasFocus && isOpen)
      // The keys of its wide layout are there when they are seen.
      _ = try compositor.screenshot { $0[480, 506] == $0[400, 506] && $0[480, 506] != $0[480, 200] }
      for (x, y) in [(480, 371), (263, 304), (132, 371), (339, 304), (480, 506)] {
        try tapKey(x, y)
        _ = try cockpit.line { $0.contains("an input method entered 1 bytes") }
      }
      func seven(_ picture: Picture) -> Picture { picture.cropped(x: 580, y: 280, width: 60, height: 48) }
      let letters = try compositor.screenshot()
      try tapKey(132, 506)
      _ = try compositor.screenshot { seven($0) != seven(letters) }
      try tapKey(609, 304)
      _ = try cockpit.line { $0.contains("an input method entered 1 bytes") }
      #expect(try hasDraft("gear 7", cockpit, on: compositor))
      withExtendedLifetime(keyboard) {}
    }
  }
}
