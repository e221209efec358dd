import ControlHarness
import ControlTools
import Controls
import Testing

/// Tests of the colour editor: fingers in plane and bars, keys, typed colours, what it says.
@MainActor @Suite(.serialized) struct ColorEditorTests {
  let editor = ColorEditor()
  let harness: ControlHarness
  private let heard = Heard()

  @MainActor private final class Heard {
    var events: [String] = []
    func take() -> [String] {
      defer { events = [] }
      return events
    }
  }

  init() throws {
    harness = ControlHarness(size: Size(width: 280, height: 300))
    editor.frame = Rect(x: 0, y: 0, width: 280, height: 280)
    harness.root.addSubview(editor)
    let heard = heard
    for (event, name) in [
      (Control.Event.editingDidBegin, "begin"), (.valueChanged, "changed"), (.editingDidEnd, "end"),
      (.editingDidCancel, "cancel"),
    ] {
      editor.addAction(for: event) { _ in heard.events.append(name) }
    }
    harness.frame()
  }

  private func part(_ name: String) throws -> View { try #require(editor.view(named: name)) }

  @Test func `corners of the plane are white, the hue, and black`() throws {
    editor.color = Color(hex: 0x00ff00)
    let plane = try part("plane")
    for (point, color) in [
      (Point(x: 1, y: 1), "#ffffff"), (Point(x: 279, y: 1), "#00ff00"),
      (Point(x: 140, y: plane.bounds.height - 1), "#000000"), (Point(x: 279, y: 1), "#00ff00"),
    ] {
      harness.tap(point)
      #expect(editor.color.hexString == color)
      #expect(heard.take() == ["begin", "changed", "end"])
    }
  }

  @Test func `bars change hue and opacity, and a grey keeps its hue`() throws {
    editor.color = Color(hex: 0xff0000)
    let (hue, alpha) = (try part("hue").windowFrame, try part("alpha").windowFrame)
    harness.drag(from: Point(x: 12, y: hue.midY), to: Point(x: 12 + 256.0 / 3, y: hue.midY))
    #expect(editor.color.hexString == "#00ff00")
    harness.drag(from: Point(x: 268, y: alpha.midY), to: Point(x: 140, y: alpha.midY))
    #expect(editor.color.hexString == "#00ff0080")
    // To white and back: the hue is still green.
    harness.tap(Point(x: 1, y: 1))
    #expect(editor.color.hexString == "#ffffff80")
    harness.tap(Point(x: 279, y: 1))
    #expect(editor.color.hexString == "#00ff0080")
  }

  @Test func `keys change what has the focus`() throws {
    editor.color = Color(hex: 0x808080)
    harness.press(.tab)
    #expect(try part("plane").isFirstResponder)
    harness.press(.end)
    harness.press(.up, .shift)
    harness.press(.tab)
    for _ in 0..<6 { harness.press(.pageUp) }
    harness.press(.tab)
    harness.press(.home)
    #expect(editor.color.alpha == 0)
    harness.press(.end)
    let color = HSBColor(editor.color)
    #expect(abs(color.hue - 216) < 1e-6 && color.saturation == 1 && abs(color.brightness - 128.0 / 255 - 0.1) < 1e-9)
  }

  @Test(arguments: [
    ("#2dd4bf", "#2dd4bf"), ("2dd4bf80", "#2dd4bf80"), ("#abc", "#aabbcc"), ("white", "#ffffff"),
    ("teal-ish", "#ff0000"),
    ("", "#ff0000"),
  ]) func `colours are typed`(typed: String, color: String) throws {
    editor.color = Color(hex: 0xff0000)
    harness.tap(try part("hex"))
    harness.press(.character("a"), .control)
    harness.press(.backspace)
    harness.type(typed)
    harness.press(.enter)
    #expect(editor.color.hexString == color)
    #expect(editor.view(named: "hex")?.inspection.values["text"] == .string(color))
    #expect(heard.take() == (color == "#ff0000" ? [] : ["changed"]))
  }

  @Test func `code's colour shows and says nothing`() throws {
    editor.color = Color(hex: 0x2dd4bf)
    #expect(heard.take() == [])
    #expect(try part("hex").inspection.values["text"] == .string("#2dd4bf"))
  }

  @Test func `without opacity there is no bar, and a typed one is left as it was`() throws {
    editor.showsAlpha = false
    harness.frame()
    #expect(try part("alpha").isHidden)
    harness.tap(try part("hex"))
    harness.press(.character("a"), .control)
    harness.type("#12345680")
    harness.press(.enter)
    #expect(editor.color.hexString == "#123456")
  }

  @Test func `a lost finger and a disabled editor change nothing more`() throws {
    editor.color = Color(hex: 0xff0000)
    harness.touch(.began, at: Point(x: 140, y: 20))
    harness.touch(.cancelled, at: Point(x: 140, y: 20))
    #expect(heard.take() == ["begin", "changed", "cancel"])
    editor.isEnabled = false
    harness.tap(Point(x: 20, y: 20))
    harness.press(.tab)
    #expect(heard.take() == [] && harness.root.firstResponder == nil)
  }
}
