import CompositorLab
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// Tests of the views that a screen reader finds: the cockpit on a real compositor, the real accessibility bus and registry, and pyatspi.
  @Suite(
    .needs(.weston),
    .enabled(
      if: AccessibilityBus.missingPackages.isEmpty || getenv("COCKPIT_STRICT") != nil,
      "at-spi2-core and python3-pyatspi are not installed; ./dev test installs them"))
  struct AssistiveTests {
    /// A compositor, a session with an accessibility bus, the cockpit, and assistive technology.
    private final class Session {
      let compositor: Compositor
      let bus: AccessibilityBus
      let assistant: ClientProcess
      private(set) var cockpit: ClientProcess
      /// The events that came before an answer since the last `expectEvents`, in order.
      private(set) var events: [String] = []
      private let hands: ClientProcess?

      init(
        _ options: [String] = ["--fullscreen"], scene: String? = nil, isOn: Bool = true,
        on kind: CompositorKind = .weston
      ) throws {
        compositor = try Compositor(kind, Compositor.Settings(width: 960, height: 540))
        var options = options
        if let scene {
          _ = try compositor.output(of: ["sh", "-c", "printf '%s' '\(scene)' >scene.json"])
          options += ["--scene", "scene.json"]
        }
        hands = kind == .weston ? nil : try compositor.startHands(Product.input.path, "960x540")
        if let hands { #expect(try hands.line() == "ready") }
        bus = try compositor.startAccessibilityBus()
        assistant = try compositor.startAssistant(on: bus)
        #expect(try assistant.line() == "ready")
        cockpit = try Session.startCockpit(compositor, bus, options)
        if isOn {
          #expect(try ask("on") == "ok")
          #expect(try ask("wait there") == "ok")
        }
      }

      private static func startCockpit(
        _ compositor: Compositor, _ bus: AccessibilityBus, _ options: [String]
      ) throws -> ClientProcess {
        try compositor.launch(
          [Product.cockpit.path, "--beacon", "off", "--log", "app,window"] + options,
          environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address], joinsErrors: true)
      }

      /// Sends a command and returns its answer; events that come before that are kept.
      func ask(_ command: String) throws -> String {
        try assistant.send(command)
        while true {
          let line = try assistant.line(within: .seconds(20))
          if line.hasPrefix("answer ") { return String(line.dropFirst("answer ".count)) }
          events.append(line)
        }
      }

      /// Sends input, and returns when the compositor has handled it.
      func give(_ commands: String...) throws {
        let hands = try #require(hands)
        for command in commands {
          try hands.send(command)
          #expect(try hands.line() == "ok")
        }
      }

      /// Returns once events with these beginnings have come, in this order.
      func expectEvents(_ wanted: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        var wanted = wanted[...]
        for event in events where wanted.first.map({ event.hasPrefix("event " + $0) }) ?? false { wanted.removeFirst() }
        events = []
        do {
          while let next = wanted.first {
            _ = try assistant.line { $0.hasPrefix("event " + next) }
            wanted.removeFirst()
          }
        } catch {
          Issue.record("never heard: \(wanted)", sourceLocation: sourceLocation)
          throw error
        }
      }

      func expectLog(_ words: String) throws {
        _ = try cockpit.line { $0.hasSuffix("app: " + words) }
      }
    }

    @Test func `lever, wheel and horn are found by role and name, read, set, and refused by their rules`() throws {
      let session = try Session()
      let lever = try session.ask("find slider|Gearbox")
      #expect(lever.hasPrefix("0 in -1...10 neutral; actions shift up, shift down, brake; at "))
      #expect(try session.ask("find dial|Steering wheel").hasPrefix("0 in -450...450 straight; actions turn left, "))
      #expect(try session.ask("find push button|Horn").hasPrefix("no value; actions sound; at "))
      #expect(try session.ask("find level bar|Speed").hasPrefix("0 in 0...200 0 km/h; actions none; at "))
      #expect(try session.ask("read BRAKE: on") == "9 characters, caret -1: BRAKE: on")

      #expect(try session.ask("set Gearbox|7") == "7 in -1...10 gear 7; ")
      try session.expectLog("gear 7")
      let reason = "Reverse opens from neutral only"
      #expect(try session.ask("set Gearbox|-1") == "7 in -1...10 gear 7; \(reason)")
      try session.expectEvents(
        "property-change:accessible-value 0 Gearbox", "property-change:accessible-description 0 Gearbox|\(reason)",
        "announcement 2 Cockpit|\(reason)")
      #expect(try session.ask("do Gearbox|2") == "True")
      try session.expectLog("gear N")
      #expect(try session.ask("set Steering wheel|-42").hasSuffix("; "))
      try session.expectLog("steering -42")
      #expect(try session.ask("do Horn|0") == "True")
      #expect(try session.ask("focus Gearbox") == "True")
      #expect(try session.ask("focus Horn") == "True")
      try session.expectEvents(
        "property-change:accessible-value 0 Gearbox", "state-changed:pressed 1 Horn", "state-changed:focused 1 Horn")
      try session.expectLog("horn false")

      // A hit test finds the horn at the wheel's hub, the window beside the controls, and nothing outside of the window.
      let numbers = try session.ask("find push button|Horn").split(separator: " ").suffix(4).compactMap { Int($0) }
      try #require(numbers.count == 4)
      #expect(try session.ask("hit \(numbers[0] + numbers[2] / 2)|\(numbers[1] + numbers[3] / 2)") == "Horn")
      #expect(try session.ask("hit 1|1") == "Cockpit" && session.ask("hit -5|1") == "nothing")
      #expect(try session.cockpit.terminate() == .exited(0))
      #expect(try session.ask("wait gone") == "ok")
    }

    @Test func `with the dead-man's rule a value is refused with its reason, and nothing is commanded`() throws {
      let session = try Session(["--fullscreen", "--dead-man", "on"])
      let reason = "Only a hand may do that: hold the lever"
      #expect(try session.ask("set Gearbox|3") == "0 in -1...10 neutral; \(reason)")
      try session.expectEvents("announcement 2 Cockpit|\(reason)")
      #expect(try session.ask("set Steering wheel|30") == "0 in -450...450 straight; \(reason)")
      #expect(try session.ask("do Gearbox|0") == "False" && session.ask("do Gearbox|2") == "True")
      #expect(try session.cockpit.terminate() == .exited(0))
    }

    private static let everything = #"""
      {"type": "View", "name": "everything", "subviews": [
        {"type": "CheckBox", "title": "Lights", "isChecked": true, "frame": [20, 20, 200, 44]},
        {"type": "CheckBox", "title": "Pumps", "isMixed": true, "frame": [20, 70, 200, 44]},
        {"type": "RadioGroup", "name": "Mode", "choices": "Low|High", "selectedIndex": 1, "frame": [20, 120, 200, 90]},
        {"type": "ProgressBar", "name": "Printed", "progress": 0.5, "frame": [20, 220, 200, 20]},
        {"type": "Spinner", "name": "Searching", "frame": [20, 250, 44, 44]},
        {"type": "PasswordField", "name": "Password", "frame": [20, 300, 200, 48]},
        {"type": "ListView", "name": "Files", "choices": "one|two|three", "selectedIndex": 2, "frame": [240, 20, 200, 140]},
        {"type": "TabView", "name": "Pages", "choices": "Drive|Camera", "selectedIndex": 1, "frame": [240, 170, 200, 120],
         "subviews": [{"type": "Label", "text": "driving"}, {"type": "Label", "text": "seeing"}]},
        {"type": "PageView", "name": "Settings", "frame": [240, 300, 200, 120],
         "subviews": [{"type": "Label", "name": "Network", "text": "connected"}]},
        {"type": "Chart", "name": "Temperature", "frame": [460, 20, 200, 100]},
        {"type": "Gauge", "name": "Pressure", "value": 30, "unit": "bar", "frame": [460, 130, 160, 160]},
        {"type": "Lamp", "text": "ABS", "isLit": true, "frame": [460, 300, 100, 40]},
        {"type": "Grid", "name": "Grid", "frame": [680, 20, 200, 100],
         "subviews": [{"type": "Label", "text": "left"}, {"type": "Label", "text": "right"}]},
        {"type": "Toast", "name": "Toast", "text": "Saved", "frame": [460, 360, 200, 60]},
        {"type": "Dialog", "isModal": false, "isOpen": true, "title": "Stop?", "message": "Half is printed.", "choices": "No|Yes",
         "frame": [680, 140, 260, 200]}]}
      """#

    @Test func `each control is read by its role, its name and its value`() throws {
      let session = try Session([], scene: Self.everything)
      let tree = try session.ask("tree Cockpit")
      let parts = [
        "check box Lights; check box Pumps; combo box Mode: 1 in 0...1 High; level bar Printed: 0.5 in 0...1 50 %",
        "level bar Searching; password text Password (toggle button show the password)",
        "list Files: 2 in -1...2 three (push button one; push button two; push button three)",
        "panel Pages: 1 in 0...1 Camera (combo box tabs: 1 in 0...1 Camera; label seeing)",
        "panel Settings (label connected", "image Temperature; level bar Pressure: 30 in 0...100 30 bar; label ABS: on",
        "label left; label right; alert Saved; dialog Stop? (label Stop?; label Half is printed.; push button No; push button Yes)",
      ]
      for part in parts { #expect(tree.contains(part), "\(tree)") }
      #expect(try session.ask("states Lights").contains("checked") && !session.ask("states Pumps").contains("checked"))
    }

    private static let scene = #"""
      {"type": "View", "subviews": [
        {"type": "Label", "text": "one two", "numberOfLines": 0, "frame": [20, 20, 50, 80]},
        {"type": "TextField", "name": "field", "text": "letters", "frame": [20, 120, 200, 48]},
        {"type": "PopUpButton", "name": "mode", "choices": "Low|High", "frame": [20, 200, 150, 36]}]}
      """#

    @Test func `letters have places, a menu's rows come and go, and the window's own buttons are reached`() throws {
      let session = try Session([], scene: Self.scene)
      /// The numbers of an answer; expects that coordinates of the screen equal those of the window.
      func letters(_ words: String) throws -> [Double] {
        let answer = try session.ask("letters \(words)")
        #expect(answer.contains("; True; "), "\(answer)")
        return answer.split { " ;".contains($0) }.compactMap { Double($0) }
      }
      let (first, second) = (try letters("one two|0|3"), try letters("one two|4|7"))
      try #require(first.count == 9 && second.count == 9)
      #expect(first[8] == 0 && second[8] == 4, "the letter at its own middle")
      #expect(first[0] >= 20 && first[6] > 2 * first[2] && first[1] + first[3] <= second[1], "\(first), \(second)")
      let field = try letters("field|3|7")
      #expect(field.last == 3 && field[0] > 30 && field[1] > 120 && field[1] + field[3] < 168, "\(field)")

      #expect(try session.ask("states mode").contains("expandable") && session.ask("inside mode") == "")
      #expect(try session.ask("do mode|0") == "True")
      try session.expectEvents("state-changed:expanded 1 mode")
      #expect(try session.ask("states mode").contains("expanded"))
      #expect(try session.ask("inside mode") == "menu item Low, menu item High")
      #expect(try session.ask("do High|0") == "True")
      try session.expectEvents("state-changed:expanded 0 mode")
      #expect(try session.ask("inside mode") == "" && session.ask("find combo box|mode").hasPrefix("1 in 0...1 High;"))

      let close = try session.ask("find push button|close")
      #expect(close.hasPrefix("no value; actions press; at "), "\(close)")
      let place = close.split(separator: " ").suffix(4).compactMap { Int($0) }
      try #require(place.count == 4)
      #expect(place[1] < 0, "above the content")
      #expect(try session.ask("hit \(place[0] + place[2] / 2)|\(place[1] + place[3] / 2)") == "close")
      #expect(try session.ask("do close|0") == "True")
      #expect(try session.cockpit.waitForEnd() == .exited(0))
    }

    @Test(.needs(.kwin)) func `while a hand holds something requests wait for it, and the hand does not wait for them`()
      throws
    {
      let session = try Session(on: .kwin)
      let numbers = try session.ask("find slider|Gearbox").split(separator: " ").suffix(4).compactMap { Double($0) }
      try #require(numbers.count == 4)
      func place(_ units: Double) -> String {
        "\(numbers[0] + numbers[2] / 2) \(numbers[1] + numbers[3] * units / 300)"
      }
      try session.give("pointer motion \(place(240))", "pointer press")
      try session.expectLog("gearbox held true")
      // While a hand holds something, about five requests a second are answered. A second's allowance may be answered at once.
      let held = try #require(Double(session.ask("ask Gearbox|30")))
      #expect(held >= 1.5, "\(held)")
      // The lever follows the pointer as usual while requests wait.
      try session.assistant.send("ask Gearbox|20")
      let took = try ContinuousClock().measure {
        try session.give("pointer motion \(place(160))")
        try session.expectLog("gear 3")
      }
      #expect(took < .milliseconds(500), "\(took)")
      _ = try session.assistant.line(within: .seconds(20)) { $0.hasPrefix("answer ") }
      #expect(try session.ask("set Gearbox|5") == "3 in -1...10 gear 3; A hand holds it")
      try session.give("pointer release")
      try session.expectLog("gearbox held false")
      let free = try #require(Double(session.ask("ask Gearbox|30")))
      #expect(free < held, "\(free)")
      #expect(try session.cockpit.terminate() == .exited(0))
    }

    @Test func `it is served as long as assistive technology runs, and asks nothing before there is a bus for it`()
      throws
    {
      let session = try Session(isOn: false)
      try session.expectLog("the desktop portal has no settings")
      #expect(try session.ask("on") == "ok" && session.ask("wait there") == "ok")
      try session.expectLog("assistive technology is served")
      #expect(try session.ask("off") == "ok" && session.ask("wait gone") == "ok")
      try session.expectLog("assistive technology is gone")
      #expect(try session.ask("on") == "ok" && session.ask("wait there") == "ok")
      #expect(try session.ask("set Gearbox|2") == "2 in -1...10 gear 2; ")
      #expect(try session.cockpit.terminate() == .exited(0))
    }

    @Test func `without a session bus nothing is loaded; with one and no accessibility bus nothing is asked of it`()
      throws
    {
      let compositor = try Compositor(.weston, Compositor.Settings(width: 960, height: 540))
      let command = [try Product.cockpit.path, "--beacon", "off", "--log", "app,frame:debug"]
      let alone = try compositor.launch(command, environment: ["DBUS_SESSION_BUS_ADDRESS": ""], joinsErrors: true)
      // What is loaded after the first frame is mapped by the second.
      _ = try alone.line { $0.contains("frame 2:") }
      var maps = try String(contentsOf: "/proc/\(alone.id)/maps")
      #expect(maps.contains("libwayland-client") && !maps.contains("libsystemd"))
      #expect(try alone.terminate() == .exited(0))

      let bus = try compositor.startAccessibilityBus()
      let monitor = try compositor.launch(["dbus-monitor", "--address", bus.address], joinsErrors: true)
      _ = try monitor.line()
      let quiet = try compositor.launch(
        command, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address], joinsErrors: true)
      _ = try quiet.line { $0.hasSuffix("the desktop portal has no settings") }
      maps = try String(contentsOf: "/proc/\(quiet.id)/maps")
      #expect(maps.contains("libsystemd"))
      #expect(try quiet.terminate() == .exited(0))
      // The cockpit sends its registration, the match rule and the request for the desktop's settings. The signal after its end
      // marks the end of its messages.
      _ = try compositor.output(of: ["dbus-send", "--bus=\(bus.address)", "/", "org.example.Test.End"])
      var heard: [String] = []
      repeat { heard.append(try monitor.line()) } while heard.last?.contains("member=End") == false
      let members = heard.filter { $0.hasPrefix("method call") }.compactMap { line in
        line.range(of: "member=").map { String(line[$0.upperBound...]) }
      }
      #expect(members.contains("ReadAll") && !heard.contains { $0.contains("a11y") }, "\(heard)")
      #expect(members.filter { !["Hello", "AddMatch", "ReadAll"].contains($0) }.isEmpty, "\(members)")
    }
  }
}

extension String {
  /// The text of a file of /proc.
  fileprivate init(contentsOf path: String) throws {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    self = String(decoding: bytes, as: UTF8.self)
  }
}
