import Testing

@testable import ControlTools
@testable import Controls

/// Tests of layout files: what they say, and every mistake that can be in them.
@MainActor @Suite(.serialized) struct LayoutFileTests {
  @ListsProperties
  private final class Dial: Control {
    @Inspectable(.display) var angle = 0.0
    @Inspectable(.display) var tintColor: Color?
    @Inspectable(.display) var shape = ProbeShape.circle
    @Inspectable(.display) var picture: ImageReference?
    @Inspectable(.display, limitedBy: [\Dial.upperValue], then: Dial.settle) var lowerValue = 0.2
    @Inspectable(.display, then: Dial.settle) var upperValue = 0.8

    private func settle() { lowerValue = min(lowerValue, upperValue) }
  }

  private var registry: ViewRegistry {
    var registry = ViewRegistry()
    registry.register("View") { View() }
    registry.register("Dial") { Dial() }
    return registry
  }

  private func load(_ text: String, actions: LayoutActions = [:]) throws(LayoutFileError) -> LayoutView {
    let view = LayoutView(registry: registry, actions: actions)
    view.frame = Rect(x: 0, y: 0, width: 200, height: 100)
    try view.load(LayoutFile(text: text, name: "scenes/test.json"))
    view.layoutIfNeeded()
    return view
  }

  @Test("a scene is made of its file: types, names, places, properties directly or apart, actions, views inside")
  func wholeScene() throws {
    let log = Log()
    var actions = LayoutActions()
    actions["turn"] = { if let dial = $0 as? Dial { log.add("turn \(dial.name)") } }
    actions["any"] = { log.add("any \($0.name)") }
    let view = try load(
      """
      { // the scene
        "type": "View", "backgroundColor": "#102030",
        "subviews": [
          {"type": "Dial", "name": "left", "frame": [10, 20, 30, 40], "angle": 45, "isEnabled": false},
          {"type": "Dial", "name": "right", "anchors": {"right": 10, "top": "left.top", "width": "25%", "aspect": 1},
            "properties": {"angle": -1e1, "tintColor": "#f00", "shape": "square", "picture": "a.png"},
            "actions": {"valueChanged": "turn", "touchDown": "any"}},
          {"type": "View", "margins": [1, "5%", 2, 3], "subviews": [{"type": "View"}, {"type": "View", "frame": [0, 0, 1, 1]}]},
        ],
      }
      """, actions: actions)
    let scene = try #require(view.scene)
    #expect(scene.frame == view.bounds && scene.backgroundColor == Color(hex: 0x102030))
    let left = try #require(view.view(named: "left") as? Dial)
    #expect(left.frame == Rect(x: 10, y: 20, width: 30, height: 40) && left.angle == 45 && !left.isEnabled)
    let right = try #require(view.view(named: "right") as? Dial)
    #expect(right.frame == Rect(x: 140, y: 20, width: 50, height: 50))
    #expect(right.angle == -10 && right.tintColor == Color(hex: 0xff0000) && right.shape == .square)
    #expect(right.picture?.path == "scenes/a.png", "pictures lie beside the file")
    right.sendActions(for: [.valueChanged, .touchDown])
    #expect(log.take() == ["any right", "turn right"], "by the names of their events")
    let last = try #require(scene.subviews.last)
    #expect(last.frame == Rect(x: 10, y: 1, width: 187, height: 97))
    #expect(last.subviews.map(\.frame) == [last.bounds, Rect(x: 0, y: 0, width: 1, height: 1)])
  }

  @Test("the order of properties in a file means nothing")
  func order() throws {
    for text in ["\"lowerValue\": 5, \"upperValue\": 8", "\"upperValue\": 8, \"lowerValue\": 5"] {
      let dial = try #require(try load("{\"type\": \"Dial\", \(text)}").scene as? Dial)
      #expect(dial.lowerValue == 5 && dial.upperValue == 8)
    }
  }

