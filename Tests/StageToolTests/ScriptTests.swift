import JSON
import Linux
import Stage
import Testing

@testable import StageScript

/// Scripts are read whole before a client starts, and each error has its line and column.
@Suite struct ScriptTests {
  private func error(_ text: String) -> String {
    do {
      _ = try Script(Array(text.utf8), name: "a.json")
      return ""
    } catch {
      return error.description(in: "a.json")
    }
  }

  @Test func `a script is a list of steps, or an object with how the stage is set up`() throws {
    let script = try Script(
      Array(
        #"{globals: "weston10", output: [800, 480], devices: ["touch"], allow: ["damageLies"], steps: [{do: "idle"}]}"#
          .utf8),
      name: "")
    #expect(script.steps.map(\.title) == ["idle"])
    #expect(script.setup.globals == .weston10 && script.setup.output == PixelSize(width: 800, height: 480))
    #expect(script.setup.devices == .touch && script.setup.allowed == [.damageLies])
    let list = try Script(Array("[\n\n  {do: \"idle\"}, // the first\n  {do: 'advance', ms: 16}\n]".utf8), name: "")
    #expect(list.steps.map(\.title) == ["idle", "advance ms 16"])
    #expect(list.line(ofStep: 0) == 3 && list.line(ofStep: 1) == 4)
  }

  @Test func `errors have a line and a column`() {
    #expect(error("[\n  {do: \"idle\"\n]").hasPrefix("a.json:3:1: } is missing"))
    #expect(error("[\n {do: \"jump\"}\n]") == "a.json:2:7: no step is called \"jump\"; `stage help steps` lists them")
    #expect(
      error("[{do: \"advance\", ms: 1,\n  speed: 2}]")
        == "a.json:2:3: \"advance\" has no parameter \"speed\"; it has ms")
    #expect(
      error("[\n {do: \"advance\", ms: \"1\"}]") == "a.json:2:22: \"ms\" needs a number from 0 to 86400000, not a text")
    #expect(error("[\n {do: \"advance\"}]") == "a.json:2:2: \"advance\" needs \"ms\": milliseconds of virtual time")
    #expect(error("[\n 5]") == "a.json:2:2: a step is an object such as {\"do\": \"advance\", \"ms\": 16}")
    #expect(error("{step: []}").hasPrefix("a.json:1:2: a script has no \"step\""))
    #expect(error("{globals: \"gnome\", steps: []}").hasPrefix("a.json:1:11: \"globals\" is one of "))
    #expect(error("7") == "a.json:1:1: a script is a list of steps, or an object with the list \"steps\"")
  }

  @Test(arguments: [
    (#"{do: "configure", width: 1.5}"#, "\"width\" needs a whole number from 0 to 16384, not 1.5"),
    (#"{do: "configure", states: ["big"]}"#, "\"states\" needs a list of "),
    (#"{do: "key", key: "any"}"#, "\"key\" needs "),
    (#"{do: "remove-seat", quietly: 1}"#, "\"quietly\" needs true or false, not a number"),
    (#"{do: "screenshot", name: 1}"#, "\"name\" needs a text, not a number"),
    (#"{do: "touch", fingers: [{path: []}]}"#, "\"fingers\" needs a list of fingers such as "),
    (#"{do: "touch", fingers: [{path: [[1]]}]}"#, "\"fingers\" needs a list of fingers such as "),
  ])
  func `every kind of parameter is checked`(step: String, complaint: String) {
    #expect(error("[\(step)]").contains(complaint))
  }

  @Test func `steps have different names and documented parameters`() {
    #expect(Set(StepKind.all.map(\.name)).count == StepKind.all.count)
    for kind in StepKind.all {
      #expect(!kind.text.isEmpty && kind.text.hasSuffix("."))
      #expect(kind.parameters.allSatisfy { !$0.text.isEmpty && $0.name != "do" })
    }
  }

  @Test func `the built-in script is one`() throws {
    let script = try Script(PackageResources.check_json, name: "check")
    #expect(script.steps.count > 50)
  }

  @Test func `a setup chooses globals by their interfaces`() {
    var setup = Setup()
    #expect(setup.take(#"{globals: {from: "weston10", zxdg_output_manager_v1: 3, wp_viewporter: 0}}"#) == nil)
    var wanted = StageGlobals.weston10
    (wanted.outputDetails, wanted.viewporter) = (3, nil)
    #expect(setup.globals == wanted)
    #expect(setup.take("{globals: {}}") == nil && setup.globals == .everything)
    #expect(setup.take("{globals: {wl_seat: 11}}") == "\"wl_seat\" is a version from 0, for none, to 10")
    #expect(setup.take("{globals: {zwlr_layer_shell_v1: 4}}")?.contains("`stage help globals`") == true)
    #expect(setup.take(#"{globals: {from: "gnome"}}"#)?.hasPrefix("\"globals\" is one of ") == true)
    #expect(setup.take("{globals: 3}") != nil)
  }

  @Test func `the schema has each step with its parameters, and each member of the setup`() {
    let schema = StepKind.schema
    let steps = schema["steps"]?.items ?? []
    #expect(steps.compactMap { $0["name"]?.text } == StepKind.all.map(\.name))
    for (step, kind) in zip(steps, StepKind.all) {
      guard case .object(let parameters) = step["parameters"]?["properties"] else {
        Issue.record("\(kind.name) has no parameters")
        continue
      }
      #expect(Set(parameters.keys) == Set(kind.parameters.map(\.name)))
      #expect(
        step["parameters"]?["required"]?.items?.compactMap(\.text) == kind.parameters.filter(\.isRequired).map(\.name))
    }
    guard case .object(let setup) = schema["setup"]?["properties"] else {
      Issue.record("there is no setup")
      return
    }
    #expect(Set(setup.keys) == Set(Setup.names))
    let pen = steps.first { $0["name"]?.text == "pen" }
    #expect(pen?["parameters"]?["properties"]?["pressure"]?["maximum"] == .number(1))
  }

  @Test func `a finger goes along its path at an even pace`() {
    let path = FingerPath(points: [Point(x: 0, y: 0), Point(x: 30, y: 0), Point(x: 30, y: 10)])
    #expect(path.point(at: 0) == .zero && path.point(at: 0.5) == Point(x: 20, y: 0))
    #expect(path.point(at: 0.875) == Point(x: 30, y: 5) && path.point(at: 1) == Point(x: 30, y: 10))
    #expect(FingerPath(points: [Point(x: 4, y: 4)]).point(at: 0.3) == Point(x: 4, y: 4))
  }
}

/// The page for authors of clients says what the program does.
@Suite struct StagePageTests {
  private func read(_ path: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    return String(decoding: try FileReader.bytes(of: "\(root)/\(path)", atMost: 1 << 20), as: UTF8.self)
  }

  @Test func `the page has the table of steps and the exit codes`() throws {
    let page = try read("docs/stage.md")
    #expect(page.contains("-->\n" + StepKind.table + "<!--"))
    for line in StageCommand.help.split(separator: "\n").drop(while: { $0 != "Exit codes:" }).dropFirst() {
      let code = line.split(separator: " ", maxSplits: 1).map { $0.drop { $0 == " " } }
      #expect(page.contains("| \(code[0]) | \(code[1]) |"))
    }
  }

  @Test func `the page has the table of globals`() throws {
    #expect(try read("docs/stage.md").contains("-->\n" + OfferedGlobals.table + "<!--"))
  }

  @Test func `the version is the cockpit's`() throws {
    #expect(try read("Sources/cockpit/Cockpit.swift").contains("static let version = \"\(StageCommand.version)\""))
  }
}
