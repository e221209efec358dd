import CompositorLab
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// Text that fingers and keys enter into the cockpit's fields on sway, with Debian's input method and on-screen keyboard.
  @Suite(.needs(.sway)) struct CockpitTextTests {
    /// A field at a known position. A replay of the recorded session shows what the field held.
    private static let scene = #"{"type": "View", "subviews": [{"type": "TextField", "frame": [20, 20, 400, 48]}]}"#

    private func startCockpit(on compositor: Compositor, scene: String = scene) throws -> ClientProcess {
      _ = try compositor.output(of: ["sh", "-c", "printf '%s' '\(scene)' >field.json"])
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

    /// Ends the cockpit, and returns its last view tree, in which `draft` is the text being edited.
    private func lastTree(of cockpit: ClientProcess, on compositor: Compositor) throws -> String {
      #expect(try cockpit.terminate() == .exited(0))
      let tree = try compositor.output(
        of: [Product.cockpit.path, "--replay", "session.jsonl", "--no-window", "--dump-tree"])
      return String(decoding: tree, as: UTF8.self)
    }

    /// Ends the cockpit, and returns whether its field held `draft`.
    private func hasDraft(_ draft: String, _ cockpit: ClientProcess, on compositor: Compositor) throws -> Bool {
      try lastTree(of: cockpit, on: compositor).contains("\"draft\": \"\(draft)\"")
    }

    /// Starts fcitx5 with chewing as its only method, and with a log of its messages to and from the compositor. Keys do not
    /// repeat.
    private func startChewing(on compositor: Compositor) throws -> ClientProcess {
      try compositor.sway("input", "*", "repeat_rate", "0")
      _ = try compositor.output(
        of: [
          "sh", "-c",
          """
          mkdir -p fcitx5 && printf '%s\\n' '[Groups/0]' Name=Default 'Default Layout=us' DefaultIM=chewing \
          '[Groups/0/Items/0]' Name=chewing Layout= '[GroupOrder]' 0=Default >fcitx5/profile
          """,
        ])
      let method = try compositor.launch(
        ["fcitx5", "--disable=all", "--enable=keyboard,wayland,waylandim,chewing", "--verbose=waylandim=5", "-D"],
        joinsErrors: true)
      _ = try method.line { $0.contains("Loaded addon chewing") }
      return method
    }

    /// Presses and releases a key, each after fcitx5 has finished the one before. It loses a key that arrives together with the
    /// field's answer to the last one.
    private func type(to method: ClientProcess, press: () throws -> Void, release: () throws -> Void) throws {
      try press()
      _ = try method.line { $0.contains("IsRelease=0") }
      _ = try method.line { $0.contains("DONE") }
      try release()
      _ = try method.line { $0.contains("IsRelease=1") }
    }

    @Test func `two Chinese characters are composed by fcitx5`() throws {
      let compositor = try Compositor(.sway, .init(width: 960, height: 540))
      let method = try startChewing(on: compositor)
      let hands = try compositor.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      let cockpit = try startCockpit(on: compositor)
      _ = try cockpit.line { $0.contains("960 x 540") }
      try give(hands, "pointer motion 200 44", "pointer press", "pointer release")
      // Keys that come before fcitx5 has grabbed the keyboard bypass it.
      _ = try method.line { $0.contains("keymapCallback") }
      // ㄋㄧˇ and ㄏㄠˇ on the keys of the standard layout, then Enter for the first candidate.
      for code in [31, 22, 4, 46, 38, 4, 28] {
        try type(to: method) {
          try give(hands, "key press \(code)")
        } release: {
          try give(hands, "key release \(code)")
        }
      }
      _ = try cockpit.line { $0.contains("an input method entered 6 bytes") }
      #expect(try hasDraft("你好", cockpit, on: compositor))
    }

    /// Starts a bus that starts squeekboard when a client calls it, and runs a command on the bus. The bus ends with the command.
    private func startKeyboard(on compositor: Compositor, by command: String) throws -> ClientProcess {
      _ = try compositor.output(
        of: [
          "sh", "-c",
          """
          mkdir -p glib-2.0/settings data/dbus-1/services && printf '%s\\n' '[org/gnome/desktop/a11y/applications]' \
          screen-keyboard-enabled=true '[org/gnome/desktop/input-sources]' 'sources=[("xkb","us")]' >glib-2.0/settings/keyfile
          printf '%s\\n' '[D-BUS Service]' Name=sm.puri.OSK0 Exec=/usr/bin/squeekboard >data/dbus-1/services/sm.puri.OSK0.service
          """,
        ])
      return try compositor.launch(
        ["dbus-run-session", "--", "sh", "-c", command],
        environment: ["GSETTINGS_BACKEND": "keyfile", "XDG_DATA_HOME": compositor.path(of: "data")], joinsErrors: true)
    }

    /// Returns once squeekboard's wide layout is visible: its space bar has one colour, and the gap between two keys another.
    private func expectKeys(on compositor: Compositor) throws {
      _ = try compositor.screenshot { $0[480, 506] == $0[400, 506] && $0[480, 506] != $0[306, 506] }
    }

    @Test(.needs(.kwin)) func `fingers alone compose two Chinese characters, by squeekboard's keys and fcitx5`() throws
    {
      let compositor = try Compositor(.sway, .init(width: 960, height: 540, hasTouchscreen: true))
      let hands = try compositor.handsBelongTo.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      try compositor.leaveOnlyTouch()
      // A seat has one input method, here fcitx5, which gets the seat's keys. squeekboard starts second, so it types with a
      // virtual keyboard, and is shown by a call, as by a phone's button.
      let method = try startChewing(on: compositor)
      let keyboard = try startKeyboard(
        on: compositor,
        by: "dbus-send --print-reply --dest=sm.puri.OSK0 /sm/puri/OSK0 sm.puri.OSK0.SetVisible boolean:true && cat")
      let cockpit = try startCockpit(on: compositor)
      _ = try cockpit.line { $0.contains("window: 960 x 270") }
      try expectKeys(on: compositor)
      try give(hands, "touch down 0 200 44", "touch frame", "touch up 0", "touch frame")
      _ = try method.line { $0.contains("keymapCallback") }
      // ㄐㄧ and ㄔㄜ, a space after each for the first tone, then the return key for the first candidate.
      for (x, y) in [(350, 304), (610, 304), (480, 506), (437, 304), (740, 371), (480, 506), (827, 506)] {
        try type(to: method) {
          try give(hands, "touch down 0 \(x) \(y)", "touch frame")
        } release: {
          try give(hands, "touch up 0", "touch frame")
        }
      }
      _ = try cockpit.line { $0.contains("an input method entered 6 bytes") }
      #expect(try hasDraft("機車", cockpit, on: compositor))
      withExtendedLifetime(keyboard) {}
    }

    @Test(.needs(.kwin)) func `fingers alone type "gear 7" on squeekboard, which opens for the field`() throws {
      let compositor = try Compositor(.sway, .init(width: 960, height: 540, hasTouchscreen: true))
      let hands = try compositor.handsBelongTo.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      try compositor.leaveOnlyTouch()
      let keyboard = try startKeyboard(on: compositor, by: "exec squeekboard")
      let cockpit = try startCockpit(on: compositor)
      _ = try cockpit.line { $0.contains("960 x 540") }
      func tap(_ x: Int, _ y: Int, until isPressed: () throws -> Void = {}) throws {
        try give(hands, "touch down 0 \(x) \(y)", "touch frame")
        try isPressed()
        try give(hands, "touch up 0", "touch frame")
      }
      // squeekboard ignores a touch that is shorter than one of its frames, so a key is held until it lights up.
      func tapKey(_ x: Int, _ y: Int) throws {
        func key(_ picture: ScreenPicture) -> ScreenPicture {
          picture.cropped(x: x - 12, y: y - 12, width: 24, height: 24)
        }
        let before = key(try compositor.screenshot())
        try tap(x, y) { _ = try compositor.screenshot { key($0) != before } }
      }
      // squeekboard may show and hide itself once when it starts, and does not report when it is ready. So tap again if it is not
      // open once the log is quiet.
      var (hasFocus, isOpen) = (false, false)
      for _ in 0..<5 where !(hasFocus && isOpen) {
        try tap(200, 44)
        while let line = try? cockpit.line(within: .seconds(1)) {
          if line.contains("text input:") { hasFocus = true }
          if line.contains("window:") { isOpen = line.contains("960 x 270") }
        }
      }
      #expect(hasFocus && isOpen)
      try expectKeys(on: compositor)
      for (x, y) in [(480, 371), (263, 304), (132, 371), (339, 304), (480, 506)] {
        try tapKey(x, y)
        _ = try cockpit.line { $0.contains("an input method entered 1 bytes") }
      }
      func seven(_ picture: ScreenPicture) -> ScreenPicture { picture.cropped(x: 580, y: 280, width: 60, height: 48) }
      let letters = try compositor.screenshot()
      try tapKey(132, 506)
      _ = try compositor.screenshot { seven($0) != seven(letters) }
      try tapKey(609, 304)
      _ = try cockpit.line { $0.contains("an input method entered 1 bytes") }
      #expect(try hasDraft("gear 7", cockpit, on: compositor))
      withExtendedLifetime(keyboard) {}
    }

    @Test(.needs(.kwin)) func `a finger cuts a word, and pastes it into another field`() throws {
      let scene = """
        {"type": "View", "subviews": [{"type": "TextField", "frame": [20, 20, 400, 48], "text": "left right"},
        {"type": "TextField", "frame": [500, 20, 400, 48]}]}
        """
      let compositor = try Compositor(.sway, .init(width: 960, height: 540, hasTouchscreen: true))
      let hands = try compositor.handsBelongTo.startHands(Product.input.path, "960x540")
      #expect(try hands.line() == "ready")
      try compositor.leaveOnlyTouch()
      let cockpit = try startCockpit(on: compositor, scene: scene)
      _ = try cockpit.line { $0.contains("960 x 540") }
      let empty = try compositor.screenshot { $0[480, 44] != $0[40, 34] }
      // The word is selected while the finger rests; lifting the finger opens the menu under the word.
      try give(hands, "touch down 0 40 44", "touch frame")
      _ = try compositor.screenshot { $0[40, 34] != $0[300, 34] }
      try give(hands, "touch up 0", "touch frame")
      func pick(x: Int, row: Int) throws {
        _ = try compositor.screenshot { $0[x + 10, 80] != empty[x + 10, 80] }
        try give(hands, "touch down 0 \(x + 40) \(72 + 4 + 44 * row + 22)", "touch frame", "touch up 0", "touch frame")
      }
      try pick(x: 30, row: 0)
      _ = try cockpit.line { $0.contains("copied 4 bytes") }
      try give(hands, "touch down 0 520 44", "touch frame")
      _ = try compositor.screenshot { $0[511, 44] != $0[700, 44] }
      try give(hands, "touch up 0", "touch frame")
      try pick(x: 510, row: 0)
      func text(_ picture: ScreenPicture) -> ScreenPicture { picture.cropped(x: 514, y: 30, width: 20, height: 28) }
      _ = try compositor.screenshot { text($0) != text(empty) && $0[520, 80] == empty[520, 80] }
      let tree = try lastTree(of: cockpit, on: compositor)
      #expect(tree.contains("\"draft\": \"left\"") && tree.contains("\"text\": \" right\""))
    }
  }
}