  @Test(
    "every mistake says where it is, what is wrong, and what was perhaps meant",
    arguments: [
      ("[1,", "1:1: the list has no end: ] is missing"), ("[]", "1:1: needs a view as an object, not a list"),
      ("{}", "1:1: a view needs a \"type\""), ("{\"type\": 1}", "1:10: type: needs a text, not a number"),
      ("{\"type\": \"Dail\"}", "1:10: type: unknown type \"Dail\"; did you mean \"Dial\"?"),
      ("{\"type\": \"Elephant\"}", "1:10: type: unknown type \"Elephant\"; there are Dial, View"),
      (
        "{\"type\": \"Dial\", \"color\": 1}",
        "1:18: color: a Dial has no \"color\"; there are backgroundColor, tintColor"
      ),
      ("{\"type\": \"Dial\", \"pict\": 1}", "1:18: pict: a Dial has no \"pict\"; did you mean \"picture\"?"),
      (
        "{\"type\": \"Dial\", \"frobnicate\": 1}",
        "1:18: frobnicate: a Dial has no \"frobnicate\"; there are angle, tintColor, shape, picture, lowerValue, upperValue"
      ),
      (
        "{\"type\": \"Dial\", \"actions\": {\"changed\": \"turn\"}}",
        "1:30: actions.changed: unknown event \"changed\"; did you mean \"valueChanged\"?"
      ),
      ("{\"type\": \"Dial\", \"angel\": 1}", "1:18: angel: a Dial has no \"angel\"; did you mean \"angle\"?"),
      ("{\"type\": \"Dial\", \"anchor\": 1}", "1:18: anchor: a Dial has no \"anchor\"; did you mean \"anchors\"?"),
      (
        "{\"type\": \"View\", \"subviews\": [{\"type\": \"View\"},\n{\"type\": \"Dial\", \"properties\": {\"tntColor\": 0}}]}",
        "2:33: subviews[1].properties.tntColor: a Dial has no \"tntColor\"; did you mean \"tintColor\"?"
      ), ("{\"type\": \"Dial\", \"angle\": \"big\"}", "1:27: angle: needs a number; \"big\" isn't"),
      ("{\"type\": \"Dial\", \"angle\": true}", "1:27: angle: needs a number, not true or false"),
      (
        "{\"type\": \"Dial\", \"tintColor\": \"#12345\"}",
        "1:31: tintColor: needs a colour such as \"#2dd4bf\", \"#2dd4bf80\" or [0.18, 0.83, 0.75], or null; \"#12345\" isn't"
      ),
      (
        "{\"type\": \"Dial\", \"shape\": \"sqare\"}",
        "1:27: shape: \"sqare\" is none of square, circle; did you mean \"square\"?"
      ), ("{\"type\": \"Dial\"\n\"angle\": 1}", "2:1: expected , or the closing bracket after a value"),
      ("{\"type\": \"Dial\", \"angle\": 1e999}", "1:27: angle: the number can't be read"),
      ("{\"type\": \"Dial\", \"angle\": NaN}", "1:27: angle: needs a number, not NaN"),
      ("{\"type\": \"Dial\", \"angle\": -Infinity}", "1:27: angle: needs a number, not an infinite number"),
      (
        "// a\n{ 'type': 'Dial',\n  /* b */ \"\\u0061ngel\" : 1, }",
        "3:11: angel: a Dial has no \"angel\"; did you mean \"angle\"?"
      ),
      (
        "{\"type\": \"Dial\", \"angle\": 1, \"properties\": {\"angle\": 2}}",
        "1:45: properties.angle: \"angle\" is there twice"
      ),
      (
        "{\"type\": \"View\", \"subviews\": [{\"type\": \"Dial\", \"name\": \"a\"}, {\"type\": \"Dial\", \"name\": \"a\"},\n"
          + "{\"type\": \"Dial\", \"anchors\": {\"left\": \"a.right\"}}]}",
        "2:38: subviews[2].anchors.left: several views beside this one are named \"a\""
      ), ("{\"type\": \"Dial\", \"angle\": 1, 'angle': 2}", "1:30: angle: \"angle\" is there twice"),
      (
        "{\"type\": \"View\", \"subviews\": [{\"type\": \"Dial\"}],\n\"subviews\": [{\"type\": \"Unknown\"}]}",
        "2:1: subviews: \"subviews\" is there twice"
      ),
      (
        "{\"type\": \"View\", \"anchors\": {\"left\": 1, \"top\": 2, \"left\": 1}}",
        "1:51: anchors.left: \"left\" is there twice"
      ), ("{\"type\": \"Dial\", \"properties\": []}", "1:32: properties: needs an object, not a list"),
      ("{\"type\": \"View\", \"subviews\": {}}", "1:30: subviews: needs a list of views, not an object"),
      ("{\"type\": \"View\", \"subviews\": [7]}", "1:31: subviews[0]: needs a view as an object, not a number"),
      ("{\"type\": \"View\", \"frame\": [1, 2, 3]}", "1:27: frame: needs [x, y, width, height], not a list"),
      ("{\"type\": \"View\", \"frame\": [1, 2, 3, null]}", "1:37: frame[3]: needs a number, not null"),
      ("{\"type\": \"View\", \"frame\": [1, 2, 3, -4]}", "1:37: frame[3]: -4.0 is no length on a screen"),
      ("{\"type\": \"View\", \"frame\": [1e9, 2, 3, 4]}", "1:28: frame[0]: 1000000000.0 is no length on a screen"),
      ("{\"type\": \"View\", \"frame\": [NaN, 2, 3, 4]}", "1:28: frame[0]: nan is no length on a screen"),
      ("{\"type\": \"View\", \"frame\": [1, 2, 3, Infinity]}", "1:37: frame[3]: inf is no length on a screen"),
      ("{\"type\": \"View\", \"margins\": NaN}", "1:29: margins: nan is no length on a screen"),
      (
        "{\"type\": \"View\", \"frame\": [1, 2, 3, 4], \"anchors\": {}}",
        "1:41: anchors: a view has a frame or anchors, not both"
      ),
      (
        "{\"type\": \"View\", \"anchors\": {\"lefd\": 1}}",
        "1:30: anchors.lefd: unknown anchor \"lefd\"; did you mean \"left\"?"
      ), ("{\"type\": \"View\", \"anchors\": 3}", "1:29: anchors: needs an object, not a number"),
      (
        "{\"type\": \"View\", \"anchors\": {\"left\": 1, \"leading\": 2}}",
        "1:38: anchors.left: a view has left and right, or leading and trailing"
      ),
      (
        "{\"type\": \"View\", \"anchors\": {\"left\": 1, \"right\": 2, \"width\": 3}}",
        "1:18: anchors: more than two of left, right, width, centerX"
      ),
      (
        "{\"type\": \"View\", \"anchors\": {\"aspect\": 0}}",
        "1:40: anchors.aspect: needs width divided by height, from 0.001 to 1000"
      ),
      (
        "{\"type\": \"View\", \"anchors\": {\"top\": \"5 %\"}}",
        "1:37: anchors.top: needs points, per cent or a sibling's edge, such as 12, \"50%\" or \"wheel.left - 8\"; \"5 %\" isn't"
      ),
      (
        "{\"type\": \"View\", \"anchors\": {\"top\": \"a.botom\"}}",
        "1:37: anchors.top: no view has an edge \"botom\"; did you mean \"bottom\"?"
      ), ("{\"type\": \"View\", \"anchors\": {\"top\": 2e6}}", "1:37: anchors.top: 2000000.0 is no length on a screen"),
      (
        "{\"type\": \"View\", \"anchors\": {\"top\": null}}",
        "1:37: anchors.top: needs a number, or a text such as \"50%\", not null"
      ),
      (
        "{\"type\": \"View\", \"margins\": [1, 2]}",
        "1:29: margins: needs one length or four, [top, left, bottom, right], not 2"
      ),
      (
        """
        {"type": "View", "subviews": [
          {"type": "View", "name": "wheel"}, {"type": "View", "anchors": {"left": "weel.right"}}]}
        """, "2:75: subviews[1].anchors.left: no view beside this one is named \"weel\"; did you mean \"wheel\"?"
      ),
      (
        """
        {"type": "View", "subviews": [
          {"type": "View", "name": "a", "anchors": {"left": "b.right"}},
          {"type": "View", "name": "b", "anchors": {"right": "c.left"}},
          {"type": "View", "name": "c", "anchors": {"width": "a.width"}}]}
        """, "2:33: subviews[0].anchors: depends on itself: a -> b -> c -> a"
      ),
      (
        "{\"type\": \"View\", \"subviews\": [{\"type\": \"View\", \"name\": \"a\", \"anchors\": {\"left\": \"a.right\"}}]}",
        "1:61: subviews[0].anchors: depends on itself: a -> a"
      ),
      (
        "{\"type\": \"View\", \"actions\": {}}",
        "1:18: actions: a View is no control: it has neither actions nor a channel"
      ),
      (
        "{\"type\": \"Dial\", \"actions\": {\"valueChange\": \"turn\"}}",
        "1:30: actions.valueChange: unknown event \"valueChange\"; did you mean \"valueChanged\"?"
      ),
      (
        "{\"type\": \"Dial\", \"actions\": {\"valueChanged\": \"trun\"}}",
        "1:46: actions.valueChanged: unknown action \"trun\"; did you mean \"turn\"?"
      ),
      (
        "{\"type\": \"Dial\", \"actions\": {\"valueChanged\": 3}}",
        "1:46: actions.valueChanged: needs the name of an action, not a number"
      ), ("{\"type\": \"a\\u0007\\nb\"}", "1:10: type: unknown type \"a??b\"; there are Dial, View"),
    ])
  func mistakes(text: String, expected: String) {
    var actions = LayoutActions()
    actions["turn"] = { _ in }
    do throws(LayoutFileError) {
      _ = try load(text, actions: actions)
      Issue.record("no mistake was found in \(text)")
    } catch {
      #expect(error.description == "scenes/test.json:" + expected)
    }
  }

