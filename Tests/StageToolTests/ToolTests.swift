import Glibc
import JSON
import Linux
import TestSupport
import Testing

@testable import StageScript

/// The program `stage` with clients in other processes: weston's, and one that speaks a few words of Wayland by itself.
@Suite(.serialized) struct ToolTests {
  private let folder: TemporaryFolder
  /// The folder with the raw client.
  private static let sources = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }

  /// The text of a file of the project.
  private static func read(_ path: String) throws -> String {
    String(decoding: try FileReader.bytes(of: "\(sources)/../../\(path)", atMost: 1 << 20), as: UTF8.self)
  }

  init() throws { folder = try TemporaryFolder() }

  /// Runs `stage run` with the steps on the raw client in a mode.
  private func play(_ steps: String, raw mode: String, _ options: String = "") throws -> (output: String, status: Int32)
  {
    try play(steps, "python3 \(Self.sources)/raw_client.py \(mode)", options)
  }

  private func play(_ steps: String, _ client: String, _ options: String = "") throws -> (output: String, status: Int32)
  {
    try folder.write("[\n\(steps)\n]", to: "script.json")
    return try Product.stage.run("run \(folder.path)/script.json --out \(folder.path) \(options) -- \(client)")
  }

  @Test func `a client that keeps the rules passes`() throws {
    let result = try play(
      #"{do: "window", title: "raw", appID: "test.raw", width: 120, height: 100, count: 1}, {do: "close"}, {do: "exit", code: 0}"#,
      raw: "polite")
    #expect(
      result.output.hasSuffix("passed: 3 of 3 steps carried out, 0 violations, 1 piece of advice\n"), "\(result.output)"
    )
    #expect(result.status == 0)
  }

  @Test func `every kind of step is carried out`() throws {
    let steps = #"""
      {do: "window", within: 4000}, {do: "idle"}, {do: "advance", ms: 20}, {do: "refresh", count: 2},
      {do: "frames", least: 1, most: 9}, {do: "screenshot", name: "shot"},
      {do: "configure", states: ["activated", "tiled-left"]}, {do: "window", states: ["tiled-left"]}, {do: "storm", count: 6},
      {do: "suspend"}, {do: "advance", ms: 20}, {do: "resume"}, {do: "scale", to: 1.5}, {do: "scale", to: 1},
      {do: "add-output", name: "second"}, {do: "change-output", name: "second", scale: 2, hertz: 75},
      {do: "remove-output", name: "second"}, {do: "add-seat", devices: ["touch"]}, {do: "remove-seat", name: "seat1", quietly: true},
      {do: "focus"}, {do: "shortcuts"}, {do: "shortcuts", inhibited: true}, {do: "key", key: "a"}, {do: "key", key: "shift", action: "press"},
      {do: "key", key: "shift", action: "release"}, {do: "text", preedit: "h"}, {do: "text", commit: "hello", delete: 0},
      {do: "window", title: "hello"}, {do: "unfocus"},
      {do: "touch", ms: 40, fingers: [{path: [[10, 10], [50, 10]]}, {id: 7, path: [[20, 20]]}]},
      {do: "touch-down", x: 5, y: 5}, {do: "touch-move", x: 9, y: 9}, {do: "touch-up"}, {do: "touch-down", x: 5, y: 5},
      {do: "touch-cancel"}, {do: "pen", action: "enter", x: 5, y: 5}, {do: "pen", action: "down", pressure: 0.5},
      {do: "pen", action: "up"}, {do: "pen", action: "leave"}, {do: "pen", action: "unplug"},
      {do: "pointer-move", x: 4, y: 4}, {do: "pointer-move", x: 8, y: 8}, {do: "pointer-scroll", dy: 5, clicks: 0.5},
      {do: "swipe", dx: 30, ms: 40}, {do: "pinch", scale: 2, rotation: 45, ms: 40}, {do: "hold", ms: 40, cancelled: true},
      {do: "pointer-scroll", dx: 5, stop: true}, {do: "pointer-button"}, {do: "popup"},
      {do: "screenshot", name: "popup", popup: 0}, {do: "dismiss"}, {do: "popup", count: 0},
      {do: "pointer-leave"}, {do: "clipboard", text: "here"}, {do: "clipboard", text: "there"}, {do: "devices", devices: ["touch"]},
      {do: "freeze", ms: 10}, {do: "late", ms: 20}, {do: "advance", ms: 40}, {do: "late", ms: 0},
      {do: "release", buffers: "never"}, {do: "release", buffers: "at-frame"}, {do: "remove-global", interface: "wp_viewporter"},
      {do: "no-violation"}, {do: "cut"}, {do: "exit", code: 1}
      """#
    let kinds = Set(try Script(Array("[\(steps)]".utf8), name: "").steps.map(\.kind.name))
    #expect(Set(StepKind.all.map(\.name)).subtracting(kinds) == ["violation", "close"])
    let result = try play(steps, raw: "text")
    #expect(result.status == 0, "\(result.output)")
    #expect(folder.contents == ["popup.png", "script.json", "shot.png"])
  }

  @Test func `a client may do what it likes with what is on the clipboard`() throws {
    // It destroys the first offer when the second comes.
    let result = try play(
      #"{do: "window", within: 4000}, {do: "advance", ms: 100}, {do: "focus"}, {do: "clipboard", text: "one"}, {do: "advance", ms: 100}, {do: "clipboard", text: "two"}, {do: "advance", ms: 100}"#,
      "weston-clickdot")
    #expect(result.output.contains("7 of 7 steps carried out"), "\(result.output)")
  }

  @Test func `a broken rule is named with its request and its line`() throws {
    let result = try play("{do: \"window\"}", raw: "serial")
    #expect(result.status == 1)
    #expect(result.output.contains("/script.json:2: violation: unknownSerial in request "), "\(result.output)")
    #expect(result.output.contains(", xdg_surface@"))
    #expect(
      result.output.contains("    A client acknowledges configures that were sent, each once, and none that is older"))
    let expected = try play("{do: \"exit\", code: 1},\n{do: \"violation\", rule: \"unknownSerial\"}", raw: "serial")
    #expect(expected.status == 0, "\(expected.output)")
    #expect(try play("{do: \"window\"},\n{do: \"violation\", rule: \"wrongSize\"}", raw: "polite").status == 1)
  }

  @Test func `a client that truncates its pool breaks a rule, and the stage lives`() throws {
    let result = try play("{do: \"window\", within: 2000}, {do: \"advance\", ms: 200}", raw: "truncates")
    #expect(result.status == 1 && result.output.contains("violation: poolShrunk"), "\(result.output)")
  }

  @Test func `a rule may be allowed, and advice fails a strict script only`() throws {
    let storm = #"{do: "window"}, {do: "configure", width: 300, height: 300}, {do: "advance", ms: 20}"#
    let result = try play(storm, raw: "polite")
    #expect(result.status == 0 && result.output.contains("advice: wrongSize"), "\(result.output)")
    #expect(try play(storm, raw: "polite", "--strict").status == 1)
    try folder.write("{allow: [\"wrongSize\", \"objectsLeft\"], strict: true, steps: [\(storm)]}", to: "allowed.json")
    let allowed = try Product.stage.run(
      "run \(folder.path)/allowed.json -- python3 \(Self.sources)/raw_client.py polite")
    #expect(allowed.status == 0, "\(allowed.output)")
  }

  @Test func `the command line sets up the stage as a script does`() throws {
    try folder.write(
      "[{do: \"window\"}, {do: \"configure\", width: 300, height: 300}, {do: \"advance\", ms: 20}]", to: "a.json")
    func run(_ setup: String) throws -> (output: String, status: Int32) {
      try shell(
        "\(Product.stage.path) run \(folder.path)/a.json --strict --setup '\(setup)' -- python3 \(Self.sources)/raw_client.py polite 2>&1"
      )
    }
    #expect(try run("{}").status == 1)
    #expect(try run("{allow: ['wrongSize', 'objectsLeft']}").status == 64)
    let result = try run(#"{allow: ["wrongSize", "objectsLeft"]}"#)
    #expect(result.status == 0, "\(result.output)")
    #expect(
      try run("{steps: []}").output
        == "stage: --setup: there is no \"steps\"; there is globals, output, devices, allow, strict\n")
  }

  @Test func `a client that dies is told from one that errs`() throws {
    let crash = try play(#"{do: "window"}, {do: "close"}, {do: "advance", ms: 20}"#, raw: "crash")
    #expect(
      crash.status == 2 && crash.output.contains("died: the client was ended by the signal 11"), "\(crash.output)")
    #expect(try play(#"{do: "window"}, {do: "close"}"#, raw: "fails").status == 2)
    #expect(try play(#"{do: "window"}, {do: "close"}, {do: "exit", code: 3}"#, raw: "fails").status == 0)
    #expect(try play(#"{do: "window"}, {do: "close"}, {do: "exit"}"#, raw: "crash").status == 1)
    #expect(try play(#"{do: "idle"}"#, "/nowhere/client").status == 2)
  }

  @Test func `an exit code is no signal, and a signal is no exit code`() throws {
    let close = #"{do: "window"}, {do: "close"}"#
    let ended = try play("\(close), {do: \"advance\", ms: 20}", raw: "'like a signal'")
    #expect(ended.status == 2 && ended.output.contains("died: the client ended with 139\n"), "\(ended.output)")
    #expect(try play(close + #", {do: "exit", code: 139}"#, raw: "'like a signal'").status == 0)
    #expect(try play(close + #", {do: "exit"}"#, raw: "'like a signal'").status == 0)
    let exit = try play(close + #", {do: "exit", signal: 11}"#, raw: "'like a signal'")
    #expect(exit.status == 1 && exit.output.contains("ended with 139, not by the signal 11"), "\(exit.output)")
    let signal = try play(close + #", {do: "exit", code: 139}"#, raw: "crash")
    #expect(signal.status == 1 && signal.output.contains("by the signal 11, not with 139"), "\(signal.output)")
    #expect(try play(close + #", {do: "exit", signal: 11}"#, raw: "crash").status == 0)
  }

  @Test func `a client whose crash takes long does not pass`() throws {
    // The script is over while the process still ends.
    let close = #"{do: "window"}, {do: "close"}"#
    let lingers = try play(close, raw: "lingers")
    #expect(lingers.status == 2 && lingers.output.contains("by the signal 11"), "\(lingers.output)")
    let next = try play(close + #", {do: "advance", ms: 20}"#, raw: "lingers")
    #expect(next.status == 2 && next.output.contains("by the signal 11"), "\(next.output)")
    #expect(try play(close, raw: "'lingers well'").status == 0)
    let dumps = try shell(
      "cd \(folder.path) && \(Product.stage.path) run script.json -- python3 \(Self.sources)/raw_client.py dumps 2>/dev/null"
    )
    #expect(dumps.status == 2 && dumps.output.contains("by the signal 11"), "\(dumps.output)")
  }

  @Test func `agents need Python, its module and no argument`() throws {
    #expect(try Product.stage.run("mcp --port").output == "stage: stage mcp takes no arguments\n")
    let bare = try shell("PATH=/nowhere \(Product.stage.path) mcp 2>&1")
    #expect(
      bare.status == 2 && bare.output == "stage: can't start python3: No such file or directory\n", "\(bare.output)")
  }

  @Test func `failed expectations say what there is`() throws {
    let window = try play(#"{do: "window"}, {do: "window", title: "other", within: 50}"#, raw: "polite")
    #expect(window.status == 1)
    #expect(
      window.output.contains("failed: window: no such window; there is \"raw\" (test.raw, 120 x 100, activated)"),
      "\(window.output)")
    #expect(
      try play(#"{do: "window"}, {do: "touch-down", x: 500, y: 5}"#, raw: "polite").output.contains(
        "the window takes no input at (500.0, 5.0)"))
    #expect(
      try play(#"{do: "window"}, {do: "idle", within: 200}"#, raw: "deaf").output.contains(
        "idle: the client has not answered a ping"))
    #expect(
      try play(#"{do: "window"}, {do: "text", commit: "a"}"#, raw: "polite").output.contains(
        "the client has enabled no text input"))
    #expect(
      try play(#"{do: "window"}, {do: "close"}, {do: "exit", within: 50}"#, raw: "stubborn").output.contains(
        "the client still runs"))
  }

  @Test func `screenshots are compared by pixel`() throws {
    let steps = #"{do: "window"}, {do: "screenshot", name: "one"}"#
    #expect(try play(steps, raw: "polite").status == 0)
    #expect(try play(steps, raw: "polite", "--against \(folder.path)").status == 0)
    let with = #"{do: "window"}, {do: "screenshot", name: "two", against: ""# + "\(folder.path)/one.png\"}"
    #expect(try play(with, raw: "polite").status == 0)
    let absent = try play(with.replacing("one.png", with: "none.png"), raw: "polite")
    #expect(absent.status == 1 && absent.output.contains("/none.png"), "\(absent.output)")
    let other = try TemporaryFolder()
    try folder.write("[\(steps)]", to: "script.json")
    let result = try Product.stage.run(
      "run \(folder.path)/script.json --out \(other.path) --against \(folder.path) -- weston-simple-shm")
    #expect(result.status == 1 && result.output.contains("250 x 250 pixels, not 120 x 100"), "\(result.output)")
  }

  @Test func `the command line is checked, and scripts before the client starts`() throws {
    #expect(try Product.stage.run("").status == 64)
    #expect(try Product.stage.run("dance").status == 64)
    #expect(try Product.stage.run("run -- true").output == "stage: SCRIPT is missing\n")
    #expect(try Product.stage.run("run a.json").output == "stage: the client is missing: it follows after --\n")
    #expect(try Product.stage.run("run --loud a.json -- true").status == 64)
    #expect(try Product.stage.run("run a.json --seed=x -- true").status == 64)
    #expect(try Product.stage.run("run /nowhere/a.json -- true").status == 65)
    let result = try play("{do: \"idle\"},\n{do: \"sing\"}", raw: "polite")
    #expect(
      result.status == 65 && result.output.contains("/script.json:3:6: no step is called \"sing\""), "\(result.output)")
    #expect(try Product.stage.run("--version").output == "stage \(StageCommand.version)\n")
    #expect(try Product.stage.run("help").output == StageCommand.help)
  }

  @Test func `TAP and JUnit come from the program`() throws {
    let tap = try play("{do: \"window\"}", raw: "polite", "--tap --junit \(folder.path)/junit.xml")
    #expect(tap.output.hasPrefix("TAP version 14\n1..2\nok 1 - window\n"), "\(tap.output)")
    #expect(folder.contents.contains("junit.xml"))
  }

  @Test(arguments: ["weston-simple-shm", "weston-simple-touch"])
  func `a check prints the same bytes twice`(client: String) throws {
    let first = try shell("\(Product.stage.path) check -- \(client) 2>/dev/null")
    let second = try shell("\(Product.stage.path) check -- \(client) 2>/dev/null")
    #expect(first.output == second.output)
    #expect(first.output.contains(" steps carried out, "), "\(first.output)")
  }

  @Test func `random sizes depend on the seed alone`() throws {
    let steps = #"{do: "window"}, {do: "storm", count: 5}"#
    func sizes(_ seed: Int) throws -> [Substring] {
      try play(steps, raw: "polite", "--seed \(seed)").output.split(separator: "\n").filter {
        $0.contains("advice: wrongSize")
      }
    }
    #expect(try sizes(3) == sizes(3))
    #expect(try sizes(3) != sizes(4))
  }

  @Test func `a controller in Python plays on a foreign client`() throws {
    let module = Self.sources + "/../../share/stage"
    let command =
      "PYTHONPATH=\(module) timeout 30 python3 -W error \(Self.sources)/two_fingers.py \(try Product.stage.path) 2>&1"
    let result = try shell(command)
    #expect(
      result.status == 0 && result.output.hasSuffix("two fingers, one freeze, two screenshots\n"), "\(result.output)")
  }

  @Test func `the example of the page prints what the page says`() throws {
    let page = try Self.read("docs/stage.md")
    func block(_ start: String) throws -> String {
      let rest = try #require(page.split(separator: start, maxSplits: 1).last)
      return String(try #require(rest.split(separator: "\n```", maxSplits: 1).first))
    }
    try folder.write(try block("```json5\n"), to: "touch.json")
    let command = "$ stage run touch.json --out shots -- weston-simple-touch\n"
    let result = try shell(
      "cd \(folder.path) && \(Product.stage.path) run touch.json --out shots -- weston-simple-touch 2>/dev/null")
    #expect(result.output == (try block(command)) + "\n")
  }

  @Test func `a recording that a signal ends leaves neither its client nor its socket`() throws {
    try folder.write(#"[{do: "window"}, {do: "close"}, {do: "exit", code: 143}]"#, to: "script.json")
    let stage = try Product.stage.path
    let result = try shell(
      "XDG_RUNTIME_DIR=\(folder.path) \(stage) run \(folder.path)/script.json -- \(stage) record --log \(folder.path)/log -- python3 \(Self.sources)/raw_client.py interrupts"
    )
    #expect(result.status == 0, "\(result.output)")
    #expect(folder.contents == ["log", "script.json"])
  }

  @Test func `a recorded session is played again`() throws {
    let log = "\(folder.path)/log"
    let steps = #"""
      {do: "window"}, {do: "touch-down", x: 50, y: 60}, {do: "advance", ms: 30}, {do: "touch-move", x: 80.5, y: 60},
      {do: "touch-up"}
      """#
    // The client draws into the buffer that the compositor still reads.
    try folder.write("{allow: [\"heldBufferWritten\"], steps: [\(steps)]}", to: "recorded.json")
    let recording = try Product.stage.run(
      "run \(folder.path)/recorded.json -- \(try Product.stage.path) record --log \(log) -- weston-simple-touch")
    #expect(recording.status == 0, "\(recording.output)")
    let script = try Product.stage.run("replay \(log)").output
    let titles = try Script(Array(script.utf8), name: "").steps.map(\.title).filter { !$0.hasPrefix("advance") }
    #expect(titles == ["window", "touch-down x 50 y 60", "touch-move x 80.5 y 60", "touch-up"])
    try folder.write("{allow: [\"heldBufferWritten\"], steps: \(script)}", to: "again.json")
    let again = try Product.stage.run("run \(folder.path)/again.json -- weston-simple-touch")
    #expect(again.status == 0, "\(again.output)")
    try folder.write("nonsense\n", to: "broken")
    #expect(try Product.stage.run("replay \(folder.path)/broken").status == 65)
  }
}