  @Test("files that are too deep, too large, missing or none are mistakes, too")
  func badFiles() throws {
    let deep =
      String(repeating: "{\"type\": \"View\", \"subviews\": [", count: 10_000) + String(repeating: "]}", count: 10_000)
    func reason(_ body: () throws(LayoutFileError) -> LayoutFile) -> String {
      do throws(LayoutFileError) {
        _ = try body()
        return "none"
      } catch {
        return error.description
      }
    }
    #expect(
      reason { () throws(LayoutFileError) in try LayoutFile(text: deep, name: "deep") }
        == "deep:1:3841: more than 256 lists and objects inside each other")
    let large = String(repeating: " ", count: LayoutFile.maximumLength + 1)
    #expect(
      reason { () throws(LayoutFileError) in try LayoutFile(text: large, name: "large") }
        == "large: is larger than 16 MB")
    #expect(
      reason { () throws(LayoutFileError) in try LayoutFile(contentsOf: "/nowhere/scene.json") }
        == "/nowhere/scene.json: can't be read: No such file or directory")
    for path in ["/tmp", "/dev/zero"] {
      #expect(
        reason { () throws(LayoutFileError) in try LayoutFile(contentsOf: path) }
          == "\(path): can't be read: it is no regular file")
    }
  }

  @Test("a scene as deep as is allowed is laid out and shown")
  func deepestScene() throws {
    let count = 127
    let text =
      String(repeating: "{\"type\": \"View\", \"subviews\": [", count: count) + "{\"type\": \"Dial\", \"name\": \"in\"}"
      + String(repeating: "]}", count: count)
    #expect(try load(text).view(named: "in")?.frame == Rect(x: 0, y: 0, width: 200, height: 100))
  }
}
